// What is said of the estate: the answer that the page came with, and any other that is put on the
// picture instead of it.

import { rowsOf, sumsOf } from "./compact.js";
import { embeddedData, model, placeOf } from "./model.js";

/**
 * One answer, in the shapes of ``viz/scene/records.py``. ``link`` of steps and blocks is a link's id, ""
 * where the link is not in the picture; ``source`` is a text (``file:line:column``).
 * @typedef {{number: number, from: string, to: string, link: string, zone: string, rule: string, confidence: string, guards: string[],
 *   source: string, cost: number | null, inside?: StationSaid[], over?: string}} StepSaid ``inside`` is
 *   what the message passes in server ``from`` before it goes on, over ``over``
 * @typedef {{index: number, kind: string, name: string, mark: string, sure: string, server: string, passed: {text: string, rule: string,
 *   confidence: string, source: string}[], moved?: string}} StationSaid ``moved`` is what of it only
 *   one of two states of the network has
 * @typedef {{title: string, servers: string[], steps: StepSaid[], shown: boolean, together:
 *   string, end?: string, ending?: string, reply?: boolean, state?: string}} PathSaid ``end`` is what becomes of the
 *   message where a path of a trace ends, ``state`` of which state of the network the path is
 * @typedef {{at: string, to: string, link: string, reason: string, guard: string, value: string, source: string, certain: boolean, waits?: boolean,
 *   predicate: boolean, way: StepSaid[], repeats: number}} BlockSaid ``way`` leads to the block,
 * numbered; ``repeats`` is the place of the block that it only repeats, -1 for a cause
 * @typedef {{mark: string, note: string, here?: string, part?: string}} MarkSaid ``here`` is what
 *   becomes of the message at a server that is asked from, ``part`` the letter of its part of a
 *   network that falls apart
 * @typedef {object} Said
 * @property {string} question
 * @property {string} title - the question as a sentence
 * @property {string} verdict - the answer as a sentence
 * @property {boolean} exact
 * @property {string[]} told
 * @property {[string, string][]} facts - each a kind (assumption, warning, inexact, open, note) and a
 *   text
 * @property {string[]} around - servers that the answer is about
 * @property {Map<string, MarkSaid>} servers - by name
 * @property {Map<string, MarkSaid>} links - by id
 * @property {Map<string, MarkSaid>} [attached] - brokers and containers, by name
 * @property {PathSaid[]} paths
 * @property {BlockSaid[]} blocks
 * @property {Map<string, string[]>} [rules] - name and sentence of rules, which stand with the steps
 */

// The answer that the page came with. Its facts stand in the markup.
export const pageSaid = (() => {
  const texts = embeddedData.texts;
  const letters = new Map(
    embeddedData.parts.flatMap(([letter, differences]) =>
      sumsOf(differences).map((index) => [index, letter]),
    ),
  );
  const linkAt = (number) => (number < 0 ? "" : model.links[number].id);
  const stations = (embeddedData.stations || []).map((row, index) => ({
    index,
    kind: texts[row[0]],
    name: texts[row[1]],
    mark: texts[row[2]],
    sure: texts[row[3]],
    server: texts[row[4]],
    passed: row[5].map((one) => ({
      text: texts[one[0]],
      rule: texts[one[1]],
      confidence: texts[one[2]],
      source: placeOf(one[3], one[4], one[5]),
    })),
    moved: row[6] === undefined ? "" : texts[row[6]],
  }));
  const steps = rowsOf(embeddedData.steps).map((row) => ({
    number: row[0],
    from: texts[row[1]],
    to: texts[row[2]],
    link: linkAt(row[3]),
    zone: texts[row[4]],
    rule: texts[row[5]],
    confidence: texts[row[6]],
    guards: row[7].map((guard) => texts[guard]),
    source: placeOf(row[8], row[9], row[10]),
    cost: row[11],
    inside: (row[12] || []).map((station) => stations[station]),
    over: row[13] === undefined ? "" : texts[row[13]],
  }));
  return {
    question: embeddedData.about.question,
    title: embeddedData.about.title,
    verdict: embeddedData.about.verdict,
    around: embeddedData.about.around,
    servers: new Map(
      rowsOf(embeddedData.servers)
        .map((row, index) => [
          model.servers[index].name,
          {
            mark: texts[row[8]],
            note: texts[row[9]],
            here: texts[row[16]],
            part: letters.get(index) || "",
          },
        ])
        .filter(([, { mark, note }]) => mark || note),
    ),
    attached: new Map(
      (embeddedData.attached || []).map((row) => [
        texts[row[0]],
        { mark: texts[row[8]], note: texts[row[9]] },
      ]),
    ),
    links: new Map(
      rowsOf(embeddedData.links)
        .map((row, index) => [
          model.links[index].id,
          { mark: texts[row[13]], note: texts[row[14]] },
        ])
        .filter(([, { mark, note }]) => mark || note),
    ),
    paths: embeddedData.paths.map((row) => ({
      title: texts[row[0]],
      shown: row[1] === 1,
      servers: row[2].map((name) => texts[name]),
      steps: row[3].map((step) => steps[step]),
      together: row.length > 4 ? texts[row[4]] : "",
      end: row.length > 5 ? texts[row[5]] : "",
      ending: row.length > 5 ? texts[row[6]] : "",
      reply: row.length > 5 && row[7] === 1,
      state: row.length > 8 ? texts[row[8]] : "",
    })),
    blocks: embeddedData.blocks.map((row) => ({
      at: texts[row[0]],
      to: texts[row[1]],
      link: linkAt(row[2]),
      reason: texts[row[3]],
      guard: texts[row[4]],
      value: texts[row[5]],
      source: placeOf(row[6], row[7], row[8]),
      certain: row[9] === 1,
      predicate: row[10] === 1,
      way: row[11].map((step) => steps[step]),
      repeats: row[12],
      waits: row[13] === 1,
    })),
    // Of each command of a change script the servers that are apart from others after it.
    commands: embeddedData.commands.map((marks) =>
      marks.map(([name, mark, pairs, part]) => ({
        server: model.byName.get(texts[name]),
        mark: texts[mark],
        pairs,
        part,
      })),
    ),
  };
})();

// Beside an answer, what the answer says nothing about steps back.
export let answered = false;
// Whether the answer is about a change: links that are refused are then drawn whole.
export let changes = false;

const UNSAID = { mark: "", note: "" };
// Of links that share a line the one is drawn of which the answer says most.
const LINK_ORDER = [
  "down",
  "critical",
  "refused",
  "goes",
  "comes",
  "altered",
  "path",
  "duplicate",
  "delivered",
  "reached",
  "transit",
  "undetermined",
  "redundant",
  "",
  "blocked",
];

// Puts what is said of a server or link on it.
export function tell(thing, told = UNSAID) {
  thing.told = told;
  thing.mark = told.mark;
  thing.here = told.here || "";
  thing.part = told.part || "";
}

// Of thousands of paths few are looked at: the title and the steps of each are made when they are
// needed.
class PathDrawn {
  constructor(said, index, stepOf) {
    this.said = said;
    this.index = index;
    this.servers = said.servers;
    this.shown = said.shown;
    this.together = said.together;
    this.stepOf = stepOf;
    this.own = null;
  }

  get title() {
    return this.said.title;
  }

  get steps() {
    this.own ??= this.said.steps.map(this.stepOf);
    return this.own;
  }
}

// The servers whose names are words of a text. Linear in servers times the text.
function namedIn(text) {
  const inWord = /[\p{L}\p{N}_]/u;
  const isNamed = ({ name }) => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const before = text[at - 1] || "",
        after = text[at + name.length] || "";
      if (!inWord.test(before) && !inWord.test(after)) return true;
    }
    return false;
  };
  return new Set(model.servers.filter(isNamed));
}

// Puts an answer on the estate; nothing is drawn yet.
export function takeSaid(said) {
  model.about = { ...model.about, question: said.question, title: said.title, around: said.around };
  for (const server of model.servers) tell(server, said.servers.get(server.name));
  for (const link of model.links) tell(link, said.links.get(link.id));
  for (const one of model.attached) tell(one, said.attached && said.attached.get(one.name));
  const weight = (link) =>
    link.looks
      ? -1
      : LINK_ORDER.includes(link.mark)
        ? LINK_ORDER.indexOf(link.mark)
        : LINK_ORDER.length;
  for (const link of model.links) {
    if (link.together.length === 1 || link.together[0] !== link) continue;
    const first = link.together.reduce((best, one) => (weight(one) < weight(best) ? one : best));
    for (const one of link.together) one.drawnBy = first;
  }
  const steps = new Map();
  const stepOf = (step) => {
    if (!steps.has(step)) steps.set(step, { ...step, link: model.linkById.get(step.link) || null });
    return steps.get(step);
  };
  model.paths = said.paths.map((path, index) => new PathDrawn(path, index, stepOf));
  model.blocks = said.blocks.map((block, index) => {
    const { way = [], repeats = -1 } = block;
    return {
      ...block,
      index,
      repeats,
      link: model.linkById.get(block.link) || null,
      way: way.map(stepOf),
      repeated: [],
    };
  });
  for (const block of model.blocks)
    if (block.repeats >= 0) model.blocks[block.repeats].repeated.push(block);
  model.causes = model.blocks.filter((block) => block.repeats < 0);
  model.stopped = new Set(model.blocks.filter(({ at, to }) => at !== to).map(({ link }) => link));
  model.commands = said.commands || [];
  model.rules = said.rules || new Map();
  model.headlined = namedIn(`${said.title}\n${said.verdict}`);
  answered = said.question !== "estate";
  changes = said.question === "audit";
}

takeSaid(pageSaid);

/** What is to be done when another answer is shown: other scripts add theirs. */
export const whenSaid = [];
