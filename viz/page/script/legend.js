// The legend names what is in the picture and nothing else, drawn by the same code as the picture.

import { fillZones } from "./answer.js";
import { attachedEntries } from "./attached.js";
import { colours } from "./colours.js";
import { trace } from "./curves.js";
import { overviewLegend } from "./discs.js";
import { byId, element } from "./document.js";
import { findingEntries } from "./findings.js";
import { whenIdle } from "./idle.js";
import {
  LINK_SIGNS,
  LINK_WORDS,
  arrowHead,
  headless,
  isUnsure,
  linkColour,
  pathColour,
  stepsToBlocks,
} from "./links.js";
import { costsShown } from "./linktexts.js";
import { MARK_WORDS, PART_WORDS, bothWays, closedFolds, model } from "./model.js";
import { inOverview, overview } from "./overview.js";
import { answered, changes } from "./said.js";
import {
  drawZoneSample,
  outlineEntries,
  sample,
  sampleLink,
  sampleMarkedLink,
  sampleText,
  sampleWay,
} from "./samples.js";
import { drawServer } from "./servers.js";
import { numberSign } from "./stepnumbers.js";
import { blockWords, kindOf, stopColour, stopSign } from "./stopsigns.js";

function legendEntries() {
  const entries = inOverview() ? overviewLegend() : [];
  if (inOverview() && !overview.open) return entries;
  // The shape that marks are shown in: that of all servers, or a circle where there are several.
  const shapes = [...new Set(model.servers.map((server) => server.shape))].filter(
    (one) => one !== "host",
  );
  const shape = shapes.length === 1 ? shapes[0] : "circle";
  if (!answered || shapes.length > 1) {
    const kinds = new Map(
      model.servers.filter((server) => server.loaded).map((server) => [server.kind, server.shape]),
    );
    for (const [kind, own] of [...kinds].sort()) {
      entries.push([
        sample((context, x, y) =>
          drawServer(context, { mark: "", shape: own, loaded: true, incomplete: "" }, x, y, 6, 1),
        ),
        kind,
      ]);
    }
  }
  const marks = new Set(
    model.servers
      .filter((server) => server.loaded)
      .flatMap((server) => (server.here ? [server.mark, server.here] : [server.mark])),
  );
  const order = [
    "asked",
    "target",
    "reached",
    "delivered",
    "stored",
    "would-deliver",
    "one-of",
    "later",
    "transit",
    "maybe-transit",
    "held",
    "aside",
    "rejected",
    "circulates",
    "may-end",
    "unreachable",
    "nothing",
    "down",
    "critical",
    "affects",
    "harmless",
    "cut-off",
    "loses",
    "would-lose",
    "elsewhere",
    "apart",
    "goes",
    "undetermined",
    "duplicate",
    "better",
    "gains",
    "would-gain",
    "comes",
    "redundant",
    "",
  ];
  if (model.servers.some(({ part }) => part))
    entries.push([
      sample((context, x, y) =>
        drawServer(
          context,
          { mark: "cut-off", part: "A", shape, loaded: true, incomplete: "" },
          x,
          y,
          8,
          1,
        ),
      ),
      PART_WORDS,
    ]);
  const lettered = (server) =>
    server.part && (server.mark === "cut-off" || server.mark === "apart");
  for (const mark of order) {
    if (!marks.has(mark)) continue;
    if (model.servers.every((server) => server.mark !== mark || lettered(server))) {
      if (!model.servers.some(({ here }) => here === mark)) continue;
    }
    const words = { ...MARK_WORDS, "": "not part of the answer" }[mark];
    if (mark === "" && (!answered || shapes.length > 1)) continue;
    entries.push([
      sample((context, x, y) =>
        drawServer(
          context,
          { mark, shape, loaded: true, incomplete: "" },
          x,
          y,
          mark === "" ? 6 : 7,
          1,
        ),
      ),
      words,
    ]);
  }
  const host = model.servers.find((server) => server.shape === "host");
  if (host)
    entries.push([
      sample((context, x, y) =>
        drawServer(context, { mark: "", shape: "host", loaded: false, incomplete: "" }, x, y, 7, 1),
      ),
      host.kind,
    ]);
  if (model.servers.some((server) => !server.loaded && server.shape !== "host")) {
    const { mark, shape: own } = model.servers.find(
      (server) => !server.loaded && server.shape !== "host",
    );
    entries.push([
      sample((context, x, y) =>
        drawServer(context, { mark, shape: own, loaded: false, incomplete: "" }, x, y, 7, 1),
      ),
      "files not loaded",
    ]);
  }
  if (model.servers.some((server) => server.loaded && server.incomplete)) {
    entries.push([
      sample((context, x, y) =>
        drawServer(context, { mark: "", shape, loaded: true, incomplete: "x" }, x, y, 7, 1),
      ),
      "files incomplete",
    ]);
  }
  if (closedFolds().length)
    entries.push([
      sample((context, x, y) => {
        const server = { mark: "", shape, loaded: true, incomplete: "" };
        context.globalAlpha = 0.4;
        drawServer(context, server, x + 5, y - 3, 6, 1);
        context.globalAlpha = 1;
        drawServer(context, server, x, y, 6, 1);
      }),
      `${model.about.nouns[1]} that are alike: click to see each`,
    ]);
  const roles = new Map(model.links.filter((link) => link.role).map((link) => [link.role, link]));
  for (const [role, { line, style }] of [...roles].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    const own = model.links.filter((link) => link.role === role && link.drawnBy === link);
    const without = own.find(headless);
    const meshed = without ? `all in the ${without.inZone.kind} are linked, both ways` : "";
    const all = own.every(headless);
    if (!all) entries.push([sample(sampleLink(style, colours.line, 1.4, line)), role]);
    if (without) {
      const words = all ? `${role}: ${meshed}` : `${role} without arrow heads: ${meshed}`;
      entries.push([sample(sampleLink("plain", colours.line, 1.4, line)), words]);
    }
  }
  if (
    model.links.some(
      (link) =>
        link.drawnBy === link && link.style === "one-way" && bothWays(link) && !headless(link),
    )
  ) {
    const draw = (context, x, y) => {
      sampleLink("one-way", colours.line)(context, x, y);
      arrowHead(context, { x: 9, y }, Math.PI, 6, colours.line);
    };
    entries.push([sample(draw), "both ways: at least one link each way"]);
  }
  for (const style of [
    "active-active",
    "active-passive",
    "plain",
    "uplink",
    "standby",
    "idle",
    "unresolved",
    "one-way",
  ]) {
    if (!model.links.some((link) => link.style === style && !link.role)) continue;
    const words = ["plain", "uplink", "standby", "idle", "unresolved"].includes(style)
      ? LINK_WORDS[style]
      : `${style}: ${LINK_WORDS[style]}`;
    const colour = style === "unresolved" ? colours.doubt : colours.line;
    entries.push([sample(sampleLink(style, colour)), words]);
  }
  entries.push(...attachedEntries());
  entries.push(...findingEntries());
  if (model.links.some((link) => link.crowd))
    entries.push([sampleText("×50"), "so many parallel links, drawn as one"]);
  if (costsShown) entries.push([sampleText("cost 10"), "cost of the link"]);
  if (model.servers.some((server) => server.leaving)) {
    entries.push([
      sampleText("+3 → 17"),
      "links to 3 servers that are not in this picture, 17 with all behind them",
    ]);
  }
  const followed = model.paths.some((path) => path.said.state);
  if (model.paths.length) {
    const draw = (context, x, y) => {
      sampleLink("plain", colours.path, 5)(context, x, y);
      numberSign(context, x, y, "1");
    };
    entries.push([
      sample(draw),
      followed
        ? "way before the change and its steps"
        : model.paths.some((path) => path.together)
          ? "first path and its steps"
          : "path and its steps",
    ]);
  }
  if (model.paths.some((path) => path.together)) {
    const draw = (context, x, y) => {
      const shape = new Path2D();
      trace(shape, { x1: 3, y1: y, x2: 41, y2: y, cx: x, cy: y, bent: false });
      context.strokeStyle = pathColour(1);
      context.lineWidth = 3.5;
      context.setLineDash([8, 5]);
      context.stroke(shape);
      context.setLineDash([]);
      numberSign(context, x, y, "1", 11, 1);
    };
    entries.push([
      sample(draw),
      followed ? "way after the change and its steps" : "second path and its steps",
    ]);
  }
  for (const mark of LINK_SIGNS) {
    if (model.links.some((link) => link.mark === mark))
      entries.push([sample(sampleMarkedLink(mark)), `link: ${MARK_WORDS[mark]}`]);
  }
  const toBlocks = stepsToBlocks();
  for (const unsure of [false, true]) {
    if (!toBlocks.some((step) => isUnsure(step) === unsure)) continue;
    entries.push([
      sample(sampleWay(unsure)),
      unsure ? "steps that are not certain" : "way to a block and its steps",
    ]);
  }
  const covered = new Set(toBlocks.map((step) => step.link));
  for (const mark of [
    "duplicate",
    "redundant",
    "undetermined",
    "reached",
    "delivered",
    "transit",
  ]) {
    if (!model.links.some((link) => link.mark === mark && !covered.has(link))) continue;
    entries.push([
      sample(sampleLink("plain", linkColour({ mark }), 2.6)),
      `link: ${MARK_WORDS[mark]}`,
    ]);
  }
  for (const kind of ["stop", "open", "wait"]) {
    // The sign on a link that will not be has its entry already.
    const own = model.blocks.filter(
      (block) => kindOf([block]) === kind && !(block.link && block.link.mark === "refused"),
    );
    if (!own.length) continue;
    const draw = (context, x, y) => {
      const alone = changes || kind === "wait";
      if (!alone) sampleLink("plain", stopColour(kind), 4)(context, x, y);
      stopSign(context, alone ? x : x + 6, y, 9, kind);
    };
    entries.push([sample(draw), blockWords(kind)]);
  }
  if (inOverview()) return entries;
  for (const [zone, words] of outlineEntries())
    entries.push([sample((context, x, y) => drawZoneSample(context, zone, x, y)), words]);
  return entries;
}

// Whether the legend is of an answer, or of a picture, before this one.
const legend = { due: false };

// A folded legend takes no room: it is filled when nothing else is to be done, or when it is opened.
export function refillLegend() {
  if (byId("legend").open) {
    fillLegend();
    return;
  }
  if (!legend.due) whenIdle(fillDueLegend);
  legend.due = true;
  fillZones();
  fillGroupSigns();
}

export function fillDueLegend() {
  if (legend.due) fillLegend();
}

export function fillLegend() {
  legend.due = false;
  byId("legend-entries").replaceChildren(
    ...legendEntries().map(([drawn, words]) =>
      element("div", { class: "entry" }, drawn, element("span", {}, words)),
    ),
  );
  fillZones();
  fillGroupSigns();
}

// A list has the sign of its servers or links in front of its title.
function fillGroupSigns() {
  document.querySelectorAll("h2[data-mark]").forEach((title) => {
    const { mark } = title.dataset;
    title.querySelectorAll("canvas").forEach((drawn) => drawn.remove());
    const part = model.servers.some((server) => server.part) ? "A" : "";
    const onLinks = model.links.some((link) => link.mark === mark);
    if (onLinks && LINK_SIGNS.has(mark)) title.prepend(sample(sampleMarkedLink(mark)));
    else if (mark)
      title.prepend(
        sample((context, x, y) =>
          drawServer(
            context,
            { mark, part: mark === "cut-off" ? part : "", shape: "circle", loaded: true },
            x,
            y,
            7,
            1,
          ),
        ),
      );
  });
}
