// The names of zones, on their outlines.

import { colours, withAlpha, zoneColour } from "./colours.js";
import { shownPaths } from "./links.js";
import { model, zoneTitle } from "./model.js";
import { FONT, boxAt, free, placed, textWidth, whole } from "./room.js";
import { shortened } from "./texts.js";
import { onScreen, view } from "./view.js";
import { FEW_ZONES, PADDING } from "./zones.js";

// The zones the answer passes.
function zonesOfAnswer() {
  const links = [
    ...shownPaths().flatMap((path) => path.steps.map((step) => step.link)),
    ...model.causes.flatMap((block) => [block.link, ...block.way.map((step) => step.link)]),
  ];
  return new Set(links.filter(Boolean).map((link) => link.inZone));
}

// A zone that is small on the screen says its name only; its outline still tells the type.
export function drawZoneLabels(context) {
  const told = zonesOfAnswer();
  const order = [...model.zonesBySize].sort(
    (one, other) => Number(told.has(other)) - Number(told.has(one)),
  );
  for (const zone of order) {
    if (!zone.shape) continue;
    const across = 2 * Math.sqrt(zone.area / Math.PI) * view.scale + 2 * PADDING * view.scale;
    const small = across < 90 && model.zones.length > FEW_ZONES;
    const quiet = small && !told.has(zone);
    const font = `700 ${small ? 11 : 12}px ${FONT}`;
    const text = shortened(small ? zone.name : zoneTitle(zone), 28);
    const width = textWidth(context, font, text) + (quiet ? 4 : 12),
      height = quiet ? 13 : 18;
    for (const at of labelPlaces(zone, width)) {
      const box = boxAt(at.x, at.y, width, height);
      if (!whole(box) || !free(box)) continue;
      placed.push(box);
      zoneLabel(context, zone, text, at, box, { font, quiet });
      break;
    }
  }
}

// Pixels by which a name may stand away from the outline, where names of servers are on it.
const OFF = [0, 22, 44];

// Where the name of a zone may stand, in pixels, the best first: on the outline, else outside of it,
// and only then in the area of another zone.
function* labelPlaces(zone, width) {
  const middle = { x: 0, y: 0 };
  for (const { x, y } of zone.servers) {
    middle.x += x / zone.servers.length;
    middle.y += y / zone.servers.length;
  }
  const centre = onScreen(middle.x, middle.y);
  const own = zone.labels.filter((place) => !place.others);
  const ways = [own, zone.labels.filter((place) => place.others)];
  for (const [places, off] of ways.flatMap((way) => OFF.map((far) => [way, far]))) {
    for (const place of places) {
      const at = onScreen(place.x, place.y);
      const far = Math.hypot(at.x - centre.x, at.y - centre.y) || 1;
      // Beside a zone a name stands outside; above and below it, on the outline.
      at.x += ((place.dx || 0) * width) / 2 + (off * (at.x - centre.x)) / far;
      at.y += (off * (at.y - centre.y)) / far;
      yield at;
    }
  }
}

function zoneLabel(context, zone, text, at, box, { font, quiet }) {
  context.font = font;
  context.textAlign = "center";
  if (quiet) {
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = withAlpha(colours.canvas, 0.9);
    context.strokeText(text, at.x, at.y + 0.5);
  } else {
    context.fillStyle = withAlpha(colours.canvas, 0.92);
    context.strokeStyle = zoneColour(zone);
    context.lineWidth = 1.2;
    context.beginPath();
    context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 9);
    context.fill();
    context.stroke();
  }
  context.fillStyle = zoneColour(zone);
  context.fillText(text, at.x, at.y + 0.5);
}
