// What becomes of one publication: the branches of its way, who gets it, and the copies that are
// made of it.

import { asksFor, byCodePoint, filled, metText } from "./guards.js";
import { STRONGEST, acceptedBy } from "./subscribers.js";

/** Tell one publication; the copies that are made of it. */
export function tellCopy(trace, copy, { asking, wanting, refused, found }) {
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
  const waitsAt = (point) =>
    part.guardSets[part.guardSet[point]].find((guard) => told.waits.has(guard));
  const arrivals = [...found.paths].sort(
    (a, b) => a[1].length - b[1].length || rank[a[0]] - rank[b[0]],
  );
  for (const [server, path] of arrivals) {
    const point = path[path.length - 1];
    const before = part.pointServer[path[path.length - 2]];
    const of = branchAt.get(before);
    const waits = waitsAt(point);
    if (waits !== undefined) {
      const branch = trace.branch(of, "copy");
      const text = filled(texts.held, { at: name[before], to: name[server] });
      trace.step(branch, {
        at: name[before],
        rule: rules.held,
        source: told.waits.get(waits),
        text,
      });
      const ended = filled(texts.held_ending, { server: name[before] });
      trace.branches[branch].ending = { outcome: "HELD", told: ended, server: name[before] };
      held.push({
        rule: rules.held,
        message: `${ended}: ${text}`,
        source: told.waits.get(waits),
      });
    }
    const condition = filled(texts.resumed, { to: name[server], at: name[before] });
    const branch =
      waits === undefined ? trace.branch(of, "copy") : trace.branch(of, "later", { condition });
    const guards = part.guardSets[part.guardSet[point]].map((guard) =>
      metText(messages.guards[guard], asking),
    );
    trace.step(branch, {
      at: name[before],
      to: name[server],
      zone: part.zone[point],
      rule: waits === undefined ? part.rule[point] : rules.held,
      confidence: part.confidence[point],
      guards: [...new Set(guards)].filter(Boolean),
      source: part.pointSource(point),
      text: "",
    });
    branchAt.set(server, branch);
    if (!path.some((one) => waitsAt(one) !== undefined)) trace.visited.add(server);
  }

  const judged = [];
  const { narrowed, undecided } = tellDeliveries(
    trace,
    copy,
    asking,
    wanting,
    branchAt,
    destination,
  );
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
      asks: asksFor(told.messages, one.selector, verdict),
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
    const because = one.unsure
      ? verdict.note
      : filled(texts.own_selector, { selector: verdict.note });
    open.set(one.server, { because, source: one.source });
  }
  for (const [server, why] of open) {
    const path = copy.bridged ? [] : why.path || found.paths.get(server) || [];
    const deciding = [found.decided.get(server), found.needed(server)];
    trace.leaveOpen(server, about + why.because, why.source, copy.about, path, ...deciding);
  }
  // What lies beyond a server with routes that are not shown has no name to be listed by.
  const { loaded, openEnded } = part.servers;
  const isNamed = (server) => !(loaded[server] && openEnded[server]);
  const named = [...found.undetermined.keys()].some(isNamed);
  if (found.beyond && wanting.some((one) => one.known === "assumed") && !named) {
    trace.leaveOut("not-loaded", found.beyond.because);
    trace.noted({ rule: "not-loaded", message: found.beyond.because, source: found.beyond.source });
  }
  for (const [one, verdict] of leftOpen) {
    const target = `${one.copy.type}:${one.copy.name}`;
    trace.leaveOpen(one.server, `${about}${one.note}: ${verdict.note}`, one.source, target);
  }
  return copies;
}

/** A branch for the best known subscriber of each server that the message gets to. */
function tellDeliveries(trace, copy, asking, wanting, branchAt, destination) {
  const { rank, name } = trace.told.part.servers;
  const served = new Map();
  const narrowed = [];
  const undecided = [];
  const ordered = [...wanting].sort(
    (a, b) =>
      rank[a.server] - rank[b.server] ||
      STRONGEST[a.known] - STRONGEST[b.known] ||
      byCodePoint(a.pattern, b.pattern),
  );
  for (const one of ordered) {
    if (!one.delivers || !branchAt.has(one.server)) continue;
    const verdict = acceptedBy(one, asking);
    if (verdict.truth !== "TRUE") {
      (verdict.known ? narrowed : undecided).push([one, verdict]);
      continue;
    }
    if (!trace.received.has(one.key))
      trace.received.set(one.key, { one, type: copy.type, copies: [] });
    trace.received.get(one.key).copies.push(copy.times);
    if (!served.has(one.server)) served.set(one.server, []);
    served.get(one.server).push(one);
  }
  for (const [server, takers] of served) {
    const branch = trace.branch(branchAt.get(server), "copy");
    trace.step(branch, { at: name[server], rule: "", source: takers[0].source, text: "" });
    trace.branches[branch].ending = {
      outcome: "DELIVERED",
      server: name[server],
      destination,
      subscriber: takers[0].known,
      copies: copy.times,
      takers: takers.map((one) => ({
        name: one.called,
        subscriber: one.known,
        source: one.source,
      })),
    };
  }
  return { narrowed, undecided: undecided.filter(([one]) => !served.has(one.server)) };
}

/**
 * The copies that are made of a message at the servers that it gets to, and those of which it is
 * not decided whether they are.
 */
function tellCopies(trace, copy, asking, wanting, branchAt, stopped) {
  const { told } = trace;
  const { texts, rules, positions } = told.messages;
  const { name } = told.part.servers;
  const copies = [];
  const leftOpen = [];
  for (const one of wanting) {
    const target = one.copy;
    if (!target || !branchAt.has(one.server) || (copy.bridged && one.server === copy.start))
      continue;
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
        asks: asksFor(told.messages, one.selector, verdict),
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
