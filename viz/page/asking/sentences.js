// The engine's answers in sentences: the title and verdict of each, in the words of the command's
// text form (``topograph/questions/texts``).

import { inThousands } from "../script/texts.js";
import { distinct } from "./distinct.js";
import { AS_SHOWN, asFar } from "./extent.js";
import { clauses, fatesOf, inWords, namesListed } from "./fates.js";
import { couldChange } from "./needed.js";

export function counted(number, noun, many = "") {
  const plural = many || `${noun}${noun.endsWith("s") ? "es" : "s"}`;
  return `${inThousands(number)} ${number === 1 ? noun : plural}`;
}

// Control characters, direction overrides and halves of characters are shown as codes:
// ``topograph/words/visible.py``.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;
const SHORT_CODES = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** @param {string} text */
export function visible(text) {
  return text.replace(UNSEEN, (character) => {
    if (SHORT_CODES[character]) return SHORT_CODES[character];
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
  });
}

/** @param {{file: string, line: number, column: number} | null} source */
export function placeText(source) {
  if (!source || !source.file) return "";
  if (!source.line) return source.file;
  return source.column
    ? `${source.file}:${source.line}:${source.column}`
    : `${source.file}:${source.line}`;
}

export function hopsByZone(zoneHops) {
  return zoneHops
    .filter((entry) => entry.zone)
    .map((entry) => `${entry.zone} ${entry.hops}`)
    .join(", ");
}

export const isPublished = (destination) =>
  destination.startsWith("topic:") || destination.startsWith("address:");

// What the servers of some systems are called; ``server`` where these have different words for it.
function nounOf(systems, nouns) {
  const words = new Set(systems.filter(Boolean).map((system) => nouns.get(system) || "server"));
  return words.size === 1 ? [...words][0] : "server";
}

/** The answer in a sentence. ``nouns`` says what the servers of each system are called. */
export function verdictOf(answer, nouns) {
  return visible(VERDICTS[answer.question](answer, nouns));
}

const VERDICTS = {
  reach: (answer, nouns) =>
    answer.to === null ? reachesAll(answer, nouns) : reachesOne(answer, nouns),
  hops: hopsSentence,
  paths: pathsSentence,
  propagate: (answer, nouns) => (answer.sender ? sentFurther(answer) : delivered(answer)),
};

function reachesAll(answer, nouns) {
  const later = answer.servers.filter((one) => one.later).length;
  const chosen = answer.servers.filter((one) => !one.certain).length - later;
  const reached = answer.servers.length,
    unsure = answer.undetermined.length;
  const everyone = reached + unsure + answer.unreachable.length;
  if (!everyone) {
    return `${answer.from} is the only ${nounOf([answer.system], nouns)} that the loaded files show.`;
  }
  const systems = [
    answer.system,
    ...[...answer.servers, ...answer.undetermined].map((one) => one.system),
  ];
  const whom = `${inThousands(reached)} of ${counted(everyone, `other ${nounOf(systems, nouns)}`)}`;
  const said = answer.reply
    ? `Replies reach ${answer.from} from ${whom}`
    : `${answer.from} reaches ${whom}`;
  const certainly = chosen ? `, ${inThousands(chosen)} of them only by a choice at run time` : "";
  const waiting = later ? `, ${inThousands(later)} of them later` : "";
  return `${said}${certainly}${waiting}${leftOpen(answer)}.`;
}

// What no assumption decides of the servers that the files leave open, by system and name.
const undecidedOf = (answer) => {
  const open = answer.undetermined.filter((one) => !one.decided_if);
  return [...new Map(open.map((one) => [`${one.system}\n${one.server}`, one])).values()];
};

// What a verdict says of the servers that the files leave open: ``texts/walks.py`` has the same.
function leftOpen(answer) {
  if (!answer.undetermined.length) return asFar(answer);
  const decided = answer.undetermined.filter((one) => one.decided_if?.reached);
  const more = distinct(decided.map((one) => one.server));
  const undecided = undecidedOf(answer);
  const rules = decided.map((one) => one.decided_if.rule);
  const said = more.length ? `, and also ${namesListed(more)} if ${assumed(rules)}` : "";
  const cannot = undecided.length ? `; ${inThousands(undecided.length)} cannot be decided` : "";
  const key = (one) => `${one.system}\n${one.server}`;
  const open = new Set(undecided.map(key));
  const not = answer.undetermined.filter((one) => one.decided_if && !one.decided_if.reached);
  const left = [...new Map(not.map((one) => [key(one), one])).values()].filter(
    (one) => !open.has(key(one)),
  );
  const are = left.length === 1 ? "is" : "are";
  const held = assumed(left.map((one) => one.decided_if.rule));
  const leaves = left.length
    ? `; ${inThousands(left.length)} ${are} left open, and not reached if ${held}`
    : "";
  return `${said}${asFar(answer) || AS_SHOWN}${cannot}${leaves}`;
}

// That assumptions hold, each named once.
function assumed(rules) {
  const each = distinct(rules);
  const several = each.length > 1;
  return `assumption${several ? "s" : ""} ${namesListed(each)} hold${several ? "" : "s"}`;
}

// The verdict on a server that the files leave open: what they show where an assumption decides it,
// or where only routes that they do not show could lead there.
function undecidedSentence(entries, start, end) {
  const decided = entries[0]?.decided_if;
  const change = couldChange(...entries);
  if (!decided && !change) return `Whether ${start} reaches ${end} cannot be decided.`;
  const reaches = decided?.reached ? "reaches" : "does not reach";
  return `As far as the loaded files show, ${start} ${reaches} ${end}${change}.`;
}

function reachesOne(answer, nouns) {
  const other = answer.to_system === answer.system ? answer.to : `${answer.to_system}:${answer.to}`;
  const [start, end] = answer.reply ? [other, answer.from] : [answer.from, other];
  const who = answer.reply ? `A reply of ${start}` : start;
  const found = answer.servers.find((one) => one.server === answer.to);
  if (found) {
    const cost = found.cost !== null ? ` at a cost of ${found.cost}` : "";
    const far = `${end} in ${counted(found.hops, "hop")}${cost}`;
    const some = forSome(found.steps, found.certain);
    if (found.later) return `${who} reaches ${far} ${LATER}${some}.`;
    return found.certain
      ? `${who} reaches ${far}${some}.`
      : `${who} may reach ${far}: it is decided at run time${some}.`;
  }
  const entry = answer.undetermined.find((one) => one.server === answer.to);
  if (entry) return undecidedSentence([entry], `${answer.reply ? "a reply of " : ""}${start}`, end);
  if (answer.to === answer.from) {
    return `${answer.to} is the ${nounOf([answer.system], nouns)} asked from: a message published there is there.`;
  }
  return notReached(who, end, answer.exact);
}

const LATER = "later: messages wait on the way";

function notReached(start, end, exact) {
  return exact ? `${start} does not reach ${end}.` : `${start} was not found to reach ${end}.`;
}

const CONDITIONS_SHOWN = 160;

// Which messages a path carries, as the end of its verdict: ``texts/walks.py`` has the same.
function forSome(steps, certain = true) {
  const guards = distinct(steps.flatMap((step) => step.guards));
  const whom = guards.filter((one) => one.startsWith("for "));
  const messages = ofSameMessages(whom).map((one) => one.slice(4));
  const others = certain ? guards.filter((one) => !one.startsWith("for ")) : [];
  const some = messages.length ? `, for some messages: ${inShort(messages, "; ")}` : "";
  return others.length ? `${some}, if ${inShort(others, "; and ")}` : some;
}

// Conditions on the same messages as one, because all of them must hold: ``texts/layout.py`` has
// the same.
function ofSameMessages(guards) {
  const onlyIf = " only if ";
  const found = new Map();
  for (const guard of guards) {
    const at = guard.indexOf(onlyIf);
    const whom = at < 0 ? guard : guard.slice(0, at);
    const known = at < 0 ? undefined : found.get(whom);
    found.set(whom, known ? `${known}, and only if ${guard.slice(at + onlyIf.length)}` : guard);
  }
  return [...found.values()];
}

// As many as there is room for; the rest is counted.
function inShort(words, between) {
  let shown = "";
  for (const [index, word] of words.entries()) {
    const longer = index ? `${shown}${between}${word}` : word;
    if ([...longer].length > CONDITIONS_SHOWN) {
      const left = `${counted(words.length - index, index ? "more condition" : "condition")} (see the steps)`;
      return index ? `${shown}${between}${left}` : left;
    }
    shown = longer;
  }
  return shown;
}

function pathsForSome(answer) {
  const said = answer.paths.map((path) => forSome(path.steps, path.certain));
  if (distinct(said).length <= 1) return said[0] || "";
  const limited = said.filter(Boolean).length;
  const which = limited === said.length ? "each" : `${inThousands(limited)} of them`;
  return `, ${which} only for some messages`;
}

function hopsSentence(answer) {
  if (answer.reachable === true && answer.route_hops === null) {
    const waits = answer.later ? ` ${LATER}` : "";
    return `${answer.from} reaches ${answer.to}${waits}; the shortest path was not found.`;
  }
  if (answer.reachable === true && answer.later) {
    const cost = answer.cost !== null ? ` at a cost of ${answer.cost}` : "";
    const far = `${counted(answer.route_hops, "hop")}${cost}`;
    return `${answer.from} reaches ${answer.to} in ${far} ${LATER}${forSome(answer.steps, false)}.`;
  }
  if (answer.reachable === true) {
    const cost = answer.cost !== null ? `, at a cost of ${answer.cost}` : "";
    return `From ${answer.from} to ${answer.to}: ${counted(answer.route_hops, "hop")}${cost}${forSome(answer.steps)}.`;
  }
  if (answer.reachable === false) return notReached(answer.from, answer.to, answer.exact);
  return undecidedSentence(answer.undetermined.slice(0, 1), answer.from, answer.to);
}

function pathsSentence(answer) {
  const found = answer.paths.length;
  const between = `from ${answer.from} to ${answer.to}`;
  if (answer.from === answer.to)
    return `${answer.to} is the server asked from: a message published there is there.`;
  const [open] = answer.undetermined;
  const change = open ? couldChange(open) : "";
  if (!found && (change || open?.decided_if?.reached === false)) {
    return `As far as the loaded files show, there is no permitted path ${between}${change}.`;
  }
  if (!found && open) return `Whether there is a path ${between} cannot be decided.`;
  if (!found) {
    const sure = answer.exact && !answer.truncated;
    return `${sure ? "There is no permitted path" : "No permitted path was found"} ${between}.`;
  }
  return pathsFound(answer, between);
}

// How many paths there are, on how many of them messages wait, how many are not certain otherwise,
// and for which messages.
function pathsFound(answer, between) {
  const found = answer.paths.length;
  const later = answer.paths.filter((path) => path.later).length;
  const unsure = answer.paths.filter((path) => !path.certain).length - later;
  const unused = answer.unused_count || 0;
  let more = unused ? `; ${inThousands(unused)} more of the same cost not taken` : "";
  if (answer.truncated) more = "; there are or may be more (use --max)";
  else if (!answer.undetermined.length) more = `${asFar(answer)}${more}`;
  if (unsure === found && answer.undetermined.length) {
    return `Whether there is a path ${between} cannot be decided: ${counted(found, "path")} may be there${pathsForSome(answer)}${more}.`;
  }
  const first = `The first ${found === 1 ? "path" : `${inThousands(found)} paths`}`;
  let said = `${answer.truncated ? first : counted(found, "path")} ${between}`;
  for (const [some, how] of [
    [unsure, "not for certain"],
    [later, "later"],
  ]) {
    if (some === found) said += `, ${how}`;
    else if (some) said += `, ${inThousands(some)} of them ${how}`;
  }
  if (later === found) said += ": messages wait on the way";
  return `${said}${pathsForSome(answer)}${more}.`;
}

const KEPT_NOWHERE = ["REFUSED", "REJECTED", "DISCARDED"];
const isUnknown = (end) => end.outcome === "UNDETERMINED";

function delivered(answer) {
  const undecided = undecidedOf(answer);
  const { destination } = answer.message;
  const open = answer.stopped.filter(
    (stop) => stop.value === "UNKNOWN" && stop.reason !== "selector",
  );
  const unknown = answer.ends.filter(isUnknown);
  const exhaustive = !answer.stopped.length && !answer.undetermined.length && !unknown.length;
  const told = clauses(fatesOf(answer), exhaustive);
  const asked = askedFor(answer);
  const sent = isPublished(destination) ? "published" : "sent";
  const what = `message to ${destination} ${sent} at ${answer.from}`;
  if (!told.length && (undecided.length || open.length || unknown.length)) {
    const change =
      open.length || unknown.length
        ? ""
        : couldChange(...answer.undetermined.filter((one) => !one.decided_if));
    if (change)
      return `As far as the loaded files show, a ${what} is delivered nowhere${change}${asked}.`;
    return `Whether a ${what} is delivered anywhere cannot be decided${asked}.`;
  }
  const passed = distinct(answer.ends.filter((end) => end.goes_on).map((end) => end.ending));
  const onTheWay = passed.map((one) => inWords(one));
  const aside = passed.length ? `; on its way it ${namesListed(onTheWay)}` : "";
  const doubts = unsure(answer, open);
  const becomes = told.join("; ") || `is delivered nowhere${refusalOf(answer)}`;
  const nowhere = told.length && !answer.deliveries.length && answer.ends.every(keepsNothing);
  return `A ${what} ${nowhere ? "is delivered nowhere and " : ""}${becomes}${aside}${doubts}${asked}.`;
}

// Whether it is certain that nobody has the message at an end, now or later.
const keepsNothing = (end) => KEPT_NOWHERE.includes(end.outcome) && end.judgement === "yes";

// Why its own server refuses a message, where that is all that becomes of it.
function refusalOf(answer) {
  const [only, ...others] = answer.stopped;
  if (!only || others.length || only.reason === "selector" || only.to !== only.at) return "";
  return only.at === answer.from && only.guard ? `: ${only.guard}` : "";
}

// The properties that selectors ask for and the message lacks.
function askedFor(answer) {
  const asking = answer.stopped.filter((stop) => stop.lacking.length);
  if (!asking.length) return "";
  const names = distinct(asking.flatMap((stop) => stop.lacking)).sort();
  const who = new Set(asking.map(({ at, to, guard }) => JSON.stringify([at, to, guard]))).size;
  const selectors = who === 1 ? "a selector asks" : `${inThousands(who)} selectors ask`;
  return `; ${selectors} for ${namesListed(names)}, which the message lacks (use --set)`;
}

// What is left open: that it holds as far as files show, then the servers, the links and
// subscribers, and the ends, unless the server is named.
function unsure(answer, open) {
  const labelOf = ({ system, server }) =>
    answer.system && system && system !== answer.system ? `${system}:${server}` : server;
  const left = answer.undetermined.filter((one) => !one.decided_if);
  const named = new Set(left.map(labelOf));
  const isLink = (stop) => stop.to !== "" && stop.to !== stop.at;
  const other = open.filter((stop) => !named.has(stop.to));
  const ends = answer.ends.filter((end) => isUnknown(end) && !named.has(end.server));
  const own = new Set(
    answer.deliveries.map(({ system, server }) => JSON.stringify([system, server])),
  );
  const isOwn = ({ system, server, destination }) =>
    !destination && own.has(JSON.stringify([system, server]));
  const where = left
    .filter((one) => !isOwn(one))
    .map((one) => (one.destination ? `${one.destination} at ${labelOf(one)}` : labelOf(one)));
  const doubts = [
    ["whether it gets to", where],
    ["whether others get it at", left.filter(isOwn).map(labelOf)],
    [
      "whether it is forwarded",
      other.filter(isLink).map((stop) => `from ${stop.at} to ${stop.to}`),
    ],
    ["whether it is taken at", other.filter((stop) => !isLink(stop)).map((stop) => stop.at)],
    ["what becomes of it at", ends.map((end) => end.server)],
  ]
    .filter(([, each]) => each.length)
    .map(([what, each]) => `${what} ${namesListed(distinct(each))}`);
  const assumed = answer.undetermined.some((one) => one.decided_if);
  const shown = asFar(answer) || (assumed ? AS_SHOWN : "");
  return `${shown}${doubts.length ? `; ${namesListed(doubts)} cannot be decided` : ""}`;
}

// Where routers hand out credit, the sender may be refused, and a receiver takes the message.
function sentFurther(answer) {
  const number = answer.message.count === undefined ? 1 : answer.message.count;
  const many = number === 1 ? "A message" : `A series of ${inThousands(number)} messages`;
  const what = `${many} to ${answer.message.destination} sent at ${answer.from}`;
  const known = answer.deliveries.filter((one) => !one.conditions.includes("if"));
  const doubts = unsure(answer, []);
  const { outcome } = answer.sender;
  const seen = seenBy(outcome);
  const told = seen ? `: ${seen}` : "";
  if (!answer.deliveries.length && (outcome === "NO_CREDIT" || outcome === "REFUSED")) {
    return `${what} is not sent${told}${doubts}.`;
  }
  if (!answer.deliveries.length && outcome === "UNDETERMINED") {
    return `Whether ${what[0].toLowerCase()}${what.slice(1)} gets anywhere is not known.`;
  }
  if (!known.length && answer.deliveries.length) {
    const servers = distinct(answer.deliveries.map((one) => one.server));
    return `${what} would reach a receiver at ${namesListed(servers)}; none is known${told}${doubts}.`;
  }
  if (!known.length && answer.undetermined.length) {
    return `Whether ${what[0].toLowerCase()}${what.slice(1)} gets anywhere is not known.`;
  }
  if (!known.length) return `${what} is delivered nowhere${told}${doubts}.`;
  const isChosen = (one) => one.conditions.includes("one_of");
  const always = distinct(known.filter((one) => !isChosen(one)).map(endOf));
  const choices = distinct(known.filter(isChosen).map(endOf));
  const back = distinct(
    answer.ends.filter((end) => isChosen(end) && !isUnknown(end)).map((end) => end.outcome),
  );
  const parts = [];
  if (always.length) parts.push(`to ${namesListed(always)}`);
  if (choices.length) parts.push(`to ${namesListed(choices, undefined, "or")}`);
  const goes =
    choices.length && !always.length && choices.length + back.length === 1 ? "may go" : "goes";
  const otherwise = back.length ? ` or ${back.map((one) => inWords(one)).join(" or ")}` : "";
  const chosen = choices.length || back.length ? " (decided at run time)" : "";
  return `${what} ${goes} ${parts.join(" and ")}${otherwise}${chosen}${doubts}.`;
}

function seenBy(outcome) {
  if (!outcome || outcome === "UNDETERMINED") return "";
  if (outcome === "REFUSED") return "the sender is refused";
  return outcome === "NO_CREDIT" ? "the sender gets no credit" : `the sender sees ${outcome}`;
}

function endOf(one) {
  if (one.outcome === "DEPOSITED") return `the container ${one.receiver}`;
  return one.receiver.endsWith(`at ${one.server}`)
    ? one.receiver
    : `${one.receiver} at ${one.server}`;
}

/** The question as a sentence: the title of the picture. */
export function titleOf(answer) {
  return visible(TITLES[answer.question](answer));
}

const TITLES = {
  reach: (answer) => {
    if (answer.to === null) {
      return answer.reply
        ? `From which servers does a reply reach ${answer.from}?`
        : `Which servers does a message published at ${answer.from} reach?`;
    }
    return answer.reply
      ? `Does a reply of ${answer.to} reach ${answer.from}, and over which path?`
      : `Does ${answer.from} reach ${answer.to}, and over which path?`;
  },
  hops: (answer) => `How many hops is it from ${answer.from} to ${answer.to}?`,
  paths: (answer) => `Which paths lead from ${answer.from} to ${answer.to}?`,
  propagate: (answer) => {
    const { destination, properties } = answer.message;
    const sent = isPublished(destination) ? "published" : "sent";
    return `Who gets a message to ${destination}${withProperties(properties || {})} ${sent} at ${answer.from}?`;
  },
};

// `` with country = 'Spain'``, as a selector would write the values. A long is text, since it may
// be longer than a number holds.
function withProperties(properties) {
  const conditions = Object.entries(properties).map(([name, { type, value }]) => {
    if (value === null) return `${name} IS NULL`;
    if (type === "boolean") return `${name} = ${value ? "TRUE" : "FALSE"}`;
    return `${name} = ${type === "string" ? `'${value.replaceAll("'", "''")}'` : doubleText(type, value)}`;
  });
  return conditions.length ? ` with ${conditions.join(" and ")}` : "";
}

// A double is told from a whole number by its point or exponent, as in the command's answers.
function doubleText(type, value) {
  const size = Math.abs(value);
  if (type !== "double" || typeof value !== "number" || !Number.isFinite(value))
    return String(value);
  if (size && (size >= 1e16 || size < 1e-4))
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(value) ? `${Object.is(value, -0) ? "-0" : value}.0` : String(value);
}
