// Where messages end: of the blocks of an answer those that are causes, and which of the others
// only repeat one of them. As ``viz/scene/stops.py`` does.

/** @import { BlockSaid } from "../script/said.js" */

/**
 * Texts in the order of their characters' numbers, which is not the order of JavaScript beyond
 * U+FFFF.
 */
function compareTexts(one, other) {
  if (one === other) return 0;
  let at = 0;
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at))
    at += 1;
  // Where the second halves of two characters differ, the first halves are the same.
  const before = at && (one.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
  if (at === one.length || at === other.length) return one.length - other.length;
  return (
    one.codePointAt(before) - other.codePointAt(before) ||
    one.codePointAt(at) - other.codePointAt(at)
  );
}

/** The first difference between two lists of numbers, truths and texts. */
export function compareLists(one, other) {
  for (let at = 0; at < one.length; at += 1) {
    const difference =
      typeof one[at] === "string"
        ? compareTexts(one[at], other[at])
        : Number(one[at]) - Number(other[at]);
    if (difference) return difference;
  }
  return 0;
}

/** Things in the order of their keys, each key made once. */
function sortedBy(things, key) {
  return things
    .map((thing) => ({ thing, order: key(thing) }))
    .sort((one, other) => compareLists(one.order, other.order))
    .map(({ thing }) => thing);
}

/**
 * The blocks with the causes first, and behind them those that repeat one (``repeats``).
 * @param {BlockSaid[]} blocks
 * @param {Map<string, string>} zoneOf - the zone of each link
 * @param {Set<string>} ofZones - reasons that only say how far a message goes inside a zone
 */
export function causesFirst(blocks, zoneOf, ofZones) {
  const openWays = new Map(),
    keptFrom = new Map(),
    alike = new Map();
  const causes = [],
    repeated = [];
  const key = (...parts) => JSON.stringify(parts);
  const order = (block) => [
    block.certain || !block.way.length || block.at !== block.to,
    block.way.length,
    ofZones.has(block.reason),
    block.at,
    block.to,
  ];
  for (const block of sortedBy(blocks, order)) {
    const zone = zoneOf.get(block.link) || "";
    const same = key(block.at, zone, block.reason, block.certain, guardBeyond(block));
    let cause;
    if (block.link) {
      if (!block.certain) cause = openWays.get(key(block.at, block.to));
      if (cause === undefined && ofZones.has(block.reason))
        cause = keptFrom.get(key(block.to, zone));
      if (cause === undefined) cause = alike.get(same);
    }
    if (cause !== undefined) {
      repeated.push([cause, block]);
      continue;
    }
    const number = causes.length;
    causes.push(block);
    if (block.link) {
      if (!keptFrom.has(key(block.to, zone))) keptFrom.set(key(block.to, zone), number);
      alike.set(same, number);
    }
    if (block.certain) continue;
    for (const step of block.way) {
      if (!openWays.has(key(step.from, step.to))) openWays.set(key(step.from, step.to), number);
    }
  }
  return stopsInOrder(causes, repeated);
}

// What is certain before what is left open, the fewest steps first; then the repetitions, by their
// causes.
function stopsInOrder(causes, repeated) {
  const numbers = causes.map((_, number) => number);
  const order = (number) => [!causes[number].certain, causes[number].way.length, number];
  const inOrder = sortedBy(numbers, order);
  const place = new Map(inOrder.map((number, at) => [number, at]));
  const later = ([cause, block]) => [place.get(cause), block.way.length, block.at, block.to];
  return [
    ...inOrder.map((number) => causes[number]),
    ...sortedBy(repeated, later).map(([cause, block]) => ({ ...block, repeats: place.get(cause) })),
  ];
}

// What is said of a block without the name of the server that the message does not get to. In a
// selector a name is a value.
function guardBeyond(block) {
  if (block.predicate) return block.guard;
  const bare = (word) => word.replace(/^[.,;:'"]+|[.,;:'"]+$/g, "");
  return block.guard
    .split(" ")
    .map((word) => (bare(word) === block.to ? "*" : word))
    .join(" ");
}
