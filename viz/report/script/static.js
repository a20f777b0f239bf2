// The report before its scripts ran shows a drawing; from here on the picture that answers takes
// its place.

import { byId } from "../../page/script/document.js";

document.documentElement.dataset.scripts = "true";
byId("still").hidden = true;
byId("workbench").hidden = false;
