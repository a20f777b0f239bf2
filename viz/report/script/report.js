// The entry of a report's scripts: the picture takes the drawing's place, and what follows makes
// the rest of the report answer. Each does its work when it is imported, in this order.

import "./static.js";
import "../../page/script/main.js";
import "./show.js";
import "../../page/asking/ask.js";
import "./tables.js";
import "./findings.js";
import "./matrix.js";
