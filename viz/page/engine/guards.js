// Predicates on a message: expressions over its destination, its properties and its sender
// (topograph/systems/contract/portable_messages.py).

import { judgeSelector, namesIn } from "./selectors.js";

/** @import { Properties, Truth } from "./selectors.js" */

/** @typedef {{truth: Truth, known: boolean, note: string, defaults: string[]}} Verdict */

/** @type {Verdict} */
export const PASSES = { truth: "TRUE", known: true, note: "", defaults: [] };
/** @type {Verdict} */
const FAILS = { truth: "FALSE", known: true, note: "", defaults: [] };
/** @type {Record<Truth, Verdict>} */
const KNOWN = {
  TRUE: PASSES,
  FALSE: FAILS,
  UNKNOWN: { truth: "UNKNOWN", known: true, note: "", defaults: [] },
};

/**
 * A text with its fields filled in. @param {string} template @param {Record<string, unknown>}
 * fields
 */
export const filled = (template, fields) =>
  template.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));

/** @param {string} name */
export function isWildcard(name) {
  const parts = name.split(".");
  return parts.includes("*") || parts[parts.length - 1] === ">";
}

/**
 * Whether a pattern of dotted elements matches a name: `*` is one whole element, a final `>` one or
 * more.
 * @param {string} pattern @param {string} name
 */
function patternMatches(pattern, name) {
  if (pattern === ">" || pattern === name) return true;
  const wanted = pattern.split(".");
  const given = name.split(".");
  if (wanted[wanted.length - 1] === ">") {
    wanted.pop();
    if (given.length <= wanted.length) return false;
    given.length = wanted.length;
  }
  return (
    wanted.length === given.length &&
    wanted.every((element, at) => element === "*" || element === given[at])
  );
}

/**
 * Whether every name that one pattern matches is matched by another. @param {string} sub @param
 * {string} sup
 */
export function patternContained(sub, sup) {
  const inner = sub.split(".");
  const outer = sup.split(".");
  for (let place = 0; place < outer.length; place++) {
    if (outer[place] === ">" && place === outer.length - 1) return inner.length > place;
    if (place >= inner.length) return false;
    const tail = inner[place] === ">" && place === inner.length - 1;
    if (tail || (outer[place] !== "*" && outer[place] !== inner[place])) return false;
  }
  return inner.length === outer.length;
}

/**
 * One message that guards are asked about. Patterns and selectors are evaluated once.
 * @param {object} messages - the section that `topograph.portable.messages` makes.
 * @param {string} name @param {Properties} properties @param {string} user
 */
export function askingOf(messages, name, properties, user) {
  /** @type {boolean[]} */
  const matched = [];
  /** @type {Verdict[]} */
  const judged = [];
  const asking = {
    name,
    /** @param {number} pattern */
    matches(pattern) {
      matched[pattern] ??= patternMatches(messages.patterns[pattern], name);
      return matched[pattern];
    },
    /** @param {number} number @returns {Verdict} */
    selector(number) {
      judged[number] ??= selectorVerdict(messages, messages.selectors[number], properties);
      return judged[number];
    },
    /** @param {any[]} expression */
    holds: (expression) => asking.verdict(expression).truth === "TRUE",
    /** @param {any[]} expression @returns {Verdict} */
    verdict(expression) {
      switch (expression[0]) {
        case "true":
          return PASSES;
        case "false":
          return FAILS;
        case "matches":
          return expression.some((pattern, at) => at && asking.matches(pattern)) ? PASSES : FAILS;
        case "user":
          return expression.includes(user, 1) ? PASSES : FAILS;
        case "if":
          return asking.verdict(asking.holds(expression[1]) ? expression[2] : expression[3]);
        case "all":
          return expression.every((part, at) => !at || asking.holds(part)) ? PASSES : FAILS;
        case "any":
          return expression.some((part, at) => at && asking.holds(part)) ? PASSES : FAILS;
        case "unknown":
          return { truth: "UNKNOWN", known: false, note: expression[1], defaults: [] };
        case "selector":
          return asking.selector(expression[1]);
      }
      throw new Error(`a predicate of a kind that is not known: ${expression[0]}`);
    },
  };
  return asking;
}

/**
 * What a selector says of a message; not known where it is not valid or not understood, or hangs on
 * a header field that the question does not set.
 * @returns {Verdict}
 */
function selectorVerdict(messages, selector, properties) {
  const { texts } = messages;
  /** @param {string} note @param {string[]} [defaults] @returns {Verdict} */
  const unknown = (note, defaults = []) => ({ truth: "UNKNOWN", known: false, note, defaults });
  if (selector.notUnderstood !== undefined) {
    const text = selector.text ? `: ${selector.text}` : "";
    return unknown(filled(texts.selector_fault, { fault: selector.notUnderstood, selector: text }));
  }
  if (selector.fault !== undefined)
    return unknown(filled(texts.selector_invalid, { fault: selector.fault }));
  const said = judgeSelector(selector, properties, messages.defaults);
  if (said.undecided.length) {
    const names = said.undecided.join(texts.joined_names);
    const note = filled(texts.selector_depends, {
      selector: selector.text,
      names,
      first: said.undecided[0],
    });
    return unknown(note, said.defaults);
  }
  if (!said.defaults.length) return KNOWN[said.truth];
  return { truth: said.truth, known: true, note: "", defaults: said.defaults };
}

/** What a selector asks for that is UNKNOWN of a message, though it is understood. */
export function asksFor(messages, number, { truth, known }) {
  const tree = number < 0 ? undefined : messages.selectors[number].tree;
  return truth === "UNKNOWN" && known && tree ? [...namesIn(tree)] : [];
}

/**
 * What a guard comes to for a message that it lets pass; empty for one that is not about messages
 * to its destination.
 */
export function metText(guard, asking) {
  if (!guard.met) return "";
  if (guard.atEnd) return `${asking.name}${guard.met}`;
  if (
    !((guard.selector ? guard.patterns : guard.secure) || []).some((pattern) =>
      asking.matches(pattern),
    )
  )
    return "";
  return guard.selector ? guard.met : `${guard.met}${asking.name}`;
}

/** A set of numbers below `most`, in ascending order: of thousands of guards most may be in it. */
export class Numbers {
  /** @param {number} most */
  constructor(most) {
    this.flags = new Uint8Array(most);
    this.size = 0;
  }

  /** @param {number} number */
  add(number) {
    this.size += 1 - this.flags[number];
    this.flags[number] = 1;
  }

  /** @param {number} number */
  has(number) {
    return this.flags[number] === 1;
  }

  /** Those that are not in another set of as many. @param {Numbers} others */
  without(others) {
    const found = new Numbers(this.flags.length);
    for (const number of this) if (!others.has(number)) found.add(number);
    return found;
  }

  *[Symbol.iterator]() {
    for (let at = this.flags.indexOf(1); at >= 0; at = this.flags.indexOf(1, at + 1)) yield at;
  }
}

/**
 * What all guards say of one message: those that do not let it pass, those of them that are not
 * decided, those that stop interest too, and the selectors that apply to its destination.
 */
export function judgedGuards({ guards }, asking) {
  const found = {
    of: guards.map((guard) => asking.verdict(guard.asks)),
    failing: new Numbers(guards.length),
    unknown: new Numbers(guards.length),
    interest: new Numbers(guards.length),
    replaced: new Numbers(guards.length),
    applying: new Numbers(guards.length),
  };
  const matches = (pattern) => asking.matches(pattern);
  guards.forEach((guard, number) => {
    const applies = guard.selector && guard.patterns.some(matches);
    if (applies) found.applying.add(number);
    const { truth, known } = found.of[number];
    if (truth === "TRUE") return;
    found.failing.add(number);
    if (!known) found.unknown.add(number);
    if (guard.interest) found.interest.add(number);
    if (guard.replaced && applies) found.replaced.add(number);
  });
  return found;
}
/**
 * Texts in the order of their code points, which is Python's; scripts compare 16-bit units. @param
 * {string} a @param {string} b
 */
export function byCodePoint(a, b) {
  for (let at = 0; at < a.length && at < b.length; at++) {
    if (a[at] === b[at]) continue;
    const weight = (text) => text.charCodeAt(at) + (/[\uD800-\uDFFF]/.test(text[at]) ? 0x10000 : 0);
    return weight(a) - weight(b);
  }
  return a.length - b.length;
}
