// What an answer of the engine says of the picture: marks, notes, paths with numbered steps,
// blocks. As ``viz/scene/marks.py`` does for the command's answers.

import { ruleOf } from "../../page/script/basis.js";
import { distinct } from "./distinct.js";
import { asFar } from "./extent.js";
import { namesListed } from "./fates.js";
import { firstMark, markOf, markOfFate, takesIt, toldOfStop } from "./judged.js";
import { CHOSEN, deliveryNote, endBlock, endNote, fromTheSender } from "./messagenotes.js";
import { neededTexts } from "./needed.js";
import { counted, hopsByZone, placeText, titleOf, verdictOf, visible } from "./sentences.js";
import { causesFirst, compareLists } from "./stops.js";

/** @import { Said, StepSaid } from "../script/said.js" */

const PATHS_SHOWN = 12;

const STOP_REASONS = {
  zone: "the zone rules do not let it pass",
  selector: "the route selector does not let it pass",
  "not-global": "the destination is not global at both ends",
  "no-interest": "no subscriber in that direction",
  acl: "a permission is missing",
  "route-down": "the route is down",
  "no-route": "nothing that is configured leads there",
  "already-visited": "the server has the message already",
};
// Where a message ends at a server and not on a link.
const STOPS_AT_SERVER = {
  selector: "the subscriber's own selector refuses it",
  acl: "a permission is missing",
};
const UNSURE = "not certain: ";
// Reasons that say no more than how far a message goes inside a zone.
const OF_ZONES = new Set([STOP_REASONS.zone, UNSURE + STOP_REASONS.zone]);
// Of several marks of a link the first of these.
const STRONGER = ["path", "transit", "undetermined", "blocked"];

const SENDERS = {
  REFUSED: "the sender is refused",
  NO_CREDIT: "the sender gets no credit",
  UNDETERMINED: "whether the sender gets credit cannot be decided",
};

/**
 * What an answer says of an estate.
 * @param {any} answer - as ``--format json`` has it
 * @param {{links: any[], unloaded: Set<string>, nouns: Map<string, string>, between?: any, zoneOf?:
 *   Map<string, string>}} estate - the links of the picture in their order, the servers without
 *   files, and what servers of each system are called
 * @returns {Said}
 */
export function saidOf(answer, estate) {
  const marking = newMarking(estate);
  MARKERS[answer.question](answer, marking);
  const { said } = marking;
  if (["reach", "hops", "paths"].includes(answer.question)) markThrough(said);
  said.title = titleOf(answer);
  said.verdict = [...apart(answer), verdictOf(answer, estate.nouns)].join(" ");
  said.facts = factsOf(answer);
  return said;
}

const SEVERAL_ESTATES = "several-estates";

/** That what was asked is not one estate, before the answer. */
const apart = (answer) =>
  answer.inexact_because
    .filter((one) => one.cause === SEVERAL_ESTATES)
    .map(({ message }) => visible(`${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`));

const SAID_WHERE_IT_STANDS = ["unresolved-link", "not-loaded", "rule", "illegal-network"];

/** What was cut nobody knows; what the files do not show is said where it stands. */
const listedToo = ({ cause }) =>
  SAID_WHERE_IT_STANDS.includes(cause) ? "" : "; this answer may be incomplete";

/** What an answer rests on and what to know about it. */
function factsOf(answer) {
  /** @type {[string, string][]} */
  const facts = answer.inexact_because
    .filter((one) => one.cause !== SEVERAL_ESTATES)
    .map((one) => ["inexact", `Not certain: ${one.message}${listedToo(one)}.`]);
  for (const { rule, text, confidence, alternative } of answer.assumptions) {
    const weak = { L: "low confidence", I: "inferred" }[confidence];
    const sure = weak ? ` (${weak})` : "";
    const otherwise = alternative ? `; otherwise: ${alternative}` : "";
    facts.push(["assumption", visible(`${rule} ${text}${sure}${otherwise}`.trim())]);
  }
  for (const { rule, message, source } of answer.warnings) {
    const where = placeText(source);
    const number = ruleOf(`${rule} `); // a name of a kind says what its message says
    facts.push(["warning", visible(`${number} ${message}${where ? ` (${where})` : ""}`.trim())]);
  }
  for (const text of neededTexts(answer.undetermined || [])) facts.push(["open", visible(text)]);
  return facts;
}

export function newMarking(estate) {
  /** @type {Said} */
  const said = {
    question: "",
    title: "",
    verdict: "",
    exact: true,
    told: [],
    facts: [],
    around: [],
    servers: new Map(),
    attached: new Map(),
    links: new Map(),
    paths: [],
    blocks: [],
  };
  // Made once: an estate has the same links for all answers.
  estate.between ||= linksBetween(estate.links);
  estate.zoneOf ||= new Map(estate.links.map((link) => [link.id, link.zone]));
  const { between, zoneOf } = estate;
  return { said, estate, between, zoneOf, drawn: new Map(), onPath: new Set() };
}

/**
 * The links by their two ends, either one first; parallel ones in their order.
 * @returns {Map<string, Map<string, any[]>>}
 */
function linksBetween(links) {
  const found = new Map();
  const keep = (first, second, link) => {
    if (!found.has(first)) found.set(first, new Map());
    const from = found.get(first);
    if (from.has(second)) from.get(second).push(link);
    else from.set(second, [link]);
  };
  for (const link of links) {
    keep(link.a.name, link.b.name, link);
    if (link.a.name !== link.b.name) keep(link.b.name, link.a.name, link);
  }
  return found;
}

const NO_LINKS = [];

function linksOfEnds(marking, first, second) {
  const from = marking.between.get(first);
  return (from && from.get(second)) || NO_LINKS;
}

// The link a step takes: of parallel ones that of its place and cost, else the first.
function linkOfStep(marking, step) {
  const links = linksOfEnds(marking, step.from, step.to);
  const leads = (link) => link.style !== "one-way" || link.a.name === step.from;
  const cost = step.cost === undefined ? null : step.cost;
  const where = placeText(step.source);
  const same = links.find(
    (link) => link.source === where && (cost === null || cost === link.cost) && leads(link),
  );
  return same || links.find(leads) || links[0] || null;
}

/** @returns {StepSaid[]} the steps of an answer, numbered from 1 */
function wayOf(marking, steps) {
  return steps.map((step, index) => {
    // Paths of one answer share their first steps.
    const before = marking.drawn.get(step);
    if (before && before.number === index + 1) return before;
    const drawn = stepDrawn(marking, step, index + 1);
    marking.drawn.set(step, drawn);
    return drawn;
  });
}

/** @returns {StepSaid} */
function stepDrawn(marking, step, number) {
  const link = linkOfStep(marking, step);
  return {
    number,
    from: step.from,
    to: step.to,
    link: link ? link.id : "",
    zone: step.zone,
    rule: step.rule,
    confidence: step.confidence,
    guards: step.guards,
    source: placeText(step.source),
    cost: step.cost === undefined ? null : step.cost,
    // What a message passes inside of servers is followed by topograph, not by a page.
    inside: [],
    over: "",
  };
}

const ON_PATH = { mark: "path", note: "" };

function markServer(marking, name, mark, note = "") {
  marking.said.servers.set(name, { mark, note });
}

// The server asked from. What was said of it before is drawn inside its ring.
function markAsked(marking, name, note) {
  const before = marking.said.servers.get(name);
  const here =
    before && !["", "transit", "maybe-transit", "asked"].includes(before.mark) ? before.mark : "";
  marking.said.servers.set(name, { mark: "asked", note, here });
}

// The servers on the paths of which nothing else is said.
function markThrough(said) {
  for (const { servers } of said.paths) {
    for (const name of servers)
      if (!said.servers.has(name))
        said.servers.set(name, { mark: "transit", note: "passed through" });
  }
}

// Which messages a path carries, as the end of its title; empty where it carries all.
function onlyFor(steps) {
  if (!steps.some((step) => step.guards.length)) return "";
  const guards = distinct(steps.flatMap((step) => step.guards));
  return `, ${guards.join("; ")}`;
}

// The links of a path, where they have names, as the end of its figures.
function over(steps) {
  const links = steps.map((step) => step.link).filter(Boolean);
  return links.length ? ` over ${namesListed(links, LINKS_NAMED)}` : "";
}

const LINKS_NAMED = 8;

// Of thousands of paths few are looked at: the title and the steps of each are made when they are
// needed.
class PathMarked {
  constructor(marking, titled, servers, steps, shown) {
    this.marking = marking;
    this.titled = titled;
    this.servers = servers;
    this.told = steps;
    this.shown = shown;
    this.together = "";
    this.drawn = null;
  }

  get title() {
    return this.titled();
  }

  get steps() {
    this.drawn ??= wayOf(this.marking, this.told);
    return this.drawn;
  }
}

/** ``titled`` gives the title. */
function markPath(marking, titled, servers, steps, shown) {
  for (const step of steps) {
    if (marking.onPath.has(step)) continue;
    marking.onPath.add(step);
    const link = linkOfStep(marking, step);
    if (link) marking.said.links.set(link.id, ON_PATH);
  }
  marking.said.paths.push(new PathMarked(marking, titled, servers, steps, shown));
}

// Marks a link of which nothing stronger is said.
function markWeakly(marking, link, mark, note) {
  if (!link) return;
  const before = marking.said.links.get(link) || { mark: "", note: "" };
  const rank = STRONGER.indexOf(before.mark);
  if (rank < 0 || STRONGER.indexOf(mark) < rank) marking.said.links.set(link, { mark, note });
}

// Links and servers on the way to a block, where nothing else is said of them.
function markPassed(marking, way) {
  for (const step of way) {
    markWeakly(marking, step.link, "transit", "");
    if (!marking.said.servers.has(step.to))
      markServer(marking, step.to, "transit", "messages pass here");
  }
}

/** What an assumption decides is not undecided. */
function asDecided({ decided_if: decided }) {
  if (!decided) return "cannot be decided";
  return `${decided.reached ? "reached" : "not reached"}, as far as the loaded files show`;
}

function whyOpen(entry) {
  const where = placeText(entry.source);
  return `${asDecided(entry)}: ${entry.because}${where ? ` (${where})` : ""}`;
}

function markUndetermined(marking, entries) {
  for (const entry of entries) {
    markServer(marking, entry.server, "undetermined", whyOpen(entry));
  }
}

/**
 * The links that a message does not take, and the servers whose files leave open where it goes,
 * each with the way that leads there.
 * @param {Set<string> | null} certain - all servers that get the message, where that is known
 * @param {any[]} [ends] - blocks of other kinds
 */
function markBlocks(marking, stopped, leftOpen, certain, ends = []) {
  const found = [
    ...openEnds(marking, leftOpen, certain),
    ...stopped.map((stop) => blockOf(marking, stop)),
    ...ends,
  ];
  marking.said.blocks.push(...causesFirst(found, marking.zoneOf, OF_ZONES));
  for (const block of found) {
    if (block.at !== block.to)
      markWeakly(
        marking,
        block.link,
        markOf("stopped", block.certain ? "yes" : "unknown"),
        `${block.at} to ${block.to}: ${block.reason}`,
      );
  }
}

function blockOf(marking, stop) {
  const elsewhere = stop.to !== "" && stop.to !== stop.at;
  const [link] = elsewhere ? linksOfEnds(marking, stop.at, stop.to) : NO_LINKS;
  const usual = STOP_REASONS[stop.reason] || stop.reason;
  const reason = link ? usual : STOPS_AT_SERVER[stop.reason] || usual;
  const way = wayOf(marking, stop.steps || []);
  markPassed(marking, way);
  const predicate = stop.reason === "selector";
  const certain = predicate || stop.value !== "UNKNOWN";
  return {
    at: stop.at,
    to: stop.to || stop.at,
    link: link ? link.id : "",
    reason: certain ? reason : `${UNSURE}${reason}`,
    guard: stop.guard,
    value: stop.value,
    source: placeText(stop.source),
    certain,
    predicate,
    way,
    repeats: -1,
    waits: false,
  };
}

// One block for all servers that are left open at the end of the same path, with the first reason.
function openEnds(marking, entries, certain) {
  const ends = new Map();
  for (const entry of entries) {
    if (!entry.path || !entry.path.length) continue;
    const key = JSON.stringify([entry.path, entry.decided_if]);
    if (!ends.has(key)) ends.set(key, []);
    ends.get(key).push(entry);
  }
  return [...ends.values()].map((together) => {
    const [first] = together;
    const end = first.path[first.path.length - 1];
    const way = wayOf(marking, first.steps);
    const sure = sureSteps(marking, way, end, together, certain);
    markPassed(marking, way.slice(0, sure));
    for (const step of way.slice(sure)) {
      markWeakly(marking, step.link, "undetermined", "whether messages get over it is not known");
      if (step.to !== end && !marking.said.servers.has(step.to))
        markServer(marking, step.to, markOf("on-way", "unknown"), "messages may pass here");
    }
    if (sure < way.length && !marking.said.servers.has(end)) {
      markServer(marking, end, "undetermined", `${asDecided(first)}: ${first.because}`);
    }
    const names = together.map((one) => one.server);
    const who = names.length === 1 && names[0] === end ? "" : `${namesListed(names)}: `;
    return {
      at: end,
      to: end,
      link: "",
      reason: `${who}${asDecided(first)}`,
      guard: first.because,
      value: "UNKNOWN",
      source: placeText(first.source),
      certain: false,
      predicate: false,
      way,
      repeats: -1,
      waits: false,
    };
  });
}

// How many of the steps to a server that leaves something open are certainly taken.
function sureSteps(marking, way, end, leftOpen, certain) {
  if (certain !== null) {
    const unsure = way.findIndex((step) => !certain.has(step.to));
    return unsure < 0 ? way.length : unsure;
  }
  const last = marking.estate.unloaded.has(end) || leftOpen.some((one) => one.server === end);
  return Math.max(0, way.length - Number(last));
}

const MARKERS = { reach: markReach, hops: markHops, paths: markPaths, propagate: markPropagate };

function begin(answer, marking) {
  marking.said.question = answer.question;
  marking.said.exact = answer.exact;
}

function figuresOf(entry, hops = entry.hops) {
  const byZone = hopsByZone(entry.zone_hops);
  const cost = entry.cost !== null && entry.cost !== undefined ? `, cost ${entry.cost}` : "";
  return `${counted(hops, "hop")}${byZone ? ` (${byZone})` : ""}${cost}`;
}

// The mark of a server that is reached, with a note that is made when somebody looks at it.
class ReachedMark {
  constructor(claim, entry, words) {
    this.mark = markOf(claim, entry.certain ? "yes" : entry.later ? "later" : "one_of");
    this.entry = entry;
    this.words = words;
  }

  get note() {
    const { certain, later } = this.entry;
    return `${this.words} in ${figuresOf(this.entry)}${certain ? "" : later ? ", later" : CHOSEN}`;
  }
}

function markReach(answer, marking) {
  begin(answer, marking);
  const one = answer.to !== null;
  const end = answer.reply ? "from" : "to";
  const words = answer.reply ? "its reply arrives" : "reached";
  for (const entry of answer.servers) {
    const titled = () => `${end} ${entry.server}, ${figuresOf(entry)}${onlyFor(entry.steps)}`;
    markPath(marking, titled, entry.path, entry.steps, one);
    marking.said.servers.set(
      entry.server,
      new ReachedMark(one ? "target" : "reached", entry, words),
    );
  }
  const none = answer.reply ? "no reply arrives" : "not reached";
  for (const name of answer.unreachable) {
    markServer(marking, name, markOf("reached", "no"), `${none}${asFar(answer)}`);
  }
  markUndetermined(marking, answer.undetermined);
  const certain = one ? null : new Set(answer.servers.map((entry) => entry.server));
  markBlocks(marking, answer.stopped, answer.undetermined, certain);
  markAsked(marking, answer.from, "asked from");
}

function markHops(answer, marking) {
  begin(answer, marking);
  const mark = markOf("target", answer.later ? "later" : "yes");
  const waits = answer.later ? ", later" : "";
  if (answer.reachable === true && answer.route_hops === null) {
    markServer(marking, answer.to, mark, `reached${waits}; the shortest path was not found`);
  } else if (answer.reachable === true) {
    const figures = figuresOf(answer, answer.route_hops);
    markServer(marking, answer.to, mark, `reached in ${figures}${waits}`);
    if (answer.steps.length)
      markPath(
        marking,
        () => `to ${answer.to}, ${figures}${onlyFor(answer.steps)}`,
        answer.path,
        answer.steps,
        true,
      );
  } else if (answer.reachable === false) {
    markServer(marking, answer.to, markOf("target", "no"), `not reached${asFar(answer)}`);
  } else {
    markServer(marking, answer.to, "undetermined", "cannot be decided");
    markUndetermined(marking, answer.undetermined);
  }
  markBlocks(marking, answer.stopped, answer.undetermined, null);
  markAsked(marking, answer.from, "asked from");
}

const PATHS_TOLD = { one_of: ", not for certain", later: ", later" };

/** How certain it is that some path leads there: what the surest of them says. */
function toldOfPaths(answer) {
  if (answer.paths.some((path) => path.certain)) return "yes";
  if (answer.undetermined.length) return "unknown";
  return answer.paths.some((path) => path.later) ? "later" : "one_of";
}

function howCertain(path) {
  if (path.certain) return "";
  return path.later ? ", later" : ", not certain";
}

function markPaths(answer, marking) {
  begin(answer, marking);
  answer.paths.forEach((path, index) => {
    const titled = () =>
      `path ${index + 1}: ${figuresOf(path, path.route_hops)}${over(path.steps)}${howCertain(path)}${onlyFor(path.steps)}`;
    markPath(marking, titled, path.servers, path.steps, true);
  });
  if (answer.paths.length) {
    const told = toldOfPaths(answer);
    const words = `reached over ${counted(answer.paths.length, "path")}${PATHS_TOLD[told] || ""}`;
    markServer(
      marking,
      answer.to,
      markOf("target", told),
      told === "unknown" ? "cannot be decided" : words,
    );
  } else {
    markServer(
      marking,
      answer.to,
      markOf("target", answer.exact ? "no" : "not_looked_at"),
      answer.exact ? "no permitted path" : "no permitted path found",
    );
    markUndetermined(marking, answer.undetermined);
  }
  markBlocks(marking, answer.stopped, answer.paths.length ? [] : answer.undetermined, null);
  markAsked(marking, answer.from, "asked from");
}

function markPropagate(answer, marking) {
  begin(answer, marking);
  const { servers } = marking.said;
  const shown = answer.deliveries.length <= PATHS_SHOWN;
  const { destination } = answer.message;
  const stored = new Map();
  for (const one of answer.deliveries) {
    if (one.outcome === "DEPOSITED" && one.path.length)
      stored.set(one.path[one.path.length - 1], one);
  }
  // The farthest first: its path has most of the steps.
  const farthest = [...answer.deliveries].sort((one, other) =>
    compareLists([-one.hops, one.server], [-other.hops, other.server]),
  );
  for (const delivery of farthest) {
    const hops = delivery.hops ? `in ${counted(delivery.hops, "hop")}` : "here";
    if (delivery.steps.length) {
      const taker = delivery.receiver || delivery.server;
      const end = taker.endsWith(delivery.server) ? taker : `${taker} at ${delivery.server}`;
      const chosen = delivery.choice === "one_of" ? ", one of several" : "";
      const { path, steps, outOf } = fromTheSender(answer.from, delivery, stored);
      markPath(
        marking,
        () => `to ${end}, ${counted(steps.length, "hop")}${outOf}${chosen}`,
        path,
        steps,
        shown,
      );
    }
    const note = deliveryNote(delivery, hops, destination, answer.from);
    addNote(marking, delivery.server, markOfFate(delivery), note);
    if (delivery.outcome === "DEPOSITED" && delivery.receiver)
      markAttached(
        marking,
        delivery.receiver,
        markOfFate(delivery),
        `at ${delivery.server}: ${note}`,
      );
  }
  for (const end of answer.ends) addNote(marking, end.server, markOfFate(end), endNote(end));
  const got = new Set(answer.deliveries.map((delivery) => delivery.server));
  for (const entry of answer.undetermined)
    if (!got.has(entry.server)) addNote(marking, entry.server, "undetermined", whyOpen(entry));
  const why = (stop) => stop.guard || STOP_REASONS[stop.reason] || stop.reason;
  for (const stop of answer.stopped) {
    if ((stop.to !== "" && stop.to !== stop.at) || got.has(stop.at)) continue;
    const certain = toldOfStop(stop) === "yes";
    const words = certain ? "received, not delivered" : "received, not certain";
    addNote(marking, stop.at, certain ? "transit" : "undetermined", `${words}: ${why(stop)}`);
  }
  for (const name of answer.received) {
    if (!servers.has(name))
      markServer(marking, name, "transit", "the message passes here, and nobody gets it");
  }
  markBlocks(
    marking,
    answer.stopped,
    answer.undetermined,
    new Set([answer.from, ...got, ...answer.received]),
    answer.ends.filter((end) => !takesIt(end) && !isTheSenders(end, answer)).map(endBlock),
  );
  markThoseWhoGetNothing(answer, marking);
  const own = answer.stopped
    .filter((stop) => stop.at === stop.to && stop.at === answer.from && got.has(stop.at))
    .map(why);
  const here = servers.has(answer.from) ? servers.get(answer.from).note : "";
  const note = notSent(answer, marking) || "published here";
  markAsked(marking, answer.from, [note, here, ...own].filter(Boolean).join("; "));
}

// The servers to which the message is certainly not sent on, where nothing else is said of them and
// no path that is left open leads there.
function markThoseWhoGetNothing(answer, marking) {
  if (!answer.exact) return;
  const open = new Set(
    answer.undetermined.flatMap((entry) => [entry.server, ...(entry.path || [])]),
  );
  for (const stop of answer.stopped) if (toldOfStop(stop) !== "yes") open.add(stop.to);
  for (const stop of answer.stopped) {
    if (open.has(stop.to) || stop.to === "" || stop.to === stop.at) continue;
    if (marking.said.servers.has(stop.to)) continue;
    const reason = STOP_REASONS[stop.reason] || stop.reason;
    const note = `gets nothing: ${stop.at} does not send the message on: ${reason}`;
    markServer(marking, stop.to, markOf("sent-on", "no"), note);
  }
}

// Says something of a broker or container: the first of its marks is drawn, all notes stand.
function markAttached(marking, name, mark, note) {
  const { attached } = marking.said;
  const before = attached.get(name);
  if (!before) attached.set(name, { mark, note: visible(note) });
  else {
    const notes = distinct([before.note, visible(note)]).join("; ");
    attached.set(name, { mark: firstMark(before.mark, mark), note: notes });
  }
}

// Whether an end is what the sender is told, which has a sign of its own.
function isTheSenders({ outcome }, { sender }) {
  return Boolean(sender && sender.outcome === outcome && SENDERS[outcome]);
}

// Says one thing more of a server: the first of its marks is drawn, all notes stand.
function addNote(marking, server, mark, note) {
  const before = marking.said.servers.get(server);
  if (before) markServer(marking, server, firstMark(before.mark, mark), `${before.note}; ${note}`);
  else markServer(marking, server, mark, note);
}

// What the note of the sender's server says where nothing is sent, with the block that stops it; ""
// where it is sent.
function notSent(answer, marking) {
  const { sender } = answer;
  if (!sender || !SENDERS[sender.outcome]) return "";
  const words = SENDERS[sender.outcome];
  const why = [sender.condition, sender.description].filter(Boolean).join(" ");
  const open = sender.outcome === "UNDETERMINED";
  const { mark } = marking.said.servers.get(answer.from) || { mark: "transit" };
  if (mark === "transit")
    markServer(marking, answer.from, markOf("ends", open ? "unknown" : "yes"));
  if (!open) {
    marking.said.blocks.push({
      at: answer.from,
      to: answer.from,
      link: "",
      reason: words,
      guard: why,
      value: "FALSE",
      source: placeText(sender.source),
      certain: true,
      predicate: false,
      way: [],
      repeats: -1,
      waits: false,
    });
  }
  return `${words}: ${why}`;
}
