// Selectors: three-valued evaluation of the trees that topograph/portable/selector_trees.py makes.
// The rules are those of topograph/selectors/expressions.py and values.py: an exact number is a
// BigInt that wraps at 64 bits, an approximate one a Number, NULL is null, and the truths are the
// texts "TRUE", "FALSE" and "UNKNOWN".

/** @typedef {"TRUE" | "FALSE" | "UNKNOWN"} Truth */
/** @typedef {string | boolean | bigint | number | null} PropertyValue */
/** @typedef {Map<string, PropertyValue>} Properties  Header fields included; one that is absent is NULL. */
/** @typedef {any[]} Tree */

/** @type {Record<Truth, Truth>} */
const NEGATED = { TRUE: "FALSE", FALSE: "TRUE", UNKNOWN: "UNKNOWN" };

/** @param {PropertyValue} value */
const isNumber = (value) => typeof value === "bigint" || typeof value === "number";

/** @param {boolean} holds @returns {Truth} */
const truthOf = (holds) => (holds ? "TRUE" : "FALSE");

/** @param {Truth[]} truths @returns {Truth} */
function anyOf(truths) {
  return truths.includes("TRUE") ? "TRUE" : truths.includes("UNKNOWN") ? "UNKNOWN" : "FALSE";
}

/** @param {Truth[]} truths @returns {Truth} */
function allOf(truths) {
  return truths.includes("FALSE") ? "FALSE" : truths.includes("UNKNOWN") ? "UNKNOWN" : "TRUE";
}

/**
 * `left symbol right`. NULL on either side is UNKNOWN; unlike types are FALSE, `<>` included, and
 * so are orderings of strings or booleans.
 * @param {string} symbol @param {PropertyValue} left @param {PropertyValue} right @returns {Truth}
 */
function compareValues(symbol, left, right) {
  if (left === null || right === null) return "UNKNOWN";
  if (isNumber(left) && isNumber(right)) {
    // An exact number beside an approximate one is converted to double first: JavaScript would
    // compare them exactly.
    if (typeof left !== typeof right) [left, right] = [Number(left), Number(right)];
  } else if (typeof left !== typeof right || (symbol !== "=" && symbol !== "<>")) {
    return "FALSE";
  }
  switch (symbol) {
    case "=":
      return truthOf(left === right);
    case "<>":
      return truthOf(left !== right);
    case "<":
      return truthOf(left < right);
    case "<=":
      return truthOf(left <= right);
    case ">":
      return truthOf(left > right);
    case ">=":
      return truthOf(left >= right);
  }
  throw new Error(`a comparison that is not known: ${symbol}`);
}

/**
 * `left symbol right` for `+ - * /`; NULL where there is no value.
 * @param {string} symbol @param {PropertyValue} left @param {PropertyValue} right @returns {bigint
 *   | number | null}
 */
function calculateValues(symbol, left, right) {
  if (!isNumber(left) || !isNumber(right)) return null;
  if (typeof left === "bigint" && typeof right === "bigint") {
    if (symbol === "/" && right === 0n) return null;
    // BigInt division truncates toward zero, as Java's does.
    const exact =
      symbol === "+"
        ? left + right
        : symbol === "-"
          ? left - right
          : symbol === "*"
            ? left * right
            : left / right;
    return BigInt.asIntN(64, exact);
  }
  const [first, second] = [Number(left), Number(right)];
  return symbol === "+"
    ? first + second
    : symbol === "-"
      ? first - second
      : symbol === "*"
        ? first * second
        : first / second;
}

/**
 * Whether a string is matched whole by a pattern of characters, null for any one and 0 for any
 * number of them. Greedy, going back to the last 0 only: at worst length of text times length of
 * pattern.
 * @param {(string | number | null)[]} pattern @param {string} whole
 */
function likePattern(pattern, whole) {
  const text = Array.from(whole); // by code point, as Python counts
  let [at, place, restart, resumed] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = place < pattern.length ? pattern[place] : "";
    if (wanted === 0) {
      restart = ++place;
      resumed = at;
    } else if (wanted === null || wanted === text[at]) {
      place++;
      at++;
    } else if (restart >= 0) {
      at = ++resumed;
      place = restart;
    } else {
      return false;
    }
  }
  return pattern.slice(place).every((item) => item === 0);
}

/**
 * The value of a tree for a message.
 * @param {Tree} tree @param {Properties} properties @returns {PropertyValue}
 */
export function selectorValue(tree, properties) {
  switch (tree[0]) {
    case "string":
    case "boolean":
    case "double":
      return tree[1];
    case "long":
      return BigInt(tree[1]);
    case "property":
      return properties.get(tree[1]) ?? null;
    case "calculate": {
      let result = selectorValue(tree[1], properties);
      for (let i = 2; i < tree.length; i += 2)
        result = calculateValues(tree[i], result, selectorValue(tree[i + 1], properties));
      return result;
    }
    case "signed": {
      const operand = selectorValue(tree[2], properties);
      if (!isNumber(operand)) return null;
      if (tree[1] !== "-") return operand;
      return typeof operand === "bigint" ? BigInt.asIntN(64, -operand) : -Number(operand);
    }
  }
  const truth = selectorTruth(tree, properties);
  return truth === "UNKNOWN" ? null : truth === "TRUE";
}

/**
 * What a tree says of a message with exactly these properties; only TRUE matches.
 * @param {Tree} tree @param {Properties} properties @returns {Truth}
 */
export function selectorTruth(tree, properties) {
  switch (tree[0]) {
    case "compare":
      return compareValues(
        tree[1],
        selectorValue(tree[2], properties),
        selectorValue(tree[3], properties),
      );
    case "between": {
      const [operand, low, high] = tree.slice(2).map((part) => selectorValue(part, properties));
      if (tree[1])
        return anyOf([compareValues("<", operand, low), compareValues(">", operand, high)]);
      return allOf([compareValues(">=", operand, low), compareValues("<=", operand, high)]);
    }
    case "in":
    case "like": {
      const value = properties.get(tree[2]) ?? null;
      if (value === null) return "UNKNOWN";
      // A value that is not a string is not found, hence TRUE with NOT.
      const found =
        typeof value === "string" &&
        (tree[0] === "in" ? tree[3].includes(value) : likePattern(tree[3], value));
      return truthOf(found !== tree[1]);
    }
    case "null":
      return truthOf(((properties.get(tree[2]) ?? null) === null) !== tree[1]);
    case "not":
      return NEGATED[selectorTruth(tree[1], properties)];
    case "and":
      return joinedTruth(tree, properties, "FALSE", "TRUE");
    case "or":
      return joinedTruth(tree, properties, "TRUE", "FALSE");
    case "string":
    case "boolean":
    case "double":
    case "long":
    case "property":
    case "calculate":
    case "signed": {
      const value = selectorValue(tree, properties);
      return value === null ? "UNKNOWN" : truthOf(value === true);
    }
  }
  throw new Error(`a selector of a kind that is not known: ${tree[0]}`);
}

/**
 * AND and OR: one part with the `deciding` truth gives it to the whole, `otherwise` is that of parts
 * that all have it.
 * @param {Tree} tree @param {Properties} properties @param {Truth} deciding @param {Truth} otherwise
 * @returns {Truth}
 */
function joinedTruth(tree, properties, deciding, otherwise) {
  let whole = otherwise;
  for (let at = 1; at < tree.length; at++) {
    const part = selectorTruth(tree[at], properties);
    if (part === deciding) return deciding;
    if (part === "UNKNOWN") whole = "UNKNOWN";
  }
  return whole;
}

/**
 * The truths that a tree can have if each of some properties is absent or has any value: sound, not
 * complete, as in topograph/selectors/possible.py.
 * @param {Tree} tree @param {Properties} properties @param {Set<string>} open @returns {Set<Truth>}
 */
function possibleTruths(tree, properties, open) {
  if (tree[0] === "not")
    return new Set([...possibleTruths(tree[1], properties, open)].map((truth) => NEGATED[truth]));
  if (tree[0] === "and" || tree[0] === "or") {
    const combined = tree[0] === "or" ? anyOf : allOf;
    return tree
      .slice(1)
      .map((part) => possibleTruths(part, properties, open))
      .reduce(
        (found, next) =>
          new Set([...found].flatMap((left) => [...next].map((right) => combined([left, right])))),
      );
  }
  if (!namesOne(tree, open)) return new Set([selectorTruth(tree, properties)]);
  return tree[0] === "null" ? new Set(["TRUE", "FALSE"]) : new Set(["TRUE", "FALSE", "UNKNOWN"]);
}

/** @param {Tree} tree @param {Set<string>} names @returns {boolean} */
function namesOne(tree, names) {
  if (tree[0] === "property") return names.has(tree[1]);
  if (tree[0] === "in" || tree[0] === "like" || tree[0] === "null") return names.has(tree[2]);
  return tree.some((part) => Array.isArray(part) && namesOne(part, names));
}

/** Every property and header field that a selector names. @param {Tree} tree @returns {Set<string>} */
export function namesIn(tree) {
  if (tree[0] === "property") return new Set([tree[1]]);
  if (tree[0] === "in" || tree[0] === "like" || tree[0] === "null") return new Set([tree[2]]);
  return new Set(tree.filter(Array.isArray).flatMap((part) => [...namesIn(part)]));
}

/** @type {string[]} */
const NO_NAMES = [];

/**
 * What a selector says of a message of which a question sets some properties: header fields have a
 * value all the same. `undecided` are those it hangs on, `defaults` those it takes at their default
 * (topograph/selectors/selector.py: judge).
 * @param {{tree: Tree, header: string[]}} selector
 * @param {Properties} properties
 * @param {Record<string, Tree>} headerDefaults
 * @returns {{truth: Truth, undecided: string[], defaults: string[]}}
 */
export function judgeSelector(selector, properties, headerDefaults) {
  if (!selector.header.length)
    return {
      truth: selectorTruth(selector.tree, properties),
      undecided: NO_NAMES,
      defaults: NO_NAMES,
    };
  const unset = selector.header.filter((name) => !properties.has(name));
  const defaults = unset.filter((name) => Object.hasOwn(headerDefaults, name));
  const open = unset.filter((name) => !Object.hasOwn(headerDefaults, name));
  const given = defaults.length ? new Map(properties) : properties;
  for (const name of defaults) given.set(name, selectorValue(headerDefaults[name], properties));
  if (!open.length) return { truth: selectorTruth(selector.tree, given), undecided: [], defaults };
  const truths = possibleTruths(selector.tree, given, new Set(open));
  if (truths.has("TRUE") && truths.size > 1) return { truth: "UNKNOWN", undecided: open, defaults };
  const truth = truths.has("TRUE") ? "TRUE" : truths.has("UNKNOWN") ? "UNKNOWN" : "FALSE";
  return { truth, undecided: [], defaults };
}

/**
 * Typed properties of a question, `{name: {type, value}}` with type boolean, long, double, string
 * or null, as values of selectors. A long is taken from text, so that it keeps all its digits; one
 * outside 64 bits is not a value that a message can have.
 * @param {Record<string, {type: string, value: any}>} typed @returns {Properties}
 */
export function propertiesOf(typed) {
  /** @type {Properties} */
  const found = new Map();
  for (const [name, { type, value }] of Object.entries(typed)) {
    if (type === "long") found.set(name, BigInt(value));
    else if (type === "double") found.set(name, Number(value));
    else found.set(name, type === "null" ? null : value);
  }
  return found;
}
