// The questions: each takes the network and what was asked, and gives the answer as the command's
// `--format json` does, without `engine`.

import { Declined } from "./declined.js";
import {
  ascending,
  assumptionsOf,
  commonOf,
  cutOffServers,
  incompleteServers,
  observedStops,
  pathBook,
  pointsOf,
} from "./described.js";
import { byCodePoint } from "./guards.js";
import { unusedWays } from "./least_cost.js";
import { askPropagate } from "./propagate.js";
import {
  decidedIf,
  isLater,
  reachedFrom,
  shownStops,
  stoppedThere,
  stopsOf,
  toldStops,
  whyUncertain,
  wouldNeed,
} from "./reached.js";
import { simplePaths } from "./simple_paths.js";
import { chainsFrom, closedByGuards, onlyWalks, pathTo } from "./walks.js";

export const questions = {
  reach: askReach,
  hops: askHops,
  paths: askPaths,
  propagate: askPropagate,
};

/**
 * What an answer that rests on some paths says of them; of the servers `asked` about it says which
 * are cut off.
 */
function pathFields(network, part, reached, paths, asked, leftOpen, reply) {
  const points = pointsOf(part, paths);
  const onPaths = [reached.start, ...points.map((point) => part.pointServer[point])];
  const others = asked.some((number) => number !== reached.start);
  const long = reply && part.longReplies && paths.some((path) => path.length > 2);
  return {
    exact: true,
    assumptions: assumedWith(assumptionsOf(part, points), reached, leftOpen, [
      ...asked,
      ...leftOpen,
    ]),
    warnings: [
      ...network.warnings,
      ...incompleteServers(part, onPaths),
      ...cutOffServers(part, asked),
      ...(others ? observedStops(part, [...reached.paths.keys(), ...asked]) : []),
      ...(long ? [part.longReplies] : []),
    ],
  };
}

/** A server that the loaded files leave open, with the path up to the server whose files do. */
function undeterminedEntry(part, number, reached) {
  const why = reached.undetermined.get(number);
  const way = pathBook(part, false)(reached.towards.get(number) || []);
  return {
    server: part.servers.name[number],
    because: why.because,
    source: why.source,
    system: part.servers.system[number],
    path: way.servers,
    steps: way.steps,
    decided_if: decidedIf(reached.decided.get(number)),
    would_need: reached.hidden?.has(number) ? wouldNeed(part, reached.start, number) : [],
    destination: "",
  };
}

/**
 * The assumptions of an answer, those that decide servers that are left open, and those by which
 * some of the servers `asked` about are not reached, each once.
 */
function assumedWith(assumptions, reached, leftOpen, asked) {
  const deciding = leftOpen.map((number) => reached.decided.get(number)).filter(Boolean);
  const closed = asked.some((number) => isNotReached(reached, number));
  const more = [...deciding.map((one) => one.assumption), ...(closed ? reached.closedBy : [])];
  if (!more.length) return assumptions;
  return byRule([...new Set([...assumptions, ...more])]);
}

/** Whether a server is not reached, whatever that rests on. */
const isNotReached = (reached, number) =>
  number !== reached.start &&
  !reached.paths.has(number) &&
  (!reached.undetermined.has(number) || reached.decided.has(number));

/** Assumptions by rule and text, as code points compare. */
export const byRule = (assumptions) =>
  [...assumptions].sort((a, b) => byCodePoint(a.rule, b.rule) || byCodePoint(a.text, b.text));

/**
 * A server of another part: nothing configured leads there. Of one asked about alone its own place
 * is cited.
 */
function foreignEntry(network, start, place, alone) {
  return {
    server: place.name,
    because: network.unconnected(start.system, place.system),
    source: alone ? place.part.serverSource(place.number) : { file: "", line: 0, column: 0 },
    system: place.system,
    path: [],
    steps: [],
    decided_if: null,
    would_need: [],
    destination: "",
  };
}

/** `reach FROM [TO] [--reply]` */
function askReach(network, asked) {
  const start = network.locate(asked.from);
  const end = asked.to === null || asked.to === undefined ? null : network.locate(asked.to);
  const reply = Boolean(asked.reply);
  const { part } = start;
  const found = reachedFrom(network, part, start.number);
  const others = network.parts.length === 1 ? [] : end === null ? network.places : [end];
  const foreign = others.filter((place) => place.part !== part);
  const everyone = part.servers.name.map((_, number) => number);
  const numbers = end === null ? everyone : foreign.length ? [] : [end.number];
  const reachedNumbers = numbers.filter((number) => found.paths.has(number));
  const paths = new Map(
    reachedNumbers.map((number) => [
      number,
      reply ? turned(part, found.paths.get(number)) : found.paths.get(number),
    ]),
  );
  const unreachable = numbers.filter(
    (number) =>
      number !== start.number && !found.paths.has(number) && !found.undetermined.has(number),
  );
  const leftOpen = numbers.filter((number) => found.undetermined.has(number));
  const undetermined = leftOpen.map((number) => undeterminedEntry(part, number, found));
  const about = [start.number, ...unreachable];
  const common = pathFields(network, part, found, [...paths.values()], about, leftOpen, reply);
  if (found.beyond && end === null && !undetermined.length) {
    common.exact = false;
    common.inexact_because = [{ cause: "not-loaded", message: found.beyond.because }];
    common.warnings.push({
      rule: "not-loaded",
      message: found.beyond.because,
      source: found.beyond.source,
    });
  }
  const book = pathBook(part, reply);
  const { rank, name, system } = part.servers;
  return commonOf(network, "reach", {
    ...common,
    from: start.name,
    to: end && end.name,
    servers: reachedNumbers.map((number) => {
      const told = book(paths.get(number));
      const later = isLater(part, paths.get(number));
      return {
        server: name[number],
        hops: told.hops,
        zone_hops: told.zoneHops,
        path: told.servers,
        steps: told.steps,
        cost: told.cost,
        system: system[number],
        certain: !found.uncertain.has(number) && !later,
        later,
      };
    }),
    unreachable: [...unreachable].sort((a, b) => rank[a] - rank[b]).map((number) => name[number]),
    undetermined: [
      ...undetermined,
      ...foreign.map((place) => foreignEntry(network, start, place, end !== null)),
    ],
    stopped: reachStops(network, part, found, {
      end: foreign.length ? null : end,
      unreachable,
      leftOpen,
      reply,
    }),
    reply,
    system: start.system,
    to_system: end ? end.system : "",
  });
}

/**
 * Where messages end that do not get to the server asked about, or, where none is, to any of those
 * that are not reached: also where an assumption decides that.
 */
function reachStops(network, part, found, { end, unreachable, leftOpen, reply }) {
  if (end !== null && (unreachable.length || stoppedThere(part, found, end)))
    return stopsOf(network, part, found, end.number);
  if (reply) return [];
  const decided = leftOpen.filter((number) => found.decided.get(number)?.reached === false);
  return toldStops(part, found, shownStops(part, found, [...unreachable, ...decided]));
}

/** Where messages end that do not get to one server, which may be left open, as `reach` says it. */
function stopsBefore(network, part, found, end, open) {
  const [unreachable, leftOpen] = open ? [[], [end.number]] : [[end.number], []];
  return reachStops(network, part, found, { end, unreachable, leftOpen, reply: false });
}

/** The way back. Where each server has a chain to each, its own; where links join both ways, the
 * same one: each point has one over the same link the
 * other way. */
function turned(part, path) {
  if (part.form === "shortest")
    throw new Declined("The way of a reply is not decided in this page.");
  if (part.form === "chains") {
    return chainsFrom(part, part.pointServer[path[path.length - 1]]).get(part.pointServer[path[0]]);
  }
  const back = [...path].reverse();
  const points = [part.pointServer[back[0]]];
  for (let at = 1; at < back.length; at++) {
    const [server, link] = [part.pointServer[back[at]], part.link[back[at - 1]]];
    points.push(
      part.pointServer.findIndex(
        (one, n) => one === server && part.arrival[n] && part.link[n] === link,
      ),
    );
  }
  return points;
}

/** `hops FROM TO` */
function askHops(network, asked) {
  const [start, end] = [network.locate(asked.from), network.locate(asked.to)];
  const { part } = start;
  const base = { from: start.name, to: end.name };
  const systems = { system: start.system, to_system: end.system };
  const none = { route_hops: null, zone_hops: [], cost: null, path: [], steps: [], later: false };
  if (end.part !== part) {
    const source = end.part.serverSource(end.number);
    const why = {
      rule: "undetermined",
      message: network.unconnected(start.system, end.system),
      source,
    };
    const warnings = [...network.warnings, why];
    const undetermined = [foreignEntry(network, start, end, true)];
    const open = { reachable: "unknown", ...none, stopped: [], undetermined };
    return commonOf(network, "hops", { warnings, ...base, ...open, ...systems });
  }
  const found = reachedFrom(network, part, start.number);
  let path = start.number === end.number ? [start.number] : found.paths.get(end.number);
  const later = path !== undefined && isLater(part, path);
  if (found.uncertain.has(end.number) && !later) {
    const because = whyUncertain(network, part, path);
    path = undefined;
    found.undetermined.set(end.number, {
      because,
      source: part.serverSource(start.number),
    });
  }
  const about = path ? [] : [start.number, end.number];
  const leftOpen = path ? [] : [end.number].filter((number) => found.undetermined.has(number));
  const common = pathFields(network, part, found, path ? [path] : [], about, leftOpen, false);
  if (path) {
    const told = pathBook(part, false)(path);
    const counts = { route_hops: told.hops, zone_hops: told.zoneHops, cost: told.cost };
    const way = { path: told.servers, steps: told.steps, stopped: [], undetermined: [], later };
    return commonOf(network, "hops", {
      ...common,
      ...base,
      reachable: true,
      ...counts,
      ...way,
      ...systems,
    });
  }
  const open = found.undetermined.get(end.number);
  if (open)
    common.warnings.push({ rule: "undetermined", message: open.because, source: open.source });
  const reachable = open ? "unknown" : false;
  const stopped = stopsBefore(network, part, found, end, open);
  const undetermined = open ? [undeterminedEntry(part, end.number, found)] : [];
  return commonOf(network, "hops", {
    ...common,
    ...base,
    reachable,
    ...none,
    stopped,
    undetermined,
    ...systems,
  });
}

/** `paths FROM TO [--max N]` */
function askPaths(network, asked) {
  const maximum = asked.maximum === undefined ? 10 : asked.maximum;
  if (!(maximum >= 1)) throw new Declined("--max takes a number of paths from 1 up.");
  const [start, end] = [network.locate(asked.from), network.locate(asked.to)];
  const { part } = start;
  const answer = (fields) =>
    commonOf(network, "paths", {
      from: start.name,
      to: end.name,
      paths: [],
      truncated: false,
      unused: [],
      unused_count: 0,
      undetermined: [],
      stopped: [],
      system: start.system,
      to_system: end.system,
      ...fields,
    });
  if (end.part !== part) return answer({ undetermined: [foreignEntry(network, start, end, true)] });
  if (end.number === start.number) return answer({});
  const reached = reachedFrom(network, part, start.number);
  const { paths, truncated } = pathsBetween(part, reached, end.number, maximum);
  const points = pointsOf(part, paths);
  const onPaths = points.map((point) => part.pointServer[point]);
  const { name, loaded, incomplete } = part.servers;
  const unloaded = ascending(onPaths)
    .filter((number) => !loaded[number])
    .map((number) => ({
      rule: "TL-16",
      message: `${name[number]}: ${incomplete[number]}; paths over it are not certain`,
      source: part.serverSource(number),
    }));
  const onGuards = new Set(points.flatMap((point) => part.guardSets[part.guardSet[point]]));
  const mayNotComeUp = [...part.open]
    .filter(([guard]) => onGuards.has(guard))
    .map(([, { text, source }]) => ({ rule: "undetermined", message: text, source }));
  const ends = paths.length ? [] : [start.number, end.number];
  const open = reached.undetermined.get(end.number);
  const book = pathBook(part, false);
  const more = paths.length ? morePaths(part, reached) : null;
  return answer({
    exact: more === null,
    inexact_because: more ? [{ cause: "not-loaded", message: more.message }] : [],
    assumptions: assumedWith(assumptionsOf(part, points), reached, open ? [end.number] : [], [
      end.number,
    ]),
    warnings: [
      ...network.warnings,
      ...incompleteServers(part, onPaths),
      ...unloaded,
      ...mayNotComeUp,
      ...(more ? [more] : []),
      ...cutOffServers(part, ends),
      ...(paths.length ? [] : observedStops(part, [...reached.paths.keys(), ...ends])),
    ],
    paths: paths.map((path) => {
      const told = book(path);
      const sure = !open && isLoaded(part, path);
      const later = sure && isLater(part, path);
      return {
        servers: told.servers,
        route_hops: told.hops,
        zone_hops: told.zoneHops,
        steps: told.steps,
        cost: told.cost,
        certain: sure && !later && isCertain(part, path),
        later,
      };
    }),
    truncated,
    ...unusedWays(part, paths, maximum),
    undetermined: open ? [undeterminedEntry(part, end.number, reached)] : [],
    stopped: paths.length ? [] : stopsBefore(network, part, reached, end, open),
  });
}

/** Whether a path goes on from loaded servers only: `questions/reach.py`. */
const isLoaded = (part, path) =>
  path.slice(0, -1).every((point) => part.servers.loaded[part.pointServer[point]]);

/** Whether no link of a path is chosen at run time, or left open: `tracing/assembly.py`. */
const isCertain = (part, path) =>
  path.every((point) =>
    part.guardSets[part.guardSet[point]].every(
      (guard) => !part.open.has(guard) && !part.chosen.has(guard),
    ),
  );

/**
 * Why more paths may lead to a server that is reached: the first loaded server of which the loaded
 * files do not show all links; null where there is none.
 */
function morePaths(part, reached) {
  const { name, loaded, incomplete } = part.servers;
  const met = (number) => number === reached.start || reached.paths.has(number);
  const first = part.openEnded.find((number) => loaded[number] && met(number));
  if (first === undefined) return null;
  return {
    rule: "not-loaded",
    message: `${name[first]}: ${incomplete[first]}: more paths may lead over it`,
    source: part.serverSource(first),
  };
}

/** The permitted paths to a server, at most `maximum`, and whether there are more. */
function pathsBetween(part, reached, end, maximum) {
  if (part.form === "shortest") {
    return simplePaths(
      part,
      reached.start,
      end,
      maximum,
      closedByGuards(part, "open", () => false),
    );
  }
  if (part.form === "chains") {
    return { paths: reached.paths.has(end) ? [reached.paths.get(end)] : [], truncated: false };
  }
  const possible = onlyWalks(part, reached.start, false);
  return {
    paths: possible.at.has(end) ? [pathTo(possible.before, possible.at.get(end))] : [],
    truncated: false,
  };
}
