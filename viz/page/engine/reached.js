// What is said of the walk from one server: who is reached, what the loaded files leave open, and where messages end.

/**
 * From one server to all others of its part, as the `Reached` of topograph: `paths` by server number; `undetermined` why the loaded files do not decide
 * it; `towards` the path up to the server whose files leave it open, where one leads there; `beyond` why a message may get to servers that no file names.
 * @returns {{start: number, paths: Map<number, number[]>, undetermined: Map<number, {because: string, source: Source}>,
 *   towards: Map<number, number[]>, beyond: {because: string, source: Source} | null}}
 */
function reachedFrom(part, start) {
  if (part.form !== "once") {
    throw new Declined(`How messages travel from ${part.servers.name[start]} is not decided in this page.`);
  }
  const { servers } = part;
  const paths = new Map();
  const certain = onlyWalks(part, start, true);
  if (servers.loaded[start]) {
    const numbers = [...certain.at.keys()].sort((a, b) => a - b);
    for (const number of numbers) paths.set(number, pathTo(certain.before, certain.at.get(number)));
  }
  const reached = { start, paths, undetermined: new Map(), towards: new Map(), beyond: null };
  const openEnded = servers.name.map((_, number) => number).filter((number) => servers.openEnded[number]);
  if (openEnded.length) addDoubt(part, reached, openEnded);
  if (!part.cutOff.has(start)) {
    const first = openEnded.find((number) => number === start || paths.has(number));
    if (first !== undefined) {
      const because = `${servers.name[first]} may lead to servers that the loaded files do not name`;
      reached.beyond = { because, source: part.serverSource(first) };
    }
  }
  return reached;
}

/** Note the servers that the loaded files leave open: a server that is not loaded, or whose links are not all known, may lead there. */
function addDoubt(part, reached, openEnded) {
  const { servers, cutOff } = part;
  const { start, paths, undetermined, towards } = reached;
  const possible = onlyWalks(part, start, false);
  const touched = new Set(walkFrom(part, openEnded, closedPoints(part, false)).points.map((p) => part.pointServer[p]));
  const anywhere = openEnded.some((number) => servers.loaded[number]) || touched.has(start);
  const notLoaded = (number) => ({
    because: `${servers.name[number]}: ${servers.incomplete[number]}`,
    source: part.serverSource(number),
  });
  const ways = new Map([...possible.at].map(([number, point]) => [number, pathTo(possible.before, point)]));
  const near = openEnded.find((number) => number === start || ways.has(number));
  for (let number = 0; number < servers.name.length; number++) {
    if (number === start || paths.has(number) || cutOff.has(start) || cutOff.has(number)) continue;
    const way = ways.get(number) || [];
    let blocking = servers.loaded[start] ? undefined : start;
    if (blocking === undefined) {
      blocking = way.slice(1).map((point) => part.pointServer[point]).find((server) => !servers.loaded[server]);
    }
    if (blocking === undefined && !servers.loaded[number]) blocking = number;
    if (blocking !== undefined) {
      undetermined.set(number, notLoaded(blocking));
      towards.set(number, upTo(part, start, blocking, way));
    } else if (anywhere || touched.has(number)) {
      undetermined.set(number, part.possibly);
      towards.set(number, near === undefined ? [] : upTo(part, start, near, ways.get(near) || []));
    }
  }
}

/** The beginning of a path up to a server on it. */
function upTo(part, start, server, path) {
  if (server === start) return [start];
  return path.slice(0, path.findIndex((point, at) => at && part.pointServer[point] === server) + 1);
}

/** The links at which messages end, by the names of their ends. */
function stopsOf(part, reached) {
  const { servers } = part;
  const at = new Map([[reached.start, reached.start]]);
  for (const [server, path] of reached.paths) at.set(server, path[path.length - 1]);
  const book = pathBook(part, false);
  const found = [];
  for (let point = 0; point < part.pointCount; point++) {
    const [from, to] = [part.previous[point], part.pointServer[point]];
    if (!part.arrival[point] || !at.has(from) || at.has(to) || !servers.loaded[to]) continue;
    const way = book(reached.paths.get(from) || [reached.start]);
    const halt = haltAt(part, at.get(from), point);
    found.push({
      at: servers.name[from],
      to: servers.name[to],
      reason: halt.reason,
      guard: halt.text,
      value: "FALSE",
      source: halt.source || part.pointSource(point),
      rule: halt.rule,
      system: servers.system[from],
      destination: "",
      path: way.servers,
      steps: way.steps,
      order: [servers.rank[from], servers.rank[to]],
    });
  }
  found.sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1]);
  return found.map(({ order, ...stop }) => stop);
}

/** @returns {Halt} why a message at one point does not enter another. */
function haltAt(part, here, point) {
  const shut = part.guardSets[part.guardSet[point]].find((guard) => part.shut.has(guard));
  if (shut !== undefined) return part.shut.get(shut);
  const halt = part.arrival[here] ? part.halt[here] : 0;
  return halt && part.halt[point] === halt ? part.halts[halt - 1] : part.visited;
}
