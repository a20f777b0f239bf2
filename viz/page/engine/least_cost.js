// Ways of equal cost that a system does not take, where it takes one only.

import { Declined } from "./declined.js";

/**
 * The fields `unused` and `unused_count` of an answer: the ways that cost as much as the path, by
 * server names, at most `maximum` of them listed.
 * @param {number[][]} paths - the path, if there is one.
 */
export function unusedWays(part, paths, maximum) {
  if (!part.leastCost || !paths.length) return { unused: [], unused_count: 0 };
  const used = paths[0].map((point) => part.pointServer[point]);
  const { beside } = part.leastCost;
  const first = beside.has(used[0]) ? used.slice(0, 1) : [];
  const last = beside.has(used[used.length - 1]) ? used.slice(-1) : [];
  const core = used.slice(first.length, used.length - last.length);
  const { count, ways } = equalWays(part, core[0], core[core.length - 1], maximum + 1);
  const others = ways.filter((way) => way.join() !== core.join()).slice(0, maximum);
  const named = others.map((way) =>
    [...first, ...way, ...last].map((server) => part.servers.name[server]),
  );
  return { unused: named, unused_count: count - 1 };
}

/**
 * The number of least-cost ways between two servers, and the first of them by names. Declines where
 * they are too many to count exactly.
 */
function equalWays(part, start, end, most) {
  const neighbours = neighboursByCost(part);
  const { rank } = part.servers;
  const far = costsTo(neighbours, end);
  if (!far.has(start)) return { count: 0, ways: [] };
  const onward = new Map();
  const number = new Map([[end, 1]]);
  for (const [here, cost] of far) {
    // Nearest first: what lies onward was counted before.
    const next = [...(neighbours.get(here) || [])].filter(
      ([there, step]) => far.get(there) + step === cost,
    );
    onward.set(
      here,
      next.map(([there]) => there).sort((a, b) => rank[a] - rank[b]),
    );
    if (here !== end)
      number.set(
        here,
        onward.get(here).reduce((sum, there) => sum + number.get(there), 0),
      );
  }
  const count = number.get(start);
  if (count > Number.MAX_SAFE_INTEGER)
    throw new Declined("There are more ways of equal cost than this page counts.");
  const ways = [];
  const waiting = [[start]];
  while (waiting.length && ways.length < most) {
    const way = waiting.pop();
    const here = way[way.length - 1];
    if (here === end) ways.push(way);
    else for (const there of [...onward.get(here)].reverse()) waiting.push([...way, there]);
  }
  return { count, ways };
}

/** The cheapest link from every server to each neighbour. */
function neighboursByCost(part) {
  const { a, b, cost } = part.leastCost;
  const neighbours = new Map();
  a.forEach((from, link) => {
    if (from === b[link]) return;
    for (const [here, there] of [
      [from, b[link]],
      [b[link], from],
    ]) {
      if (!neighbours.has(here)) neighbours.set(here, new Map());
      const known = neighbours.get(here);
      known.set(there, Math.min(cost[link], known.has(there) ? known.get(there) : cost[link]));
    }
  });
  return neighbours;
}

/** The least cost from every server to one, nearest first. */
function costsTo(neighbours, end) {
  const costs = new Map();
  const waiting = new Map([[end, 0]]);
  while (waiting.size) {
    let [here, cost] = waiting.entries().next().value;
    for (const [server, soFar] of waiting) if (soFar < cost) [here, cost] = [server, soFar];
    waiting.delete(here);
    costs.set(here, cost);
    for (const [there, step] of neighbours.get(here) || []) {
      if (!costs.has(there) && !(waiting.get(there) <= cost + step))
        waiting.set(there, cost + step);
    }
  }
  return costs;
}
