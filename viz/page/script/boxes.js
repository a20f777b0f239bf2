// Servers as boxes with their names in them: how large each box is, in pixels, and where in it the
// shape of the server is. Whether there is room for boxes is found for all servers of a picture
// together, in boxfit.js.

import { FONT } from "./room.js";
import { view } from "./view.js";

export const BOX_FONT = `600 12px ${FONT}`;

// The radius of the shape in a box.
export const GLYPH = 8.5;

const CORNER = 7;

/**
 * @typedef {{wide: number, high: number, sign: number, middle: number, width: number, text:
 * string}} ServerBox -
 *   half the width and height, and where the middles of the shape and of the name are, from that of
 *   the box
 */

// By server; nothing where servers are shapes with their names next to them.
const sizes = new Map();

export function useBoxes(found) {
  sizes.clear();
  for (const [server, box] of found) sizes.set(server, box);
}

/** @returns {ServerBox | null} */
export function boxOf(server) {
  return sizes.get(server) || null;
}

export function boxesShown() {
  return sizes.size > 0;
}

// Where the sign of a server is, in the picture's units.
export function signPlace(server) {
  const box = boxOf(server);
  return { x: server.x + (box ? box.sign / view.scale : 0), y: server.y };
}

// The outline of a box, ``away`` pixels outside of it.
export function boxOutline(context, box, x, y, unit, away = 0) {
  const wide = (box.wide + away) * unit,
    high = (box.high + away) * unit;
  context.beginPath();
  context.roundRect(x - wide, y - high, 2 * wide, 2 * high, (CORNER + away) * unit);
}
