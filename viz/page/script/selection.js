// The selected server or link, its details, and the neighbourhood of a server.

import { choosePath, serverSummary } from "./answer.js";
import { attachedList } from "./attached.js";
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
import { findingList } from "./findings.js";
import { leaving, leavingWords } from "./leaving.js";
import { LINK_WORDS } from "./links.js";
import { MARK_WORDS, bothWays, groupsOf, isFolded, model, otherEnd, pluralOf } from "./model.js";
import { inOverview, overview } from "./overview.js";
import { serverTitle } from "./servernames.js";
import { clearSelection, keepInSight, showDetails } from "./sheet.js";
import {
  hideServers,
  openDisc,
  openFolds,
  overviewChanged,
  putBack,
  showUsual,
  showZone,
} from "./shown.js";
import { measureView, redraw, showServers, view, visibleServers } from "./view.js";

export function select(server, { jump = false } = {}) {
  view.selected = server;
  view.selectedLink = null;
  view.fold = null;
  if (!server) {
    clearSelection();
    return;
  }
  if (server.hidden) leaveNeighbourhood();
  if (isFolded(server)) openFolds([server.fold]);
  if (server.hidden && inOverview()) openDisc(server.home, { details: false });
  view.network.selectNodes([server.name]);
  const path = model.paths.find(
    (one) => !one.shown && one.servers[one.servers.length - 1] === server.name,
  );
  if (path) choosePath(path);
  showDetails(serverDetails(server));
  byId("around").hidden = false;
  say(
    [server.name, serverSummary(server), linkCount(server.links.length)].filter(Boolean).join("; "),
  );
  if (jump && view.scale < 0.7) {
    view.network.moveTo({ position: { x: server.x, y: server.y }, scale: 0.7, animation: false });
    measureView();
  }
  keepInSight(server);
  redraw();
}

// Names of servers and zones, wherever they stand as buttons.
export function listenToNames() {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button.server") : null;
    if (!(button instanceof HTMLElement)) return;
    const { server, zone } = button.dataset;
    if (server !== undefined) select(model.byName.get(server), { jump: true });
    if (zone !== undefined) showZone(model.zones[zone]);
  });
}

export function selectLink(link) {
  view.selected = null;
  view.selectedLink = link;
  view.network.unselectAll();
  showDetails(linkDetails(link));
  byId("around").hidden = view.neighbourhood === null;
  const names = link.together
    .map((one) => one.name)
    .filter(Boolean)
    .join(", ");
  const about = [
    names,
    link.told.note || MARK_WORDS[link.mark] || link.role || LINK_WORDS[link.style],
  ];
  say(`link ${link.a.name} to ${link.b.name}; ${about.filter(Boolean).join("; ")}`);
  redraw();
}

function serverDetails(server) {
  const pairs = [];
  if (server.told.note || server.mark)
    pairs.push(["Answer", server.told.note || MARK_WORDS[server.mark]]);
  pairs.push(["System", server.system]);
  if (server.kind !== "server") pairs.push(["Kind", server.kind]);
  if (server.shape === "host") pairs.push(["Why", server.incomplete]);
  else if (!server.loaded) pairs.push(["Files", "not loaded: what this server does is not known"]);
  else if (server.incomplete) pairs.push(["Files", `incomplete: ${server.incomplete}`]);
  for (const [kind, names] of groupsOf(server))
    pairs.push([capital(names.length === 1 ? kind : pluralOf(kind)), names.join(", ")]);
  if (server.source) pairs.push(["Source", element("span", { class: "source" }, server.source)]);
  const gone = leaving(server);
  if (gone.links) pairs.push(["Not in this picture", leavingWords(gone)]);
  const most = 40;
  const links = server.links.slice(0, most).map((link) => {
    const other = otherEnd(link, server);
    const kind = link.role || (link.style === "plain" ? "" : link.style);
    const about = [
      link.name,
      link.zone,
      kind,
      link.cost === null ? "" : `cost ${link.cost}`,
      link.told.note,
    ];
    const way = link.style === "one-way" ? (link.a === server ? "to " : "from ") : "";
    return element(
      "li",
      {},
      way,
      serverButton(other.name),
      element("span", { class: "muted" }, ` ${about.filter(Boolean).join(", ")}`),
    );
  });
  if (server.links.length > most)
    links.push(element("li", { class: "muted" }, `and ${server.links.length - most} more`));
  return [
    element("h2", {}, serverTitle(server)),
    definitions(pairs),
    ...findingList(server),
    ...attachedList(server),
    ...heldList(server),
    element("h3", {}, linkCount(server.links.length)),
    element("ul", { class: "links" }, ...links),
  ];
}

// What a server holds, such as its queues: how many of each kind, and the first names.
function heldList(server) {
  return server.holds.flatMap(({ kind, count, names }) => [
    element("h3", {}, plural(count, kind, pluralOf(kind))),
    element(
      "p",
      { class: "held" },
      names.join(", "),
      count > names.length ? ` and ${count - names.length} more` : "",
    ),
  ]);
}

function linkDetails(link) {
  const joint = link.style === "one-way" && !bothWays(link) ? " to " : " and ";
  const title = element(
    "h2",
    {},
    serverButton(link.a.name),
    element("span", { class: "to" }, joint),
    serverButton(link.b.name),
  );
  if (link.together.length === 1) return [title, ...oneLink(link)];
  const each = link.together.flatMap((one, number) => [
    one.style === "one-way"
      ? element(
          "h3",
          {},
          serverButton(one.a.name),
          element("span", { class: "to" }, " to "),
          serverButton(one.b.name),
        )
      : element("h3", {}, `${number + 1} of ${link.together.length}`),
    ...oneLink(one),
  ]);
  return [title, element("p", { class: "muted" }, linkCount(link.together.length)), ...each];
}

function oneLink(link) {
  const pairs = [];
  if (link.told.note || link.mark) pairs.push(["Answer", link.told.note || MARK_WORDS[link.mark]]);
  if (link.name) pairs.push(["Name", link.name]);
  if (link.zone)
    pairs.push(["Zone", link.zoneType ? `${link.zone} (${link.zoneType})` : link.zone]);
  else if (link.inZone) pairs.push([capital(link.inZone.kind), link.inZone.name]);
  pairs.push(["Kind", link.role || (link.style === "plain" ? "link" : link.style)]);
  if (link.configuredBy && !link.role) pairs.push(["Configured by", link.configuredBy]);
  if (link.because) pairs.push(["Why", link.because]);
  if (link.cost !== null) pairs.push(["Cost", String(link.cost)]);
  pairs.push(["Source", element("span", { class: "source" }, link.source)]);
  return [definitions(pairs), ...findingList(link)];
}

// Only what is so many links from a server, until everything is shown again.
export function showNeighbourhood(server, distance) {
  const near = new Map([[server, 0]]);
  for (const [at, hops] of near) {
    if (hops === distance) continue;
    for (const link of at.links) {
      const other = otherEnd(link, at);
      if (!near.has(other)) near.set(other, hops + 1);
    }
  }
  if (overview) putBack();
  view.neighbourhood = { server, distance };
  hideServers((other) => !near.has(other), { anew: near });
  if (overview) overviewChanged();
  byId("all").hidden = false;
  byId("around").hidden = false;
  hint(`${serverCount(near.size)} around ${server.name}`);
  say(
    `${serverCount(near.size)} within ${plural(distance, "link")} of ${server.name}; Escape shows all again`,
  );
  showServers([...near.keys()]);
}

export function leaveNeighbourhood() {
  if (view.neighbourhood === null) return;
  view.neighbourhood = null;
  showUsual();
  byId("all").hidden = true;
  byId("around").hidden = view.selected === null;
  if (inOverview()) return;
  hint("");
  say("All servers are shown");
  showServers(visibleServers());
}
