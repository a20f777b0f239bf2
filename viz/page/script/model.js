// The estate as objects: servers, links and zones that know each other. What an answer says of them
// is put on them by ``said.js``.

import { rowsOf, sumsOf } from "./compact.js";

export const embeddedData = JSON.parse(document.getElementById("data").textContent);

// A row's file, line and column as ``file:line:column``.
export function placeOf(file, line, column) {
  const name = embeddedData.texts[file];
  if (!line) return name;
  return column ? `${name}:${line}:${column}` : `${name}:${line}`;
}

// Links between two servers that are drawn one by one.
const MOST_PARALLEL = 3;

export const model = (() => {
  const texts = embeddedData.texts;
  const servers = rowsOf(embeddedData.servers).map((row, index) => ({
    index,
    name: texts[row[0]],
    system: texts[row[1]],
    loaded: row[2] === 1,
    incomplete: texts[row[3]],
    zoneNames: row[4].map((zone) => texts[zone]),
    source: placeOf(row[5], row[6], row[7]),
    mark: "",
    told: null,
    x: row[10],
    y: row[11],
    shape: texts[row[12]],
    kind: texts[row[13]],
    leaving: row[14],
    behind: row[15],
    here: "",
    holds: row[17].map(([kind, count, names]) => ({
      kind: texts[kind],
      count,
      names: names.map((name) => texts[name]),
    })),
    part: "",
    links: [],
    zones: [],
    hidden: false,
    fold: null,
    beside: null,
    apart: null,
    looks: embeddedData.looks.servers[texts[row[0]]] || null,
  }));
  const byName = new Map(servers.map((server) => [server.name, server]));
  const idOf = (row) => texts[row[0]] || `${texts[row[1]]}-${texts[row[2]]}`;
  const links = rowsOf(embeddedData.links).map((row) => ({
    id: idOf(row),
    a: byName.get(texts[row[1]]),
    b: byName.get(texts[row[2]]),
    zone: texts[row[3]],
    zoneType: texts[row[4]],
    style: texts[row[5]],
    configuredBy: texts[row[6]],
    cost: row[7],
    source: placeOf(row[8], row[9], row[10]),
    // Of many parallel links one line is drawn, with their number.
    parallel: row[12] > MOST_PARALLEL ? 0 : row[11],
    parallels: row[12] > MOST_PARALLEL ? 1 : row[12],
    crowd: row[12] > MOST_PARALLEL,
    mark: "",
    told: null,
    name: texts[row[15]],
    role: texts[row[16]],
    line: texts[row[17]],
    because: texts[row[18]],
    inZone: null,
    aside: null,
    looks: embeddedData.looks.links[idOf(row)] || null,
  }));
  const linkById = new Map(links.map((link) => [link.id, link]));
  for (const link of links) {
    link.a.links.push(link);
    if (link.b !== link.a) link.b.links.push(link);
  }
  shareLines(links, servers.length);
  const zones = embeddedData.zones.map((row, index) => ({
    index,
    name: texts[row[0]],
    type: texts[row[1]],
    servers: row[2].map((name) => byName.get(texts[name])),
    links: sumsOf(row[3]).map((number) => links[number]),
    tree: row[4] === 1,
    colour: row[5],
    kind: texts[row[6]],
    mesh: row[7] === 1,
  }));
  for (const zone of zones) {
    for (const server of zone.servers) server.zones.push(zone);
    for (const link of zone.links) link.inZone = zone;
  }
  // Equal leaves that are drawn as one until they are opened.
  const folds = embeddedData.folds.map(([hub, own, label, noticed, x, y], index) => ({
    index,
    hub: servers[hub],
    servers: own.map((number) => servers[number]),
    label: texts[label],
    noticed: texts[noticed],
    x,
    y,
    open: false,
    split: false,
  }));
  for (const fold of folds) for (const server of fold.servers) server.fold = fold;
  // Where the other leaves of their hubs are meanwhile.
  for (const [number, x, y] of embeddedData.moved) {
    const server = servers[number];
    server.beside = { x, y };
    server.apart = { x: server.x, y: server.y };
    Object.assign(server, server.beside);
  }
  // Brokers and containers that servers connect to.
  const attached = (embeddedData.attached || []).map((row) => ({
    name: texts[row[0]],
    kind: texts[row[1]],
    servers: row[2].map((name) => byName.get(texts[name])),
    source: placeOf(row[3], row[4], row[5]),
    x: row[6],
    y: row[7],
    mark: "",
    told: null,
  }));
  return {
    about: embeddedData.about,
    attached,
    folds,
    servers,
    byName,
    links,
    linkById,
    zones,
    paths: [],
    blocks: [],
    causes: [],
    stopped: new Set(),
    commands: [],
    // The servers that the headline names.
    headlined: new Set(),
  };
})();

// Links that share a line are one stroke (``together``).
function shareLines(links, count) {
  const lines = new Map();
  for (const link of links) {
    const [first, second] = link.a.index < link.b.index ? [link.a, link.b] : [link.b, link.a];
    const key = (first.index * count + second.index) * MOST_PARALLEL + link.parallel;
    const together = lines.get(key);
    if (together) together.push(link);
    else lines.set(key, [link]);
    link.together = together || lines.get(key);
    link.drawnBy = link.together[0];
  }
}

export function bothWays(link) {
  return link.together.some((other) => other.a !== link.a);
}

export function otherEnd(link, server) {
  return link.a === server ? link.b : link.a;
}

// Whether a fold is drawn as one: nobody opened it, and the answer tells its servers alike.
export function isClosed(fold) {
  return !fold.open && !fold.split;
}

export function isFolded(server) {
  return server.fold !== null && isClosed(server.fold);
}

export function closedFolds() {
  return model.folds.filter((fold) => isClosed(fold) && !fold.hub.hidden);
}

// What a zone is, in a word or two: its type, or what it is where it is another set of servers.
export function zoneAbout(zone) {
  return zone.kind === "zone" ? zone.type : zone.kind;
}

export function zoneTitle(zone) {
  const about = zoneAbout(zone);
  return about ? `${zone.name} · ${about}` : zone.name;
}

// The zones and other sets that a server is in, by what they are: kinds with names, each once.
export function groupsOf(server) {
  const found = new Map();
  for (const { kind, name } of server.zones) {
    if (!found.has(kind)) found.set(kind, new Set());
    found.get(kind).add(name);
  }
  return [...found].sort().map(([kind, names]) => [kind, [...names]]);
}

export function pluralOf(noun) {
  return `${noun}${noun.endsWith("s") ? "es" : "s"}`;
}

// What the letter of a server says.
export const PART_WORDS = "parts that no longer reach each other, a letter for each";

// What a mark says, in the reader's words.
export const MARK_WORDS = {
  asked: "asked from",
  target: "asked about, reached",
  reached: "reached",
  unreachable: "not reached",
  undetermined: "the loaded files do not say",
  delivered: "delivered here",
  stored: "stored here",
  "would-deliver": "would be delivered here, if anybody subscribes",
  "one-of": "one of these, chosen at run time",
  later: "later, after something else has happened",
  "may-end": "may end here undelivered: chosen at run time",
  transit: "passed through",
  "maybe-transit": "may be passed: the way there is not certain",
  nothing: "gets nothing",
  held: "held here",
  aside: "put aside here",
  rejected: "ends here, undelivered",
  circulates: "goes round for ever",
  path: "on a path",
  blocked: "blocked",
  duplicate: "in a multi-path cycle",
  redundant: "redundant, as wanted",
  "cut-off": "cut off from others",
  apart: "no longer joined to some servers",
  lost: "out of reach",
  loses: "subscribers lose messages",
  "would-lose": "subscribers would lose messages, if there are any",
  elsewhere: "messages put here end elsewhere",
  better: "messages put here end better",
  gains: "joined to more, or subscribers get more",
  "would-gain": "subscribers would get more, if there are any",
  comes: "comes with the change",
  goes: "goes with the change",
  altered: "altered by the change",
  refused: "will not be",
  down: "fails",
  critical: "if it fails, something is lost",
  affects: "if it fails, messages end elsewhere or wait",
  harmless: "if it fails, others lose nothing",
};
