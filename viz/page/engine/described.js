// From points to what answers show: names, steps, hops by zone, and what has to be said of servers.

/** Describes the paths of one answer: each step once. With `reply` a step names only what is asked of replies. */
function pathBook(part, reply) {
  const asks = reply ? part.guardAsksReply : part.guardAsks;
  const known = new Map();
  const step = (from, to) => {
    const key = from * part.pointCount + to;
    const found = known.get(key);
    if (found) return found;
    const permits = permission(part, from, to);
    const guards = permits.guards.filter((guard) => asks[guard]).map((guard) => part.guardText[guard]);
    const made = {
      from: part.servers.name[part.pointServer[from]],
      to: part.servers.name[part.pointServer[to]],
      zone: part.costs ? "" : part.zone[to],
      rule: permits.rule,
      confidence: permits.confidence,
      guards: [...new Set(guards)],
      source: permits.source,
      cost: part.costs ? permits.cost : null,
      system: part.servers.system[part.pointServer[from]],
    };
    known.set(key, made);
    return made;
  };
  return (path) => {
    const steps = path.slice(1).map((point, at) => step(path[at], point));
    return {
      servers: path.map((point) => part.servers.name[part.pointServer[point]]),
      hops: path.length - 1,
      zoneHops: zoneHops(steps),
      steps,
      cost: part.costs ? steps.reduce((sum, one) => sum + one.cost, 0) : null,
    };
  };
}

/** What permits the forward between two points: the point entered or left, or the forward itself. */
function permission(part, from, to) {
  if (part.described === "forward") {
    const { forwards } = part;
    let row = part.starts[from];
    while (part.ends[row] !== to) row++;
    return {
      rule: forwards.rule[row],
      confidence: forwards.confidence[row],
      cost: forwards.cost[row],
      guards: forwards.guardSets[forwards.guards[row]],
      source: forwards.source(row),
    };
  }
  const point = part.described === "end" ? to : from;
  return {
    rule: part.rule[point],
    confidence: part.confidence[point],
    cost: part.pointCost[point],
    guards: part.guardSets[part.guardSet[point]],
    source: part.pointSource(point),
  };
}

/** Hops inside each zone, in path order: the count begins again where the zone changes. */
function zoneHops(steps) {
  const runs = [];
  steps.forEach((step, at) => {
    if (at && steps[at - 1].zone === step.zone) runs[runs.length - 1].hops += 1;
    else runs.push({ zone: step.zone, hops: 1 });
  });
  return runs.filter((run) => run.zone);
}

/** The positions that some paths rest on, each once. */
function assumptionsOf(part, paths) {
  const found = new Set();
  for (const point of new Set(paths.flat())) {
    for (const guard of part.guardSets[part.guardSet[point]]) {
      if (part.guardPosition[guard]) found.add(part.guardPosition[guard]);
    }
  }
  return [...found].sort((a, b) => a - b).map((position) => part.positions[position - 1]);
}

const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);

/** @returns {Caution[]} one for every loaded server of these whose configuration is incomplete. */
function incompleteServers(part, numbers) {
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
function cutOffServers(part, numbers) {
  const found = ascending(numbers).filter((number) => part.cutOff.has(number));
  const more = found.length - part.listed;
  const listed = found.slice(0, part.listed).map((number) => part.cutOff.get(number));
  if (more > 0) listed.push({ rule: "cut-off", message: `the same holds for ${more} more servers`, source: null });
  return listed;
}

/** @returns {Caution[]} one for every link of these servers over which nothing went when it was observed. */
function observedStops(part, numbers) {
  const names = new Set([...numbers].map((number) => part.servers.name[number]));
  const found = part.observed.filter((one) => names.has(one.server)).map((one) => one.caution);
  const more = found.length - part.listed;
  if (more <= 0) return found;
  const message = `${grouped(more)} more links took nothing when they were observed: check lists them`;
  return [...found.slice(0, part.listed), { rule: found[0].rule, message, source: null }];
}

/** A number with commas between thousands. */
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
