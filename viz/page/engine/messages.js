// What happens to one message and to the copies that are made of it: the counterpart of `follow`, as a tree of branches with steps.

/** What one part says of messages, read once. */
function toldOf(part, section, read) {
  const source = (row) => (row ? read.sourceAt(row, 0) : null);
  const columns = ["point", "guard", "file", "line", "column"].map((name) => unpacked(section.places[name]));
  const [point, guard, file, line, column] = columns;
  const places = new Map();
  for (let at = 0; at < point.length; at++) {
    places.set(point[at] * section.guards.length + guard[at], {
      file: read.texts[file[at]],
      line: line[at],
      column: column[at],
    });
  }
  const entriesAt = (server) => {
    const [list, own] = section.servers[server];
    return section.entries[list].map(([pattern, secure, at, in_, other]) => ({
      pattern,
      secure: Boolean(secure),
      source: { file: read.texts[other === undefined ? own : other], line: at, column: in_ },
    }));
  };
  const subscribers = section.subscribers.map((one, number) => ({
    ...one,
    key: `#${number}`,
    pattern: section.patterns[one.pattern],
    number: one.pattern,
    source: source(one.source),
  }));
  return {
    part,
    messages: section,
    places,
    source,
    subscribers,
    onward: new Map(section.onward.map(([server, name, way]) => [`${server} ${name}`, way])),
    somewhere: unpacked(section.somewhere),
    waits: new Map(section.guards.flatMap((one, number) => (one.waits ? [[number, source(one.waits)]] : []))),
    entriesAt,
    /** The entry of a server that is most specific about the destination (`secure`: of those that ask for a permission), else what is cited instead. */
    entryPlace(server, asking, secure) {
      const holding = entriesAt(server).filter((one) => (!secure || one.secure) && asking.matches(one.pattern));
      const [, , main, fallback] = section.servers[server];
      if (!holding.length) return source(secure ? main : fallback);
      const weight = ({ pattern }) => {
        const text = section.patterns[pattern];
        return [isWildcard(text) ? 0 : 1, text.split(".").length - (text.endsWith(">") ? 1 : 0)];
      };
      return holding.reduce((best, one) => {
        const [a, b] = [weight(one), weight(best)];
        return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]) ? one : best;
      }).source;
    },
  };
}

const NOWHERE = { file: "", line: 0, column: 0 };
const STRONGEST = { declared: 0, observed: 1, configured: 2, assumed: 3 };

/** Who wants a destination: those that are known, and those that are assumed where nobody is. */
function subscribersOf(told, asking) {
  const found = told.subscribers.filter((one) => asking.matches(one.number));
  const having = new Set(found.filter((one) => one.delivers).map((one) => one.server));
  const other = (server, known, fields) => ({
    server,
    pattern: asking.name,
    known,
    key: `${known} ${server} ${asking.name}`,
    selector: -1,
    text: "",
    reliable: true,
    delivers: true,
    note: "",
    source: NOWHERE,
    unsure: "",
    copy: null,
    ...fields,
  });
  for (const [server, why, source] of told.messages.beside) {
    if (!having.has(server))
      found.push(other(server, "observed", { reliable: false, source: told.source(source), unsure: why }));
  }
  for (const server of told.somewhere) if (!having.has(server)) found.push(other(server, "assumed", {}));
  return found;
}

/** What a subscriber's own selector says of the message. @returns {Verdict} */
function acceptedBy(one, asking) {
  if (one.unsure) return { truth: "UNKNOWN", known: false, note: one.unsure, defaults: [] };
  return one.selector < 0 ? PASSES : asking.selector(one.selector);
}

/** Why a server does not take a message that is sent there; null where it does. */
function refusalOf(told, server, asking, user) {
  const { texts, rules, patterns, servers } = told.messages;
  const [, , main, , complete, publishes] = servers[server];
  if (!main || !complete) return null;
  const name = told.part.servers.name[server];
  const entries = told.entriesAt(server);
  const allowing = entries.filter((one) => asking.matches(one.pattern));
  if (!allowing.length) {
    const names = entries.map((one) => patterns[one.pattern]).filter((pattern) => !isWildcard(pattern));
    if (![asking.name, ...names].every(foldsByLowerCase)) {
      throw new Declined(
        `${name} has no entry for ${asking.name}, and what is near that name is not told in this page.`,
      );
    }
    const near = didYouMean(asking.name, names);
    const text = filled(texts.no_entry, { server: name, topic: asking.name, near: near && `.${near}` });
    return { reason: rules.no_entry_reason, text, source: told.source(main), rule: rules.no_entry };
  }
  const secure = allowing.find((one) => one.secure);
  if (!user || !secure || !publishes || asking.verdict(publishes).truth === "TRUE") return null;
  const text = filled(texts.no_permission, { topic: asking.name, server: name, user });
  return { reason: rules.no_permission_reason, text, source: secure.source, rule: rules.no_permission };
}

/**
 * Follow a message from a server, and the copies that are made of it.
 * @param {object} told @param {number} start @param {{type: string, name: string, properties: Properties, user: string}} message
 */
function followMessage(told, start, message) {
  const trace = new MessageTrace(told, start);
  const publications = new Map();
  const publication = (copy) => {
    const key = `${copy.place} ${copy.bridged}`;
    if (!publications.has(key)) publications.set(key, publicationOf(told, copy, trace));
    return publications.get(key);
  };
  const placed = (server, type, name) => `${server} ${type}:${name}`;
  const root = {
    start,
    ...message,
    branch: trace.branch(-1, "root"),
    bridged: false,
    before: new Set(),
    times: 1,
    place: placed(start, message.type, message.name),
    about: "",
  };
  const waiting = [root];
  let followed = 0;
  for (let copy = waiting.shift(); copy; copy = waiting.shift()) {
    const isPublication = told.messages.types.includes(copy.type);
    for (const made of isPublication ? tellCopy(trace, copy, publication(copy)) : tellOnward(trace, copy)) {
      const destination = `${made.type}:${made.name}`;
      const next = {
        ...made,
        properties: copy.properties,
        user: "",
        bridged: true,
        before: copy.bridged ? new Set([...copy.before, copy.place]) : copy.before,
        times: copy.times,
        place: placed(made.start, made.type, made.name),
        about: destination,
      };
      if (next.before.has(next.place)) continue; // it goes round: nobody new gets it
      if (followed === told.messages.mostCopies) {
        trace.exact = false;
        const fields = { most: followed, destination, server: told.part.servers.name[made.start] };
        trace.note("copies_too_many", fields, null);
      } else {
        followed += 1;
        waiting.push(next);
      }
    }
  }
  trace.duplicates();
  return trace;
}

/** The walks of one publication, who wants it, and what they rest on. */
function publicationOf(told, copy, trace) {
  const { part, messages } = told;
  const asking = askingOf(messages, copy.name, copy.properties, copy.user);
  const wanting = subscribersOf(told, asking);
  trace.assumed(wanting);
  const refused = refusalOf(told, copy.start, asking, copy.user);
  if (refused)
    return {
      asking,
      wanting,
      refused,
      found: { start: copy.start, paths: new Map(), stops: [], undetermined: new Map(), beyond: null },
    };
  const verdicts = judgedGuards(messages, asking);
  const interested = new Set(wanting.filter((one) => one.reliable).map((one) => one.server));
  const unreliable = new Map();
  for (const one of wanting) {
    if (one.reliable) continue;
    const because =
      one.unsure && !isWildcard(one.pattern)
        ? one.unsure
        : filled(messages.texts.unreliable, { subscription: one.pattern });
    unreliable.set(one.server, { because, source: one.source });
  }
  const found = published(told, copy.start, asking, verdicts, interested, unreliable);
  trace.found.push(found);
  const about = copy.bridged ? `${copy.about}: ` : "";
  for (const doubt of passedOnInPart(told, found, wanting)) trace.position({ ...doubt, text: about + doubt.text });
  for (const one of otherReadings(told, copy.start, found, verdicts, interested)) {
    const alternative = filled(messages.texts.more_reading, {
      alternative: one.alternative,
      servers: one.more.join(", "),
    });
    trace.position({ rule: one.rule, confidence: "M", text: about + one.text, alternative });
  }
  for (const guard of verdicts.applying) for (const name of verdicts.of[guard].defaults) trace.defaults.add(name);
  return { asking, wanting, refused: null, found };
}

/** Wildcard subscriptions that get the message through a server where they are not part of what passes there. */
function passedOnInPart(told, found, wanting) {
  const { part, messages } = told;
  const byServer = new Map();
  for (const one of wanting) {
    if (!one.reliable) continue;
    if (!byServer.has(one.server)) byServer.set(one.server, []);
    byServer.get(one.server).push(one);
  }
  const doubtOf = (path, one) => {
    for (const point of path.slice(1)) {
      const guards = part.guardSets[part.guardSet[point]].filter((guard) => messages.guards[guard].atEnd);
      const ends = [part.previous[point], part.pointServer[point]].slice(0, guards.length);
      for (const [at, end] of ends.entries()) {
        const patterns = messages.guards[guards[at]].patterns || [];
        if (end === one.server || patterns.some((pattern) => patternContained(one.pattern, messages.patterns[pattern])))
          continue;
        const names = {
          subscription: one.pattern,
          server: part.servers.name[one.server],
          through: part.servers.name[end],
        };
        const { texts, rules } = messages;
        return {
          rule: rules.in_part,
          confidence: "M",
          text: filled(texts.in_part, names),
          alternative: filled(texts.in_part_otherwise, names),
        };
      }
    }
    return null;
  };
  const result = [];
  for (const [server, all] of byServer) {
    if (!all.every((one) => isWildcard(one.pattern))) continue;
    const doubts = all.map((one) => doubtOf(found.paths.get(server) || [], one));
    if (doubts.length && doubts.every(Boolean)) result.push(doubts[0]);
  }
  return result;
}

/** Puts the trace together, and gathers what an answer says of it. */
class MessageTrace {
  constructor(told, start) {
    this.told = told;
    this.start = start;
    /** @type {{id: number, of: number, kind: string, last: number, ending: Record<string, any> | null}[]} */
    this.branches = [];
    /** @type {Record<string, any>[]} */
    this.steps = [];
    this.exact = true;
    /** @type {Record<string, any>[]} */
    this.found = [];
    /** @type {Set<number>} */
    this.visited = new Set();
    this.positions = new Map();
    this.defaults = new Set();
    this.notes = new Map();
    this.open = new Map();
    this.received = new Map();
  }

  branch(of, kind) {
    this.branches.push({
      id: this.branches.length,
      of,
      kind,
      last: of < 0 ? -1 : this.branches[of].last,
      ending: null,
    });
    return this.branches.length - 1;
  }

  step(branch, fields) {
    this.steps.push({ after: this.branches[branch].last, to: "", ...fields });
    this.branches[branch].last = this.steps.length - 1;
  }

  /** Let a branch go on as another trace tells; the branches here, by their numbers there. */
  graft(at, way) {
    /** @type {number[]} */
    const numbers = [];
    for (const { of, kind } of way.branches) numbers.push(of < 0 ? at : this.branch(numbers[of], kind));
    const before = this.branches[at].last;
    const first = this.steps.length;
    for (const { after, source, ...fields } of way.steps) {
      this.steps.push({ ...fields, after: after < 0 ? before : first + after, source: this.told.source(source) });
    }
    way.branches.forEach(({ last }, branch) => {
      if (last >= 0) this.branches[numbers[branch]].last = first + last;
    });
    return numbers;
  }

  position(one) {
    this.positions.set(JSON.stringify([one.rule, one.confidence, one.text, one.alternative]), one);
  }

  note(name, fields, source) {
    const { texts, rules } = this.told.messages;
    this.noted({ rule: rules[name], message: filled(texts[name], fields), source });
  }

  noted(one) {
    const key = JSON.stringify([one.rule, one.message, one.source]);
    if (!this.notes.has(key)) this.notes.set(key, one);
  }

  leaveOpen(server, because, source, path = []) {
    const key = `${server} ${because}`;
    if (!this.open.has(key)) this.open.set(key, { server, because, source, path });
  }

  /** What is assumed about subscribers. */
  assumed(wanting) {
    const { positions, seen } = this.told.messages;
    if (wanting.some((one) => one.known === "assumed")) {
      const known = [
        ...new Set(wanting.filter((one) => one.delivers && one.known !== "assumed").map((one) => one.known)),
      ].sort();
      const one = known.length ? positions.assumed_beside : positions.assumed;
      this.position({ ...one, text: filled(one.text, { known: known.join(this.told.messages.texts.joined_names) }) });
    }
    for (const one of seen) this.position(one);
  }

  /** The subscribers that get several copies. */
  duplicates() {
    const { texts } = this.told.messages;
    for (const { one, type, copies } of this.received.values()) {
      if (copies.length < 2) continue;
      const total = copies.reduce((sum, times) => sum + times, 0);
      const server = this.told.part.servers.name[one.server];
      const subscriber = texts[`subscriber_${one.known}`];
      this.note(
        "copies_received",
        { subscriber, destination: `${type}:${one.pattern}`, server, copies: total },
        one.source,
      );
    }
  }
}

/** Tell one publication; the copies that are made of it. */
function tellCopy(trace, copy, { asking, wanting, refused, found }) {
  const { told } = trace;
  const { part, messages } = told;
  const { name, rank } = part.servers;
  const { texts, rules } = messages;
  const branchAt = new Map([[copy.start, copy.branch]]);
  const destination = `${copy.type}:${copy.name}`;

  const stopped = (at, to, fields) => {
    const branch = trace.branch(branchAt.get(at), "copy");
    trace.step(branch, { at: name[at], rule: fields.rule, source: fields.source, text: "" });
    trace.branches[branch].ending = {
      ...fields,
      outcome: "NOT_FORWARDED",
      at: name[at],
      to: name[to],
      destination: copy.about,
    };
  };
  if (refused) {
    stopped(copy.start, copy.start, {
      reason: refused.reason,
      guard: refused.text,
      value: "FALSE",
      source: refused.source,
      rule: refused.rule,
    });
    return [];
  }

  const held = [];
  const waitsAt = (point) => part.guardSets[part.guardSet[point]].find((guard) => told.waits.has(guard));
  const arrivals = [...found.paths].sort((a, b) => a[1].length - b[1].length || rank[a[0]] - rank[b[0]]);
  for (const [server, path] of arrivals) {
    const point = path[path.length - 1];
    const before = part.pointServer[path[path.length - 2]];
    const of = branchAt.get(before);
    const waits = waitsAt(point);
    if (waits !== undefined) {
      const branch = trace.branch(of, "copy");
      const text = filled(texts.held, { at: name[before], to: name[server] });
      trace.step(branch, { at: name[before], rule: rules.held, source: told.waits.get(waits), text });
      trace.branches[branch].ending = { outcome: "HELD" };
      held.push({
        rule: rules.held,
        message: `${filled(texts.held_ending, { server: name[before] })}: ${text}`,
        source: told.waits.get(waits),
      });
    }
    const branch = trace.branch(of, waits === undefined ? "copy" : "later");
    const guards = part.guardSets[part.guardSet[point]]
      .filter((guard) => part.guardAsks[guard])
      .map((guard) => part.guardText[guard]);
    trace.step(branch, {
      at: name[before],
      to: name[server],
      zone: part.zone[point],
      rule: waits === undefined ? part.rule[point] : rules.held,
      confidence: part.confidence[point],
      guards: [...new Set(guards)],
      source: part.pointSource(point),
      text: "",
    });
    branchAt.set(server, branch);
    if (!path.some((one) => waitsAt(one) !== undefined)) trace.visited.add(server);
  }

  const judged = [];
  const { narrowed, undecided } = tellDeliveries(trace, copy, asking, wanting, branchAt, destination);
  for (const stop of found.stops) stopped(stop.at, stop.to, stop);
  for (const one of held) trace.noted(one);
  for (const [one, verdict] of narrowed) {
    const guard = filled(texts.own_selector, { selector: one.text });
    stopped(one.server, one.server, {
      reason: rules.selector_reason,
      guard,
      value: verdict.truth,
      source: one.source,
      rule: rules.own_selector,
    });
  }
  const { copies, leftOpen } = tellCopies(trace, copy, asking, wanting, branchAt, stopped);
  judged.push(...narrowed, ...undecided, ...leftOpen);
  for (const [, verdict] of judged) for (const one of verdict.defaults) trace.defaults.add(one);
  for (const one of wanting) {
    if (!one.delivers && !one.copy && branchAt.has(one.server)) {
      trace.note("not_followed", { note: one.note, server: name[one.server] }, one.source);
    }
  }
  const about = copy.bridged ? `${copy.about}: ` : "";
  const open = new Map(found.undetermined);
  for (const [one, verdict] of undecided) {
    if (open.has(one.server)) continue;
    const because = one.unsure ? verdict.note : filled(texts.own_selector, { selector: verdict.note });
    open.set(one.server, { because, source: one.source });
  }
  for (const [server, why] of open) {
    const path = copy.bridged ? [] : why.path || found.paths.get(server) || [];
    trace.leaveOpen(server, about + why.because, why.source, path);
  }
  if (found.beyond && wanting.some((one) => one.known === "assumed") && !found.undetermined.size) {
    trace.exact = false;
    trace.noted({ rule: "not-loaded", message: found.beyond.because, source: found.beyond.source });
  }
  for (const [one, verdict] of leftOpen)
    trace.leaveOpen(one.server, `${about}${one.note}: ${verdict.note}`, one.source);
  return copies;
}

/** Tell what becomes of a copy on a destination of another type, which Python worked out; the copies that are made of it there. */
function tellOnward(trace, copy) {
  const { told } = trace;
  const { part, messages } = told;
  const server = part.servers.name[copy.start];
  const declined = (why) => {
    throw new Declined(`A copy of the message goes to ${copy.about} at ${server}, and ${why}.`);
  };
  let way = told.onward.get(`${copy.start} ${copy.name}`);
  const asking = askingOf(messages, copy.name, copy.properties, "");
  const defaults = [];
  while (way && way.selector !== undefined) {
    const verdict = asking.selector(way.selector);
    if (!verdict.known) declined(`whether a selector there takes it is not decided in this page`);
    defaults.push(...verdict.defaults);
    way = way.ways[verdict.truth];
  }
  if (!way) return declined("what becomes of it there is not decided in this page");
  const numbers = new Map(part.servers.name.map((name, number) => [name, number]));
  for (const name of way.visited) trace.visited.add(numbers.get(name));
  for (const one of way.assumptions) trace.position(one);
  for (const one of defaults) trace.defaults.add(one);
  for (const [name, because, source] of way.open) trace.leaveOpen(numbers.get(name), because, told.source(source));
  const branches = trace.graft(copy.branch, way);
  const copies = [];
  way.branches.forEach((branch, at) => {
    if (!branch.ending) return;
    const step = { ...way.steps[branch.last], source: told.source(way.steps[branch.last].source) };
    const ending = { ...branch.ending };
    const { outcome } = ending;
    if (outcome === "PUBLISHED") {
      const colon = ending.destination.indexOf(":");
      const [type, name] = [ending.destination.slice(0, colon), ending.destination.slice(colon + 1)];
      copies.push({ start: ending.server ? numbers.get(ending.server) : copy.start, type, name, branch: branches[at] });
      return;
    }
    if (outcome === "DELIVERED") ending.copies = copy.times;
    else if (outcome === "NOT_FORWARDED") {
      Object.assign(ending, {
        reason: ending.condition,
        destination: copy.about,
        source: step.source,
        rule: step.rule,
      });
      if (ending.value === "UNKNOWN" && ending.condition !== messages.rules.selector_reason) {
        trace.leaveOpen(numbers.get(ending.to), ending.guard, step.source);
      }
    } else if (outcome === "UNDETERMINED") trace.leaveOpen(numbers.get(ending.server), ending.condition, step.source);
    else if (outcome !== "LOOP")
      trace.noted({ rule: step.rule, message: `${ending.told}: ${step.text}`, source: step.source });
    trace.branches[branches[at]].ending = ending;
  });
  return copies;
}

/** A branch for the best known subscriber of each server that the message gets to. */
function tellDeliveries(trace, copy, asking, wanting, branchAt, destination) {
  const { rank, name } = trace.told.part.servers;
  const served = new Set();
  const narrowed = [];
  const undecided = [];
  const ordered = [...wanting].sort(
    (a, b) =>
      rank[a.server] - rank[b.server] || STRONGEST[a.known] - STRONGEST[b.known] || byCodePoint(a.pattern, b.pattern),
  );
  for (const one of ordered) {
    if (!one.delivers || !branchAt.has(one.server)) continue;
    const verdict = acceptedBy(one, asking);
    if (verdict.truth !== "TRUE") {
      (verdict.known ? narrowed : undecided).push([one, verdict]);
      continue;
    }
    if (!trace.received.has(one.key)) trace.received.set(one.key, { one, type: copy.type, copies: [] });
    trace.received.get(one.key).copies.push(copy.times);
    if (served.has(one.server)) continue;
    served.add(one.server);
    const branch = trace.branch(branchAt.get(one.server), "copy");
    trace.step(branch, { at: name[one.server], rule: "", source: one.source, text: "" });
    const ending = {
      outcome: "DELIVERED",
      server: name[one.server],
      destination,
      subscriber: one.known,
      copies: copy.times,
    };
    trace.branches[branch].ending = ending;
  }
  return { narrowed, undecided: undecided.filter(([one]) => !served.has(one.server)) };
}

/** The copies that are made of a message at the servers that it gets to, and those of which it is not decided whether they are. */
function tellCopies(trace, copy, asking, wanting, branchAt, stopped) {
  const { told } = trace;
  const { texts, rules, positions } = told.messages;
  const { name } = told.part.servers;
  const copies = [];
  const leftOpen = [];
  for (const one of wanting) {
    const target = one.copy;
    if (!target || !branchAt.has(one.server) || (copy.bridged && one.server === copy.start)) continue;
    const verdict = acceptedBy(one, asking);
    if (!verdict.known) {
      leftOpen.push([one, verdict]);
      continue;
    }
    if (verdict.truth !== "TRUE") {
      const guard = filled(texts.bridge_selector, { note: one.note, selector: one.text });
      stopped(one.server, one.server, {
        reason: rules.selector_reason,
        guard,
        value: verdict.truth,
        source: one.source,
        rule: rules.copies,
      });
      continue;
    }
    if (one.server !== copy.start) trace.position(positions.arrives_copied);
    if (!target.kept && !target.followed) {
      trace.note("copy_not_followed", { note: one.note, server: name[one.server] }, one.source);
      continue;
    }
    const branch = trace.branch(branchAt.get(one.server), "copy");
    trace.step(branch, {
      at: name[one.server],
      rule: rules.copies,
      source: one.source,
      text: filled(texts.copies, { note: one.note }),
    });
    if (target.followed) {
      copies.push({ start: one.server, type: target.type, name: target.name, branch });
      continue;
    }
    const destination = `${target.type}:${target.name}`;
    const ending = {
      outcome: "DELIVERED",
      server: name[one.server],
      destination,
      subscriber: one.known,
      copies: copy.times,
    };
    trace.branches[branch].ending = ending;
  }
  return { copies, leftOpen };
}
