// Answers that the command gave beforehand, to messages without properties from nobody in
// particular: by destination and sender.

import { unpacked } from "./arrays.js";
import { Declined } from "./declined.js";
import { commonOf } from "./described.js";
import { checkedProperties, echoed } from "./properties.js";

const LIST = -1;

/**
 * @typedef {{known: number, everywhere: number, whereNamed: number}} Covered - how many of the
 *   known destinations of a type are answered
 * @param {object} section - what `topograph.portable.worked_out` gives.
 * @param {string[]} texts
 * @param {object[]} places - the servers in the order of the network.
 * @param {object[]} parts - its parts.
 */
export function workedOutOf(section, texts, places, parts) {
  const number = new Map(places.map((place, at) => [place, at]));
  const heeds = new Map(Object.entries(section.heeds));
  const stored = new Map(
    section.stored.map(([destination, senders, told]) => [destination, { senders, told }]),
  );
  /** @type {Map<string, Covered>} */
  const covered = new Map(
    section.counts.map(([type, known, everywhere, whereNamed]) => [
      type,
      { known, everywhere, whereNamed },
    ]),
  );

  const classes = new Map(parts.map((part, at) => [part, section.classes[at]]));

  /** The value of a reference, with what `say` makes of its texts. */
  function valueOf(reference, say) {
    if (reference < 0) return say(texts[-1 - reference]);
    const entry = section.entries[reference];
    if (!Array.isArray(entry)) return entry;
    const [shape, ...rest] = entry;
    if (shape === LIST) return rest.map((one) => valueOf(one, say));
    return Object.fromEntries(
      section.shapes[shape].map((key, at) => [key, valueOf(rest[at], say)]),
    );
  }

  /**
   * Where answers about a destination stand: under its own name, or under that of the example of
   * its class.
   */
  function storedFor(destination, place) {
    const own = stored.get(destination);
    if (own) return { ...own, say: (text) => text };
    const example = exampleOf(classes.get(place.part), destination);
    const alike = example && stored.get(example);
    if (!alike) return null;
    const [old, name] = [example, destination].map((text) => text.slice(text.indexOf(":") + 1));
    return { ...alike, say: (text) => text.replaceAll(old, () => name) };
  }

  /**
   * What was answered about a destination and a sender: the fields of the answer, a text that says
   * why there is none, or undefined.
   */
  function toldOf(destination, place) {
    const found = storedFor(destination, place);
    if (!found) return undefined;
    const at = unpacked(found.senders).indexOf(number.get(place));
    return at < 0 ? undefined : valueOf(unpacked(found.told)[at], found.say);
  }

  /** From how many servers messages to a destination are answered. */
  function senders(destination, place) {
    const found = storedFor(destination, place);
    return found ? unpacked(found.senders).length : 0;
  }

  return { toldOf, senders, heeds, covered };
}

/**
 * The example of the class of a destination: of those that differ in nothing but their name
 * (`topograph.portable.alike`).
 */
function exampleOf(classes, destination) {
  if (!classes || !destination.startsWith(`${classes.type}:`)) return null;
  const name = destination.slice(classes.type.length + 1);
  if (!new RegExp(`^(?:${classes.plain})$`).test(name) || classes.apart.includes(name)) return null;
  const tokens = [""];
  for (const character of name) {
    if (classes.separators.includes(character)) tokens.push("");
    else tokens[tokens.length - 1] += character;
  }
  const matched = [...classes.patterns.keys()].filter((at) =>
    tokensMatch(classes.patterns[at], tokens),
  );
  if (matched.some((at) => classes.unlike.includes(at))) return null;
  const found = classes.examples.find(
    ([key]) => key.length === matched.length && key.every((at, n) => at === matched[n]),
  );
  return found ? `${classes.type}:${found[1]}` : null;
}

/** Whether a pattern matches: `*` is one token, a `#` at its end any number. */
function tokensMatch(pattern, tokens) {
  const openEnded = pattern[pattern.length - 1] === "#";
  const fixed = openEnded ? pattern.slice(0, -1) : pattern;
  if (tokens.length < fixed.length || (tokens.length > fixed.length && !openEnded)) return false;
  return fixed.every((one, at) => one === "*" || one === tokens[at]);
}

const PLURALS = {
  topic: "topics",
  queue: "queues",
  address: "addresses",
  "": "queues as NAME@SERVER",
};

/**
 * Why there is no answer about a destination, as far as the file knows: for how many of how many
 * there are some.
 */
function whyNotWorkedOut(workedOut, destination, place, type) {
  const senders = workedOut.senders(destination, place);
  if (senders)
    return `: messages to it are answered in this file from ${senders} ${senders === 1 ? "server" : "servers"} only`;
  const covered = workedOut.covered.get(type);
  if (!covered) return "";
  const { known, everywhere, whereNamed } = covered;
  if (everywhere === known)
    return `: none of the ${PLURALS[type] || "destinations"} that the files name (${known}) is written so`;
  const partly = whereNamed ? `, and ${whereNamed} from the servers whose files name them` : "";
  return `: ${everywhere} of ${known} ${PLURALS[type] || "destinations"} are answered in this file${partly}`;
}

/** `propagate` where the system itself decides what becomes of a message. */
export function workedOutAnswer(network, start, asked, type) {
  const { workedOut } = network;
  const destination = String(asked.destination);
  const told = workedOut.toldOf(destination, start);
  if (typeof told === "string") throw new Declined(told);
  if (!told) {
    const why = whyNotWorkedOut(workedOut, destination, start, type);
    throw new Declined(
      `What becomes of a message to ${destination} at ${start.name} is not decided in this page${why}.`,
    );
  }
  const heeds = workedOut.heeds.get(start.system);
  const { typed, properties } = checkedProperties(asked);
  const changes = Object.keys(typed).filter((name) => !heeds || heeds.includes(name));
  if (asked.user && !heeds) changes.push(`the user ${asked.user}`);
  if (changes.length)
    throw new Declined(`What ${changes.join(" and ")} changes is not decided in this page.`);
  const message = { destination, properties: echoed(typed, properties), user: asked.user || "" };
  return commonOf(network, "propagate", { ...told, message });
}
