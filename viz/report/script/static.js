// The report before its scripts ran shows a drawing; from here on the picture that answers takes
// its place.

document.documentElement.dataset.scripts = "true";
byId("still").hidden = true;
byId("workbench").hidden = false;
