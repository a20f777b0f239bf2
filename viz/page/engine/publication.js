// One publication: interest walks back from the subscribers, the message walks forward, and it is
// sent on where the two meet. The counterpart of `publish` where no walk enters a server twice;
// anything else is declined.

import { Declined } from "./declined.js";
import { Numbers, asksFor, filled } from "./guards.js";
import { ruledOut, wouldNeed } from "./reached.js";
import { closedPoints, pathTo, walkFrom } from "./walks.js";

/** @import { judgedGuards } from "./guards.js" */
/** @import { Source } from "./network.js" */

/**
 * The points that a message may not enter: those with a guard of these. @param {Numbers} guards
 * @returns {Uint8Array}
 */
function closedBy(part, guards) {
  const closed = new Uint8Array(part.pointCount);
  if (!guards.size) return closed;
  const shut = part.guardSets.map((set) => set.some((guard) => guards.has(guard)));
  for (let point = 0; point < closed.length; point++)
    if (shut[part.guardSet[point]]) closed[point] = 1;
  return closed;
}

/** The forwards turned round: the nodes before each node. */
function backwardRows(part) {
  if (part.backward) return part.backward;
  const nodes = part.starts.length - 1;
  const starts = new Int32Array(nodes + 1);
  for (const end of part.ends) starts[end + 1]++;
  for (let node = 0; node < nodes; node++) starts[node + 1] += starts[node];
  const next = starts.slice();
  const ends = new Int32Array(part.ends.length);
  for (let node = 0; node < nodes; node++) {
    for (let row = part.starts[node]; row < part.starts[node + 1]; row++)
      ends[next[part.ends[row]]++] = node;
  }
  part.backward = { starts, ends };
  return part.backward;
}

/**
 * The arrivals from which an open forward way leads to one of these servers, theirs included.
 * @returns {Uint8Array}
 */
function interestOf(part, servers, closed) {
  const { starts, ends } = backwardRows(part);
  const seen = new Uint8Array(starts.length - 1);
  const nodes = [];
  for (let point = 0; point < part.pointCount; point++) {
    if (!servers.has(part.pointServer[point]) || closed[point]) continue;
    seen[point] = 1;
    nodes.push(point);
  }
  while (nodes.length) {
    const node = nodes.pop();
    for (let row = starts[node]; row < starts[node + 1]; row++) {
      const before = ends[row];
      if (seen[before] || (before < part.pointCount && closed[before])) continue;
      seen[before] = 1;
      nodes.push(before);
    }
  }
  const interest = seen.subarray(0, part.pointCount);
  for (let point = 0; point < part.pointCount; point++)
    if (!part.arrival[point]) interest[point] = 0;
  return interest;
}

/**
 * Where the two walks meet: the path to every server that gets the message, and the arrivals with
 * interest.
 * @returns {{paths: Map<number, number[]>, interest: Uint8Array, entered: Set<number>}} `entered`
 *   are the servers that the message may be at.
 */
function meetingOf(part, start, failing, stopsInterest, interested) {
  const interest = interestOf(part, interested, closedBy(part, stopsInterest));
  const walk = walkFrom(part, [start], closedBy(part, failing));
  const entered = new Set();
  const paths = new Map();
  for (const point of walk.points) {
    const server = part.pointServer[point];
    if (entered.has(server)) {
      const [from, to] = [part.servers.name[part.pointServer[start]], part.servers.name[server]];
      throw new Declined(
        `More than one path leads from ${from} to ${to}: the configured network is not legal as it stands, and which of the paths a message takes is ` +
          "not decided in this page.",
      );
    }
    entered.add(server);
    if (point !== start && interest[point]) paths.set(server, pathTo(walk.before, point));
  }
  return { paths, interest, entered };
}

/**
 * Follow one message from a server to those interested.
 * @param {object} told - the part, its messages section, and the place of each guard.
 * @param {ReturnType<typeof judgedGuards>} verdicts
 * @param {Set<number>} interested
 * @param {Map<number, {because: string, source: Source}>} unreliable - servers whose subscriptions
 *   may or may not be routed.
 */
export function published(told, start, asking, verdicts, interested, unreliable) {
  const { part } = told;
  const certain = meetingOf(part, start, verdicts.failing, verdicts.interest, interested);
  let possible = certain;
  const { loaded, openEnded, name } = part.servers;
  const unseen = name
    .map((_, number) => number)
    .filter((number) => openEnded[number] || !loaded[number]);
  if (verdicts.unknown.size || unreliable.size || unseen.length) {
    const failing = verdicts.failing.without(verdicts.unknown);
    const stopsInterest = verdicts.interest.without(verdicts.unknown);
    possible = meetingOf(
      part,
      start,
      failing,
      stopsInterest,
      new Set([...interested, ...unreliable.keys(), ...unseen]),
    );
  }
  const found = {
    start,
    paths: certain.paths,
    interest: certain.interest,
    possible: possible.interest,
    undetermined: new Map(),
    decided: new Map(),
    needed: () => [],
    onePath: false,
    stops: [],
    beyond: null,
  };
  const context = { told, asking, verdicts, unreliable, found };
  found.stops = stopsOfMessage(context);
  for (const [server, path] of possible.paths) {
    if (certain.paths.has(server)) continue;
    const doubtful = unreliable.get(server);
    const why = undecidedOn(context, path) || (doubtful && { ...doubtful, path });
    if (why) found.undetermined.set(server, why);
  }
  const silent = unseen.filter((number) => !loaded[number]);
  if (unseen.length) addUnseen(context, possible, [...interested, ...unreliable.keys(), ...silent]);
  return found;
}

/**
 * Note the servers that the message may get to over links that no file shows, and whether such a
 * link may lead out of the loaded files.
 */
function addUnseen(context, possible, wanting) {
  const { told, found } = context;
  const { part } = told;
  const { start } = found;
  const { openEnded, name } = part.servers;
  const kept = confinedServers(context);
  if (kept.has(start)) return;
  const open = name.map((_, number) => number).filter((number) => openEnded[number]);
  const leading = open.filter((number) => !kept.has(number));
  const serversOf = (points) => new Set(points.map((point) => part.pointServer[point]));
  if (leading.length) {
    const shown = serversOf(walkFrom(part, [start], closedPoints(part, false)).points);
    const near = open.find((number) => number === start || possible.paths.has(number));
    const path =
      near === undefined
        ? []
        : near === start
          ? [start]
          : pathUpTo(part, possible.paths.get(near), near);
    const unseen = [];
    for (const server of new Set(wanting)) {
      if (server === start || found.paths.has(server) || found.undetermined.has(server)) continue;
      if (kept.has(server)) continue;
      if (shown.has(server)) found.onePath = true;
      else {
        found.undetermined.set(server, { ...part.possibly, path });
        unseen.push(server);
      }
    }
    found.decided = ruledOut(part, start, unseen, kept);
    found.needed = (server) =>
      unseen.includes(server) ? wouldNeed(part, start, server, kept) : [];
  }
  const first = [start, ...possible.entered]
    .filter((number) => openEnded[number] && !kept.has(number))
    .sort((a, b) => a - b)[0];
  if (first === undefined) return;
  const because = `${name[first]} may have links to servers whose files are not loaded`;
  found.beyond = { because, source: part.serverSource(first) };
}

const pathUpTo = (part, path, server) =>
  path.slice(0, path.findIndex((point, at) => at && part.pointServer[point] === server) + 1);

/** The servers that no link takes the message from or to, shown or not. */
function confinedServers({ told, asking, verdicts }) {
  const { part, messages } = told;
  const found = new Set(part.cutOff.keys());
  const closed = (guard) => verdicts.failing.has(guard) && !verdicts.unknown.has(guard);
  for (let point = 0; point < part.pointCount; point++) {
    const [first, second] = told.endGuards[part.guardSet[point]];
    if (first !== undefined && closed(first)) found.add(part.previous[point]);
    if (second !== undefined && closed(second)) found.add(part.pointServer[point]);
  }
  messages.servers.forEach(([, , , , , , alone], server) => {
    if (alone && !alone.some((pattern) => asking.matches(pattern))) found.add(server);
  });
  return found;
}

/** The first thing on a path that is not decided. */
function undecidedOn(context, path) {
  const { told, verdicts } = context;
  const { part } = told;
  for (const [at, point] of path.entries()) {
    for (const guard of at ? part.guardSets[part.guardSet[point]] : []) {
      if (!verdicts.unknown.has(guard)) continue;
      const before = path.slice(0, at + 1);
      return {
        path: before,
        because: verdicts.of[guard].note || part.guardText[guard],
        source: placeOfGuard(context, point, guard),
      };
    }
  }
  return null;
}

/**
 * Every link out of a server that has the message which it does not take to one that does not get
 * it either.
 */
function stopsOfMessage(context) {
  const { part } = context.told;
  const { start, paths } = context.found;
  const arrived = new Map([[part.pointServer[start], start]]);
  for (const [server, path] of paths) arrived.set(server, path[path.length - 1]);
  const found = [];
  for (let point = 0; point < part.pointCount; point++) {
    const [from, to] = [part.previous[point], part.pointServer[point]];
    if (!part.arrival[point] || !arrived.has(from) || arrived.has(to)) continue;
    const stop = stopAt(context, arrived.get(from), point);
    if (stop) found.push({ at: from, to, ...stop });
  }
  const { rank } = part.servers;
  return found.sort((a, b) => rank[a.at] - rank[b.at] || rank[a.to] - rank[b.to]);
}

/**
 * Why a message that is at one point does not enter another: what is certain before what is not;
 * null where it is left open.
 */
function stopAt(context, here, point) {
  const { told, verdicts, unreliable, found } = context;
  const { part, messages } = told;
  const { texts, rules } = messages;
  const server = part.servers.name[part.pointServer[point]];
  const because = (reason, guard, value = "FALSE", source = part.pointSource(point)) => ({
    reason,
    guard,
    value,
    source,
    rule: rules[reason],
  });
  const failing = part.guardSets[part.guardSet[point]].filter((guard) =>
    verdicts.failing.has(guard),
  );
  const certain = failing.filter((guard) => !verdicts.unknown.has(guard));
  const open = failing.filter((guard) => verdicts.unknown.has(guard));
  const stops = (guard) => ({
    ...because(
      messages.guards[guard].reason,
      textOfGuard(context, point, guard),
      verdicts.of[guard].truth,
      placeOfGuard(context, point, guard),
    ),
    asks: messages.guards[guard].selector
      ? asksFor(messages, messages.guards[guard].asks[2][1], verdicts.of[guard])
      : [],
  });
  const halt = part.arrival[here] ? part.halt[here] : 0;
  if (halt && part.halt[point] === halt && !certain.some((guard) => part.shut.has(guard))) {
    return because(part.halts[halt - 1].reason, part.halts[halt - 1].text);
  }
  if (certain.length) return stops(certain[0]);
  const interested = found.interest[point];
  const nobody = rules.nobody;
  if (!interested && !found.possible[point])
    return because(nobody, filled(texts.no_interest, { server }));
  const unsure = open.find((guard) => !messages.guards[guard].selector);
  if (unsure !== undefined) return stops(unsure);
  if (open.length) return null;
  if (interested) return because(part.visited.reason, part.visited.text);
  const why = unreliable.get(part.pointServer[point]);
  const said = why || {
    because: filled(texts.no_interest_known, { server }),
    source: part.pointSource(point),
  };
  return because(nobody, said.because, "UNKNOWN", said.source);
}

/** A place as texts quote it. @param {Source} source */
function quotedPlace({ file, line, column }) {
  return [file, ...(line ? [line] : []), ...(line && column ? [column] : [])].join(":");
}

function textOfGuard(context, point, guard) {
  const { told, asking, verdicts } = context;
  const { part, messages } = told;
  if (verdicts.unknown.has(guard)) return verdicts.of[guard].note || part.guardText[guard];
  const one = messages.guards[guard];
  if (!one.atEnd) return one.secure ? `${asking.name}${one.lacking}` : one.lacking;
  const ends = lackingEnds(context, point).map((server, at) => {
    const place = at ? told.entryPlace(server, asking, false) || part.pointSource(point) : null;
    return `${part.servers.name[server]}${place ? ` (${quotedPlace(place)})` : ""}`;
  });
  return filled(messages.texts.not_at_end, {
    topic: asking.name,
    ends: ends.join(messages.texts.not_at_end_joined),
  });
}

/**
 * The ends of the link into a point at which the message certainly does not pass: the first guard
 * about an end is that of the sending one.
 */
function lackingEnds(context, point) {
  const { told, verdicts } = context;
  const { part } = told;
  const ends = [part.previous[point], part.pointServer[point]];
  const pair = told.endGuards[part.guardSet[point]].slice(0, 2);
  return ends.filter(
    (_, at) =>
      at < pair.length && verdicts.failing.has(pair[at]) && !verdicts.unknown.has(pair[at]),
  );
}

/** The line behind a guard at the link into a point. @returns {Source} */
function placeOfGuard(context, point, guard) {
  const { told, asking, verdicts } = context;
  const { part, messages } = told;
  const one = messages.guards[guard];
  if (one.selector) return told.places.get(point * messages.guards.length + guard);
  if (verdicts.unknown.has(guard)) return told.source(one.source);
  if (one.atEnd) {
    const [end] = lackingEnds(context, point);
    return told.entryPlace(end, asking, false) || part.pointSource(point);
  }
  if (one.at === undefined) return told.source(one.source);
  const line = (one.lines || []).find(([pattern]) => asking.matches(pattern));
  return (
    (line && told.source(line[1])) ||
    told.entryPlace(one.at, asking, true) ||
    part.pointSource(point)
  );
}

/** Other readings of several selectors: which servers would get the message too. */
export function otherReadings(told, start, found, verdicts, interested) {
  const { part, messages } = told;
  const setAside = { replaced: verdicts.replaced, beside: besideOneThatHolds(part, verdicts) };
  const result = [];
  for (const [which, rule, text, alternative] of messages.readings) {
    const relaxed = setAside[which];
    if (!relaxed.size) continue;
    const other = meetingOf(
      part,
      start,
      verdicts.failing.without(relaxed),
      verdicts.interest,
      interested,
    );
    const { name, rank } = part.servers;
    const more = [...other.paths.keys()]
      .filter((server) => !found.paths.has(server))
      .sort((a, b) => rank[a] - rank[b]);
    if (more.length)
      result.push({ rule, text, alternative, more: more.map((server) => name[server]) });
  }
  return result;
}

/** Failing selectors that everywhere stand beside one that applies and holds. */
function besideOneThatHolds(part, verdicts) {
  const { of, failing, applying } = verdicts;
  const relaxed = new Numbers(of.length);
  const kept = new Numbers(of.length);
  const stops = (guard) => failing.has(guard) && applying.has(guard);
  const holds = (guard) => applying.has(guard) && !failing.has(guard);
  for (const guards of part.guardSets) {
    if (!guards.some(stops)) continue;
    const fewer = guards.some(holds) ? relaxed : kept;
    for (const guard of guards) if (stops(guard)) fewer.add(guard);
  }
  return relaxed.without(kept);
}
