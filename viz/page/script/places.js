// Where the servers stand, dragged ones too, as a file for --layout (topograph/store/layouts.py
// reads it).

import { byId, element, hint } from "./document.js";
import { model } from "./model.js";
import { inOverview, overview } from "./overview.js";

/** @returns {string} the places of the servers in the page as a layout file, one server a line */
function layoutText() {
  const number = (value) => String(Math.round(value * 10) / 10);
  // In an open zone of an overview they stand nearer together than in their own places.
  const open = inOverview() && overview.open ? overview.open.servers : [];
  const inside = new Set(open);
  const placeOfServer = (server) => (inside.has(server) ? server.own : server.apart || server);
  const rows = model.servers
    .map((server) => [server.name, placeOfServer(server)])
    .map(([name, { x, y }]) => `\n  ${JSON.stringify(name)}: [${number(x)}, ${number(y)}]`);
  return `{"format": "topograph-layout", "version": 1, "servers": {${rows.join(",")}\n}}\n`;
}

function savePlaces() {
  const address = URL.createObjectURL(new Blob([layoutText()], { type: "application/json" }));
  element("a", { href: address, download: "places.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  hint("Saved the places of the servers: topograph view --layout places.json starts from there");
}

export function listenToPlaces() {
  byId("save-places").addEventListener("click", savePlaces);
}
