// Who wants a destination, what their own selectors say of a message, and which of their wildcards
// are passed on in part only.

import { PASSES, filled, isWildcard, patternContained } from "./guards.js";

/** @import { Verdict } from "./guards.js" */

const NOWHERE = { file: "", line: 0, column: 0 };

export const STRONGEST = { declared: 0, observed: 1, configured: 2, assumed: 3 };

/** Who wants a destination: those that are known, and those that are assumed where nobody is. */
export function subscribersOf(told, asking) {
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
    called: "",
    copy: null,
    ...fields,
  });
  for (const [server, why, source] of told.messages.beside) {
    if (!having.has(server))
      found.push(
        other(server, "observed", { reliable: false, source: told.source(source), unsure: why }),
      );
  }
  for (const server of told.somewhere)
    if (!having.has(server)) found.push(other(server, "assumed", {}));
  return found;
}

/** What a subscriber's own selector says of the message. @returns {Verdict} */
export function acceptedBy(one, asking) {
  if (one.unsure) return { truth: "UNKNOWN", known: false, note: one.unsure, defaults: [] };
  return one.selector < 0 ? PASSES : asking.selector(one.selector);
}

/**
 * Wildcard subscriptions that get the message through a server where they are not part of what
 * passes there.
 */
export function passedOnInPart(told, found, wanting) {
  const { part, messages } = told;
  const byServer = new Map();
  for (const one of wanting) {
    if (!one.reliable || !found.paths.has(one.server)) continue;
    if (!byServer.has(one.server)) byServer.set(one.server, []);
    byServer.get(one.server).push(one);
  }
  const doubtOf = (path, one) => {
    for (const point of path.slice(1)) {
      const guards = told.endGuards[part.guardSet[point]];
      const ends = [part.previous[point], part.pointServer[point]].slice(0, guards.length);
      for (const [at, end] of ends.entries()) {
        const patterns = messages.guards[guards[at]].patterns || [];
        if (
          end === one.server ||
          patterns.some((pattern) => patternContained(one.pattern, messages.patterns[pattern]))
        )
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
    const doubts = all.map((one) => doubtOf(found.paths.get(server), one));
    if (doubts.length && doubts.every(Boolean)) result.push(doubts[0]);
  }
  return result;
}
