// Another answer on the picture and beside it: what each part of the page says of it.

import { blocksAsText, fillBlocks, fillPaths, pathAsText, refillServerList } from "./answer.js";
import { KINDS, grouped, headline } from "./basis.js";
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
import { standingOf } from "./standing.js";
import { inThousands } from "./texts.js";
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

// Characters of a verdict above which it is smaller, so that it takes two lines at most.
const LONG = 95;

// The parts of the page that an answer fills, as the page came with them.
const ownParts = new Map();

function fillSaid(said) {
  for (const part of document.querySelectorAll("[data-said]")) {
    if (!ownParts.has(part))
      ownParts.set(part, {
        children: [...part.childNodes],
        hidden: part.hidden,
        standing: part.dataset.standing || "",
      });
    const own = ownParts.get(part);
    const filled = said ? saidParts(said)[part.dataset.said]() : own.children;
    part.replaceChildren(...filled);
    part.hidden = said ? !filled.length : own.hidden;
    if (part.dataset.said !== "verdict") continue;
    part.dataset.standing = said ? standingOf(said) : own.standing;
    part.classList.toggle("long", part.textContent.length > LONG);
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

function textList(look, texts) {
  const rows = texts.map((text) => element("li", {}, ...briefNodes(text)));
  return element("ul", { class: look }, ...rows);
}

// What an answer rests on, as ``panel.html`` lists it.
function basisAsText(facts) {
  const rows = grouped(facts).map(({ kind, words, texts }) => {
    const many = texts.length > 1;
    const kindWords = Object.hasOwn(KINDS, kind) ? KINDS[kind] : kind;
    return element(
      "li",
      { class: `fact ${kind}` },
      element("b", {}, kindWords),
      many ? ` ${inThousands(texts.length)} × ` : " ",
      ...briefNodes(words),
      many
        ? element(
            "details",
            { class: "alike" },
            element("summary", {}, `all ${inThousands(texts.length)}`),
            textList("", texts),
          )
        : null,
    );
  });
  return [
    element("h2", {}, "What the answer rests on"),
    element("ul", { class: "facts" }, ...rows),
  ];
}

// What fills each of these parts: children, none where the answer has nothing of the kind.
function saidParts(said) {
  return {
    title: () => briefNodes(said.title),
    verdict: () => briefNodes(said.verdict),
    told: () => (said.told.length ? [textList("told", said.told)] : []),
    headline: () => (said.facts.length ? briefNodes(headline(said.facts)) : []),
    facts: () => (said.facts.length ? basisAsText(said.facts) : []),
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
