// Another answer on the picture and beside it: what each part of the page says of it.

import { blocksAsText, fillBlocks, fillPaths, pathAsText, refillServerList } from "./answer.js";
import { briefNodes } from "./cuts.js";
import { byId, element, hint, say } from "./document.js";
import { firstView } from "./fit.js";
import { refillLegend } from "./legend.js";
import { model } from "./model.js";
import { inOverview, overview } from "./overview.js";
import { answered, pageSaid, takeSaid, whenSaid } from "./said.js";
import { hasOwnLooks, serverNode } from "./servers.js";
import { hideDetails } from "./sheet.js";
import { showUsual, showZones } from "./shown.js";
import { redraw, view } from "./view.js";

/** @import { Said } from "./said.js" */

/**
 * Shows another answer in the picture and beside it, or, with null, the one that the page came
 * with. ``look`` moves the camera there.
 * @param {Said | null} said
 * @param {{look?: boolean}} [how]
 */
export function showAnswer(said, { look = true } = {}) {
  view.answer = said;
  // Drawn once, at the end.
  view.held = true;
  view.command = null;
  view.path = null;
  view.paths = [];
  view.selected = null;
  view.selectedLink = null;
  view.hovered = null;
  if (view.network.getSelectedNodes().length) view.network.unselectAll();
  hideDetails();
  hint("");
  if (view.neighbourhood) {
    view.neighbourhood = null;
    showUsual({ moving: false });
    byId("all").hidden = true;
  } else if (inOverview() && overview.open) showZones({ moving: false });
  byId("around").hidden = true;
  takeSaid(said || pageSaid);
  fillSaid(said);
  view.nodes.update(
    model.servers
      .filter((server) => hasOwnLooks(server) && view.nodes.get(server.name))
      .map(serverNode),
  );
  byId("canvas").setAttribute("aria-label", model.about.title);
  byId("fit-answer").hidden = !answered || model.servers.length < 30;
  refillServerList();
  for (const listener of whenSaid) listener(said);
  refillLegend();
  say(said ? said.verdict : "The answer is taken off the picture");
  view.held = false;
  if (look) firstView({ moving: true });
  redraw();
}

const FACT_WORDS = { assumption: "assumed", inexact: "exact: false", open: "left open" };

// The parts of the page that an answer fills, as the page came with them.
const ownParts = new Map();

function fillSaid(said) {
  for (const part of document.querySelectorAll("[data-said]")) {
    if (!ownParts.has(part))
      ownParts.set(part, { children: [...part.childNodes], hidden: part.hidden });
    const own = ownParts.get(part);
    const filled = said ? saidParts(said)[part.dataset.said]() : own.children;
    part.replaceChildren(...filled);
    part.hidden = said ? !filled.length : own.hidden;
  }
  fillPaths();
  if (!said) fillBlocks();
}

/**
 * Lays an answer out where nobody sees it, and takes it away again: browsers prepare the code and
 * the fonts of what they meet for the first time.
 * @param {Said} said
 * @param {{drawn?: boolean}} [how] - whether it is drawn too
 */
export function rehearse(said, { drawn = false } = {}) {
  if (view.answer || view.command !== null) return;
  takeSaid(said);
  if (drawn) view.network.redraw();
  const parts = Object.values(saidParts(said)).flatMap((part) => part());
  const steps = model.paths.slice(0, 1).flatMap(pathAsText);
  takeSaid(pageSaid);
  // In the same turn: the browser shows only what is drawn last.
  if (drawn) view.network.redraw();
  const place = element("div", { class: "answer unseen" }, ...parts, ...steps);
  document.body.append(place);
  place.getBoundingClientRect();
  place.remove();
}

// What fills each of these parts: children, none where the answer has nothing of the kind.
function saidParts(said) {
  return {
    title: () => briefNodes(said.title),
    verdict: () => briefNodes(said.verdict),
    told: () => said.told.map((text) => element("li", {}, ...briefNodes(text))),
    facts: () =>
      said.facts.map(([kind, text]) =>
        element(
          "li",
          { class: `fact ${kind}` },
          element("b", {}, FACT_WORDS[kind] || kind),
          " ",
          ...briefNodes(text),
        ),
      ),
    paths: () =>
      said.paths.length
        ? [
            element("h2", {}, said.paths.length === 1 ? "Path" : "Paths"),
            element("div", { id: "path-choice" }),
            element("div", { id: "path-steps" }),
          ]
        : [],
    blocks: () => (said.blocks.length ? blocksAsText(said) : []),
    // Lists that only the page's own answer has.
    own: () => [],
  };
}
