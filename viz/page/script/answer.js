// The answer as text: the paths with their steps, the blocks, and the list of servers.

import { byId, element, plural, say, serverButton, serverCount } from "./document.js";
import { whenIdle } from "./idle.js";
import { LINK_SIGNS } from "./links.js";
import { MARK_WORDS, groupsOf, model, pluralOf, zoneAbout } from "./model.js";
import { MANY_BLOCKS } from "./room.js";
import { drawZoneSample, sample } from "./samples.js";
import { kindOf } from "./stopsigns.js";
import { redraw, showServers, view } from "./view.js";

/** What is to be done when another path is chosen, or none: other scripts add theirs. */
export const whenPath = [];

// The paths that are looked at with one: those that are drawn together, of a message that is followed
// before and after a change one of each state.
function pathsWith(path) {
  if (!path.together) return [path];
  const all = model.paths.filter((other) => other.together === path.together);
  if (!path.said.state) return all;
  return ["before", "after"]
    .map((state) =>
      state === path.said.state ? path : all.find((other) => other.said.state === state),
    )
    .filter(Boolean);
}

export function choosePath(path, { show = false } = {}) {
  view.path = path;
  view.paths = path ? pathsWith(path) : [];
  const choice = byId("choose-path");
  const listed =
    path && path.together ? model.paths.find((other) => other.together === path.together) : path;
  if (choice) choice.value = listed ? String(listed.index) : "";
  byId("path-steps").replaceChildren(
    ...(path
      ? view.paths.flatMap(pathAsText)
      : [element("p", { class: "muted" }, "Choose a path, or a server that is reached.")]),
  );
  for (const listener of whenPath) listener(path);
  if (path && show) {
    showServers(
      view.paths
        .flatMap((one) => one.servers)
        .map((name) => model.byName.get(name))
        .filter((server) => server && !server.hidden),
    );
    say(path.together || `${path.title}: ${plural(path.steps.length, "step")}`);
  }
  if (view.network) redraw();
}

export function pathAsText(path, index) {
  return [element("h3", {}, path.title), stepsAsText(path.steps, index ? "steps second" : "steps")];
}

function stepsAsText(steps, look) {
  const list = element("ol", { class: look });
  const meant = new Set();
  for (const step of steps) {
    const about = [
      step.zone && `zone ${step.zone}`,
      step.rule && `rule ${step.rule}`,
      step.confidence && `confidence ${step.confidence}`,
    ];
    if (step.cost !== null) about.push(`cost ${step.cost}`);
    // Once: the steps of a path mostly have one rule.
    const meaning = meant.has(step.rule) ? null : model.rules.get(step.rule);
    meant.add(step.rule);
    list.append(
      element(
        "li",
        { value: step.number },
        element(
          "span",
          { class: "ends" },
          serverButton(step.from),
          ...(step.to === step.from
            ? []
            : [element("span", { class: "to" }, " to "), serverButton(step.to)]),
        ),
        element("span", { class: "rule" }, about.filter(Boolean).join(", ")),
        meaning ? element("span", { class: "meaning" }, `${meaning[0]}. ${meaning[1]}`) : null,
        ...step.guards.map((guard, happens) => guardOf(step, guard, happens)),
        element("span", { class: "source" }, step.source),
      ),
    );
  }
  return list;
}

// A condition of a step; of a trace what happens there, which its object in the picture of the
// servers' insides says too.
function guardOf(step, guard, happens) {
  if (!(step.inside || []).length) return element("span", { class: "guard" }, guard);
  return element(
    "button",
    { type: "button", class: "guard", "data-step": step.number, "data-happens": happens },
    guard,
  );
}

// Entries of a long list that nobody sees before it is opened: so many stand there at once, and so
// many more a piece.
const FILLED_AT_ONCE = 40;

// The other entries of a list, unless another list has taken its place meanwhile.
function fillLater(list, things, entry) {
  for (let from = 0; from < things.length; from += FILLED_AT_ONCE) {
    const some = things.slice(from, from + FILLED_AT_ONCE);
    whenIdle(() => {
      if (list.isConnected) list.append(...some.map(entry));
    });
  }
}

export function fillPaths() {
  if (!model.paths.length) return;
  if (model.paths.length > 1) {
    // Paths that are looked at together are one choice.
    const first = model.paths.filter(
      (path, index) =>
        !path.together || !index || model.paths[index - 1].together !== path.together,
    );
    const option = (path) => element("option", { value: path.index }, path.together || path.title);
    const choice = element(
      "select",
      {
        id: "choose-path",
        "aria-label": "Path",
        on: { change: () => choosePath(model.paths[choice.value] || null, { show: true }) },
      },
      element("option", { value: "" }, `no path chosen (of ${first.length})`),
      ...first.slice(0, FILLED_AT_ONCE).map(option),
    );
    byId("path-choice").replaceChildren(choice);
    fillLater(choice, first.slice(FILLED_AT_ONCE), option);
  }
  choosePath(model.paths.find((path) => path.shown) || null);
}

export function fillBlocks() {
  const list = document.querySelectorAll(".blocks > li");
  model.causes.slice(0, list.length).forEach((block, index) => {
    if (list[index].dataset.live) return;
    list[index].dataset.live = "true";
    const ends = [serverButton(block.at)];
    if (block.to !== block.at)
      ends.push(element("span", { class: "to" }, " to "), serverButton(block.to));
    list[index].querySelector(".ends").replaceChildren(...ends);
    list[index].addEventListener("click", (event) => {
      if (!(event.target instanceof HTMLButtonElement)) showServers(blockEnds(block));
    });
  });
}

const BLOCKS_LISTED = 400;

// The blocks of an answer that the page did not come with, as ``panel.html`` lists those of its
// own.
export function blocksAsText(said) {
  const stopped = said.paths.length ? "Where it is blocked" : "Why not";
  const decided = model.blocks.some((block) => block.certain) ? stopped : "What cannot be decided";
  const waits = kindOf(model.blocks) === "wait";
  const ended = waits ? "Where it waits" : "Where it stops";
  const title = said.question === "trace" ? ended : decided;
  const causes = model.causes.slice(0, BLOCKS_LISTED);
  const parts = [
    element("h2", {}, `${title} `, element("span", { class: "count" }, model.blocks.length)),
    element("ol", { class: "blocks" }, ...causes.slice(0, MANY_BLOCKS).map(blockAsText)),
  ];
  if (causes.length > MANY_BLOCKS) {
    const more = element("ol", { class: "blocks" });
    fillLater(more, causes.slice(MANY_BLOCKS), blockAsText);
    parts.push(
      element(
        "details",
        { class: "more" },
        element("summary", {}, `${model.causes.length - MANY_BLOCKS} more`),
        more,
      ),
    );
  }
  return parts;
}

export function blockAsText(block) {
  const ends = element("span", { class: "ends" }, serverButton(block.at));
  if (block.to !== block.at)
    ends.append(element("span", { class: "to" }, " to "), serverButton(block.to));
  const listener = {
    click: (event) => event.target instanceof HTMLButtonElement || showServers(blockEnds(block)),
  };
  const guard = element("span", { class: "guard" }, block.guard);
  if (block.predicate && block.value) guard.append(" ", element("i", {}, `is ${block.value}`));
  return element(
    "li",
    { class: { stop: null, open: "uncertain", wait: "waits" }[kindOf([block])], on: listener },
    ends,
    element("span", { class: "reason" }, block.reason),
    block.guard ? guard : null,
    element("span", { class: "source" }, block.source),
    block.way.length ? wayAsText(block) : null,
    block.repeated.length ? repeatsAsText(block) : null,
  );
}

function wayAsText(block) {
  const summary = element("summary", {}, `the way there: ${plural(block.way.length, "step")}`);
  return element("details", { class: "way" }, summary, stepsAsText(block.way, "steps"));
}

function repeatsAsText(block) {
  const entry = (other) => {
    const ends = element("span", { class: "ends" }, serverButton(other.at));
    if (other.to !== other.at)
      ends.append(element("span", { class: "to" }, " to "), serverButton(other.to));
    return element(
      "li",
      {},
      ends,
      element("span", {}, other.reason),
      element("span", { class: "source" }, other.source),
    );
  };
  const summary = element("summary", {}, `${block.repeated.length} more that only repeat it`);
  const list = element("ul", { class: "rows" }, ...block.repeated.slice(0, MANY_BLOCKS).map(entry));
  fillLater(list, block.repeated.slice(MANY_BLOCKS), entry);
  return element("details", { class: "alike" }, summary, list);
}

function blockEnds(block) {
  return [block.at, block.to]
    .map((name) => model.byName.get(name))
    .filter((server) => server && !server.hidden);
}

// An answer says other things of the servers than the one before.
export function refillServerList() {
  byId("server-list").replaceChildren();
  if (byId("servers").open) fillServerList();
}

// The list is made when it is opened: a thousand entries that nobody looks at would only delay the
// first drawing.
export function fillServerList() {
  const list = byId("server-list");
  if (list.childElementCount) return;
  list.append(
    ...model.servers.map((server) =>
      element(
        "li",
        {},
        serverButton(server.name),
        element("span", { class: "muted" }, ` ${serverSummary(server)}`),
      ),
    ),
  );
}

export function fillZones() {
  if (!byId("zone-panel") || !byId("zone-panel").open) return;
  const entries = model.zones.map((zone) => {
    const swatch = sample((context, x, y) => drawZoneSample(context, zone, x, y));
    const name = element(
      "button",
      { type: "button", class: "server", "data-zone": zone.index },
      zone.name,
    );
    const type = zone.kind === model.about.nouns[4] ? zone.type : zoneAbout(zone);
    const about = ` ${[type, serverCount(zone.servers.length)].filter(Boolean).join(", ")}`;
    return element(
      "li",
      {},
      swatch,
      element("span", {}, name, element("span", { class: "muted" }, about)),
    );
  });
  byId("zone-list").replaceChildren(...entries);
}

export function serverSummary(server) {
  const said = [server.told.note || MARK_WORDS[server.mark] || ""];
  if (server.shape === "host") said.push(server.kind);
  else if (!server.loaded) said.push("files not loaded");
  else if (server.incomplete) said.push("incomplete");
  for (const [kind, names] of groupsOf(server))
    said.push(`${names.length === 1 ? kind : pluralOf(kind)} ${names.join(", ")}`);
  return said.filter(Boolean).join("; ");
}

// What the answer is about, to be shown closely.
export function answerServers() {
  const names = new Set(view.paths.flatMap((path) => path.servers));
  for (const block of model.causes)
    for (const name of [block.at, block.to, ...block.way.map((step) => step.from)]) names.add(name);
  for (const name of model.about.around) names.add(name);
  const told = [
    "asked",
    "target",
    "duplicate",
    "cut-off",
    "loses",
    "would-lose",
    "elsewhere",
    "better",
    "held",
    "circulates",
    "gains",
    "would-gain",
    "comes",
    "goes",
    "down",
  ];
  for (const server of model.servers) if (told.includes(server.mark)) names.add(server.name);
  for (const link of model.links)
    if (LINK_SIGNS.has(link.mark)) names.add(link.a.name).add(link.b.name);
  return [...names]
    .map((name) => model.byName.get(name))
    .filter((server) => server && !server.hidden);
}
