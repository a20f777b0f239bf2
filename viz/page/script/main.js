// Puts the page together: vis-network holds the camera, the nodes' places and the pointer;
// everything visible is drawn here.

import {
  fillBlocks,
  fillPaths,
  fillServerList,
  fillZones,
  serverSummary,
  whenPath,
} from "./answer.js";
import { drawAttached } from "./attached.js";
import { refreshBends } from "./bends.js";
import { drawBlocks, placeStops } from "./blocks.js";
import { colours, darkPreferred, readColours } from "./colours.js";
import { fillCommands } from "./commands.js";
import { pointOn } from "./curves.js";
import { listenToCuts } from "./cuts.js";
import { drawDiscTexts, drawOverview, shownCrossings } from "./discs.js";
import { fitBoxes } from "./boxfit.js";
import { signPlace } from "./boxes.js";
import { byId, hint } from "./document.js";
import { badgeAt, badges, listenToFindings, unbadged } from "./findings.js";
import { firstView, showAnswerServers, showEverything } from "./fit.js";
import { pictureGeometry } from "./geometry.js";
import { finishWork, waitForIdle } from "./idle.js";
import { listenToKeys, toggleNeighbourhood, zoom } from "./keyboard.js";
import { drawFolds, foldAt, showFold } from "./folds.js";
import { drawLabels } from "./labels.js";
import { drawLeaving } from "./leaving.js";
import { fillDueLegend, fillLegend, refillLegend } from "./legend.js";
import { curveBetween, drawLinks, drawPath, drawSelectedLink, drawWays, linkAt } from "./links.js";
import { insideNow, listenToInside, refreshInside } from "./inside.js";
import { closedFolds, embeddedData, isFolded, model } from "./model.js";
import { discAt, discSummary, inOverview, overview } from "./overview.js";
import { listenToPlaces } from "./places.js";
import { texts } from "./room.js";
import { answered, whenSaid } from "./said.js";
import { showAnswer } from "./saidparts.js";
import { listenToSearch } from "./search.js";
import {
  leaveNeighbourhood,
  listenToNames,
  select,
  selectLink,
  showNeighbourhood,
} from "./selection.js";
import { drawServers, hasOwnLooks, serverNode } from "./servers.js";
import { clearSelection, fitWindow, showDetails, showSign, signAt } from "./sheet.js";
import {
  discDetails,
  openDisc,
  openFolds,
  showAllServers,
  showZones,
  splitFolds,
} from "./shown.js";
import {
  drawDue,
  measureView,
  onScreen,
  redraw,
  showServers,
  view,
  visibleServers,
} from "./view.js";
import { drawZones, shapeZone, zoneShapes } from "./zones.js";

function drawUnder(context) {
  view.due = false;
  measureView();
  refreshBends();
  fitBoxes(context);
  if (inOverview()) drawOverview(context);
  drawZones(context);
  drawLinks(context);
  drawLeaving(context);
  drawAttached(context);
  drawSelectedLink(context);
  drawWays(context);
  drawPath(context);
  placeStops();
  drawBlocks(context);
  drawFolds(context);
  drawServers(context);
}

function drawOver(context) {
  drawLabels(context);
  if (inOverview()) drawDiscTexts(context);
  if (window.topographDrawn !== undefined) return;
  performance.mark("topograph-drawn");
  // Milliseconds from the start of the navigation to the first complete drawing.
  window.topographDrawn = performance.now();
  setTimeout(takePointer);
  waitForIdle();
}

// What the pointer hits comes after the first drawing, which a thousand nodes would delay.
function takePointer() {
  fillDueLegend();
  view.nodes.add(
    model.servers
      .filter((server) => !server.hidden && !view.nodes.get(server.name))
      .map(serverNode),
  );
  document.documentElement.dataset.drawn = "true";
}

function makeNetwork() {
  for (const server of model.servers)
    server.hidden =
      inOverview() || isFolded(server) || Boolean(server.looks && server.looks.hidden);
  zoneShapes();
  const drawnByVis = embeddedData.added.edges.length
    ? model.servers
    : model.servers.filter(hasOwnLooks);
  view.nodes = new vis.DataSet([...drawnByVis.map(serverNode), ...embeddedData.added.nodes]);
  const edges = new vis.DataSet(embeddedData.added.edges);
  // The legend takes its part of the window first: what is left is the canvas, of which vis-network
  // takes the size when it starts.
  refillLegend();
  const options = {
    autoResize: true,
    physics: false,
    layout: { improvedLayout: false },
    nodes: { font: { color: colours.text } },
    edges: { smooth: false, color: { inherit: false, color: colours.line } },
    interaction: {
      hover: true,
      keyboard: false,
      multiselect: false,
      selectConnectedEdges: false,
      zoomSpeed: 0.6,
      tooltipDelay: 200,
    },
  };
  view.network = new vis.Network(byId("canvas"), { nodes: view.nodes, edges }, options);
  // The element around it takes the keys; this one would be a second stop without a name.
  for (const inner of byId("canvas").querySelectorAll("[tabindex]")) inner.tabIndex = -1;
  view.network.on("beforeDrawing", drawUnder);
  view.network.on("afterDrawing", drawOver);
  firstView();
}

function listenToPointer() {
  view.network.on("click", ({ nodes, pointer }) => {
    const badge = badgeAt(pointer.DOM.x, pointer.DOM.y);
    if (badge) {
      const [about, other] = badge.abouts;
      if (other) showServers(badge.abouts);
      else if (about.together) selectLink(about);
      else select(about);
      return;
    }
    const sign = signAt(pointer.DOM.x, pointer.DOM.y);
    if (sign) {
      showSign(sign);
      return;
    }
    if (nodes.length) {
      const server = model.byName.get(nodes[0]);
      if (server) select(server);
      return;
    }
    const disc = inOverview() ? discAt(pointer.canvas) : null;
    if (disc && disc !== overview.open) {
      openDisc(disc);
      return;
    }
    const fold = foldAt(pointer.canvas);
    if (fold) {
      showFold(fold);
      return;
    }
    const link = linkAt(pointer.canvas.x, pointer.canvas.y);
    if (link) selectLink(link);
    else if (disc) showDetails(discDetails(disc));
    else clearSelection();
  });
  if (overview) byId("canvas").addEventListener("pointermove", hoverDisc);
  view.network.on("doubleClick", ({ nodes }) => {
    const server = nodes.length ? model.byName.get(nodes[0]) : null;
    if (server) showNeighbourhood(server, Number(byId("distance").value));
  });
  view.network.on("hoverNode", ({ node }) => {
    view.hovered = model.byName.get(node) || null;
    if (view.hovered && !view.neighbourhood)
      hint([view.hovered.name, serverSummary(view.hovered)].filter(Boolean).join(": "));
    redraw();
  });
  view.network.on("blurNode", () => {
    view.hovered = null;
    if (!view.neighbourhood) hint("");
    redraw();
  });
  view.network.on("dragging", ({ nodes }) => {
    for (const name of nodes) moved(model.byName.get(name));
  });
}

function hoverDisc(event) {
  const corner = byId("canvas").getBoundingClientRect();
  const at = { x: event.clientX - corner.left, y: event.clientY - corner.top };
  const disc =
    inOverview() && event.pointerType !== "touch" ? discAt(view.network.DOMtoCanvas(at)) : null;
  const hovered = disc === overview.open ? null : disc;
  if (hovered === overview.hovered) return;
  overview.hovered = hovered;
  byId("canvas").classList.toggle("opens", hovered !== null);
  if (!view.hovered) hint(hovered ? discSummary(hovered) : "");
  redraw();
}

// A server was dragged: its zones follow.
function moved(server) {
  if (!server) return;
  const { x, y } = view.network.getPosition(server.name);
  server.x = x;
  server.y = y;
  if (inOverview()) return;
  if (overview) server.own = { x, y };
  refreshBends();
  for (const zone of server.zones) shapeZone(zone);
}

function listenToButtons() {
  byId("zoom-in").addEventListener("click", () => zoom(1.4));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 1.4));
  byId("fit").addEventListener("click", showEverything);
  byId("fit-answer").addEventListener("click", showAnswerServers);
  byId("neighbours").addEventListener("click", toggleNeighbourhood);
  byId("distance").addEventListener("change", () => {
    if (view.neighbourhood)
      showNeighbourhood(view.neighbourhood.server, Number(byId("distance").value));
  });
  byId("all").addEventListener("click", leaveNeighbourhood);
  byId("zones-or-servers").addEventListener("click", () => {
    if (view.neighbourhood) leaveNeighbourhood();
    clearSelection();
    if (overview.whole) showZones();
    else {
      showAllServers();
      showEverything();
    }
  });
  byId("servers").addEventListener("toggle", fillServerList);
  byId("legend").addEventListener("toggle", fillDueLegend);
  if (byId("zone-panel")) byId("zone-panel").addEventListener("toggle", fillZones);
  byId("theme").addEventListener("click", () => useTheme(colours.dark ? "light" : "dark"));
  darkPreferred.addEventListener("change", () => useTheme(colours.chosen));
}

function useTheme(chosen) {
  colours.chosen = chosen;
  if (chosen) document.documentElement.dataset.theme = chosen;
  readColours();
  showTheme();
  fillLegend();
  refreshInside();
  // For what a user added, which vis-network draws.
  view.network.setOptions({
    nodes: { font: { color: colours.text } },
    edges: { color: colours.line },
  });
  redraw();
}

function showTheme() {
  byId("theme").textContent = colours.dark ? "Light" : "Dark";
  byId("theme").setAttribute("aria-pressed", String(colours.dark));
}

// Paper is white, whatever the screen is.
function listenToPrinting() {
  let before = null;
  window.addEventListener("beforeprint", () => {
    finishWork();
    before = colours.chosen;
    useTheme("light");
    // Paper does not wait for a frame.
    drawDue();
  });
  window.addEventListener("afterprint", () => {
    if (before === null) delete document.documentElement.dataset.theme;
    useTheme(before);
  });
}

readColours();
showTheme();
fitWindow();
listenToInside();
fillPaths();
// The first view keeps servers from under the buttons: which there are has to be known.
byId("fit-answer").hidden = !answered || model.servers.length < 30;
byId("zones-or-servers").hidden = !overview;
makeNetwork();
fillBlocks();
fillCommands();
listenToPointer();
listenToButtons();
listenToSearch();
listenToKeys();
listenToPlaces();
listenToPrinting();
listenToCuts();
listenToNames();
listenToFindings();
whenSaid.push(splitFolds);
whenPath.push((path) => {
  const names = path ? new Set(path.servers) : new Set();
  openFolds(model.folds.filter((fold) => fold.servers.some(({ name }) => names.has(name))));
});
if (byId("servers").open) fillServerList();

// What the picture shows at the moment, for scripts that look at the page from outside, tests among
// them.
window.topograph = {
  showAnswer,
  shown: () => shownNow(),
  inside: () => insideNow(),
  geometry: () => {
    drawDue();
    return pictureGeometry();
  },
  // Where the camera is at the moment: a movement has ended when it stays there.
  camera: () => ({ scale: view.network.getScale(), ...view.network.getViewPosition() }),
  // The overview: what is open, what is said of each disc, and where discs are on the page.
  overview: () =>
    inOverview() && {
      open: overview.open && overview.open.name,
      chosen: overview.chosen && overview.chosen.name,
      discs: overview.discs.map(({ name, servers, result, worst, errors, warnings, blocked }) => ({
        name,
        servers: servers.length,
        result,
        worst,
        errors,
        warnings,
        blocked,
      })),
      ways: shownCrossings().map((way) => way.map(({ disc, from, to }) => [disc.name, from, to])),
    },
  // The folds that are drawn as one, and where they are on the page.
  folds: () => closedFolds().map((fold) => ({ text: fold.label, ...onPage(fold) })),
  disc: (name) => onPage(overview.discs.find((disc) => disc.name === name)),
  // Where the sign of a server, or a part t of the link of a step or block between two, is on the page, in
  // pixels.
  server: (name) => {
    drawDue();
    return onPage(signPlace(model.byName.get(name)));
  },
  between: (from, to, t) => {
    const link = model.links.find(
      ({ a, b }) => (a.name === from && b.name === to) || (a.name === to && b.name === from),
    );
    return onPage(pointOn(curveBetween(link, from, to), t));
  },
};

function shownNow() {
  drawDue();
  return {
    servers: visibleServers().map((server) => server.name),
    selected: view.selected && view.selected.name,
    link: view.selectedLink && view.selectedLink.id,
    path: view.path && view.path.title,
    paths: view.paths.map((path) => path.title),
    marks: Object.fromEntries(
      model.servers.filter((server) => server.mark).map((server) => [server.name, server.mark]),
    ),
    command: view.command,
    found: [...view.found].map((server) => server.name),
    dark: colours.dark,
    scale: view.scale,
    texts: texts.map((text) => ({ ...text })),
    unbadged: unbadged.count,
    badges: badges.map(({ about, text, severity, x, y, size }) => ({
      about: about.name || about.id,
      text,
      severity,
      x,
      y,
      size,
    })),
    colours: {
      path: colours.path,
      twice: colours.twice,
      bad: colours.bad,
      doubt: colours.doubt,
      good: colours.good,
      canvas: colours.canvas,
    },
  };
}

function onPage({ x, y }) {
  drawDue();
  const corner = byId("canvas").getBoundingClientRect();
  const at = onScreen(x, y);
  return { x: at.x + corner.left, y: at.y + corner.top };
}
