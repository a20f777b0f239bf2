// Breadth-first walks over the forwards of a part, as `topograph.forwarding.rows` makes them.

import { Declined } from "./declined.js";

/**
 * Which points no walk enters: those with a guard that lets nothing pass, and with `certain` those
 * with one of which that is not known, and those at servers that are not loaded.
 * @returns {Uint8Array}
 */
export function closedPoints(part, certain) {
  const named = certain ? "certain" : "all";
  const shut = (point) => certain && !part.servers.loaded[part.pointServer[point]];
  const closes = (guard) => part.shut.has(guard) || (certain && part.open.has(guard));
  return keptClosed(part, named, closes, shut);
}

/**
 * Which points no walk enters that passes only what some guards do not stand on. @returns
 * {Uint8Array}
 */
export function closedByGuards(part, named, closes) {
  return keptClosed(part, named, closes, () => false);
}

function keptClosed(part, named, closesGuard, closesPoint) {
  const known = part.closed.get(named);
  if (known) return known;
  const sets = part.guardSets.map((set) => set.some(closesGuard));
  const closed = new Uint8Array(part.pointCount);
  for (let point = 0; point < closed.length; point++) {
    if (sets[part.guardSet[point]] || closesPoint(point)) closed[point] = 1;
  }
  part.closed.set(named, closed);
  return closed;
}

/**
 * Every point that a walk from `starts` reaches, in breadth-first order, each with the point before
 * it on a shortest walk (-1 at a start). Nodes behind the points are connectors: they cost no hop
 * and are in no answer. Linear in the forwards passed.
 * @param {number[]} starts
 * @param {Uint8Array} closed - points that are not entered; starts are, whatever they are.
 * @returns {{points: number[], before: Int32Array}} `before` is -2 where no walk gets.
 */
export function walkFrom(part, starts, closed) {
  const before = new Int32Array(part.starts.length - 1).fill(-2);
  const points = [];
  for (const start of starts) {
    if (before[start] === -2) points.push(start);
    before[start] = -1;
  }
  const nodes = [];
  for (let at = 0; at < points.length; at++) {
    const point = points[at];
    nodes.push(point);
    while (nodes.length) {
      const node = nodes.pop();
      for (let row = part.starts[node]; row < part.starts[node + 1]; row++) {
        const end = part.ends[row];
        if (before[end] !== -2) continue;
        if (end >= part.pointCount) {
          before[end] = point;
          nodes.push(end);
        } else if (!closed[end]) {
          before[end] = point;
          points.push(end);
        }
      }
    }
  }
  return { points, before };
}

/**
 * By server the point at which a walk from an origin gets there. Declines where a server is entered
 * twice: then several paths lead somewhere, and which of them are permitted takes a search.
 * @returns {{at: Map<number, number>, before: Int32Array}} the server of the origin is left out.
 */
export function onlyWalks(part, start, certain) {
  const walk = walkFrom(part, [start], closedPoints(part, certain));
  const at = new Map();
  for (const point of walk.points) {
    const server = part.pointServer[point];
    if (at.has(server)) {
      const name = part.servers.name[server];
      throw new Declined(
        `More than one path leads from ${part.servers.name[start]} to ${name}: the configured network is not legal as it stands, ` +
          "and which of the paths a message takes is not decided in this page.",
      );
    }
    at.set(server, point);
  }
  at.delete(part.pointServer[start]);
  return { at, before: walk.before };
}

/** The points of the walk to a point, first to last. */
export function pathTo(before, point) {
  const path = [];
  for (let one = point; one >= 0; one = before[one]) path.push(one);
  return path.reverse();
}

/**
 * By server the first point of a breadth-first walk from an origin, and the path there; the
 * origin's own server is left out.
 */
export function shortestPaths(part, start, closed) {
  const walk = walkFrom(part, [start], closed);
  const found = new Map();
  for (const point of walk.points) {
    const server = part.pointServer[point];
    if (server !== part.pointServer[start] && !found.has(server))
      found.set(server, pathTo(walk.before, point));
  }
  return found;
}

/** By target the chain of points from a server there: each point leads on to one other. */
export function chainsFrom(part, start) {
  const found = new Map();
  for (let point = 0; point < part.pointCount; point++) {
    if (part.pointServer[point] !== start || part.target[point] < 0 || part.target[point] === start)
      continue;
    const path = [point];
    for (let at = point; part.pointServer[at] !== part.target[at]; path.push(at))
      at = part.ends[part.starts[at]];
    found.set(part.target[point], path);
  }
  return found;
}
