// What an answer rests on, as the head counts it and the panel lists it; ``viz/scene/basis.py`` does
// the same for the answer that the page came with.

import { inThousands } from "./texts.js";

export const KINDS = {
  inexact: "not certain",
  assumption: "assumed",
  warning: "warning",
  open: "left open",
  note: "note",
};

const WHOLE = 120;

export const ruleOf = (text) => (/^[A-Z]{1,3}-?[0-9]+[a-z]?(?= )/.exec(text) || [""])[0];

const counted = (number, noun) => `${inThousands(number)} ${noun}${number === 1 ? "" : "s"}`;

/**
 * The facts in the order given, those that say the same of several things together.
 * @param {[string, string][]} facts
 * @returns {{kind: string, words: string, texts: string[]}[]}
 */
export function grouped(facts) {
  const together = new Map();
  facts.forEach(([kind, text], number) => {
    const rule = ruleOf(text);
    const key = rule ? JSON.stringify([kind, rule]) : number;
    if (!together.has(key)) together.set(key, { kind, texts: [] });
    together.get(key).texts.push(text);
  });
  return [...together.values()].flatMap(({ kind, texts }) => {
    const words = common(texts);
    return words
      ? [{ kind, words, texts }]
      : texts.map((text) => ({ kind, words: text, texts: [text] }));
  });
}

// The words that texts have in common, a "…" for what differs: those at the same place of texts that
// are equally long, else those at both ends; "" where these are too few to stand for them.
function common(texts) {
  const words = texts.map((text) => text.split(" "));
  const length = Math.min(...words.map((one) => one.length));
  let shortest = words.find((one) => one.length === length);
  const alike = (at) => words.every((one) => one.at(at) === shortest.at(at));
  let same = shortest.map((_, at) => alike(at));
  if (words.some((one) => one.length !== length)) {
    const differs = same.indexOf(false);
    const first = differs < 0 ? length : differs;
    let last = 0;
    while (last < length - first && alike(-1 - last)) last += 1;
    same = shortest.map((_, at) => at < first || at >= length - last);
    shortest = [...shortest.slice(0, first), "…", ...shortest.slice(first)];
    same.splice(first, 0, false);
  }
  if (2 * same.filter(Boolean).length < same.length) return "";
  const said = [];
  shortest.forEach((word, at) => {
    if (same[at]) said.push(word);
    else if (said.at(-1) !== "…") said.push("…");
  });
  return said.join(" ");
}

/**
 * What the facts come to, in one line; "" where there are none.
 * @param {[string, string][]} facts
 * @returns {string}
 */
export function headline(facts) {
  const short = (text) => Array.from(text).length <= WHOLE;
  if (facts.length === 1 && short(facts[0][1])) {
    const [kind, text] = facts[0];
    return kind === "assumption" ? `Assumed: ${text}` : text;
  }
  const byKind = { inexact: [], assumption: [], warning: [], open: [], note: [] };
  for (const [kind, text] of facts) byKind[Object.hasOwn(byKind, kind) ? kind : "note"].push(text);
  const { inexact, assumption } = byKind;
  const parts = [];
  if (inexact.length === 1 && short(inexact[0])) parts.push(inexact[0]);
  else if (inexact.length) parts.push(`Not certain, for ${counted(inexact.length, "reason")}`);
  if (assumption.length) {
    const rules = new Set(assumption.map(ruleOf));
    const rule =
      rules.size === 1 && assumption.length > 1 && !rules.has("") ? ` (${[...rules][0]})` : "";
    parts.push(`Rests on ${counted(assumption.length, "assumption")}${rule}`);
  }
  if (byKind.warning.length) parts.push(counted(byKind.warning.length, "warning"));
  if (byKind.open.length) parts.push(`${counted(byKind.open.length, "thing")} left open`);
  if (byKind.note.length) parts.push(counted(byKind.note.length, "note"));
  return parts.join(" · ");
}
