// What happens to one message and to the copies that are made of it: the counterpart of `follow`,
// as a tree of branches with steps.

import { tellCopy } from "./copies.js";
import { askingOf, filled, isWildcard, judgedGuards } from "./guards.js";
import { MessageTrace } from "./message_trace.js";
import { misses, refusalOf } from "./messaging.js";
import { tellOnward } from "./onward.js";
import { otherReadings, published } from "./publication.js";
import { passedOnInPart, subscribersOf } from "./subscribers.js";

/** @import { Properties } from "./selectors.js" */

/**
 * Follow a message from a server, and the copies that are made of it.
 * @param {object} told @param {number} start @param {{type: string, name: string, properties:
 *   Properties, user: string}} message
 */
export function followMessage(told, start, message) {
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
    for (const made of isPublication
      ? tellCopy(trace, copy, publication(copy))
      : tellOnward(trace, copy)) {
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
      if (next.before.has(next.place)) {
        trace.goesRound(next, told.part.servers.name[next.start]);
        continue;
      }
      if (followed === told.messages.mostCopies) {
        trace.leaveOut("limit", filled(told.messages.texts.copies_limit, { most: followed }));
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
      found: {
        start: copy.start,
        paths: new Map(),
        stops: [],
        undetermined: new Map(),
        decided: new Map(),
        beyond: null,
      },
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
  if (!copy.bridged && misses(told, copy.start)) restsOnTopics(trace, copy);
  const counted = new Set(
    wanting.filter((one) => one.known === "assumed").map((one) => one.server),
  );
  const unseen = new Map([...told.unseenTakers].filter(([server]) => !counted.has(server)));
  for (const [server, why] of unseen) if (!interested.has(server)) unreliable.set(server, why);
  const found = published(told, copy.start, asking, verdicts, interested, unreliable);
  leaveUnseen(trace, copy, found, interested, unseen);
  trace.found.push(found);
  const about = copy.bridged ? `${copy.about}: ` : "";
  if (found.decided.size || found.onePath) trace.position(part.unseen.assumption);
  for (const doubt of passedOnInPart(told, found, wanting))
    trace.position({ ...doubt, text: about + doubt.text });
  for (const one of otherReadings(told, copy.start, found, verdicts, interested)) {
    const alternative = filled(messages.texts.more_reading, {
      alternative: one.alternative,
      servers: one.more.join(", "),
    });
    trace.position({ rule: one.rule, confidence: "M", text: about + one.text, alternative });
  }
  for (const guard of verdicts.applying)
    for (const name of verdicts.of[guard].defaults) trace.defaults.add(name);
  return { asking, wanting, refused: null, found };
}

/** What the answer rests on where it is not shown that the server has the destination. */
function restsOnTopics(trace, copy) {
  const { messages, part } = trace.told;
  const { texts, rules } = messages;
  const fields = { server: part.servers.name[copy.start], topic: copy.name };
  trace.position({
    rule: rules.no_entry,
    confidence: "L",
    text: filled(texts.topics_not_found, fields),
    alternative: filled(texts.topics_not_found_otherwise, fields),
  });
  trace.leaveOut("not-loaded", filled(texts.topics_not_shown, fields));
}

/** What stays open where subscribers or bridges of servers that get the message are not shown. */
function leaveUnseen(trace, copy, found, interested, unseen) {
  const gets = (server) => server === copy.start || found.paths.has(server);
  const lost = new Map([...trace.told.unseenCopies, ...unseen]);
  for (const [server, { because, source }] of lost) {
    if (!gets(server) || (unseen.has(server) && !interested.has(server))) continue;
    const path = copy.bridged ? [] : found.paths.get(server) || [];
    trace.leaveOpen(server, because, source, copy.about, path);
  }
  for (const [server, why] of unseen)
    if (gets(server) && !interested.has(server) && !found.undetermined.has(server))
      found.undetermined.set(server, why);
}
