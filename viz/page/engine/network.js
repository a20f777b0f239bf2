// The data as tables: parts with servers, points and forwards, and servers by the names that
// questions use.

import { bounds, unpacked } from "./arrays.js";
import { Declined } from "./declined.js";
import { toldOf } from "./messaging.js";
import { workedOutOf } from "./worked_out.js";

/**
 * @typedef {{file: string, line: number, column: number}} Source
 * @typedef {{rule: string, message: string, source: Source | null}} Caution
 * @typedef {{reason: string, text: string, rule: string, source: Source | null, unknown?: boolean}} Halt
 * @typedef {{rule: string, confidence: string, text: string, alternative: string}} Assumption
 * @typedef {{part: object, number: number, name: string, system: string, label: string}} Place
 */

/**
 * Everything that questions look up.
 * @param {object} data - what `topograph.portable.engine_data` gives.
 */
export function networkOf(data) {
  const texts = data.texts;
  const sourceAt = (row, at) => ({ file: texts[row[at]], line: row[at + 1], column: row[at + 2] });
  const read = {
    texts,
    sourceAt,
    caution: (row, at = 0) => ({
      rule: texts[row[at]],
      message: texts[row[at + 1]],
      source: row.length > at + 2 ? sourceAt(row, at + 2) : null,
    }),
    halt: (row, at = 0) => ({
      reason: texts[row[at]],
      text: texts[row[at + 1]],
      rule: texts[row[at + 2]],
      source: row.length > at + 3 ? sourceAt(row, at + 3) : null,
    }),
  };
  const parts = data.walks.map((section) => partOf(section, read));
  const messages = new Map(
    parts.flatMap((part, at) => (data.messages[at] ? [[part, data.messages[at]]] : [])),
  );
  /** What each part says of messages, read when the first is asked about. */
  const told = new Map();
  const warnings = data.warnings.map((row) => read.caution(row));
  /** By question what its answers say of mistakes in topograph.yaml, and what they rest on. */
  const leftOut = new Map(
    Object.entries(data.leftOut).map(([question, [causes, cautions, assumptions]]) => [
      question,
      {
        inexact: causes.map(([cause, message]) => ({
          cause: texts[cause],
          message: texts[message],
        })),
        warnings: cautions.map((row) => read.caution(row)),
        assumptions: assumptions.map(([rule, confidence, text, alternative]) => ({
          rule: texts[rule],
          confidence: texts[confidence],
          text: texts[text],
          alternative: texts[alternative],
        })),
      },
    ]),
  );
  const unconnected = new Map(
    data.unconnected.map(([here, there, text]) => [`${here}\n${there}`, texts[text]]),
  );
  const inPart = unpacked(data.places.part);
  const places = Array.from(unpacked(data.places.number), (number, at) => {
    const part = parts[inPart[at]];
    const [name, system] = [part.servers.name[number], part.servers.system[number]];
    return { part, number, name, system, label: name };
  });
  const called = placesByName(places);
  return {
    about: data.about,
    parts,
    warnings,
    leftOut,
    places,
    words: {
      atRunTime: texts[data.words.atRunTime],
      noLink: data.words.noLink.map((text) => texts[text]),
    },
    /**
     * By system: what a link and several servers are called, and the rule by which links join
     * servers.
     */
    nouns: new Map(
      data.nouns.map(([name, link, links, others, rule]) => [
        name,
        { link: texts[link], links: texts[links], others: texts[others], rule: texts[rule] },
      ]),
    ),
    told(part) {
      if (!told.has(part))
        told.set(part, messages.has(part) ? toldOf(part, messages.get(part), read) : null);
      return told.get(part);
    },
    workedOut: workedOutOf(data.answers, texts, places, parts),
    locate: (text) => located(called, text, data.about.network),
    unconnected: (here, there) => unconnected.get(`${here}\n${there}`),
  };
}

/**
 * The places by name, then by system; of several with one name each gets its qualified name as
 * label.
 */
function placesByName(places) {
  const called = new Map();
  for (const place of places) {
    if (!called.has(place.name)) called.set(place.name, new Map());
    called.get(place.name).set(place.system, place);
  }
  for (const own of called.values()) {
    if (own.size > 1)
      for (const place of own.values()) place.label = `${place.system}:${place.name}`;
  }
  return called;
}

/** The server that a question names: a name that one system has, or `SYSTEM:name`. */
function located(called, text, network) {
  const own = called.get(text);
  if (own && own.size === 1) return own.values().next().value;
  if (own) {
    const labels = [...own.values()].map((place) => place.label).sort();
    throw new Declined(
      `Several systems of network ${network} have a server ‘${text}’: write ${labels.join(" or ")}.`,
    );
  }
  const colon = text.indexOf(":");
  const named = colon < 0 ? undefined : called.get(text.slice(colon + 1));
  const place = named && named.get(text.slice(0, colon));
  if (!place) throw new Declined(`No server is called ‘${text}’ in network ${network}.`);
  return place;
}

/** One part: its columns as arrays, its texts as texts. */
function partOf(section, read) {
  const { texts } = read;
  const textsOf = (column) => Array.from(unpacked(column), (number) => texts[number]);
  const servers = {
    name: textsOf(section.servers.name),
    system: textsOf(section.servers.system),
    loaded: unpacked(section.servers.loaded),
    openEnded: unpacked(section.servers.openEnded),
    incomplete: textsOf(section.servers.incomplete),
    incompleteRule: textsOf(section.servers.incompleteRule),
    rank: unpacked(section.servers.rank),
  };
  const sources = (columns) => {
    const file = unpacked(columns.file);
    const line = unpacked(columns.line);
    const column = unpacked(columns.column);
    return (number) => ({ file: texts[file[number]], line: line[number], column: column[number] });
  };
  const part = {
    form: section.form,
    system: section.system,
    servers,
    serverSource: sources(section.servers),
  };
  if (section.form === null) return part;
  const { points, guards } = section;
  const pointServer = unpacked(points.server);
  const sizes = unpacked(section.rows.sizes);
  const shut = new Map(guards.shut.map((row) => [row[0], read.halt(row, 1)]));
  const open = new Map(guards.open.map((row) => [row[0], read.halt(row, 1)]));
  const sets = guardSetsOf(section.guardSets);
  const { forwards } = section;
  return Object.assign(part, {
    pointCount: pointServer.length,
    pointServer,
    described: section.described,
    previous: points.previous
      ? unpacked(points.previous)
      : opposite(pointServer, unpacked(points.link)),
    target: unpacked(points.target),
    link: unpacked(points.link),
    arrival: unpacked(points.arrival),
    zone: textsOf(points.zone),
    rule: textsOf(points.rule),
    confidence: textsOf(points.confidence),
    pointCost: unpacked(points.cost),
    guardSet: unpacked(points.guards),
    halt: unpacked(points.halt),
    pointSource: sources(points),
    starts: bounds(sizes),
    ends: unpacked(section.rows.ends),
    guardSets: sets,
    chosen: new Set(unpacked(section.chosen)),
    waits: new Set(unpacked(guards.waits)),
    undecided: new Map((section.undecided || []).map(([guard, why]) => [guard, texts[why]])),
    forwards: forwards && {
      rule: textsOf(forwards.rule),
      confidence: textsOf(forwards.confidence),
      cost: unpacked(forwards.cost),
      guards: unpacked(forwards.guards),
      guardSets: guardSetsOf(forwards.guardSets),
      link: textsOf(forwards.link),
      source: sources(forwards),
    },
    leftOpen: section.leftOpen && leftOpenOf(section.leftOpen, textsOf, sources),
    apart: new Set(section.apart.map(([here, there]) => `${here}\n${there}`)),
    perhapsTaken: (section.perhapsTaken || []).map((row) => ({
      server: row[0],
      because: texts[row[1]],
      source: read.sourceAt(row, 2),
      assumption: positionOf(row.slice(5), texts),
    })),
    perhapsJoined: (section.perhapsJoined || []).map(([servers, position]) => ({
      servers: [...unpacked(servers)],
      assumption: positionOf(position, texts),
    })),
    notJoined: new Set(section.notJoined.map(([here, there]) => `${here}\n${there}`)),
    leastCost: section.leastCost && {
      a: unpacked(section.leastCost.a),
      b: unpacked(section.leastCost.b),
      cost: unpacked(section.leastCost.cost),
      beside: new Set(unpacked(section.leastCost.beside)),
    },
    guardText: textsOf(guards.text),
    guardCondition: textsOf(guards.condition),
    guardAsks: unpacked(guards.asks),
    guardAsksReply: unpacked(guards.asksReply),
    guardPosition: unpacked(guards.position),
    positions: guards.positions.map((row) => positionOf(row, texts)),
    shut,
    open,
    halts: section.halts.map((row) => read.halt(row)),
    visited: section.visited && read.halt(section.visited),
    possibly: section.possibly && {
      because: texts[section.possibly[0]],
      source: read.sourceAt(section.possibly, 1),
    },
    unseen: section.unseen && {
      assumption: positionOf(section.unseen.assumption, texts),
      asShown: positionOf(section.unseen.asShown, texts),
      judged: section.unseen.judged,
      links:
        section.unseen.links &&
        section.unseen.links.map(([server, zone, here, beyond, zoneName]) => ({
          server,
          zone,
          zoneName: texts[zoneName],
          here: new Set(unpacked(here)),
          beyond: new Set(unpacked(beyond)),
        })),
    },
    cutOff: new Map(
      section.cutOff.map((row) => [
        row[0],
        { rule: "cut-off", message: texts[row[1]], source: read.sourceAt(row, 2) },
      ]),
    ),
    observed: section.observed.map((row) => ({
      server: texts[row[0]],
      caution: read.caution(row, 1),
    })),
    listed: section.listed,
    longReplies: section.longReplies && {
      rule: texts[section.longReplies[0]],
      message: texts[section.longReplies[1]],
      source: null,
    },
    costs: section.costs,
    links: {
      a: unpacked(section.links.a),
      b: unpacked(section.links.b),
      oneWay: unpacked(section.links.oneWay),
    },
    openEnded: servers.name
      .map((_, number) => number)
      .filter((number) => servers.openEnded[number]),
    closed: new Map(),
    steps: new Map(),
    replySteps: new Map(),
  });
}

/** @returns {Assumption} */
const positionOf = ([rule, confidence, text, alternative], texts) => ({
  rule: texts[rule],
  confidence: texts[confidence],
  text: texts[text],
  alternative: texts[alternative],
});

/**
 * The server before each arrival, where that is the one of the other arrival over its link; -1 for
 * other points.
 */
function opposite(pointServer, link) {
  const previous = new Int32Array(pointServer.length).fill(-1);
  const first = new Map();
  link.forEach((one, point) => {
    if (one < 0) return;
    const other = first.get(one);
    if (other === undefined) first.set(one, point);
    else [previous[point], previous[other]] = [pointServer[other], pointServer[point]];
  });
  return previous;
}

function guardSetsOf(section) {
  const starts = bounds(unpacked(section.sizes));
  const all = unpacked(section.guards);
  return Array.from({ length: starts.length - 1 }, (_, set) =>
    Array.from(all.subarray(starts[set], starts[set + 1])),
  );
}

/**
 * By the server asked from, what is left open: the servers with why, and `near`, the one up to
 * which a message gets (-1: none).
 */
function leftOpenOf(section, textsOf, sources) {
  const [start, server, near] = [section.start, section.server, section.near].map(unpacked);
  const because = textsOf(section.because);
  const source = sources(section);
  const found = new Map();
  start.forEach((from, row) => {
    if (!found.has(from)) found.set(from, []);
    found.get(from).push({
      server: server[row],
      because: because[row],
      source: source(row),
      near: near[row] - 1,
    });
  });
  return found;
}
