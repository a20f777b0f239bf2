// What is asked: the questions of the form, what they need, and their form in a link.

/**
 * A question as the form has it. ``user`` and ``properties`` are of ``propagate`` only.
 * @typedef {{name: string, type: string, value: string}} PropertyAsked - the value as it was typed
 * @typedef {{kind: string, from: string, to: string, destination: string, user: string, properties:
 *   PropertyAsked[]}} Asked
 */

// ``kind`` is the question of the form, ``question`` that of the engine and of the command.
export const ASKED_KINDS = [
  {
    kind: "reach",
    question: "reach",
    words: "Can a message get from A to B?",
    fields: ["from", "to"],
  },
  {
    kind: "reach-all",
    question: "reach",
    words: "Which servers does a message reach?",
    fields: ["from"],
  },
  {
    kind: "paths",
    question: "paths",
    words: "Which paths lead from A to B?",
    fields: ["from", "to"],
  },
  {
    kind: "hops",
    question: "hops",
    words: "How many hops is it from A to B?",
    fields: ["from", "to"],
  },
  {
    kind: "propagate",
    question: "propagate",
    words: "Who receives a message?",
    fields: ["from", "destination", "user", "properties"],
  },
];

export const PROPERTY_TYPES = [
  ["string", "text"],
  ["long", "whole number"],
  ["double", "decimal number"],
  ["boolean", "true or false"],
  ["null", "NULL"],
];

export const MOST_PROPERTIES = 40;
const LONGEST_LINK = 8000;
const HASH = "#ask?";

export const kindOf = (kind) => ASKED_KINDS.find((one) => one.kind === kind);

/** @returns {Asked} */
export function emptyQuestion(kind = "reach") {
  return { kind, from: "", to: "", destination: "", user: "", properties: [] };
}

/** A question as the part of a link behind ``#``. @param {Asked} asked */
export function hashOf(asked) {
  const { fields } = kindOf(asked.kind);
  const parts = new URLSearchParams({ q: asked.kind });
  for (const field of ["from", "to", "destination", "user"]) {
    if (fields.includes(field) && asked[field]) parts.set(field, asked[field]);
  }
  if (fields.includes("properties")) {
    for (const { name, type, value } of asked.properties)
      parts.append("set", `${type}:${name}=${value}`);
  }
  return HASH + parts.toString();
}

/**
 * The question of a link, or null where it is none that this page can have made: links come from
 * anywhere, and are texts for the form only.
 * @param {string} hash
 * @returns {Asked | null}
 */
export function askedIn(hash) {
  if (!hash.startsWith(HASH) || hash.length > LONGEST_LINK) return null;
  const parts = new URLSearchParams(hash.slice(HASH.length));
  const found = kindOf(parts.get("q"));
  if (!found) return null;
  const asked = emptyQuestion(found.kind);
  for (const field of ["from", "to", "destination", "user"]) {
    if (found.fields.includes(field)) asked[field] = parts.get(field) || "";
  }
  if (!found.fields.includes("properties")) return asked;
  const written = parts.getAll("set");
  if (written.length > MOST_PROPERTIES) return null;
  for (const one of written) {
    const [, type, name, value] = /^([a-z]+):([^=]+)=([^]*)$/.exec(one) || [];
    if (!PROPERTY_TYPES.some(([known]) => known === type)) return null;
    asked.properties.push({ name, type, value });
  }
  return asked;
}

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?$/;
const LONGS = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * A property with its type, as the engine takes it: a whole number as text, since JavaScript's
 * numbers end at 2^53.
 * @param {PropertyAsked} property
 * @returns {{type: string, value: string | number | boolean | null} | string} what is wrong with
 *   it, as a text
 */
function typedValue({ type, value }) {
  const text = value.trim();
  if (type === "null") return { type, value: null };
  if (type === "string") return { type, value };
  if (type === "boolean") {
    if (!/^(true|false)$/i.test(text)) return `‘${value}’ is neither true nor false.`;
    return { type, value: text.toLowerCase() === "true" };
  }
  if (type === "long") {
    if (!WHOLE.test(text)) return `‘${value}’ is not a whole number.`;
    const number = BigInt(text.replace(/^\+/, ""));
    if (number < LONGS[0] || number > LONGS[1])
      return `${text} does not fit in 64 bits. Use a decimal number.`;
    return { type, value: String(number) };
  }
  if (!DECIMAL.test(text) || !Number.isFinite(Number(text)))
    return `‘${value}’ is not a decimal number.`;
  return { type, value: Number(text) };
}

/**
 * What the engine is asked: fields named as the command's JSON names them.
 * @param {Asked} asked - whose properties are sound
 */
export function engineQuestion(asked) {
  const { question, fields } = kindOf(asked.kind);
  /** @type {any} */
  const found = { question, from: asked.from };
  if (question !== "propagate") return { ...found, to: fields.includes("to") ? asked.to : null };
  found.destination = asked.destination;
  found.properties = Object.fromEntries(asked.properties.map((one) => [one.name, typedValue(one)]));
  if (asked.user) found.user = asked.user;
  return found;
}

/**
 * What is wrong with a question, by field; properties by their number (``property-0``).
 * @param {Asked} asked
 * @param {{has: (name: string) => boolean, like: (name: string) => string[]}} servers
 * @returns {Map<string, string>}
 */
export function faultsOf(asked, servers) {
  const faults = new Map();
  const { fields } = kindOf(asked.kind);
  for (const field of ["from", "to"]) {
    if (!fields.includes(field) || servers.has(asked[field])) continue;
    const like = servers.like(asked[field]);
    const hint = like.length ? ` Did you mean ${like.join(" or ")}?` : "";
    faults.set(
      field,
      asked[field] ? `Nothing here is called ‘${asked[field]}’.${hint}` : "Enter a name.",
    );
  }
  if (fields.includes("destination") && !/^([a-z]+:.|[^:@]+@[^:])/.test(asked.destination)) {
    faults.set("destination", "Enter topic:NAME, queue:NAME, address:NAME or NAME@PLACE.");
  }
  if (!fields.includes("properties")) return faults;
  const names = new Set();
  asked.properties.forEach((property, number) => {
    const { name } = property;
    const typed = typedValue(property);
    if (!name.trim() || name.includes("=") || name !== name.trim()) {
      faults.set(`property-${number}`, "Enter a name, without = and without spaces around it.");
    } else if (names.has(name)) faults.set(`property-${number}`, `${name} is there already.`);
    else if (typeof typed === "string") faults.set(`property-${number}`, typed);
    names.add(name);
  });
  return faults;
}
