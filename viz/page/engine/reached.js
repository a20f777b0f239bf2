// What is said of the walk from one server: who is reached, what the loaded files leave open, and
// where messages end.

import { Declined } from "./declined.js";
import { grouped, pathBook } from "./described.js";
import { byCodePoint, filled } from "./guards.js";
import { chainsFrom, closedByGuards, onlyWalks, pathTo, shortestPaths } from "./walks.js";

/** @import { Assumption, Halt, Source } from "./network.js" */

/** @typedef {{assumption: Assumption, reached: boolean}} Decided */

/**
 * From one server to all others of its part, as the `Reached` of topograph: `paths` by server
 * number, `uncertain` those of them that a choice at run time leads to; `undetermined` why the
 * loaded files do not decide it; `towards` the path up to the server whose files leave it open,
 * where one leads there; `beyond` why a message may get to servers that no file names; `decided`
 * the servers left open that an assumption decides, and how.
 * @typedef {{start: number, paths: Map<number, number[]>, uncertain: Set<number>,
 *   undetermined: Map<number, {because: string, source: Source}>, towards: Map<number, number[]>,
 *   decided: Map<number, Decided>, beyond: {because: string, source: Source} | null}} Reached
 */

/** @returns {Reached} */
export function reachedFrom(network, part, start) {
  const reads = { once: reachedOnce, chains: reachedByChains, shortest: reachedShortest };
  if (!Object.hasOwn(reads, String(part.form))) {
    throw new Declined(
      `How messages travel from ${part.servers.name[start]} is not decided in this page.`,
    );
  }
  const reached = reads[part.form](network, part, start);
  const here = part.servers.system[start];
  part.servers.system.forEach((there, number) => {
    if (
      !part.notJoined.has(`${here}\n${there}`) ||
      reached.paths.has(number) ||
      (reached.undetermined.has(number) && !reached.decided.has(number))
    )
      return;
    reached.decided.delete(number);
    const because = network.unconnected(here, there);
    reached.undetermined.set(number, { because, source: { file: "", line: 0, column: 0 } });
  });
  return reached;
}

const nothingReached = (start) => ({
  start,
  paths: new Map(),
  uncertain: new Set(),
  undetermined: new Map(),
  towards: new Map(),
  decided: new Map(),
  beyond: null,
  closedBy: [],
});

/**
 * Why a message that gets to some servers may get further, to servers that no file names: the first
 * of them from which it may, by number.
 */
function leadsBeyond(part, reached) {
  const first = part.openEnded.find(
    (number) => number === reached.start || reached.paths.has(number),
  );
  if (first === undefined) return null;
  const because = `${part.servers.name[first]} may have links to servers whose files are not loaded`;
  return { because, source: part.serverSource(first) };
}

/** Where no walk enters a server twice: one path to each. */
function reachedOnce(network, part, start) {
  const { servers } = part;
  const reached = nothingReached(start);
  const certain = onlyWalks(part, start, true);
  if (servers.loaded[start]) {
    for (const [number, point] of certain.at)
      reached.paths.set(number, pathTo(certain.before, point));
  }
  if (part.openEnded.length || part.open.size) addDoubt(part, reached);
  if (!part.cutOff.has(start)) reached.beyond = leadsBeyond(part, reached);
  return reached;
}

/**
 * Where each point leads on to one other; what is left open was worked out before, or is not known
 * here.
 */
function reachedByChains(network, part, start) {
  const reached = nothingReached(start);
  reached.paths = chainsFrom(part, start);
  if (part.leftOpen === null) {
    const unknown = () => {
      throw new Declined(
        `Whether ${part.servers.name[start]} reaches a server over what is not loaded is not decided in this page.`,
      );
    };
    reached.undetermined = /** @type {any} */ ({ has: unknown, get: unknown, set: unknown });
    return reached;
  }
  for (const one of part.leftOpen.get(start) || []) {
    reached.undetermined.set(one.server, { because: one.because, source: one.source });
    if (one.near >= 0)
      reached.towards.set(one.server, one.near === start ? [start] : reached.paths.get(one.near));
  }
  return reached;
}

/**
 * Where the shortest path counts, of equally long ones one without a condition; what lies behind a
 * choice at run time is uncertain.
 */
function reachedShortest(network, part, start) {
  const { name, system, incomplete } = part.servers;
  const reached = nothingReached(start);
  const { paths } = reached;
  const certain = shortestPaths(
    part,
    start,
    closedByGuards(part, "chosen", (guard) => part.chosen.has(guard)),
  );
  const always = shortestPaths(
    part,
    start,
    closedByGuards(part, "guarded", () => true),
  );
  for (const [server, path] of certain) {
    const without = always.get(server);
    paths.set(server, without && without.length === path.length ? without : path);
  }
  const possible = shortestPaths(
    part,
    start,
    closedByGuards(part, "open", () => false),
  );
  for (const [server, path] of overWhatWaits(part, start)) possible.set(server, path);
  for (const [server, path] of possible) {
    if (paths.has(server)) continue;
    paths.set(server, path);
    reached.uncertain.add(server);
  }
  const silent = part.openEnded.find((number) => number === start || paths.has(number));
  const others = name
    .map((_, number) => number)
    .filter((number) => number !== start && !paths.has(number));
  if (silent !== undefined) {
    const why = incomplete[silent] || "it may have links that the loaded files do not show";
    const because = `${name[silent]}: ${why}: where it sends messages is not known`;
    for (const number of others) {
      reached.undetermined.set(number, { because, source: part.serverSource(silent) });
      reached.towards.set(number, paths.get(silent) || [start]);
    }
  }
  for (const number of others) {
    if (reached.undetermined.has(number) || !part.apart.has(`${system[start]}\n${system[number]}`))
      continue;
    const because = network.unconnected(system[start], system[number]);
    reached.undetermined.set(number, { because, source: part.serverSource(number) });
  }
  for (const { server, because, source, assumption } of part.perhapsTaken) {
    if (server !== start && !paths.has(server)) continue;
    for (const number of others) {
      if (reached.undetermined.has(number)) continue;
      reached.undetermined.set(number, { because, source });
      reached.decided.set(number, { assumption, reached: false });
    }
  }
  reached.beyond = leadsBeyond(part, reached);
  reached.closedBy = part.perhapsJoined
    .filter(({ servers }) => servers.some((one) => one === start || paths.has(one)))
    .map(({ assumption }) => assumption);
  return reached;
}

/** By server the shortest path on which messages at most wait; none where they wait nowhere. */
function overWhatWaits(part, start) {
  if (!part.waits.size) return new Map();
  const closed = closedByGuards(
    part,
    "chosen but what waits",
    (guard) => part.chosen.has(guard) && !part.waits.has(guard),
  );
  return shortestPaths(part, start, closed);
}

/**
 * The first link on a path of which a finding leaves open whether it comes up: the place in the path
 * of the point that it enters, and what is said; null where there is none.
 */
function crossesOpen(part, path) {
  if (!part.open.size) return null;
  for (const [at, point] of path.entries()) {
    if (!at) continue;
    const guard = part.guardSets[part.guardSet[point]].find((one) => part.open.has(one));
    if (guard !== undefined) return { at, halt: part.open.get(guard) };
  }
  return null;
}

/**
 * Note the servers that the loaded files leave open: a server that is not loaded, or whose links
 * are not all known, may lead there, or a link that may not come up.
 */
function addDoubt(part, reached) {
  const { servers, cutOff, openEnded } = part;
  const { start, paths, undetermined, towards } = reached;
  const possible = onlyWalks(part, start, false);
  const notLoaded = (number) => ({
    because: `${servers.name[number]}: ${servers.incomplete[number]}`,
    source: part.serverSource(number),
  });
  const ways = new Map(
    [...possible.at].map(([number, point]) => [number, pathTo(possible.before, point)]),
  );
  const near = openEnded.find((number) => number === start || ways.has(number));
  const shown = new Set();
  for (let number = 0; number < servers.name.length; number++) {
    if (number === start || paths.has(number) || cutOff.has(start) || cutOff.has(number)) continue;
    const way = ways.get(number) || [];
    let blocking = servers.loaded[start] ? undefined : start;
    if (blocking === undefined) {
      blocking = way
        .slice(1)
        .map((point) => part.pointServer[point])
        .find((server) => !servers.loaded[server]);
    }
    const crossed = crossesOpen(part, way);
    if (crossed && (blocking === undefined || blocking === number)) {
      const { text, source } = crossed.halt;
      undetermined.set(number, { because: text, source });
      towards.set(number, way.slice(0, crossed.at + 1));
      continue;
    }
    if (blocking === undefined && !servers.loaded[number]) blocking = number;
    if (blocking !== undefined) {
      undetermined.set(number, notLoaded(blocking));
      towards.set(number, upTo(part, start, blocking, way));
      if (!crossed) shown.add(number);
    } else if (openEnded.length) {
      if (!crossed) shown.add(number);
      undetermined.set(number, part.possibly);
      towards.set(number, near === undefined ? [] : upTo(part, start, near, ways.get(near) || []));
    }
  }
  const open = [...undetermined.keys()];
  const hidden = open.filter((number) => !ways.has(number));
  reached.hidden = new Set(hidden);
  reached.decided = ruledOut(part, start, hidden);
  for (const number of open) {
    if (ways.has(number) && shown.has(number))
      reached.decided.set(number, { assumption: part.unseen.asShown, reached: true });
  }
}

/**
 * Of servers that no shown path leads to from a server, those that no unseen link leads to either,
 * under an assumption. Links of the servers `without` lead nowhere.
 * @returns {Map<number, Decided>}
 */
export function ruledOut(part, start, numbers, without = new Set()) {
  if (!part.unseen || !part.unseen.judged || !numbers.length) return new Map();
  const { assumption, links } = part.unseen;
  if (!links) {
    throw new Declined(
      "What routes that the loaded files do not show could lead to is not decided in this page.",
    );
  }
  const open = [];
  for (const one of links) {
    if (without.has(one.server)) continue;
    if (one.here.has(start)) open.push(one.beyond);
    if (!one.beyond.has(start)) continue;
    open.push(one.here);
    const joins = (other) =>
      other.server === one.server && (one.zone < 0 || one.zone !== other.zone);
    open.push(...links.filter(joins).map((other) => other.beyond));
  }
  const closed = numbers.filter((number) => !open.some((servers) => servers.has(number)));
  return new Map(closed.map((number) => [number, { assumption, reached: false }]));
}

/** What is said of a server left open that an assumption decides. */
export const decidedIf = (decided) =>
  decided
    ? { rule: decided.assumption.rule, text: decided.assumption.text, reached: decided.reached }
    : null;

/**
 * What servers whose files are not all loaded would need for messages to get from one server to
 * another over links that no file shows: links of a legal network, or, where none leads there, of
 * one that is not legal. Links of the servers `without` lead nowhere.
 */
export function wouldNeed(part, start, end, without = new Set()) {
  const { unseen, servers } = part;
  if (!unseen || !unseen.links) return [];
  const byServer = new Map();
  for (const link of unseen.links) {
    if (without.has(link.server)) continue;
    byServer.set(link.server, [...(byServer.get(link.server) || []), link]);
  }
  const needed = (legal) => {
    const gets = (link, number) => !legal || link.beyond.has(number);
    return [...byServer].flatMap(([server, links]) => {
      const entry = (...routes) => ({ server: servers.name[server], routes, legal });
      const route = (chosen, number) => neededRoute(links, chosen, servers.name[number]);
      // No link leads from a server to itself.
      const some = (apart, test) => (server === apart ? [] : links.filter(test));
      const out = some(end, (link) => link.here.has(start) && gets(link, end));
      const back = some(start, (link) => gets(link, start) && link.here.has(end));
      if (out.length || back.length) {
        return [entry(out.length ? route(out, end) : route(back, start))];
      }
      const pairs = links
        .filter((link) => gets(link, start))
        .flatMap((link) =>
          links
            .filter((other) => gets(other, end) && (link.zone < 0 || link.zone !== other.zone))
            .map((other) => [link, other]),
        );
      if (!pairs.length) return [];
      const elsewhere = [...byServer].some(
        ([other, theirs]) =>
          other !== server && theirs.some((link) => link.here.has(server) && gets(link, end)),
      );
      if (elsewhere) {
        const coming = links.filter((link) => gets(link, start));
        return [entry(route(coming, start))];
      }
      const sides = [0, 1].map((side) => pairs.map((pair) => pair[side]));
      return [entry(route(sides[0], start), route(sides[1], end))];
    });
  };
  const legal = needed(true);
  return legal.length ? legal : needed(false);
}

/** The link that some of a server's links which no file shows make together. */
function neededRoute(links, chosen, towards) {
  const named = (list) => list.filter((link) => link.zone >= 0).map((link) => link.zoneName);
  const zones = [...new Set(named(chosen))].sort(byCodePoint);
  const others = named(links.filter((link) => !chosen.includes(link))).sort(byCodePoint);
  const any = chosen.some((link) => link.zone < 0);
  return { towards, zones: any ? [] : zones, except_zones: any ? others : [] };
}

/**
 * Whether messages that take a path wait on it, and nothing else about it is chosen at run time or
 * left open.
 */
export function isLater(part, path) {
  const guards = path.flatMap((point) => part.guardSets[part.guardSet[point]]);
  return (
    guards.some((guard) => part.waits.has(guard)) &&
    guards.every((guard) => part.waits.has(guard) || !part.chosen.has(guard))
  );
}

/**
 * Why it is not certain that messages take a path: the first condition on it that the loaded files
 * do not decide, or that it is chosen at run time.
 */
export function whyUncertain(network, part, path) {
  for (const point of path) {
    for (const guard of part.guardSets[part.guardSet[point]]) {
      if (part.undecided.has(guard)) return part.undecided.get(guard);
    }
  }
  return network.words.atRunTime;
}

/** The beginning of a path up to a server on it. */
function upTo(part, start, server, path) {
  if (server === start) return [start];
  return path.slice(0, path.findIndex((point, at) => at && part.pointServer[point] === server) + 1);
}

/**
 * Whether a server is not reached under an assumption about the object at which messages end: what
 * stops them there is said as where nothing is assumed.
 */
export function stoppedThere(part, reached, end) {
  const decided = reached.decided.get(end.number);
  return part.form === "shortest" && decided !== undefined && !decided.reached;
}

/**
 * Why a message does not get to a server: the links at which it ends; without one, that no link
 * leads on.
 */
export function stopsOf(network, part, reached, end) {
  const found = shownStops(part, reached, [end]);
  if (!found.length) found.push(noLink(network, part, reached, end));
  return toldStops(part, reached, found);
}

/** The links at which messages towards some servers end, where those decide it. */
export const shownStops = (part, reached, ends) =>
  part.form === "once" && ends.length ? haltsTowards(part, reached, ends) : [];

/** The same as the answer lists them, each with the path that leads there. */
export function toldStops(part, reached, found) {
  const { servers } = part;
  const book = pathBook(part, false);
  return found.map(({ from, to, halt, source }) => {
    const way = book(reached.paths.get(from) || [reached.start]);
    return {
      at: servers.name[from],
      to: servers.name[to],
      reason: halt.reason,
      guard: halt.text,
      value: halt.unknown ? "UNKNOWN" : "FALSE",
      source,
      rule: halt.rule,
      system: servers.system[from],
      destination: "",
      path: way.servers,
      steps: way.steps,
      lacking: [],
    };
  });
}

/** The links that lead on towards some servers and where messages end, by the names of their ends. */
function haltsTowards(part, reached, ends) {
  const { servers } = part;
  const at = new Map([[reached.start, reached.start]]);
  for (const [server, path] of reached.paths) at.set(server, path[path.length - 1]);
  const leading = leadingTo(part, ends, at);
  const found = [];
  for (let point = 0; point < part.pointCount; point++) {
    const [from, to] = [part.previous[point], part.pointServer[point]];
    if (!part.arrival[point] || !at.has(from) || at.has(to) || !leading.has(to)) continue;
    const halt = haltAt(part, at.get(from), point);
    // Whether a server that is not loaded routes is not known; what is down is.
    const isDown = halt && halt.reason === "route-down" && !halt.unknown;
    if (halt && (servers.loaded[to] || isDown))
      found.push({ from, to, halt, source: halt.source || part.pointSource(point) });
  }
  const { rank } = servers;
  return found.sort((a, b) => rank[a.from] - rank[b.from] || rank[a.to] - rank[b.to]);
}

/** The servers from which links lead on to some, whatever may cross them, past no server of `at`. */
function leadingTo(part, ends, at) {
  if (!part.into) {
    part.into = new Map();
    for (let point = 0; point < part.pointCount; point++) {
      if (!part.arrival[point]) continue;
      const server = part.pointServer[point];
      if (!part.into.has(server)) part.into.set(server, []);
      part.into.get(server).push(part.previous[point]);
    }
  }
  const found = new Set(ends);
  for (const server of found) {
    for (const other of part.into.get(server) || []) if (!at.has(other)) found.add(other);
  }
  return found;
}

/** That no link leads on to a server from where a message gets to. */
function noLink(network, part, reached, end) {
  const { name, system } = part.servers;
  const { rule, ...nouns } = network.nouns.get(system[reached.start]);
  const number = reached.paths.size;
  const [first] = reached.paths.keys();
  const ends = { end: name[end], start: name[reached.start], other: name[first] };
  const said = linkedFrom(part, reached.start).has(end) ? 3 : Math.min(number, 2);
  const text = filled(network.words.noLink[said], { ...nouns, ...ends, number: grouped(number) });
  const source = part.serverSource(end);
  return { from: reached.start, to: end, halt: { reason: "no-route", text, rule, source }, source };
}

/** The servers to which links lead from a server, whatever is sent over them. */
function linkedFrom(part, start) {
  if (!part.onward) {
    part.onward = new Map();
    const { a, b, oneWay } = part.links;
    const lead = (from, to) => {
      if (!part.onward.has(from)) part.onward.set(from, []);
      part.onward.get(from).push(to);
    };
    for (let link = 0; link < a.length; link++) {
      lead(a[link], b[link]);
      if (!oneWay[link]) lead(b[link], a[link]);
    }
  }
  const found = new Set([start]);
  for (const server of found) for (const other of part.onward.get(server) || []) found.add(other);
  return found;
}

/** @returns {Halt | null} why a message at one point does not enter another; null where that server is not loaded, and nobody knows. */
function haltAt(part, here, point) {
  const guards = part.guardSets[part.guardSet[point]];
  const shut = guards.find((guard) => part.shut.has(guard));
  if (shut !== undefined) return part.shut.get(shut);
  const halt = part.arrival[here] ? part.halt[here] : 0;
  if (halt && part.halt[point] === halt) return part.halts[halt - 1];
  const open = guards.find((guard) => part.open.has(guard));
  return open === undefined ? null : { ...part.open.get(open), unknown: true };
}
