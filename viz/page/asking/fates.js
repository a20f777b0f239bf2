// What becomes of a message, as the end of a sentence, with no more certainty than its judgement
// has: ``topograph/questions/texts/fates.py``.

import { inThousands } from "../script/texts.js";
import { distinct } from "./distinct.js";

const LISTED = 4;
const ENDINGS_SHOWN = 3;
const AT_RUN_TIME = " (decided at run time)";
const CODE = " (code that no file shows decides)";
const NOBODY = "nobody is known to subscribe";

// What becomes of a message, in words.
/** @type {Record<string, string>} */
const ENDS = {
  DELIVERED: "be delivered",
  PUBLISHED: "be published",
  XMIT: "be put on a transmission queue",
  HELD: "be held",
  EXCEPTIONED: "be moved to an exception destination",
  DLQ: "be put on a dead-letter queue",
  DISCARDED: "be discarded",
  BLOCKED: "be kept to be tried again",
  REJECTED: "be rejected",
  LOOP: "circulate for ever",
  EXTERNAL: "leave the loaded files",
  OPAQUE: "be left to code that no file shows",
  ONE_OF: "end in one of several ways",
  FORWARDED: "be forwarded",
  NOT_FORWARDED: "be stopped",
  STUCK: "be stuck",
  GAP: "be missed",
  DUPLICATE: "be delivered more than once",
  NO_CREDIT: "get no credit",
  RELEASED: "be given back to the sender",
  REFUSED: "be refused",
  DEPOSITED: "be stored in a container",
  UNDETERMINED: "end in a way that is not known",
};

/** What becomes of a message: for certain, or in another form of the verb (may, would, is to). */
export function inWords(outcome, form = "") {
  const bracket = outcome.indexOf("(");
  const kind = bracket < 0 ? outcome : outcome.slice(0, bracket);
  const [first, ...others] = ENDS[kind].split(" ");
  const certain = first === "be" ? "is" : `${first}s`;
  const said = [form ? `${form} ${first}` : certain, ...others].join(" ");
  return bracket < 0 ? said : `${said} ${outcome.slice(bracket)}`;
}

/** Names as they stand in a sentence; more than a few are counted. */
export function namesListed(names, most = LISTED, joined = "and") {
  if (names.length > most) {
    const left = names.length - (most - 1);
    return `${names.slice(0, most - 1).join(", ")} ${joined} ${inThousands(left)} others`;
  }
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} ${joined} ${names[names.length - 1]}`;
}

/** The fates that an answer of `propagate` tells, deliveries first, each once. */
export function fatesOf(answer) {
  const fates = [
    ...answer.deliveries.map((one) => ({ ...one, because: "", ending: "", when: "" })),
    ...answer.ends.filter((one) => !one.goes_on && one.outcome !== "UNDETERMINED"),
  ].map(({ outcome, server, judgement, conditions, because, ending, when }) => ({
    outcome,
    place: server,
    judgement,
    conditions,
    because,
    ending,
    when,
  }));
  return [...new Map(fates.map((one) => [JSON.stringify(one), one])).values()];
}

const has = (condition) => (fate) => fate.conditions.includes(condition);
const hasNot = (condition) => (fate) => !fate.conditions.includes(condition);
const delivered = ({ outcome }) => outcome === "DELIVERED";
const ended = ({ outcome }) => outcome !== "DELIVERED";

/** What becomes of a message, clause by clause, the most certain first. */
export function clauses(fates, exhaustive) {
  const unknown = fates.filter(({ judgement }) => judgement === "unknown");
  const known = fates.filter(({ judgement }) => judgement !== "unknown");
  const found = [];
  for (const later of [false, true]) {
    const own = known.filter(later ? has("later") : hasNot("later"));
    const chosen = own.filter(has("one_of"));
    const alone = !found.length && !chosen.length && !unknown.length;
    found.push(...plain(own.filter(hasNot("one_of")), later, alone));
    if (chosen.length) found.push(ofChoice(chosen, later, exhaustive));
  }
  if (unknown.length) found.push(`${anyOf(unknown, "may")}${CODE}`);
  return found;
}

function plain(fates, later, alone) {
  const sure = fates.filter(delivered).filter(hasNot("if"));
  const supposed = fates.filter(delivered).filter(has("if"));
  const other = fates.filter(ended).filter(hasNot("if"));
  const would = fates.filter(ended).filter(has("if"));
  const atLast = later ? " later" : "";
  const form = later ? "is to" : "";
  const kinds = (own, verb) =>
    kindsOf(own).map(([kind, those]) => `${inWords(kind, verb)} ${placesOf(those)}`);
  const found = [];
  if (sure.length || other.length) {
    const takes = sure.length ? [`${inWords("DELIVERED", form)} ${placesOf(sure)}`] : [];
    found.push(`${[...takes, ...kinds(other, form)].join(" and ")}${atLast}${reasonOf(other)}`);
  }
  if (supposed.length) {
    const nobody = alone && !found.length ? `; ${NOBODY}` : `, where ${NOBODY}`;
    found.push(`${inWords("DELIVERED", "would")} ${placesOf(supposed)}${atLast}${nobody}`);
  }
  if (would.length) {
    const when = distinct(would.map((one) => one.when).filter(Boolean));
    const condition = when.length ? ` if ${namesListed(when, LISTED, "or")}` : "";
    found.push(`${kinds(would, "would").join(" and ")}${atLast}${condition}`);
  }
  return found;
}

function ofChoice(fates, later, exhaustive) {
  const places = new Set(
    fates.map(({ outcome, ending, place }) => JSON.stringify([outcome, ending, place])),
  );
  if (later) return `${anyOf(fates, "is to")} later${AT_RUN_TIME}`;
  const certain = exhaustive && places.size > 1 && !fates.some(has("if"));
  return `${anyOf(fates, certain ? "" : "may")}${AT_RUN_TIME}`;
}

function anyOf(fates, form) {
  const places = distinct(fates.filter(delivered).map(({ place }) => place));
  const kinds = kindsOf(fates.filter(ended)).map(([kind, own]) => [
    kind,
    distinct(own.map(({ place }) => place)),
  ]);
  if (places.length) kinds.unshift(["DELIVERED", places]);
  const parts = kinds.map(([kind, own]) => {
    return `${inWords(kind, form)} at ${namesListed(own, LISTED, "or")}`;
  });
  // One verb does for all.
  const once = form ? `${form} ` : "";
  return parts
    .map((part, index) => (index && part.startsWith(once) ? part.slice(once.length) : part))
    .join(" or ");
}

/** Ends by what they are called: a few by their arguments. */
function kindsOf(fates) {
  const short = new Set(fates.map(({ ending }) => ending)).size > ENDINGS_SHOWN;
  const found = new Map();
  for (const one of fates) {
    const kind = short ? one.outcome : one.ending || one.outcome;
    found.set(kind, [...(found.get(kind) || []), one]);
  }
  return [...found];
}

const placesOf = (fates) => `at ${namesListed(distinct(fates.map(({ place }) => place)))}`;

function reasonOf(fates) {
  const reasons = distinct(fates.map(({ because }) => because));
  if (reasons.length !== 1 || !reasons[0]) return "";
  return `: ${reasons[0].split(/; |[.?] |[.?]$/)[0]}`;
}
