// What becomes of a message, as the end of a sentence, with no more certainty than its judgement
// has: ``topograph/questions/texts/fates.py``.

import { inThousands } from "../script/texts.js";
import { distinct } from "./distinct.js";

const LISTED = 4;
const ENDINGS_SHOWN = 3;
const AT_RUN_TIME = " (decided at run time)";
const CODE = " (code that no file shows decides)";
const NOBODY = "nobody is known to subscribe";

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
  if (unknown.length) found.push(`${anyOf(unknown, "may be delivered", "may end")}${CODE}`);
  return found;
}

function plain(fates, later, alone) {
  const sure = fates.filter(delivered).filter(hasNot("if"));
  const supposed = fates.filter(delivered).filter(has("if"));
  const other = fates.filter(ended).filter(hasNot("if"));
  const would = fates.filter(ended).filter(has("if"));
  const atLast = later ? " later" : "";
  const found = [];
  if (sure.length || other.length) {
    const parts = sure.length ? [`${later ? "is to be" : "is"} delivered ${placesOf(sure)}`] : [];
    const said = kindsOf(other).map(([kind, own]) => `in ${kind} ${placesOf(own)}`);
    if (said.length) parts.push(`${later ? "is to end" : "ends"} ${said.join(" and ")}`);
    found.push(`${parts.join(" and ")}${atLast}${reasonOf(other)}`);
  }
  if (supposed.length) {
    const nobody = alone && !found.length ? `; ${NOBODY}` : `, where ${NOBODY}`;
    found.push(`would be delivered ${placesOf(supposed)}${atLast}${nobody}`);
  }
  if (would.length) {
    const said = kindsOf(would).map(([kind, own]) => `in ${kind} ${placesOf(own)}`);
    const when = distinct(would.map((one) => one.when).filter(Boolean));
    const condition = when.length ? ` if ${namesListed(when, LISTED, "or")}` : "";
    found.push(`would end ${said.join(" and ")}${atLast}${condition}`);
  }
  return found;
}

function ofChoice(fates, later, exhaustive) {
  const places = new Set(
    fates.map(({ outcome, ending, place }) => JSON.stringify([outcome, ending, place])),
  );
  if (later) return `${anyOf(fates, "is to be delivered", "is to end")} later${AT_RUN_TIME}`;
  if (exhaustive && places.size > 1 && !fates.some(has("if")))
    return `${anyOf(fates, "is delivered", "ends")}${AT_RUN_TIME}`;
  return `${anyOf(fates, "may be delivered", "may end")}${AT_RUN_TIME}`;
}

function anyOf(fates, takes, ends) {
  const places = distinct(fates.filter(delivered).map(({ place }) => place));
  const parts = places.length ? [`${takes} at ${namesListed(places, LISTED, "or")}`] : [];
  const said = kindsOf(fates.filter(ended)).map(([kind, own]) => {
    const where = distinct(own.map(({ place }) => place));
    return `in ${kind} at ${namesListed(where, LISTED, "or")}`;
  });
  const verb = parts.length && ends.startsWith("may ") ? ends.slice(4) : ends;
  if (said.length) parts.push(`${verb} ${said.join(" or ")}`);
  return parts.join(" or ");
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
