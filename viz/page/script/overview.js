// The overview of a large network: discs for zones instead of servers. A disc opens in its place,
// and its servers stand in it.

import { plural, serverCount } from "./document.js";
import { embeddedData, model, zoneAbout, zoneTitle } from "./model.js";
import { whenSaid } from "./said.js";
import { inThousands } from "./texts.js";
import { view } from "./view.js";

/**
 * A zone, or a group of servers in no zone. What the answer says of it (`shares` by mark,
 * `blocked`, `result`) is counted by `countDiscs`.
 * @typedef {{index: number, name: string, type: string, zone: any, servers: any[], links: number, unloaded: number, worst: string, errors: number, warnings: number, x: number, y: number,
 *   radius: number, hub: string, joined: number, shares: Map<string, number>, blocked: number, result: string, about: string,
 *   lines: any[]}} OverviewDisc
 * @typedef {{ends: [OverviewDisc, OverviewDisc], links: number, servers: string[], blocked:
 *   number, drawn: boolean}} Bundle
 */

/**
 * Null where the picture begins with its servers. `whole` is true while all servers are shown
 * instead, `open` is the disc whose servers are shown.
 * @type {{discs: OverviewDisc[], bundles: Bundle[], spines: {disc: OverviewDisc, pairs: OverviewDisc[][]}[], words: [string, string][], whole: boolean, open: OverviewDisc | null, chosen: OverviewDisc | null,
 *   hovered: OverviewDisc | null, widest: number | null} | null}
 */
export const overview = (() => {
  const given = embeddedData.overview;
  if (!given) return null;
  const texts = embeddedData.texts;
  const discs = given.discs.map((row, index) => {
    const [name, servers, links, worst, x, y, radius, hub, errors, warnings] = row;
    const zone = servers === 0 ? model.zones[index] : null;
    const own = zone ? zone.servers : servers.map((server) => model.byName.get(texts[server]));
    const unloaded = own.filter((server) => !server.loaded).length;
    const type = zone ? zoneAbout(zone) : "";
    const said = { shares: new Map(), blocked: 0, result: "" };
    return {
      index,
      name: texts[name],
      type,
      zone,
      servers: own,
      links,
      unloaded,
      worst: texts[worst],
      errors,
      warnings,
      x,
      y,
      radius,
      hub: texts[hub],
      ...said,
      about: "",
      lines: [],
    };
  });
  model.servers.forEach((server, index) => {
    server.home = discs[given.homes[index]];
    server.own = { x: server.x, y: server.y };
    server.discs = [];
  });
  for (const disc of discs) for (const server of disc.servers) server.discs.push(disc);
  const bundles = given.bundles.map(([first, second, links, servers]) => ({
    ends: [discs[first], discs[second]],
    links,
    servers: servers.map((server) => texts[server]),
    blocked: 0,
    drawn: true,
  }));
  // Zones that span others: their links are drawn between the discs of the others.
  const spines = given.spines.map(([disc, pairs]) => ({
    disc: discs[disc],
    pairs: pairs.map(([first, second]) => [discs[first], discs[second]]),
  }));
  const spanning = new Set(spines.map(({ disc }) => disc));
  for (const bundle of bundles) bundle.drawn = !bundle.ends.some((disc) => spanning.has(disc));
  for (const disc of discs) disc.joined = 0;
  for (const { ends } of bundles) for (const disc of ends) disc.joined += 1;
  for (const { pairs } of spines) for (const disc of pairs.flat()) disc.joined += 1;
  return {
    discs,
    bundles,
    spines,
    words: given.words,
    whole: false,
    open: null,
    chosen: null,
    hovered: null,
    widest: null,
  };
})();

// Whether discs are what is shown at the moment.
export function inOverview() {
  return overview !== null && !overview.whole && view.neighbourhood === null;
}

// Whether discs are all that is shown: no server and no link.
export function onlyDiscs() {
  return inOverview() && !overview.open;
}

// The disc that a link lies in, or null where it joins two.
function discOfLink(link) {
  if (link.inZone) return overview.discs[link.inZone.index];
  const shared = link.a.discs.filter((disc) => link.b.discs.includes(disc));
  return [link.a.home, link.b.home].find((disc) => shared.includes(disc)) || shared[0] || null;
}

/**
 * How many of each disc's servers the answer says what of, and how often the message goes no
 * further: as ``viz/overview.py`` counts.
 */
export function countDiscs() {
  if (!overview) return;
  for (const disc of overview.discs) {
    disc.shares = new Map();
    disc.blocked = 0;
    for (const server of disc.servers) {
      const mark = server.here || server.mark;
      if (mark) disc.shares.set(mark, (disc.shares.get(mark) || 0) + 1);
    }
  }
  for (const bundle of overview.bundles) bundle.blocked = 0;
  for (const block of model.blocks) {
    const at = model.byName.get(block.at);
    const disc = block.link ? discOfLink(block.link) : at && at.home;
    if (disc) disc.blocked += 1;
    else if (block.link) {
      const homes = [block.link.a.home, block.link.b.home];
      const bundle = overview.bundles.find(({ ends }) => ends.every((end) => homes.includes(end)));
      if (bundle) bundle.blocked += 1;
    }
  }
  const reach =
    model.about.question === "reach" && model.servers.some(({ mark }) => mark === "reached");
  for (const disc of overview.discs) disc.result = resultOf(disc, reach);
}

function resultOf({ shares, servers, blocked }, reach) {
  const parts = [];
  const some = (mark) => shares.get(mark) || 0;
  if (reach)
    parts.push(
      `reached ${inThousands(some("reached") + some("asked") + some("target"))}/${inThousands(servers.length)}`,
    );
  else if (servers.some(({ mark }) => mark === "asked")) parts.push("asked from here");
  for (const [mark, words] of overview.words)
    if (some(mark)) parts.push(`${words} ${inThousands(some(mark))}`);
  if (some("undetermined")) parts.push(`${inThousands(some("undetermined"))} undetermined`);
  if (blocked) parts.push(`blocked ${inThousands(blocked)} ${blocked === 1 ? "time" : "times"}`);
  return parts.join("; ");
}

/** The discs that a path passes, each with its first and last step there. */
export function discsOnPath(path) {
  const passed = [];
  const enter = (disc, number) => {
    const last = passed[passed.length - 1];
    if (last && last.disc === disc) last.to = number;
    else passed.push({ disc, from: number, to: number });
  };
  for (const step of path.steps) {
    const disc = step.link && discOfLink(step.link);
    if (disc) enter(disc, step.number);
    else if (step.from !== step.to) {
      for (const end of [step.from, step.to])
        if (model.byName.has(end)) enter(model.byName.get(end).home, step.number);
    }
  }
  return passed;
}

export function discAt({ x, y }) {
  return overview.discs.find((disc) => Math.hypot(disc.x - x, disc.y - y) <= disc.radius) || null;
}

export function firstDisc() {
  const asked = model.servers.find((server) => server.mark === "asked");
  return asked
    ? asked.home
    : overview.discs.reduce((best, disc) => (disc.radius > best.radius ? disc : best));
}

export function discTitle(disc) {
  if (!disc.zone) return disc.name;
  return disc.zone.kind === "zone"
    ? `zone ${zoneTitle(disc.zone)}`
    : `${disc.zone.kind} ${disc.name}`;
}

// The findings about a disc in words: how many errors and warnings there are.
export function discFindings({ worst, errors, warnings }) {
  const counts = [
    errors && plural(errors, "error"),
    warnings && plural(warnings, "warning"),
  ].filter(Boolean);
  if (counts.length) return `findings: ${counts.join(", ")}`;
  return worst && `worst finding: ${worst}`;
}

export function discSummary(disc) {
  return [
    `${discTitle(disc)}: ${serverCount(disc.servers.length)}`,
    disc.hub && `most neighbours: ${disc.hub}`,
    discFindings(disc),
    disc.result,
  ]
    .filter(Boolean)
    .join("; ");
}

if (overview) {
  countDiscs();
  whenSaid.push(countDiscs);
}
