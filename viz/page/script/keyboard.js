// The picture without a pointer: arrows go from server to server, letters do what the buttons do.

import { chooseCommand } from "./commands.js";
import { byId } from "./document.js";
import { closeRules } from "./findings.js";
import { showAnswerServers, showEverything } from "./fit.js";
import { chooseFold, foldAll, showFold } from "./folds.js";
import { closedFolds, model } from "./model.js";
import { firstDisc, inOverview, overview } from "./overview.js";
import { showAnswer } from "./saidparts.js";
import { clearSearch } from "./search.js";
import { leaveNeighbourhood, select, showNeighbourhood } from "./selection.js";
import { clearSelection } from "./sheet.js";
import { chooseDisc, closeDisc, openDisc } from "./shown.js";
import { NARROWEST, WIDEST, animation, narrow, view, visibleServers } from "./view.js";

export const ARROWS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

// The nearest of some servers (or discs) in a direction; what lies aside counts double.
function nearestTowards(all, from, [dx, dy]) {
  let best = null,
    least = Infinity;
  for (const server of all) {
    const along = (server.x - from.x) * dx + (server.y - from.y) * dy;
    const aside = Math.abs((server.x - from.x) * dy) + Math.abs((server.y - from.y) * dx);
    if (server === from || along <= 0 || aside > 2 * along) continue;
    const length = along + 2 * aside;
    if (length < least) {
      least = length;
      best = server;
    }
  }
  return best;
}

function moveTowards(direction) {
  if (inOverview() && !overview.open) {
    const disc = overview.chosen
      ? nearestTowards(overview.discs, overview.chosen, direction)
      : firstDisc();
    if (disc) chooseDisc(disc);
    return;
  }
  const from = view.fold || (view.selected && !view.selected.hidden ? view.selected : null);
  const next = from
    ? nearestTowards([...visibleServers(), ...closedFolds()], from, direction)
    : firstServer();
  if (!next) return;
  if (model.folds.includes(next)) {
    clearSelection();
    chooseFold(next);
  } else select(next);
}

function firstServer() {
  const servers = visibleServers();
  return (
    servers.find((server) => server.mark === "asked") ||
    servers.find((server) => model.about.around.includes(server.name)) ||
    servers[0] ||
    null
  );
}

export function zoom(factor) {
  const scale = Math.max(NARROWEST, Math.min(WIDEST, view.network.getScale() * factor));
  view.network.moveTo({ scale, animation: animation() });
}

export function toggleNeighbourhood() {
  if (view.selected) showNeighbourhood(view.selected, Number(byId("distance").value));
}

// One step back: from the search's or a rule's marks together with the selection that they led to,
// then the neighbourhood, the command, the answer, in this order.
function stepBack() {
  if (byId("search").value || view.found.size) {
    clearSearch();
    closeRules();
    if (view.selected || view.selectedLink) clearSelection();
  } else if (view.neighbourhood) leaveNeighbourhood();
  else if (view.fold) view.fold = null;
  else if (view.selected || view.selectedLink) clearSelection();
  else if (foldAll()) showEverything();
  else if (narrow.matches && !byId("selected").hidden) clearSelection();
  else if (inOverview() && overview.open) closeDisc();
  else if (view.command !== null) chooseCommand(view.command);
  else if (view.answer) showAnswer(null);
  else clearSelection();
}

const inDetails = (target) => target instanceof Node && byId("selected").contains(target);

export function listenToKeys() {
  byId("canvas").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROWS[event.key]) {
      moveTowards(ARROWS[event.key]);
    } else if (event.key === "Enter" && inOverview() && !overview.open) {
      openDisc(overview.chosen || firstDisc());
    } else if (event.key === "Enter" && view.fold) {
      showFold(view.fold);
    } else if (event.key === "Enter") {
      if (!view.selected && firstServer()) select(firstServer());
      const details = byId("selected");
      const first = details.querySelector("button:not(.handle)");
      if (!details.hidden && first) first.focus();
    } else if (event.key === "+" || event.key === "=") zoom(1.4);
    else if (event.key === "-") zoom(1 / 1.4);
    else if (event.key === "0") showEverything();
    else if (event.key === "a") showAnswerServers();
    else if (event.key === "n") toggleNeighbourhood();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const typing =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === "Escape") {
      stepBack();
    } else if (event.key === "n" && inDetails(event.target)) {
      toggleNeighbourhood();
    } else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      byId("search").focus();
      event.preventDefault();
    }
  });
}
