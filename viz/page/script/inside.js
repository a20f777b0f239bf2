// What the message of a trace passes inside the servers of the chosen path: a column a server, below
// its name the objects that have the message, in order, joined by arrows. ``viz/scene/inside.py``
// says the same, ``viz/svg/lanes.py`` draws it in files.

import { choosePath, whenPath } from "./answer.js";
import { byId, definitions, element, say, serverButton } from "./document.js";
import { MARK_WORDS, model } from "./model.js";
import { whenSaid } from "./said.js";
import { sample } from "./samples.js";
import { drawServer } from "./servers.js";
import { showDetails, whenDetails } from "./sheet.js";
import { stopSign } from "./stopsigns.js";
import { readableText } from "./texts.js";
import { view } from "./view.js";

const FORKS_SHOWN = 3;

// The stations that are shown, each with its button and the row that it is in (one for each path that
// is shown), and the number of the one that is chosen.
const shown = { places: [], chosen: -1 };

// The servers of a path with their stations, as ``columns`` of ``viz/scene/inside.py``.
function columnsOf(path) {
  const columns = [];
  let number = 0;
  for (const step of path.said.steps) {
    let places = [];
    let server = step.from;
    for (const station of step.inside || []) {
      const at = station.server || step.from;
      if (at !== server) {
        if (places.length || columns.length) columns.push({ server, places, leaves: null });
        server = at;
        places = [];
      }
      places.push({ step, station, server, number: number++ });
    }
    if (!places.length && !columns.length) continue;
    columns.push({ server, places, leaves: step.to === step.from ? null : step });
  }
  const last = columns[columns.length - 1];
  if (last && last.leaves) columns.push({ server: last.leaves.to, places: [], leaves: null });
  return number ? columns : [];
}

const placesOf = (path) => columnsOf(path).flatMap((column) => column.places);

// Where other paths leave a path, by the first station that they do not share with it.
function forksOf(path) {
  const own = placesOf(path);
  const found = new Map();
  for (const other of model.paths) {
    const { said } = other;
    if (other === path || !alike(said, path.said)) continue;
    const theirs = placesOf(other);
    if (!own.length || !theirs.length) continue;
    const at = sharedBy(own, theirs);
    if (at >= own.length || (at === 0 && !sameObject(own[0], theirs[0]))) continue;
    const key = at < theirs.length ? keyOf(theirs[at]) : "";
    if (!found.has(at)) found.set(at, new Map());
    if (!found.get(at).has(key)) found.get(at).set(key, other);
  }
  return new Map([...found].map(([at, ways]) => [at, [...ways.values()]]));
}

// Whether two paths are ways of one message, in one state of the network.
function alike(one, other) {
  const of = ({ reply, state, together }) => [Boolean(reply), state || "", together].join("\n");
  return of(one) === of(other);
}

const keyOf = ({ step, station }) => `${step.from}\n${step.number}\n${station.index}`;

function sharedBy(own, theirs) {
  const most = Math.min(own.length, theirs.length);
  for (let at = 0; at < most; at += 1) if (keyOf(own[at]) !== keyOf(theirs[at])) return at;
  return most;
}

function sameObject(one, other) {
  return (
    one.step.from === other.step.from &&
    one.station.kind === other.station.kind &&
    one.station.name === other.station.name
  );
}

// How a path that leaves another stands to it.
const FORK_WORDS = {
  "one-of": "or",
  "may-end": "or",
  later: "later",
  undetermined: "perhaps",
};

function markSign(mark) {
  const sign = sample((context, x, y) => {
    if (mark === "blocked") stopSign(context, x, y, 9, "stop");
    else drawServer(context, { mark, shape: "circle", loaded: true, incomplete: "" }, x, y, 7, 1);
  });
  sign.dataset.mark = mark;
  return sign;
}

// How certain it is that the message gets to a station, in the words of its box.
const DOUBTS = {
  "one-of": "one of several ways",
  later: "later",
  undetermined: "not certain",
};

// What of a way before a change, and after it, the other one does not have.
const MOVED_WORDS = { goes: "only before", comes: "only after", altered: "acts differently" };

// ``before`` is the station before it: words that stand there are not said again.
function stationButton(place, before, row) {
  const { station } = place;
  const number = shown.places.length;
  const moved = MOVED_WORDS[station.moved] || "";
  const doubt = before && before.mark === station.mark ? "" : DOUBTS[station.mark] || "";
  const button = element(
    "button",
    {
      type: "button",
      class: ["station", station.mark || station.sure ? "unsure" : "", station.moved || ""]
        .filter(Boolean)
        .join(" "),
      "data-station": number,
      "aria-pressed": "false",
      title: readableText(station.passed.map((one) => one.text).join("; ")),
    },
    station.kind ? element("span", { class: "kind" }, `${station.kind} `) : null,
    element("span", { class: "name" }, station.name || place.server),
    moved ? element("span", { class: "moved" }, moved) : null,
    doubt ? element("span", { class: "sure" }, doubt) : null,
    station.sure ? element("span", { class: "sure" }, station.sure) : null,
  );
  shown.places[number] = { place, button, row };
  return button;
}

function forkList(others) {
  return element(
    "ul",
    { class: "fork", "aria-label": "Other ways from here" },
    ...others.slice(0, FORKS_SHOWN).map((other) =>
      element(
        "li",
        {},
        element("span", {}, FORK_WORDS[other.said.end] || "also"),
        other.said.end ? markSign(other.said.end) : null,
        element(
          "button",
          {
            type: "button",
            class: "other",
            "data-path": other.index,
            title: readableText(other.title),
          },
          other.servers[other.servers.length - 1],
        ),
      ),
    ),
    others.length > FORKS_SHOWN
      ? element("li", { class: "muted" }, `and ${others.length - FORKS_SHOWN} more`)
      : null,
  );
}

function lane(column, forks, end, row) {
  const stations = column.places.map((place) => {
    const others = forks.get(place.number);
    const before = place.number ? shown.places[shown.places.length - 1].place.station : null;
    return element("li", {}, stationButton(place, before, row), others ? forkList(others) : null);
  });
  if (end) {
    const words = element("span", { title: readableText(end.words) }, end.words);
    stations.push(element("li", { class: "end" }, markSign(end.mark), words));
  }
  return element(
    "li",
    { class: "lane" },
    element("div", { class: "of" }, serverButton(column.server)),
    element("ol", { class: "stations" }, ...stations),
  );
}

function crossing(step) {
  return element(
    "li",
    { class: "crossing" },
    element(
      "div",
      { class: "of" },
      ...(step
        ? [
            element("span", { class: "number" }, String(step.number)),
            element("span", {}, step.over),
          ]
        : [element("span", {}, "back")]),
    ),
  );
}

function fill(path) {
  const place = byId("inside");
  if (!place) return;
  shown.places = [];
  shown.chosen = -1;
  const paths = path ? (path.said.state ? view.paths : [path]) : [];
  const rows = paths.map(panel).filter(Boolean);
  place.hidden = !rows.length;
  if (!rows.length) return;
  byId("inside-lanes").replaceChildren(...rows);
  drawArrows();
}

const STATE_WORDS = { before: "Before the change", after: "After the change" };

// The columns of one path; null where it has none.
function panel(path, row) {
  const columns = columnsOf(path);
  if (!columns.length) return null;
  const forks = forksOf(path);
  const { end, ending, state } = path.said;
  const lanes = columns.flatMap((column, index) => {
    const last = index === columns.length - 1;
    const made = lane(column, forks, last && end ? { mark: end, words: ending } : null, row);
    return last ? [made] : [made, crossing(column.leaves)];
  });
  const words = STATE_WORDS[state];
  return element(
    "div",
    words
      ? { class: row ? "panel second" : "panel", role: "group", "aria-label": words }
      : { class: "panel" },
    words ? element("p", { class: "state" }, words) : null,
    element("ol", { class: columns.length > 1 ? "lanes" : "lanes single" }, ...lanes),
  );
}

const SVG = "http://www.w3.org/2000/svg";

// Arrows between the boxes, where the browser has put them.
function drawArrows() {
  for (const list of byId("inside-lanes").querySelectorAll(".lanes")) drawArrowsOf(list);
}

function drawArrowsOf(list) {
  for (const old of list.parentElement.querySelectorAll("svg")) old.remove();
  const corner = list.getBoundingClientRect();
  if (!corner.width) return;
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("class", "arrows");
  drawing.setAttribute("aria-hidden", "true");
  drawing.style.top = `${list.offsetTop}px`;
  drawing.setAttribute("width", String(list.scrollWidth));
  drawing.setAttribute("height", String(list.scrollHeight));
  const boxOf = (node) => {
    const box = node.getBoundingClientRect();
    const left = box.left - corner.left,
      top = box.top - corner.top;
    return {
      left,
      top,
      right: left + box.width,
      bottom: top + box.height,
      middle: top + box.height / 2,
    };
  };
  const line = (d, head) => {
    for (const [look, path] of [
      ["line", d],
      ["head", head],
    ]) {
      const drawn = document.createElementNS(SVG, "path");
      drawn.setAttribute("class", look);
      drawn.setAttribute("d", path);
      drawing.append(drawn);
    }
  };
  const lanes = [...list.querySelectorAll(".lane")].map((lane) =>
    [...lane.querySelectorAll(".station, .end")].map(boxOf),
  );
  const heads = [...list.querySelectorAll(".lane > .of")].map(boxOf);
  lanes.forEach((boxes, index) => {
    for (let at = 1; at < boxes.length; at += 1) {
      const before = boxes[at - 1];
      const { left, top } = boxes[at];
      if (left >= before.right) {
        const y = before.top + 14;
        line(`M${before.right} ${y}H${left - 5}`, `M${left} ${y}L${left - 8} ${y - 5}V${y + 5}Z`);
        continue;
      }
      const x = left + 22;
      line(`M${x} ${before.bottom}V${top - 5}`, `M${x} ${top}L${x - 5} ${top - 8}H${x + 5}Z`);
    }
    const from = boxes.length ? boxes[boxes.length - 1] : heads[index];
    const to = index + 1 < lanes.length ? lanes[index + 1][0] || heads[index + 1] : null;
    if (!to) return;
    const turn = from.right + 12;
    line(
      `M${from.right} ${from.middle}H${turn}V${to.middle}H${to.left - 5}`,
      `M${to.left} ${to.middle}L${to.left - 8} ${to.middle - 5}V${to.middle + 5}Z`,
    );
  });
  list.parentElement.append(drawing);
}

function mark(number) {
  shown.chosen = number;
  shown.places.forEach(({ button }, at) =>
    button.setAttribute("aria-pressed", String(at === number)),
  );
  for (const item of document.querySelectorAll("#path-steps li[aria-current]"))
    item.removeAttribute("aria-current");
  const chosen = shown.places[number];
  if (!chosen) return;
  const list = document.querySelectorAll("#path-steps .steps")[chosen.row];
  const item = list && list.querySelector(`li[value="${chosen.place.step.number}"]`);
  if (item) item.setAttribute("aria-current", "step");
}

// The details of a station: all that it does with the message, each with rule and place.
function choose(number) {
  const chosen = shown.places[number];
  if (!chosen) return;
  const { step, station, server } = chosen.place;
  const title = [station.kind, station.name || server].filter(Boolean).join(" ");
  const doubt = station.mark ? [["Certain", MARK_WORDS[station.mark]]] : [];
  if (station.moved) doubt.push(["Changed", MOVED_WORDS[station.moved]]);
  const each = station.passed.flatMap((one) => [
    element("p", {}, one.text),
    definitions(
      [
        one.rule && ["Rule", one.rule],
        one.confidence && ["Confidence", one.confidence],
        one.source && ["Source", element("span", { class: "source" }, one.source)],
      ].filter(Boolean),
    ),
  ]);
  view.selected = null;
  view.selectedLink = null;
  showDetails([
    element("h2", {}, title),
    definitions([["At", serverButton(server)], ["Step", String(step.number)], ...doubt]),
    ...each,
  ]);
  mark(number);
  say(`${title} at ${server}: ${station.passed.map((one) => one.text).join("; ")}`);
}

// The station of one thing that happens in a step, by its place in the step of the path of a row.
function stationAt(step, happens, row) {
  let left = happens;
  for (const [number, one] of shown.places.entries()) {
    const { place } = one;
    if (one.row !== row || place.step.number !== step) continue;
    if (left < place.station.passed.length) return number;
    left -= place.station.passed.length;
  }
  return -1;
}

function showStation(number) {
  const chosen = shown.places[number];
  if (!chosen) return;
  byId("inside").open = true;
  choose(number);
  chosen.button.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Draws the signs again, in the colours of now. */
export function refreshInside() {
  for (const old of document.querySelectorAll("#inside canvas"))
    if (old instanceof HTMLCanvasElement) old.replaceWith(markSign(old.dataset.mark));
}

/** What is shown at the moment, for scripts that look at the page from outside. */
export function insideNow() {
  const place = byId("inside");
  return {
    open: Boolean(place) && !place.hidden && place.open,
    chosen: shown.chosen,
    stations: shown.places.map(({ row, place: { step, station, server } }) => ({
      ...(view.paths.length && view.paths[row].said.state
        ? { state: view.paths[row].said.state, moved: station.moved }
        : {}),
      server,
      kind: station.kind,
      name: station.name,
      mark: station.mark,
      step: step.number,
      passed: station.passed.map((one) => ({ ...one })),
    })),
    end: view.path ? view.path.said.end || "" : "",
  };
}

export function listenToInside() {
  const place = byId("inside");
  if (!place) return;
  whenPath.push(fill);
  whenSaid.push(() => {
    if (!view.paths.length) fill(null);
  });
  whenDetails.push(() => mark(-1));
  place.addEventListener("toggle", drawArrows);
  new ResizeObserver(drawArrows).observe(byId("inside-lanes"));
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    const { station, path, step, happens } = button.dataset;
    if (station !== undefined) choose(Number(station));
    else if (button.classList.contains("other")) {
      choosePath(model.paths[Number(path)]);
      const first = place.querySelector(".station");
      if (first instanceof HTMLElement) first.focus();
    } else if (happens !== undefined) {
      const lists = [...document.querySelectorAll("#path-steps .steps")];
      const row = lists.indexOf(button.closest(".steps"));
      showStation(stationAt(Number(step), Number(happens), row));
    }
  });
}
