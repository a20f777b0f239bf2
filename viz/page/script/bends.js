// How links are bent: none passes over a server that is not one of its ends, as long as there is a
// way around. The rule is that of viz/layout/bends.py.

import { PARALLEL_GAP, apartOf } from "./curves.js";
import { model } from "./model.js";
import { view } from "./view.js";

// What a link keeps from the middle of a server that is not its end.
const CLEAR = 30;
// How far the control point of a link may lie beside it: of its length, and at most.
const STEEPEST = 0.8,
  FARTHEST_ASIDE = 1000;
const BEND_SQUARE = 200;
// More servers that move at once than this: every link is looked at again.
const FEW_MOVED = 8;

// Where the servers stood when the bends were found: the bends of links near those that moved since
// are found again. ``version`` counts the times that a server moved, came or went.
export const bends = { seen: [], squares: new Map(), clear: CLEAR, version: 0 };

const squareNumber = (column, row) => column * 1048576 + row;

/**
 * Takes down where servers stand; to be called before links are drawn. Linear in the servers, and
 * in the links if one moved.
 */
export function refreshBends() {
  const clear = CLEAR * view.size;
  const moved = [];
  const all = clear !== bends.clear || bends.seen.length === 0;
  model.servers.forEach((server, index) => {
    const was = bends.seen[index];
    if (!all && was.x === server.x && was.y === server.y && was.hidden === server.hidden) return;
    if (was && !was.hidden) moved.push(was);
    const now = { x: server.x, y: server.y, hidden: server.hidden, server };
    if (!now.hidden) moved.push(now);
    bends.seen[index] = now;
  });
  if (!all && !moved.length) return;
  bends.version += 1;
  bends.clear = clear;
  bends.squares = new Map();
  for (const server of model.servers) {
    if (server.hidden) continue;
    const key = squareNumber(
      Math.floor(server.x / BEND_SQUARE),
      Math.floor(server.y / BEND_SQUARE),
    );
    if (bends.squares.has(key)) bends.squares.get(key).push(server);
    else bends.squares.set(key, [server]);
  }
  const few = !all && moved.length <= 2 * FEW_MOVED;
  for (const link of model.links) {
    if (!few || moved.some((spot) => mayBend(link, spot))) link.aside = null;
  }
}

// Whether a server that comes to a place, or leaves it, may change the bend of a link.
function mayBend({ a, b }, spot) {
  if (spot.server === a || spot.server === b) return true;
  const dx = b.x - a.x,
    dy = b.y - a.y;
  const length = Math.sqrt(dx * dx + dy * dy);
  const reach =
    length / 2 + Math.min(STEEPEST * length, FARTHEST_ASIDE) / 2 + 4 * PARALLEL_GAP + 2 * CLEAR;
  const x = spot.x - (a.x + b.x) / 2,
    y = spot.y - (a.y + b.y) / 2;
  return x * x + y * y < reach * reach;
}

// How far the control point of a link is moved, to keep it off servers: found when it is first
// needed.
export function asideOf(link, first, second) {
  if (link.aside === null) {
    const apart = [];
    for (let index = 0; index < link.parallels; index += 1)
      apart.push(apartOf(index, link.parallels));
    link.aside = bendBetween(first, second, apart);
  }
  return link.aside;
}

/**
 * ``apart`` is where the control points of parallel links lie without it; all of them are moved
 * alike.
 * @param {{x: number, y: number}} first
 * @param {{x: number, y: number}} second
 * @param {number[]} apart
 * @param {{near: Function, clear: Function, widest: number}} around - what stands in the way, and
 *   what a link keeps from it
 */
export function bendBetween(first, second, apart, around = aroundServers()) {
  const dx = second.x - first.x,
    dy = second.y - first.y;
  const length = Math.sqrt(dx * dx + dy * dy);
  if (!length) return 0;
  let widest = 0;
  for (const one of apart) widest = Math.max(widest, Math.abs(one));
  // Most links are free as they are, which only the servers beside them decide.
  if (isFree(first, second, length, apart, widest / 2 + 2 * around.widest, around)) return 0;
  const most = Math.min(STEEPEST * length, FARTHEST_ASIDE);
  const found = forbidden(
    first,
    second,
    length,
    apart,
    (most + widest) / 2 + 2 * around.widest,
    around,
  );
  const lows = found.map(([low]) => low).sort((one, other) => one - other);
  const highs = found.map(([, high]) => high).sort((one, other) => one - other);
  let best = 0,
    least = Infinity,
    nearest = Infinity;
  for (const aside of [0, ...lows, ...highs]) {
    if (Math.abs(aside) > most) continue;
    // How many servers the link would lead over.
    const over = countBelow(lows, aside, false) - countBelow(highs, aside, true);
    const far = Math.round(Math.abs(aside) * 1e6) / 1e6;
    if (
      over < least ||
      (over === least && (far < nearest || (far === nearest && best < 0 && aside >= 0)))
    ) {
      [best, least, nearest] = [aside, over, far];
    }
  }
  return best;
}

function aroundServers() {
  return { near: serversNear, clear: () => bends.clear, widest: bends.clear };
}

// How many of the ordered numbers are below a value, or equal to it as well.
function countBelow(ordered, value, orEqual) {
  let low = 0,
    high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordered[middle] < value || (orEqual && ordered[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Whether control points that are not moved lead no link over a server: none of the intervals below
// is around 0.
function isFree(first, second, length, apart, reach, around) {
  const across = (second.x - first.x) / length,
    down = (second.y - first.y) / length;
  for (const server of around.near(first, second, reach)) {
    const x = server.x - first.x,
      y = server.y - first.y;
    const beside = y * across - x * down;
    if (beside > reach || beside < -reach || server === first || server === second) continue;
    const t = (x * across + y * down) / length;
    if (!(t > 0 && t < 1)) continue;
    const rise = 2 * t * (1 - t);
    const middle = beside / rise;
    const steep = (2 - 4 * t) * Math.max(-STEEPEST, Math.min(STEEPEST, middle / length));
    const half = (around.clear(server) * Math.sqrt(1 + steep * steep)) / rise;
    for (const one of apart) if (middle - half < one && one < middle + half) return false;
  }
  return true;
}

// The open intervals in which a control point would lead a link over a server, of the servers no
// farther than ``reach`` from the line.
function forbidden(first, second, length, apart, reach, around) {
  const across = (second.x - first.x) / length,
    down = (second.y - first.y) / length;
  const found = [];
  for (const server of around.near(first, second, reach)) {
    if (server === first || server === second) continue;
    const x = server.x - first.x,
      y = server.y - first.y;
    const t = (x * across + y * down) / length;
    const beside = y * across - x * down;
    if (!(t > 0 && t < 1) || Math.abs(beside) > reach) continue;
    const rise = 2 * t * (1 - t);
    const middle = beside / rise;
    // A steep curve is nearer than it is seen across.
    const steep = (2 - 4 * t) * Math.max(-STEEPEST, Math.min(STEEPEST, middle / length));
    const half = (around.clear(server) * Math.sqrt(1 + steep * steep)) / rise;
    for (const one of apart) found.push([middle - half - one, middle + half - one]);
  }
  return found;
}

// The servers in squares that come as near as ``reach`` to the line between two places.
function serversNear(a, b, reach) {
  const [top, bottom] = a.y < b.y || (a.y === b.y && a.x <= b.x) ? [a, b] : [b, a];
  const rise = bottom.y - top.y;
  const found = [];
  const lastRow = Math.floor((bottom.y + reach) / BEND_SQUARE);
  for (let row = Math.floor((top.y - reach) / BEND_SQUARE); row <= lastRow; row += 1) {
    // What of the line is no farther than ``reach`` above or below the row.
    const start = rise ? Math.max(0, Math.min(1, (row * BEND_SQUARE - reach - top.y) / rise)) : 0;
    const end = rise
      ? Math.max(0, Math.min(1, ((row + 1) * BEND_SQUARE + reach - top.y) / rise))
      : 1;
    const one = top.x + (bottom.x - top.x) * start,
      other = top.x + (bottom.x - top.x) * end;
    const last = Math.floor((Math.max(one, other) + reach) / BEND_SQUARE);
    for (
      let column = Math.floor((Math.min(one, other) - reach) / BEND_SQUARE);
      column <= last;
      column += 1
    ) {
      const here = bends.squares.get(squareNumber(column, row));
      if (here) for (const server of here) found.push(server);
    }
  }
  return found;
}
