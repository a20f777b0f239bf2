// What the picture shows at the moment, and the way between its own units and pixels.

import { stillPreferred } from "./colours.js";
import { boxAround } from "./curves.js";
import { byId } from "./document.js";
import { model } from "./model.js";

export const view = {
  network: null,
  scale: 1,
  centre: { x: 0, y: 0 },
  width: 0,
  height: 0,
  above: 0,
  // The boxes of the search and the buttons, in pixels.
  tools: [],
  path: null,
  paths: [],
  answer: null,
  held: false,
  // Whether a drawing was asked for that the browser has not come to.
  due: false,
  command: null,
  selected: null,
  selectedLink: null,
  hovered: null,
  // The fold that the keyboard is at.
  fold: null,
  found: new Set(),
  neighbourhood: null,
  // How large servers are drawn: less than 1 where those of an open zone stand near to each other.
  size: 1,
};

export const narrow = window.matchMedia("(max-width: 720px)");

export const WIDEST = 3;
export const NARROWEST = 0.02;

export function measureView() {
  view.scale = view.network.getScale();
  view.centre = view.network.getViewPosition();
  const box = document.getElementById("canvas");
  view.width = box.clientWidth;
  view.height = box.clientHeight;
  view.above = aboveTheServers() - 10;
  const corner = box.getBoundingClientRect();
  view.tools = [...document.querySelectorAll(".tools > *")]
    .map((tool) => tool.getBoundingClientRect())
    .filter(({ width }) => width)
    .map(({ left, right, top, bottom }) => ({
      left: left - corner.left - 2,
      right: right - corner.left + 2,
      top: top - corner.top - 2,
      bottom: bottom - corner.top + 2,
    }));
}

// The search and its buttons lie over the upper edge, in one row or, on a narrow screen, two.
export function aboveTheServers() {
  return document.querySelector(".tools").offsetHeight + 22;
}

// From the picture's units to pixels from the canvas' upper left corner.
export function onScreen(x, y) {
  return {
    x: (x - view.centre.x) * view.scale + view.width / 2,
    y: (y - view.centre.y) * view.scale + view.height / 2,
  };
}

export function animation() {
  return stillPreferred.matches ? false : { duration: 350, easingFunction: "easeInOutQuad" };
}

export function visibleServers() {
  return model.servers.filter((server) => !server.hidden);
}

// What stays free around the servers: a margin in their units, and below and beside in pixels.
export const AROUND = 75;
const BELOW = 24;
const BESIDE = 16;

export function fittingScale(servers, closest = 1.7) {
  const box = byId("canvas");
  const { left, right, top, bottom } = boxAround(servers, AROUND);
  const scale = Math.min(
    (box.clientWidth - 2 * BESIDE) / (right - left),
    (box.clientHeight - aboveTheServers() - BELOW) / (bottom - top),
  );
  return Math.max(NARROWEST, Math.min(closest, scale));
}

// Shows these servers as large as they fit.
export function showServers(servers, { moving = true, closest = 1.7 } = {}) {
  if (!servers.length) return;
  const scale = fittingScale(servers, closest);
  const { left, right, top, bottom } = boxAround(servers, AROUND);
  const position = {
    x: (left + right) / 2,
    y: (top + bottom) / 2 - (aboveTheServers() - BELOW) / 2 / scale,
  };
  // An animation draws everything some twenty times, even one that leads nowhere.
  const animated = moving && !standsAt(position, scale) ? animation() : false;
  view.network.moveTo({ position, scale, animation: animated });
}

// Whether the camera stands there, but for a part of a pixel.
function standsAt({ x, y }, scale) {
  const at = view.network.getViewPosition();
  const off = Math.hypot(at.x - x, at.y - y) * scale;
  return off < 0.1 && Math.abs(view.network.getScale() / scale - 1) < 0.0001;
}

// Draws in the browser's next frame: once, however many ask for it.
export function redraw() {
  if (view.held) return;
  view.due = true;
  view.network.body.emitter.emit("_requestRedraw");
}

// What is due is drawn now.
export function drawDue() {
  if (view.due) view.network.redraw();
}
