// Which servers are shown: all, those of the open disc of an overview, or only discs.

import { boxAround } from "./curves.js";
import {
  byId,
  capital,
  definitions,
  element,
  hint,
  linkCount,
  plural,
  say,
  serverButton,
  serverCount,
} from "./document.js";
import { refillLegend } from "./legend.js";
import { MARK_WORDS, isClosed, isFolded, model, otherEnd } from "./model.js";
import { discFindings, discSummary, discTitle, inOverview, overview } from "./overview.js";
import { serverNode } from "./servers.js";
import { clearSelection, showDetails } from "./sheet.js";
import { animation, narrow, onScreen, redraw, showServers, view } from "./view.js";
import { zoneShapes } from "./zones.js";

// A disc's servers as they stand to each other in the whole picture, made small enough for the
// disc.
export function openDisc(disc, { details = true } = {}) {
  putBack();
  overview.open = disc;
  overview.chosen = disc;
  overview.hovered = null;
  const { left, right, top, bottom } = boxAround(disc.servers, 0);
  const x = (left + right) / 2,
    y = (top + bottom) / 2;
  const far = Math.max(1, ...disc.servers.map((server) => Math.hypot(server.x - x, server.y - y)));
  const scale = Math.min(1, (disc.radius * 0.8) / far);
  const inside = new Set(disc.servers);
  for (const server of disc.servers)
    Object.assign(server, {
      x: disc.x + (server.x - x) * scale,
      y: disc.y + (server.y - y) * scale,
    });
  // Names of servers that come near to each other would hide them.
  view.size = Math.max(0.25, Math.min(1, (scale * nearestTwo(disc.servers, scale)) / 40));
  hideServers((server) => !inside.has(server), { anew: inside });
  overviewChanged();
  showDisc(disc);
  if (details && !narrow.matches) showDetails(discDetails(disc));
  say(
    `${discTitle(disc)} is open: ${serverCount(disc.servers.length)}. ${disc.result} Escape closes it.`,
  );
}

// The distance between the two nearest of some servers, before they were moved together.
function nearestTwo(servers, scale) {
  const order = [...servers].sort((one, other) => one.x - other.x);
  let least = 100 * scale;
  for (let index = 0; index < order.length; index += 1) {
    for (
      let next = index + 1;
      next < order.length && order[next].x - order[index].x < least;
      next += 1
    ) {
      least = Math.min(
        least,
        Math.hypot(order[next].x - order[index].x, order[next].y - order[index].y),
      );
    }
  }
  return least / scale;
}

export function closeDisc() {
  const { open } = overview;
  clearSelection();
  showZones();
  overview.chosen = open;
  say(`${discTitle(open)} is closed`);
}

export function showZones({ moving = true } = {}) {
  putBack();
  overview.whole = false;
  overview.open = null;
  hideServers(() => true);
  overviewChanged();
  showDiscs(overview.discs, { moving });
  hint(
    `${plural(overview.discs.length, "disc")} for ${serverCount(model.servers.length)}: click one to open it`,
  );
}

export function showAllServers() {
  putBack();
  overview.whole = true;
  overview.open = null;
  hideServers(() => false);
  overviewChanged();
  hint("");
  say("All servers are shown");
}

// What is shown while there is no neighbourhood: everything, or in an overview the discs.
export function showUsual(options) {
  if (overview && !overview.whole) showZones(options);
  else hideServers(() => false);
}

// Every server where it stands in the whole picture.
export function putBack() {
  view.size = 1;
  if (overview.open) for (const server of overview.open.servers) Object.assign(server, server.own);
}

export function overviewChanged() {
  const button = byId("zones-or-servers");
  button.hidden = false;
  button.textContent = overview.whole
    ? capital(model.about.nouns[5])
    : `All ${model.about.nouns[1]}`;
  button.title = overview.whole
    ? `Show a disc for each ${model.about.nouns[4]}`
    : "Show every server in its place";
  refillLegend();
  redraw();
}

export function showDiscs(discs, { moving = true } = {}) {
  showServers(
    discs.flatMap(({ x, y, radius }) => [
      { x: x - radius, y: y - radius },
      { x: x + radius, y: y + radius },
    ]),
    { moving, closest: 1.7, around: 0 },
  );
}

function showDisc(disc) {
  showDiscs([disc]);
}

export function chooseDisc(disc) {
  overview.chosen = disc;
  const at = onScreen(disc.x, disc.y);
  if (at.x < 20 || at.y < 60 || at.x > view.width - 20 || at.y > view.height - 20) {
    view.network.moveTo({ position: { x: disc.x, y: disc.y }, animation: animation() });
  }
  hint(discSummary(disc));
  say(`${discSummary(disc)}. Enter opens it`);
  redraw();
}

export function discDetails(disc) {
  const pairs = [];
  if (disc.result) pairs.push(["Answer", disc.result]);
  if (disc.type) pairs.push(["Type", disc.type]);
  if (disc.worst) pairs.push(["Findings", discFindings(disc).replace("findings: ", "")]);
  if (disc.unloaded) pairs.push(["Files", `of ${serverCount(disc.unloaded)} not loaded`]);
  pairs.push(["Inside", `${serverCount(disc.servers.length)}, ${linkCount(disc.links)}`]);
  const most = 40;
  const joined = overview.bundles.filter(({ ends }) => ends.includes(disc));
  const beside = joined.slice(0, most).map((bundle) => {
    const other = bundle.ends[0] === disc ? bundle.ends[1] : bundle.ends[0];
    const over = [
      bundle.servers.slice(0, 3).join(", ") + (bundle.servers.length > 3 ? ", …" : ""),
      bundle.links ? linkCount(bundle.links) : "",
    ];
    const button = element(
      "button",
      { type: "button", class: "server", on: { click: () => openDisc(other) } },
      other.name,
    );
    return element(
      "li",
      {},
      button,
      element("span", { class: "muted" }, ` over ${over.filter(Boolean).join(", ")}`),
    );
  });
  if (joined.length > most)
    beside.push(element("li", { class: "muted" }, `and ${joined.length - most} more`));
  const own = disc.servers
    .slice(0, most)
    .map((server) =>
      element(
        "li",
        {},
        serverButton(server.name),
        element(
          "span",
          { class: "muted" },
          ` ${server.told.note || MARK_WORDS[server.mark] || ""}`,
        ),
      ),
    );
  if (disc.servers.length > most)
    own.push(element("li", { class: "muted" }, `and ${disc.servers.length - most} more`));
  return [
    element("h2", {}, disc.zone ? `${capital(disc.zone.kind)} ${disc.name}` : disc.name),
    definitions(pairs),
    element("h3", {}, "Joined with"),
    element("ul", { class: "links" }, ...beside),
    element("h3", {}, serverCount(disc.servers.length)),
    element("ul", { class: "links" }, ...own),
  ];
}

// A zone of the lists and of the search.
export function showZone(zone) {
  if (inOverview()) openDisc(overview.discs[zone.index]);
  else showServers(zone.servers.filter((server) => !server.hidden));
}

// Which servers are hidden for another reason than that they are folded.
const wanted = { hidden: () => false };

/**
 * Opens folds, or folds again: the other leaves of a hub are at their own places while one of its
 * folds is open.
 * @param {any[]} folds
 */
export function openFolds(folds, open = true) {
  for (const fold of folds) fold.open = open;
  if (folds.length) foldAnew();
}

// After folds were opened or closed, or the answer tells their servers apart.
function foldAnew() {
  const opened = new Set(model.folds.filter((fold) => !isClosed(fold)).map(({ hub }) => hub));
  const anew = new Map();
  for (const server of model.servers) {
    if (!server.beside) continue;
    const [link] = server.links;
    const at = opened.has(otherEnd(link, server)) ? server.apart : server.beside;
    Object.assign(server, at);
    anew.set(server, 0);
  }
  if (view.nodes) hideServers(wanted.hidden, { anew });
}

// Whether the answer that is shown tells the servers of each fold alike.
export function splitFolds() {
  const named = new Set(model.paths.filter((path) => path.shown).flatMap((path) => path.servers));
  for (const block of model.blocks)
    for (const name of [block.at, block.to, ...block.way.map((step) => step.to)]) named.add(name);
  let changed = false;
  for (const fold of model.folds) {
    const told = new Set(
      fold.servers.map((server) =>
        [server.mark, server.here, ...server.links.map((link) => link.mark)].join(" "),
      ),
    );
    const alone = ["asked", "target", "down", "comes", "goes"];
    const split =
      told.size > 1 ||
      fold.servers.some(({ name, mark }) => named.has(name) || alone.includes(mark));
    if (split !== fold.split) changed = true;
    fold.split = split;
  }
  if (changed) foldAnew();
}

// ``anew`` has servers that stand elsewhere now.
export function hideServers(hidden, { anew = null } = {}) {
  const changed = [];
  wanted.hidden = hidden;
  for (const server of model.servers) {
    const now = hidden(server) || isFolded(server) || Boolean(server.looks && server.looks.hidden);
    const differs = now !== server.hidden || (!now && anew !== null && anew.has(server));
    server.hidden = now;
    if (differs)
      changed.push(
        overview || model.folds.length ? serverNode(server) : { id: server.name, hidden: now },
      );
  }
  view.nodes.update(changed);
  zoneShapes();
  redraw();
}
