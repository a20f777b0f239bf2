// What the picture shows at the moment, and the way between its own units and pixels.

import { stillPreferred } from "./colours.js";
import { boxAround } from "./curves.js";
import { byId } from "./document.js";
import { closedFolds, model } from "./model.js";

export const view = {
  network: null,
  scale: 1,
  centre: { x: 0, y: 0 },
  width: 0,
  height: 0,
  above: 0,
  // The boxes of the buttons that lie over the picture, in pixels from the canvas' corner.
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
export const NARROWEST = 0.003;
// How large servers are shown that would have room to be larger.
const CLOSEST = 2.4;

export function measureView() {
  view.scale = view.network.getScale();
  view.centre = view.network.getViewPosition();
  const box = document.getElementById("canvas");
  view.width = box.clientWidth;
  view.height = box.clientHeight;
  view.above = aboveTheServers() - 10;
  view.tools = toolBoxes();
}

// Around the buttons that lie over the picture a few pixels stay free.
const BY_TOOLS = 8;

function toolBoxes() {
  const corner = byId("canvas").getBoundingClientRect();
  return [...document.querySelectorAll(".tools > *")]
    .map((tool) => tool.getBoundingClientRect())
    .filter(({ width }) => width > 0)
    .map(({ left, right, top, bottom }) => ({
      left: left - corner.left - BY_TOOLS,
      right: right - corner.left + BY_TOOLS,
      top: top - corner.top - BY_TOOLS,
      bottom: bottom - corner.top + BY_TOOLS,
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

// What stays free around the servers, in their units where they lie in areas and where not; and at
// the edges in pixels, below for names.
const IN_ZONES = 47,
  IN_NONE = 24;
const BELOW = 12,
  BESIDE = 12,
  ABOVE = 12;
// By how many pixels the picture is moved down, and to the right, until nothing lies under the
// buttons, which are at the left.
const DOWN = 6,
  RIGHT = 12;
// Pixels that half a name takes, and one below its server: in an area they lie within it. The text of
// a fold is as wide at any scale.
const HALF_NAME = 36,
  HALF_FOLD = 50,
  NAME_BELOW = 16;

// How large these servers are shown that all fit.
export function fittingScale(servers, closest) {
  return fittingCamera(servers, { closest }).scale;
}

// Where the camera is to be for all of these servers to be seen as large as they fit: below the
// buttons, or partly next to them if no server lies under one.
function fittingCamera(servers, { closest = CLOSEST, around = aroundServers() } = {}) {
  const tools = toolBoxes();
  const lowest = Math.max(ABOVE, aboveTheServers() - 4);
  // Discs are wide: they stay below the buttons.
  let top = around ? ABOVE : lowest;
  // Where the width decides, the picture is in the middle of what is free below the buttons.
  const below = cameraBelow(servers, lowest, closest, around);
  if (below.scale >= cameraBelow(servers, top, closest, around).scale) return below;
  for (;;) {
    const camera = cameraBelow(servers, top, closest, around);
    if (top >= lowest) return camera;
    for (let aside = 0; aside <= camera.spare; aside += RIGHT) {
      const { x, y } = camera.position;
      const moved = { ...camera, position: { x: x - aside / camera.scale, y } };
      if (!servers.some((server) => underTools(server, moved, tools, around))) return moved;
    }
    top = Math.min(lowest, top + DOWN);
  }
}

function aroundServers() {
  return model.zones.some((zone) => zone.servers.length > 1) ? IN_ZONES : IN_NONE;
}

function cameraBelow(servers, above, closest, around) {
  const { clientWidth, clientHeight } = byId("canvas");
  const { left, right, top, bottom } = boxAround(servers, around);
  // Names are as wide at any scale: where servers are shown small they reach farther.
  const named = around === IN_NONE;
  const below = BELOW + (named ? NAME_BELOW : 0);
  const down = (clientHeight - above - below) / (bottom - top);
  let beside = BESIDE + (named ? HALF_NAME : 0);
  if (closedFolds().length)
    beside = Math.max(
      beside,
      BESIDE + HALF_FOLD - around * Math.min(down, clientWidth / (right - left)),
    );
  const fitting = Math.min((clientWidth - 2 * beside) / (right - left), down);
  const scale = Math.max(NARROWEST, Math.min(closest, fitting));
  return {
    scale,
    // Pixels that are free on either side.
    spare: (clientWidth - (right - left) * scale) / 2 - beside,
    position: {
      x: (left + right) / 2,
      y: (top + bottom) / 2 - (above - below) / 2 / scale,
    },
  };
}

// Whether a server, with the area around it, would lie under a button.
function underTools({ x, y }, { scale, position }, tools, around) {
  const { clientWidth, clientHeight } = byId("canvas");
  const across = (x - position.x) * scale + clientWidth / 2,
    down = (y - position.y) * scale + clientHeight / 2;
  const high = around * scale,
    wide = Math.max(high, HALF_NAME);
  return tools.some(
    (tool) =>
      across + wide > tool.left &&
      across - wide < tool.right &&
      down + high > tool.top &&
      down - high < tool.bottom,
  );
}

// Shows these servers as large as they fit.
export function showServers(
  servers,
  { moving = true, closest = CLOSEST, around = aroundServers() } = {},
) {
  if (!servers.length) return;
  const { scale, position } = fittingCamera(servers, { closest, around });
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
