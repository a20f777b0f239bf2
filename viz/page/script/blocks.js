// Where messages end: the lines that lead there, and the places of the signs.

import { colours } from "./colours.js";
import { trace, upTo } from "./curves.js";
import { curveBetween, isBlocked } from "./links.js";
import { model } from "./model.js";
import { boxAt, overlaps } from "./room.js";
import { changes } from "./said.js";
import { serverBox } from "./servernames.js";
import { besideServer, freePlace, lineOf, placesOn } from "./signplaces.js";
import { view } from "./view.js";

// Half of the width of a sign, in pixels.
const SMALLEST = 8,
  LARGEST = 12;

// Where a sign is on its link if nothing is near: a link that is refused is drawn whole.
const ON_LINK = 0.56,
  ON_WHOLE = 0.5;

/**
 * The signs of this drawing, in pixels, and for each block that has one on its link the part of
 * the link before it.
 * @type {{signs: {block: object, causes: object[], count: number, size: number, x: number, y:
 *   number, at: object | null}[], parts: Map<object, number>}}
 */
export const stops = { signs: [], parts: new Map() };

/**
 * Finds the place of each sign. On a link where everything is too near to something else there is
 * none: its server has a sign that counts it.
 */
export function placeStops() {
  stops.signs = [];
  stops.parts = new Map();
  // As the picture: in a small window a sign does not hide the servers beside it.
  const size = Math.max(SMALLEST, Math.min(LARGEST, LARGEST * 1.2 * view.scale));
  const taken = [];
  const keep = (sign) => {
    stops.signs.push({ count: 1, size, ...sign });
    taken.push(boxAt(sign.x, sign.y, 2 * size + 2, 2 * size + 2));
  };
  const counted = new Map();
  for (const block of model.causes) {
    const at = model.byName.get(block.at),
      to = model.byName.get(block.to);
    if (!at || at.hidden || (to && to.hidden)) continue;
    const curve = at === to ? null : curveBetween(block.link, block.at, block.to);
    if (at !== to && !curve) continue;
    const ends = to ? [serverBox(at), serverBox(to)] : [serverBox(at)];
    const wanted = changes ? ON_WHOLE : ON_LINK;
    const place =
      curve &&
      freePlace(placesOn(lineOf(block.link, block.at, block.to), curve, wanted), size, [
        ...taken,
        ...ends,
      ]);
    if (place) {
      stops.parts.set(block, place.t);
      keep({ block, causes: [block], at: null, ...place.at });
    } else if (counted.has(at)) counted.get(at).push(block);
    else counted.set(at, [block]);
  }
  for (const [at, causes] of counted) {
    const place = besideServer(at, size, taken);
    const covered =
      place.free ||
      stops.signs.find(
        (sign) => sign.at && overlaps(boxAt(sign.x, sign.y, 2 * size, 2 * size), place.box),
      );
    if (covered === true || !covered)
      keep({ block: causes[0], causes, at, x: place.x, y: place.y });
    else covered.causes.push(...causes);
  }
  for (const sign of stops.signs)
    sign.count = sign.causes.reduce((sum, cause) => sum + 1 + cause.repeated.length, 0);
}

// A block: the link is drawn up to the sign, and goes on as dots that no message follows. Where it
// is not certain, the line is broken. A link that is refused is drawn whole: nothing is on its way
// over it.
export function drawBlocks(context) {
  if (changes) return;
  const thin = 1 / view.scale;
  for (const certain of [false, true]) {
    const beyond = new Path2D(),
      before = new Path2D();
    for (const block of model.blocks) {
      if (block.certain !== certain || block.at === block.to) continue;
      const ends = [model.byName.get(block.at), model.byName.get(block.to)];
      if (!ends[0] || ends.some((server) => server && server.hidden)) continue;
      // What only repeats another block has no sign of its own: its cause counts it.
      const cause = block.repeats < 0;
      if (!cause && block.link && !isBlocked(block.link)) continue;
      const curve = curveBetween(block.link, block.at, block.to);
      if (!curve) continue;
      trace(beyond, curve);
      if (cause) trace(before, upTo(curve, stops.parts.get(block) || ON_LINK));
    }
    const colour = certain ? colours.bad : colours.doubt;
    context.strokeStyle = colour;
    context.setLineDash([1.5 * thin, 6 * thin]);
    context.lineWidth = 2 * thin;
    context.stroke(beyond);
    context.setLineDash([]);
    context.strokeStyle = colours.canvas;
    context.lineWidth = 7.5 * thin;
    context.stroke(before);
    context.strokeStyle = colour;
    context.lineWidth = 4 * thin;
    if (!certain) context.setLineDash([9 * thin, 4 * thin]);
    context.stroke(before);
    context.setLineDash([]);
  }
}
