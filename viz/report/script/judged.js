// Which sign stands for which claim: the table of ``viz/scene/judged.py``, as far as pages answer
// questions themselves.

/** By claim and by what is told of it; what is not there is drawn as a question mark. */
export const MARKS = {
  reached: { yes: "reached", no: "unreachable", one_of: "one-of", later: "later" },
  target: { yes: "target", no: "unreachable", one_of: "one-of", later: "later" },
  taken: { yes: "delivered", no: "transit", if: "would-deliver", one_of: "one-of", later: "later" },
  stored: { yes: "stored", no: "transit", one_of: "one-of", later: "later" },
  ends: { yes: "rejected", one_of: "may-end", later: "later" },
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

/** The mark of a server that takes the message. */
export function markOfDelivery({ outcome, choice, subscriber }) {
  const claim = outcome === "DEPOSITED" ? "stored" : "taken";
  if (choice === "opaque") return markOf(claim, "unknown");
  if (choice === "one_of" || choice === "later") return markOf(claim, choice);
  return markOf(claim, subscriber === "assumed" && claim === "taken" ? "if" : "yes");
}

/** How certain it is that a message stops: what a selector does not say is TRUE it does not select. */
export function toldOfStop({ value, reason }) {
  return value === "UNKNOWN" && reason !== "selector" ? "unknown" : "yes";
}
