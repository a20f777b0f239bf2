// Answers that the command gave beforehand, to messages without properties from nobody in particular: by destination and sender.

const LIST = -1;

/**
 * @typedef {{known: number, everywhere: number, whereNamed: number}} Covered - how many of the known destinations of a type are answered
 * @param {object} section - what `topograph.portable.worked_out` gives.
 * @param {string[]} texts
 * @param {object[]} places - the servers in the order of the network.
 */
function workedOutOf(section, texts, places) {
  const number = new Map(places.map((place, at) => [place, at]));
  const heeds = new Map(Object.entries(section.heeds));
  const stored = new Map(section.stored.map(([destination, senders, told]) => [destination, { senders, told }]));
  /** @type {Map<string, Covered>} */
  const covered = new Map(
    section.counts.map(([type, known, everywhere, whereNamed]) => [type, { known, everywhere, whereNamed }]),
  );

  /** The value of a reference: each time another object, so that nobody changes an answer that is asked for again. */
  function valueOf(reference) {
    if (reference < 0) return texts[-1 - reference];
    const entry = section.entries[reference];
    if (!Array.isArray(entry)) return entry;
    const [shape, ...rest] = entry;
    if (shape === LIST) return rest.map(valueOf);
    return Object.fromEntries(section.shapes[shape].map((key, at) => [key, valueOf(rest[at])]));
  }

  /** What was answered about a destination and a sender: the fields of the answer, a text that says why there is none, or undefined. */
  function toldOf(destination, place) {
    const found = stored.get(destination);
    if (!found) return undefined;
    const at = unpacked(found.senders).indexOf(number.get(place));
    return at < 0 ? undefined : valueOf(unpacked(found.told)[at]);
  }

  /** From how many servers messages to a destination are answered. */
  const senders = (destination) => (stored.has(destination) ? unpacked(stored.get(destination).senders).length : 0);

  return { toldOf, senders, heeds, covered };
}

const PLURALS = { topic: "topics", queue: "queues", address: "addresses" };

/** Why there is no answer about a destination, as far as the file knows: for how many of how many there are some. */
function whyNotWorkedOut(workedOut, destination, type) {
  const senders = workedOut.senders(destination);
  if (senders) return `: messages to it are answered in this file from ${senders} ${senders === 1 ? "server" : "servers"} only`;
  const covered = workedOut.covered.get(type);
  if (!covered) return "";
  const { known, everywhere, whereNamed } = covered;
  const partly = whereNamed ? `, and ${whereNamed} from the servers whose files name them` : "";
  return `: ${everywhere} of ${known} ${PLURALS[type] || "destinations"} are answered in this file${partly}`;
}

/** `propagate` where the system itself decides what becomes of a message. */
function workedOutAnswer(network, start, asked, type) {
  const { workedOut } = network;
  const destination = String(asked.destination);
  const told = workedOut.toldOf(destination, start);
  if (typeof told === "string") throw new Declined(told);
  if (!told) {
    const why = whyNotWorkedOut(workedOut, destination, type);
    throw new Declined(`What becomes of a message to ${destination} at ${start.name} is not decided in this page${why}.`);
  }
  const heeds = workedOut.heeds.get(start.system);
  const { typed, properties } = checkedProperties(asked);
  const changes = Object.keys(typed).filter((name) => !heeds || heeds.includes(name));
  if (asked.user && !heeds) changes.push(`the user ${asked.user}`);
  if (changes.length) throw new Declined(`What ${changes.join(" and ")} changes is not decided in this page.`);
  const message = { destination, properties: echoed(typed, properties), user: asked.user || "" };
  return commonOf(network, "propagate", { ...told, message });
}
