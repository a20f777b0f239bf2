// Where the servers stand, dragged ones too, as a file for --layout (topograph/store/layouts.py reads it).

/** @returns {string} the places of the servers in the page as a layout file, one server a line */
function layoutText() {
  const number = (value) => String(Math.round(value * 10) / 10);
  const rows = model.servers.map(({ name, x, y }) => `\n  ${JSON.stringify(name)}: [${number(x)}, ${number(y)}]`);
  return `{"format": "topograph-layout", "version": 1, "servers": {${rows.join(",")}\n}}\n`;
}

function savePlaces() {
  const address = URL.createObjectURL(new Blob([layoutText()], { type: "application/json" }));
  element("a", { href: address, download: "places.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  hint("Saved where the servers stand: topograph view --layout places.json starts from there");
}

function listenToPlaces() {
  byId("save-places").addEventListener("click", savePlaces);
}
