// Which sign stands for which claim: the table of ``viz/scene/judged.py``, as far as pages answer
// questions themselves.

/** By claim and by what is told of it; what is not there is drawn as a question mark. */
export const MARKS = {
  reached: { yes: "reached", no: "unreachable", one_of: "one-of", later: "later" },
  target: { yes: "target", no: "unreachable", one_of: "one-of", later: "later" },
  taken: { yes: "delivered", no: "transit", if: "would-deliver", one_of: "one-of", later: "later" },
  stored: { yes: "stored", no: "transit", one_of: "one-of", later: "later" },
  waits: { yes: "held", one_of: "may-end", later: "later" },
  aside: { yes: "aside", one_of: "may-end", later: "later" },
  "on-way": { yes: "transit", one_of: "transit", later: "transit", unknown: "maybe-transit" },
  passes: { yes: "transit", one_of: "transit", later: "transit" },
  circulates: { yes: "circulates", one_of: "may-end", later: "later" },
  ends: { yes: "rejected", one_of: "may-end", later: "later" },
  "sent-on": { no: "nothing" },
  stopped: { yes: "blocked" },
};

/** Of several marks of a server that a message gets to the first of these. */
export const FIRST = [
  "delivered",
  "stored",
  "one-of",
  "would-deliver",
  "aside",
  "held",
  "circulates",
  "rejected",
  "later",
  "may-end",
  "undetermined",
  "transit",
];

/**
 * @param {string} claim
 * @param {string} told
 */
export function markOf(claim, told = "yes") {
  return MARKS[claim][told] || "undetermined";
}

/** The first of two marks of a server. */
export function firstMark(one, other) {
  return FIRST.indexOf(one) <= FIRST.indexOf(other) ? one : other;
}

/** What an outcome makes of the server where it comes about; every other one ends the message. */
const OUTCOMES = {
  DELIVERED: "taken",
  PUBLISHED: "taken",
  DEPOSITED: "stored",
  HELD: "waits",
  XMIT: "waits",
  BLOCKED: "waits",
  STUCK: "waits",
  DLQ: "aside",
  EXCEPTIONED: "aside",
  LOOP: "circulates",
  EXTERNAL: "passes",
  NOT_FORWARDED: "stopped",
};

/** The mark of a server that takes the message, or where it ends. */
export function markOfFate({ outcome, judgement }) {
  return markOf(OUTCOMES[outcome] || "ends", judgement);
}

/** Whether nothing stops at an end: the message goes on, or leaves what is loaded. */
export function takesIt({ outcome, goes_on: goesOn }) {
  return goesOn || OUTCOMES[outcome] === "passes";
}

/** How certain it is that a message stops: what a selector does not say is TRUE it does not select. */
export function toldOfStop({ value, reason }) {
  return value === "UNKNOWN" && reason !== "selector" ? "unknown" : "yes";
}
