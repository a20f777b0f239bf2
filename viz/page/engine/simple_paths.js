// All paths between two servers that enter no server twice, as topograph/forwarding/simple.py finds
// them.

import { Declined } from "./declined.js";
import { linkKeys } from "./described.js";
import { walkFrom } from "./walks.js";

/** Points looked at before the page gives up: some 50 ms. */
const MOST_LOOKED_AT = 1_000_000;

/**
 * The server-simple paths from an origin to a server, shortest first, then by the names of their
 * servers, then by point numbers: at most `maximum`, and whether there are more. Walks over the same
 * servers and links are one path. Declines where the search takes too long.
 * @param {number} start - the point of the origin.
 * @param {number} goal - the number of the server.
 * @returns {{paths: number[][], truncated: boolean}}
 */
export function simplePaths(part, start, goal, maximum, closed) {
  const search = searchBetween(part, start, goal, closed);
  const paths = [];
  for (const path of search ? pathsByLength(part, search, start, goal) : []) {
    if (paths.length === maximum) return { paths, truncated: true };
    paths.push(path);
  }
  return { paths, truncated: false };
}

/**
 * The forwards that lie between an origin and a server, both ways; null where no walk gets there.
 */
function searchBetween(part, start, goal, closed) {
  const forward = walkFrom(part, [start], closed).points;
  const rows = new Map(forward.map((point) => [point, successorsOf(part, point, closed)]));
  const behind = turnedRound(rows);
  const targets = forward.filter((point) => part.pointServer[point] === goal);
  const between = new Set(targets);
  for (const point of between) for (const before of behind.get(point) || []) between.add(before);
  if (!between.has(start)) return null;
  const onward = new Map();
  for (const point of between)
    onward.set(
      point,
      rows.get(point).filter((end) => between.has(end)),
    );
  const search = { onward, backward: turnedRound(onward), targets, left: MOST_LOOKED_AT };
  return search;
}

/** The points one forward away that may be entered; connectors are followed. */
function successorsOf(part, point, closed) {
  const found = [];
  const nodes = [point];
  while (nodes.length) {
    const node = nodes.pop();
    for (let row = part.starts[node]; row < part.starts[node + 1]; row++) {
      const end = part.ends[row];
      if (end >= part.pointCount) nodes.push(end);
      else if (!closed[end]) found.push(end);
    }
  }
  return found.sort((a, b) => a - b);
}

function turnedRound(rows) {
  const turned = new Map();
  for (const [point, ends] of rows) {
    for (const end of ends) {
      if (!turned.has(end)) turned.set(end, []);
      turned.get(end).push(point);
    }
  }
  return turned;
}

/**
 * Iterative deepening over sequences of servers: a node is the points that walks over one sequence
 * are at. At every step the distance to the targets over servers that were not visited bounds the
 * search, so that no step is taken that cannot end in a target.
 */
function* pathsByLength(part, search, start, goal) {
  const { rank } = part.servers;
  const serverOf = (point) => part.pointServer[point];
  const longest = new Set([...search.backward.keys()].map(serverOf)).size;
  const own = new Set([serverOf(start)]);
  const anywhere = distancesTo(part, search, [], new Set(), goal, [
    ...search.backward.keys(),
    start,
  ]);
  const least = distancesTo(part, search, [start], own, goal, [start]).get(start);
  let length = least;
  while (length !== undefined && length <= longest) {
    let next;
    const stack = [{ points: [start], before: null, length: 0, visited: own }];
    while (stack.length) {
      const node = stack.pop();
      if (node.length && serverOf(node.points[0]) === goal) {
        if (node.length === length) yield* walksOver(part, search, node);
        continue;
      }
      const groups = new Map();
      for (const point of node.points) {
        for (const end of search.onward.get(point)) {
          const server = serverOf(end);
          if (node.visited.has(server)) continue;
          if (!groups.has(server)) groups.set(server, new Set());
          groups.get(server).add(end);
        }
      }
      const ends = [...groups.values()].flatMap((group) => [...group]);
      spend(search, ends.length + 1);
      const distance =
        length === least
          ? anywhere
          : distancesTo(part, search, node.points, node.visited, goal, ends);
      // The last one pushed is looked at first.
      for (const server of [...groups.keys()].sort((a, b) => rank[b] - rank[a])) {
        const group = [...groups.get(server)]
          .filter((end) => distance.has(end))
          .sort((a, b) => a - b);
        if (!group.length) continue;
        const total = node.length + 1 + Math.min(...group.map((end) => distance.get(end)));
        if (total <= length) {
          const visited = new Set(node.visited).add(server);
          stack.push({ points: group, before: node, length: node.length + 1, visited });
        } else if (next === undefined || total < next) next = total;
      }
    }
    length = next;
  }
}

/**
 * Steps to the nearest target of every point that gets to one over servers not visited; no more
 * once all of `wanted` have one.
 */
function distancesTo(part, search, points, visited, goal, wanted) {
  const distance = new Map();
  for (const target of search.targets)
    if (!visited.has(part.pointServer[target])) distance.set(target, 0);
  const missing = new Set(wanted.filter((point) => !distance.has(point)));
  const entered = new Set(points);
  const queue = [...distance.keys()];
  for (let at = 0; at < queue.length && missing.size; at++) {
    const here = queue[at];
    if (entered.has(here)) continue;
    for (const before of search.backward.get(here) || []) {
      spend(search, 1);
      if (distance.has(before)) continue;
      const server = part.pointServer[before];
      if (entered.has(before) || (!visited.has(server) && server !== goal)) {
        distance.set(before, distance.get(here) + 1);
        missing.delete(before);
        queue.push(before);
      }
    }
  }
  return distance;
}

/** The walks over the servers of a node, by point numbers: several where links are parallel. */
function* walksOver(part, search, node) {
  const levels = [];
  for (let one = node; one; one = one.before) levels.unshift(one.points);
  const kept = levels.map((points) => new Set(points));
  for (let level = levels.length - 2; level >= 0; level--) {
    const leads = (point) => search.onward.get(point).some((end) => kept[level + 1].has(end));
    kept[level] = new Set(levels[level].filter(leads));
  }
  const linkOf = linkKeys(part);
  if (linkOf) {
    yield* walksByLinks(part, search, kept, linkOf);
    return;
  }
  const descending = (points) => [...points].sort((a, b) => b - a);
  const waiting = descending(kept[0]).map((point) => [point]);
  while (waiting.length) {
    const walk = waiting.pop();
    if (walk.length === kept.length) {
      yield walk;
      continue;
    }
    const ends = search.onward
      .get(walk[walk.length - 1])
      .filter((end) => kept[walk.length].has(end));
    for (const end of descending(ends)) waiting.push([...walk, end]);
  }
}

/**
 * One walk over points `kept`, a set for each server, for every sequence of links that walks take:
 * the one whose points have the fewest guards together, of those that are chosen at run time, then of
 * those before which messages wait, then of all, then by their numbers, the last points first.
 */
function* walksByLinks(part, search, kept, linkOf) {
  const waiting = [{ levels: [kept[0]], taken: [] }];
  while (waiting.length) {
    const { levels, taken } = waiting.pop();
    if (levels.length === kept.length) {
      yield lightestWalk(part, search, levels, taken, linkOf);
      continue;
    }
    const over = new Map();
    for (const point of levels[levels.length - 1]) {
      for (const end of search.onward.get(point)) {
        if (!kept[levels.length].has(end)) continue;
        const link = linkOf(point, end);
        if (!over.has(link)) over.set(link, new Set());
        over.get(link).add(end);
      }
    }
    const first = ([, ends]) => Math.min(...ends);
    for (const [link, ends] of [...over].sort((a, b) => first(b) - first(a)))
      waiting.push({ levels: [...levels, ends], taken: [...taken, link] });
  }
}

function lightestWalk(part, search, levels, taken, linkOf) {
  /** @type {Map<number, {weight: number, before: number}>} */
  const first = new Map();
  for (const point of levels[0]) first.set(point, { weight: weightOf(part, point), before: -1 });
  const lightest = [first];
  for (const [level, link] of taken.entries()) {
    const ends = new Map();
    for (const point of [...levels[level]].sort((a, b) => a - b)) {
      for (const end of search.onward.get(point)) {
        if (!levels[level + 1].has(end) || linkOf(point, end) !== link) continue;
        const weight = weightOf(part, end) + lightest[level].get(point).weight;
        if (!ends.has(end) || weight < ends.get(end).weight)
          ends.set(end, { weight, before: point });
      }
    }
    lightest.push(ends);
  }
  const last = [...lightest[taken.length]].reduce((a, b) =>
    (b[1].weight - a[1].weight || b[0] - a[0]) < 0 ? b : a,
  );
  const walk = [last[0]];
  for (let level = taken.length; level > 0; level--)
    walk.unshift(lightest[level].get(walk[0]).before);
  return walk;
}

const [OF_A_WAIT, OF_A_CHOICE] = [1_000, 1_000_000];

/** What the guards of a point weigh: `all_paths` of topograph/systems/stepping/paths.py. */
function weightOf(part, point) {
  const guards = part.guardSets[part.guardSet[point]];
  const waits = guards.filter((guard) => part.waits.has(guard)).length;
  const perhaps = guards.filter((guard) => part.chosen.has(guard) && !part.waits.has(guard)).length;
  return guards.length + OF_A_WAIT * waits + OF_A_CHOICE * perhaps;
}

function spend(search, number) {
  search.left -= number;
  if (search.left < 0)
    throw new Declined("There are more ways between these servers than this page looks through.");
}
