// Names beside servers, and the flags of the two that a question is about.

import { attachedPlace } from "./attachedplaces.js";
import { bends } from "./bends.js";
import { BOX_FONT, boxOf } from "./boxes.js";
import { colours, serverColour, withAlpha } from "./colours.js";
import { cutVertices } from "./cutvertices.js";
import { model, otherEnd } from "./model.js";
import {
  FONT,
  MANY_BLOCKS,
  boxAt,
  free,
  inView,
  overlaps,
  placed,
  textWidth,
  texts,
  underTool,
  whole,
} from "./room.js";
import { answered, changes } from "./said.js";
import {
  PART_TAG,
  drawOnScreen,
  hasPartTag,
  serverHalf,
  serverRadius,
  serverSpan,
} from "./servers.js";
import { shortened } from "./texts.js";
import { onScreen, view, visibleServers } from "./view.js";

// What a reader of a change looks for: these servers have their names before others.
const MOST_TELLING = new Set([
  "down",
  "critical",
  "cut-off",
  "loses",
  "would-lose",
  "elsewhere",
  "better",
  "circulates",
  "duplicate",
  "comes",
  "goes",
]);

// Characters of a name that are drawn: as many as find room.
const NAME_LENGTHS = [44, 24, 14];

export function isEnd(server) {
  return server.mark === "asked" || server.mark === "target";
}

// Where the question starts and ends is seen first: over everything else, each with its name on a
// flag that keeps off the path.
export function drawEnds(context, line) {
  const font = `700 13px ${FONT}`;
  const ends = visibleServers()
    .filter(isEnd)
    .map((server) => ({
      server,
      ...onScreen(server.x, server.y),
      half: serverHalf(server).map((part) => part * view.scale),
    }));
  for (const { x, y, half } of ends) placed.push(boxAt(x, y, 2 * half[0] + 10, 2 * half[1] + 10));
  for (const { server, x, y, half } of ends) {
    const [wide, high] = half;
    if (!inView(boxAt(x, y, 2 * wide, 2 * high))) continue;
    drawOnScreen(context, server);
    const boxed = boxOf(server);
    if (boxed) nameInBox(context, server, boxed);
    const role = server.mark === "asked" ? "from" : "to";
    const text = boxed ? role : `${role} ${shortened(serverTitle(server))}`;
    const width = textWidth(context, font, text) + 14,
      height = 21;
    const boxes = [];
    for (const gap of [9, 34, 60]) {
      const away = high + gap,
        aside = wide + gap;
      boxes.push(
        boxAt(x, y + away + height / 2, width, height),
        boxAt(x, y - away - height / 2, width, height),
        boxAt(x + aside + width / 2, y, width, height),
        boxAt(x - aside - width / 2, y, width, height),
        ...[-1, 1].flatMap((side) =>
          [-1, 1].map((up) =>
            boxAt(x + side * (width / 2 + 4), y + up * (away + height / 2), width, height),
          ),
        ),
      );
    }
    const shown = boxes.filter((box) => whole(box) && !underTool(box));
    const covered = (box) =>
      line.filter((part) => overlaps(box, part)).length +
      5 * placed.filter((part) => overlaps(box, part)).length;
    const box = shown.reduce(
      (best, one) => (covered(one) < covered(best) ? one : best),
      shown[0] || boxes[0],
    );
    placed.push(box);
    texts.push({ kind: "end", of: server.name, text, ...box });
    context.fillStyle = serverColour(server.mark);
    context.strokeStyle = colours.canvas;
    context.lineWidth = 1.5;
    context.beginPath();
    context.roundRect(box.left, box.top, width, height, 5);
    context.fill();
    context.stroke();
    context.font = font;
    context.fillStyle = colours.canvas;
    context.fillText(text, (box.left + box.right) / 2, (box.top + box.bottom) / 2 + 0.5);
  }
}

function labelledFirst(server) {
  if (model.headlined.has(server)) return true;
  if (server === view.selected || server === view.hovered || view.found.has(server)) return true;
  if (isEnd(server)) return true;
  if (model.about.around.includes(server.name)) return true;
  if (view.paths.some((path) => path.servers.includes(server.name))) return true;
  if (MOST_TELLING.has(server.mark) && (changes || model.about.question === "impact")) return true;
  return (
    model.causes.length <= MANY_BLOCKS &&
    model.causes.some(
      (block) =>
        block.at === server.name ||
        block.to === server.name ||
        block.way.some((step) => step.to === server.name),
    )
  );
}

// Servers in the order in which their names find room: those that the answer is about, the ones that
// the headline names before all others; then the rest, those that hold the network together first.
export function namesInOrder(servers) {
  const first = servers.filter((server) => labelledFirst(server) && !isEnd(server));
  const chosen = new Set(first);
  const rest = servers.filter((server) => !chosen.has(server) && !isEnd(server));
  const named = (server) => Number(!model.headlined.has(server));
  first.sort((one, other) => named(one) - named(other));
  const weights = weightsOf();
  const weight = (server) => (server.mark ? 1e6 : 0) + weights[server.index];
  rest.sort((one, other) => weight(other) - weight(one) || one.index - other.index);
  return [first, rest];
}

// By index how much of the network hangs on each server: the number of its neighbours, and more of
// one without which they would not all be joined. Worked out once.
let weightsFound = null;

function weightsOf() {
  if (weightsFound) return weightsFound;
  const near = model.servers.map((server) => [
    ...new Set(server.links.map((link) => otherEnd(link, server).index)),
  ]);
  weightsFound = near.map((own) => own.length);
  for (const index of cutVertices(near)) weightsFound[index] += 1000;
  for (const server of model.servers) if (!server.loaded) weightsFound[server.index] -= 0.5;
  return weightsFound;
}

export function serverBox(server) {
  const { x, y } = onScreen(server.x, server.y);
  const size = 2 * serverRadius(server) * view.scale;
  const [wide, high] = serverHalf(server).map((part) => 2 * part * view.scale);
  const box = boxAt(x, y, wide, high);
  if (!boxOf(server) && hasPartTag(server)) {
    box.right = Math.max(box.right, x + (size / 2) * (1 + PART_TAG));
    box.bottom = Math.max(box.bottom, y + (size / 2) * (1 + PART_TAG));
  }
  return box;
}

export function serverTitle(server) {
  const name = (server.looks && server.looks.label) || server.name;
  if (server.shape === "host") return name;
  if (!server.loaded) return `${name} (not loaded)`;
  return server.incomplete ? `${name} (incomplete)` : name;
}

// The name of a server in its box.
function nameInBox(context, server, box) {
  const { x, y } = onScreen(server.x, server.y);
  const { text, middle, width } = box;
  texts.push({ kind: "server", of: server.name, text, ...boxAt(x + middle, y, width, 16) });
  context.font = BOX_FONT;
  context.fillStyle = !answered || server.mark ? colours.text : colours.muted;
  context.fillText(text, x + middle, y + 0.5);
}

export function serverLabel(context, server, important) {
  const boxed = boxOf(server);
  if (boxed) {
    nameInBox(context, server, boxed);
    return;
  }
  const strong = important || server.mark === "duplicate" || server.mark === "undetermined";
  const font = `${important ? "600 13px" : "12px"} ${FONT}`;
  let found = null;
  for (const text of formsOf(server)) {
    const place = namePlace(context, server, font, text, { far: important });
    if (place.box) {
      found = place;
      break;
    }
  }
  const wanted = server === view.selected || model.headlined.has(server);
  if (!found && !wanted) return;
  const { text, box } =
    found || namePlace(context, server, font, shortened(server.name, 24), { anywhere: true });
  drawName(context, server, font, text, box, strong);
}

// The forms of a server's name, the longest first: made once.
const forms = new Map();

function formsOf(server) {
  if (!forms.has(server)) {
    const title = serverTitle(server);
    const found = NAME_LENGTHS.map((most) => shortened(title, most));
    // Where there is too little room for what a name is followed by, the name alone.
    if (title !== server.name) found.push(shortened(server.name, NAME_LENGTHS[2]));
    forms.set(server, [...new Set(found)]);
  }
  return forms.get(server);
}

// The first place beside a server where a text lies free; ``box`` is null where there is none,
// unless it may lie ``anywhere``; a little ``far`` away for servers that have to be named.
function namePlace(context, server, font, text, { far = false, anywhere = false } = {}) {
  const width = textWidth(context, font, text) + 6,
    height = 16;
  const { x, y } = onScreen(server.x, server.y);
  const ring = server.mark === "asked" || server.mark === "target" ? 6 : 2;
  const radius = serverRadius(server) * view.scale;
  const [wide, high] = serverSpan(server).map((part) => part * radius + ring);
  const crossed = linkSides(server);
  const across = wide + width / 2,
    down = high + height / 2;
  const places = [
    [x, y + down, crossed.below],
    [x, y - down, crossed.above],
    [x + across, y, crossed.right],
    [x - across, y, crossed.left],
    // Beside a corner, where less of the server is next to it.
    [x + across, y + down - 6, crossed.right + 1.5],
    [x - across, y + down - 6, crossed.left + 1.5],
    [x + across, y - down + 6, crossed.right + 1.5],
    [x - across, y - down + 6, crossed.left + 1.5],
    // A little away, where something lies right beside the server.
    [x, y + down + 12, crossed.below + 2],
    [x, y - down - 12, crossed.above + 2],
  ].sort((one, other) => one[2] - other[2]);
  const boxes = places.map(([left, top]) => boxAt(left, top, width, height));
  const box = boxes.find((one) => whole(one) && free(one)) || null;
  if (box || !(far || anywhere)) return { text, box };
  for (const away of anywhere ? [16, 30, 46] : [14, 24])
    for (const [aside, off] of AROUND)
      boxes.push(boxAt(x + aside * (across + away), y + off * (down + away), width, height));
  const found = boxes.find((one) => whole(one) && free(one)) || null;
  return { text, box: found || (anywhere ? leastCovered(boxes) : null) };
}

const AROUND = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [0.7, 0.7],
  [-0.7, 0.7],
  [0.7, -0.7],
  [-0.7, -0.7],
];

// Of places that all cover something the one that covers least.
function leastCovered(boxes) {
  const covered = (box) =>
    (whole(box) ? 0 : 100) + placed.filter((other) => overlaps(box, other)).length;
  return boxes.reduce((best, one) => (covered(one) < covered(best) ? one : best), boxes[0]);
}

function drawName(context, server, font, text, box, strong) {
  placed.push(box);
  texts.push({ kind: "server", of: server.name, text, ...box });
  context.font = font;
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = withAlpha(colours.canvas, 0.9);
  const middle = (box.left + box.right) / 2,
    level = (box.top + box.bottom) / 2;
  context.strokeText(text, middle, level);
  context.fillStyle = strong || !answered || server.mark ? colours.text : colours.muted;
  context.fillText(text, middle, level);
}

// How many links leave a server on each side: its name goes where there are fewest. Below wins
// where all are equal.
function linkSides(server) {
  if (sidesFound.version !== bends.version) {
    sidesFound.version = bends.version;
    sidesFound.sides = new Map();
  }
  if (!sidesFound.sides.has(server)) sidesFound.sides.set(server, countSides(server));
  return sidesFound.sides.get(server);
}

// By server, until one moves.
const sidesFound = { version: -1, sides: new Map() };

function countSides(server) {
  const sides = { below: 0, above: 0, right: 0.5, left: 0.6 };
  const others = server.links.map((link) => otherEnd(link, server)).filter(({ hidden }) => !hidden);
  const drums = model.attached.filter(({ servers }) => servers.includes(server));
  for (const other of [...others, ...drums.map(attachedPlace)]) {
    const dx = other.x - server.x,
      dy = other.y - server.y;
    if (Math.abs(dy) > 0.6 * Math.abs(dx)) sides[dy > 0 ? "below" : "above"] += 1;
    if (Math.abs(dx) > 1.6 * Math.abs(dy)) sides[dx > 0 ? "right" : "left"] += 1;
  }
  return sides;
}
