// From points to what answers show: names, steps, hops by zone, and what has to be said of servers.

/** @import { Caution } from "./network.js" */

/**
 * Describes the paths of one answer. Paths from one server share their beginnings: each is
 * described once, so that an answer is linear in the servers reached, plus the steps it lists. With
 * `reply` a step names only what is asked of replies.
 */
export function pathBook(part, reply) {
  const known = reply ? part.replySteps : part.steps;
  const asks = reply ? part.guardAsksReply : part.guardAsks;
  const nothing = {
    servers: [],
    steps: [],
    zoneHops: [],
    cost: part.costs ? 0 : null,
    hops: -1,
    point: -1,
    before: null,
    other: null,
  };
  // By point the ways that end there, one behind the other (``other``): mostly there is one.
  const ways = new Map();
  const further = (before, point, other) => {
    const step =
      before.point < 0
        ? null
        : knownStep(known, before.point, point, () => stepOf(part, asks, before.point, point));
    return {
      servers: [...before.servers, part.servers.name[part.pointServer[point]]],
      steps: step ? [...before.steps, step] : [],
      zoneHops: step ? oneMore(before.zoneHops, before.steps, step) : [],
      cost: step && part.costs ? before.cost + step.cost : before.cost,
      hops: before.hops + 1,
      point,
      before,
      other,
    };
  };
  return (path) => {
    let told = nothing;
    for (const point of path) {
      const before = told;
      const last = ways.get(point) || null;
      for (told = last; told && told.before !== before; told = told.other);
      if (!told) ways.set(point, (told = further(before, point, last)));
    }
    return told;
  };
}

/** A step that an earlier answer described too: steps are the same in all. */
function knownStep(known, from, to, make) {
  const entering = known.get(to) || new Map();
  known.set(to, entering);
  if (!entering.has(from)) entering.set(from, make());
  return entering.get(from);
}

/** One link of a path. */
function stepOf(part, asks, from, to) {
  const permits = permission(part, from, to);
  const guards = permits.guards
    .filter((guard) => asks[guard])
    .map((guard) => part.guardCondition[guard]);
  return {
    from: part.servers.name[part.pointServer[from]],
    to: part.servers.name[part.pointServer[to]],
    zone: part.costs ? "" : part.zone[to],
    rule: permits.rule,
    confidence: permits.confidence,
    guards: [...new Set(guards)],
    source: permits.source,
    cost: part.costs ? permits.cost : null,
    system: part.servers.system[part.pointServer[from]],
    link: permits.link,
  };
}

/**
 * The hops inside each zone of a path that goes one step further: the count begins again where the
 * zone changes.
 */
function oneMore(zoneHops, before, step) {
  if (!step.zone) return zoneHops;
  const last = before.length ? before[before.length - 1].zone : "";
  if (last !== step.zone) return [...zoneHops, { zone: step.zone, hops: 1 }];
  return [
    ...zoneHops.slice(0, -1),
    { zone: step.zone, hops: zoneHops[zoneHops.length - 1].hops + 1 },
  ];
}

/**
 * What permits the forward between two points: the point entered or left, or the forward itself.
 */
function permission(part, from, to) {
  if (part.described === "forward") {
    const { forwards } = part;
    const row = rowOf(part, from, to);
    return {
      rule: forwards.rule[row],
      confidence: forwards.confidence[row],
      cost: forwards.cost[row],
      guards: forwards.guardSets[forwards.guards[row]],
      source: forwards.source(row),
      link: forwards.link[row],
    };
  }
  const point = part.described === "end" ? to : from;
  return {
    rule: part.rule[point],
    confidence: part.confidence[point],
    cost: part.pointCost[point],
    guards: part.guardSets[part.guardSet[point]],
    source: part.pointSource(point),
    link: "",
  };
}

/** The row of the forward between two points. */
function rowOf(part, from, to) {
  let row = part.starts[from];
  while (part.ends[row] !== to) row++;
  return row;
}

/**
 * What tells the links of forwards apart where many forwards between two servers go over one link;
 * null where each is a link of its own.
 */
export function linkKeys(part) {
  if (part.described !== "forward") return null;
  return (from, to) => {
    const { file, line, column } = part.forwards.source(rowOf(part, from, to));
    return `${file}\n${line}\n${column}`;
  };
}

/** The points of some paths, each once, in order. */
export function pointsOf(part, paths) {
  const on = new Uint8Array(part.pointCount);
  for (const path of paths) for (const point of path) on[point] = 1;
  const points = [];
  for (let point = 0; point < on.length; point++) if (on[point]) points.push(point);
  return points;
}

/** The positions that some points rest on, each once. */
export function assumptionsOf(part, points) {
  const found = new Set();
  for (const set of new Set(points.map((point) => part.guardSet[point]))) {
    for (const guard of part.guardSets[set]) {
      if (part.guardPosition[guard]) found.add(part.guardPosition[guard]);
    }
  }
  return [...found].sort((a, b) => a - b).map((position) => part.positions[position - 1]);
}

export const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);

/** @returns {Caution[]} one for every loaded server of these whose configuration is incomplete. */
export function incompleteServers(part, numbers) {
  const { loaded, incomplete, incompleteRule, name } = part.servers;
  return ascending(numbers)
    .filter((number) => loaded[number] && incomplete[number])
    .map((number) => ({
      rule: incompleteRule[number],
      message: `${name[number]}: ${incomplete[number]}`,
      source: part.serverSource(number),
    }));
}

/** @returns {Caution[]} one for every server of these that a setting of its own keeps out of the network. */
export function cutOffServers(part, numbers) {
  const found = ascending(numbers).filter((number) => part.cutOff.has(number));
  const more = found.length - part.listed;
  const listed = found.slice(0, part.listed).map((number) => part.cutOff.get(number));
  if (more > 0)
    listed.push({
      rule: "cut-off",
      message: `the same holds for ${more} more servers`,
      source: null,
    });
  return listed;
}

/** @returns {Caution[]} one for every link of these servers over which nothing went when it was observed. */
export function observedStops(part, numbers) {
  const names = new Set([...numbers].map((number) => part.servers.name[number]));
  const found = part.observed.filter((one) => names.has(one.server)).map((one) => one.caution);
  const more = found.length - part.listed;
  if (more <= 0) return found;
  const message = `${grouped(more)} more links took nothing when they were observed: check lists them`;
  return [...found.slice(0, part.listed), { rule: found[0].rule, message, source: null }];
}

/** A number with commas between thousands. */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

/** The fields that every answer has, in front of its own. */
export function commonOf(network, question, fields) {
  const { snapshot, network: name, redaction } = network.about;
  return {
    question,
    snapshot,
    network: name,
    exact: true,
    assumptions: [],
    warnings: [],
    redaction,
    inexact_because: [],
    ...fields,
  };
}
