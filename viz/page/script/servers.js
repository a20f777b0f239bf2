// Servers: the shape of their system, a circle if it has none of its own, dashed (and then square)
// where the files are not loaded; what the answer says is a sign in it as well as a colour.

import { GLYPH, boxOf, boxOutline } from "./boxes.js";
import { colours, serverColour, withAlpha } from "./colours.js";
import { SERVER_RADIUS } from "./curves.js";
import { model } from "./model.js";
import { answered } from "./said.js";
import { onScreen, view } from "./view.js";

const EMPHASIS = {
  asked: 1.35,
  target: 1.35,
  delivered: 1.1,
  "would-deliver": 1.1,
  "one-of": 1.1,
  duplicate: 1.1,
  "cut-off": 1.15,
  loses: 1.1,
  "would-lose": 1.1,
  down: 1.15,
  critical: 1.1,
};
const LEAST_PIXELS = {
  stored: 5.5,
  "would-deliver": 5.5,
  "one-of": 5.5,
  later: 5.5,
  "may-end": 5.5,
  circulates: 5.5,
  "cut-off": 6,
  down: 6,
  critical: 6,
  loses: 6,
  "would-lose": 6,
  elsewhere: 6,
  better: 6,
  gains: 5.5,
  "would-gain": 5.5,
  comes: 5.5,
  goes: 5.5,
  held: 5.5,
  aside: 5.5,
  rejected: 5.5,
  asked: 9,
  target: 9,
  undetermined: 5,
  unreachable: 4.5,
  delivered: 5.5,
  duplicate: 5.5,
  "": 2,
};

// Of a server that has a letter; the letters of a large rest of the network are seen from near.
const LETTER_PIXELS = 8,
  FEW_SERVERS = 60;

function leastPixels(server) {
  if (server.part && (server.mark !== "apart" || model.servers.length <= FEW_SERVERS))
    return LETTER_PIXELS;
  return LEAST_PIXELS[server.mark] === undefined ? 4.5 : LEAST_PIXELS[server.mark];
}

// Servers are no larger than this, however near they are looked at: their names do not grow either.
const LARGEST_PIXELS = 22;

export function serverRadius(server) {
  if (boxOf(server)) return GLYPH / view.scale;
  const usual = leastPixels(server);
  const least = usual < 9 && usual > 2 && model.servers.length > 300 ? 2.6 : usual;
  // Signs keep a readable size, but do not grow over their neighbours.
  const spread = Math.min(least / view.scale, 44);
  const size = Math.min(serverSize(server), (LARGEST_PIXELS * emphasisOf(server)) / view.scale);
  return Math.max(size, spread);
}

function emphasisOf(server) {
  return EMPHASIS[server.mark] || 1;
}

// The radius of a server in the picture's units, but for what the size of the screen makes of it.
function serverSize(server) {
  return SERVER_RADIUS * view.size * emphasisOf(server);
}

// Half the width and height of each shape, for a radius of 1.
const SPANS = {
  house: [1.05, 1.1],
  host: [0.62, 0.62],
  box: [1.25, 0.85],
  bar: [1.9, 0.72],
  device: [0.72, 1.2],
  hexagon: [1.12, 1],
};
const CORNERS = { box: 0.25, bar: 0.72, device: 0.3 };

export function serverSpan(server) {
  return SPANS[server.shape] || [1, 1];
}

// Half the width and height of a server as it is drawn, in the picture's units.
export function serverHalf(server) {
  const box = boxOf(server);
  if (box) return [box.wide / view.scale, box.high / view.scale];
  return serverSpan(server).map((part) => part * serverRadius(server));
}

// The same, but for what the size of the screen makes of shapes.
export function serverBody(server) {
  if (boxOf(server)) return serverHalf(server);
  return serverSpan(server).map((part) => part * serverSize(server));
}

// How far the outline of a server is from its middle in a direction, in the picture's units.
export function reachOf(server, angle, [wide, high] = serverBody(server)) {
  return Math.min(
    wide / Math.max(0.01, Math.abs(Math.cos(angle))),
    high / Math.max(0.01, Math.abs(Math.sin(angle))),
  );
}

function hexagon(context, x, y, radius) {
  for (let corner = 0; corner < 6; corner += 1) {
    const angle = (corner * Math.PI) / 3;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.closePath();
}

function house(context, x, y, wide, high) {
  context.moveTo(x, y - high);
  context.lineTo(x + wide, y - high * 0.2);
  context.lineTo(x + wide, y + high * 0.8);
  context.lineTo(x - wide, y + high * 0.8);
  context.lineTo(x - wide, y - high * 0.2);
  context.closePath();
}

function serverOutline(context, server, x, y, radius) {
  context.beginPath();
  const [wide, high] = serverSpan(server).map((part) => part * radius);
  if (server.shape === "house") house(context, x, y, wide, high);
  else if (server.shape === "hexagon") hexagon(context, x, y, wide);
  else if (CORNERS[server.shape])
    context.roundRect(x - wide, y - high, 2 * wide, 2 * high, CORNERS[server.shape] * radius);
  else if (server.shape === "host") context.rect(x - wide, y - high, 2 * wide, 2 * high);
  else if (!server.loaded) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else if (server.mark === "undetermined") {
    context.moveTo(x, y - radius * 1.2);
    context.lineTo(x + radius * 1.2, y);
    context.lineTo(x, y + radius * 1.2);
    context.lineTo(x - radius * 1.2, y);
    context.closePath();
  } else context.arc(x, y, radius, 0, 2 * Math.PI);
}

const FILLED = new Set([
  "asked",
  "target",
  "reached",
  "delivered",
  "stored",
  "duplicate",
  "held",
  "aside",
  "rejected",
  "circulates",
  "cut-off",
  "loses",
  "elsewhere",
  "better",
  "gains",
  "down",
  "critical",
]);
// Hollow with a broken outline: nobody is known there, or it goes.
const BROKEN = new Set([
  "maybe-transit",
  "would-deliver",
  "would-lose",
  "would-gain",
  "goes",
  "down",
]);

// The radius of the letter beside another sign, of that of the server.
export const PART_TAG = 0.62;

// Signs that are the letter of a part where there are parts.
const LETTERED = new Set(["cut-off", "apart"]);

// One of several is taken: the lower half is filled.
const HALF_FILLED = new Set(["one-of", "may-end"]);

// Draws at any place, so that the legend shows what the picture does. ``unit`` is the size of a
// pixel in the context's units.
export function drawServer(context, server, x, y, radius, unit) {
  if (server.here) {
    // What becomes of the message where it is sent stands inside the ring of the sender.
    drawServer(context, { ...server, mark: server.here, here: "" }, x, y, radius, unit);
    serverOutline(context, server, x, y, radius + 4 * unit);
    context.strokeStyle = serverColour(server.mark);
    context.lineWidth = 2.6 * unit;
    context.stroke();
    return;
  }
  if (server.mark === "asked" || server.mark === "target") {
    serverOutline(context, server, x, y, radius + 4 * unit);
    context.strokeStyle = serverColour(server.mark);
    context.lineWidth = 1.8 * unit;
    context.stroke();
  }
  drawShape(context, server, x, y, radius, unit);
}

// The shape of a server with its sign.
function drawShape(context, server, x, y, radius, unit) {
  const { colour, filled } = looksOf(server);
  serverOutline(context, server, x, y, radius);
  context.fillStyle = filled ? colour : colours.canvas;
  context.fill();
  if (HALF_FILLED.has(server.mark)) {
    context.save();
    context.clip();
    context.fillStyle = colour;
    context.fillRect(x - 2 * radius, y, 4 * radius, 2 * radius);
    context.restore();
    serverOutline(context, server, x, y, radius);
  }
  context.strokeStyle = colour;
  context.lineWidth = (radius / unit > 6 ? 2 : 1.3) * unit;
  context.setLineDash(dashesOf(server, unit));
  context.stroke();
  context.setLineDash([]);
  if (radius / unit < 4.5) return;
  drawSign(context, server, x, y, radius * 0.5, filled ? colours.canvas : colour);
  if (hasPartTag(server)) drawPartTag(context, server, x, y, radius);
}

function looksOf(server) {
  // The rest of the network that parts are cut off from is not what a reader looks for.
  const rest = server.part && server.mark === "apart";
  const colour = rest ? colours.muted : serverColour(server.mark);
  const filled = FILLED.has(server.mark) || (!server.mark && !answered && server.loaded);
  return { colour, filled };
}

function dashesOf(server, unit) {
  if (!server.loaded) return [4 * unit, 3 * unit];
  return BROKEN.has(server.mark) ? [2.5 * unit, 2.5 * unit] : [];
}

// A server as a box: its shape with the sign is at the left in it, its name is written later.
function drawBoxed(context, server, box, unit) {
  const { x, y } = server;
  const isEnd = server.mark === "asked" || server.mark === "target";
  const { colour } = looksOf(server);
  context.strokeStyle = colour;
  if (isEnd) {
    boxOutline(context, box, x, y, unit, 4);
    context.lineWidth = (server.here ? 2.6 : 1.8) * unit;
    context.stroke();
  }
  boxOutline(context, box, x, y, unit);
  context.fillStyle = colours.canvas;
  context.fill();
  context.lineWidth = 1.5 * unit;
  context.setLineDash(dashesOf(server, unit));
  context.stroke();
  context.setLineDash([]);
  const look = server.here ? { ...server, mark: server.here } : server;
  drawShape(context, look, x + box.sign * unit, y, GLYPH * unit, unit);
}

function drawLetter(context, letter, x, y, size) {
  context.font = `bold ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(letter, x, y);
}

// Whether a server has the letter of its part beside another sign, at the lower right.
export function hasPartTag(server) {
  return Boolean(server.part) && !LETTERED.has(server.mark);
}

function drawPartTag(context, server, x, y, radius) {
  const size = radius * PART_TAG;
  context.beginPath();
  context.arc(x + radius, y + radius, size, 0, 2 * Math.PI);
  context.fillStyle = colours.canvas;
  context.fill();
  context.strokeStyle = colours.bad;
  context.lineWidth = size * 0.18;
  context.stroke();
  context.fillStyle = colours.bad;
  drawLetter(context, server.part, x + radius, y + radius * 1.05, size * 1.5);
}

// A stroke that is seen on the filled half as well as on the ground.
function strokeWithRim(context, size, colour) {
  context.strokeStyle = colours.canvas;
  context.lineWidth = size;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = size * 0.42;
  context.stroke();
}

// The sign of a mark inside a server, or what servers connect to.
export function drawSign(context, server, x, y, size, colour) {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = size * 0.42;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.beginPath();
  switch (server.mark) {
    case "reached":
    case "delivered":
    case "would-deliver":
    case "harmless":
      context.moveTo(x - size * 0.8, y);
      context.lineTo(x - size * 0.2, y + size * 0.65);
      context.lineTo(x + size * 0.85, y - size * 0.65);
      context.stroke();
      break;
    case "one-of":
      context.moveTo(x - size * 0.8, y);
      context.lineTo(x - size * 0.2, y + size * 0.65);
      context.lineTo(x + size * 0.85, y - size * 0.65);
      strokeWithRim(context, size, colour);
      break;
    case "may-end":
      context.moveTo(x - size * 0.65, y - size * 0.65);
      context.lineTo(x + size * 0.65, y + size * 0.65);
      context.moveTo(x + size * 0.65, y - size * 0.65);
      context.lineTo(x - size * 0.65, y + size * 0.65);
      strokeWithRim(context, size, colour);
      break;
    case "circulates":
      context.arc(x, y, size * 0.75, 0.25, 1.75 * Math.PI);
      context.moveTo(x + size * 0.75, y - size);
      context.lineTo(x + size * 0.75, y - size * 0.4);
      context.lineTo(x + size * 0.15, y - size * 0.4);
      context.stroke();
      break;
    case "later":
      context.lineWidth = size * 0.3;
      context.arc(x, y, size * 0.95, 0, 2 * Math.PI);
      context.moveTo(x, y - size * 0.55);
      context.lineTo(x, y);
      context.lineTo(x + size * 0.4, y + size * 0.28);
      context.stroke();
      break;
    case "stored":
      context.rect(x - size * 0.75, y - size * 0.6, size * 1.5, size * 1.2);
      context.moveTo(x - size * 0.75, y);
      context.lineTo(x + size * 0.75, y);
      context.stroke();
      break;
    case "held":
      context.moveTo(x - size * 0.4, y - size * 0.7);
      context.lineTo(x - size * 0.4, y + size * 0.7);
      context.moveTo(x + size * 0.4, y - size * 0.7);
      context.lineTo(x + size * 0.4, y + size * 0.7);
      context.stroke();
      break;
    case "aside":
      context.moveTo(x - size * 0.8, y - size * 0.1);
      context.lineTo(x - size * 0.8, y + size * 0.7);
      context.lineTo(x + size * 0.8, y + size * 0.7);
      context.lineTo(x + size * 0.8, y - size * 0.1);
      context.moveTo(x, y - size * 0.9);
      context.lineTo(x, y + size * 0.2);
      context.stroke();
      break;
    case "down":
      context.moveTo(x + size * 0.2, y - size);
      context.lineTo(x - size * 0.55, y + size * 0.15);
      context.lineTo(x + size * 0.55, y + size * 0.15);
      context.lineTo(x - size * 0.2, y + size);
      context.lineWidth = size * 0.32;
      context.stroke();
      break;
    case "cut-off":
    case "apart":
    case "lost":
      if (server.part) {
        drawLetter(context, server.part, x, y + size * 0.12, size * 2.4);
        break;
      }
      context.moveTo(x - size, y);
      context.lineTo(x - size * 0.4, y);
      context.moveTo(x + size * 0.4, y);
      context.lineTo(x + size, y);
      context.moveTo(x - size * 0.3, y + size * 0.75);
      context.lineTo(x + size * 0.3, y - size * 0.75);
      context.stroke();
      break;
    case "loses":
    case "would-lose":
    case "gains":
    case "would-gain": {
      const down = server.mark.endsWith("lose") || server.mark === "loses" ? 1 : -1;
      context.moveTo(x, y - size * 0.85 * down);
      context.lineTo(x, y + size * 0.85 * down);
      context.moveTo(x - size * 0.6, y + size * 0.2 * down);
      context.lineTo(x, y + size * 0.85 * down);
      context.lineTo(x + size * 0.6, y + size * 0.2 * down);
      context.stroke();
      break;
    }
    case "better":
      context.moveTo(x, y + size * 0.35);
      context.lineTo(x, y - size * 0.85);
      context.moveTo(x - size * 0.6, y - size * 0.25);
      context.lineTo(x, y - size * 0.85);
      context.lineTo(x + size * 0.6, y - size * 0.25);
      context.moveTo(x - size * 0.7, y + size * 0.85);
      context.lineTo(x + size * 0.7, y + size * 0.85);
      context.stroke();
      break;
    case "elsewhere":
    case "affects":
      context.moveTo(x - size * 0.8, y - size * 0.35);
      context.lineTo(x + size * 0.8, y - size * 0.35);
      context.moveTo(x - size * 0.8, y + size * 0.35);
      context.lineTo(x + size * 0.8, y + size * 0.35);
      context.moveTo(x - size * 0.5, y + size * 0.85);
      context.lineTo(x + size * 0.5, y - size * 0.85);
      context.lineWidth = size * 0.3;
      context.stroke();
      break;
    case "comes":
      context.moveTo(x - size * 0.8, y);
      context.lineTo(x + size * 0.8, y);
      context.moveTo(x, y - size * 0.8);
      context.lineTo(x, y + size * 0.8);
      context.stroke();
      break;
    case "goes":
    case "rejected":
    case "unreachable":
    case "nothing":
      context.moveTo(x - size * 0.65, y - size * 0.65);
      context.lineTo(x + size * 0.65, y + size * 0.65);
      context.moveTo(x + size * 0.65, y - size * 0.65);
      context.lineTo(x - size * 0.65, y + size * 0.65);
      context.stroke();
      break;
    case "asked":
      context.arc(x, y, size * 0.7, 0, 2 * Math.PI);
      context.fill();
      break;
    case "target":
      context.moveTo(x - size * 0.8, y);
      context.lineTo(x - size * 0.2, y + size * 0.65);
      context.lineTo(x + size * 0.85, y - size * 0.65);
      context.stroke();
      break;
    case "transit":
    case "maybe-transit":
      if (server.mark === "maybe-transit") {
        // A part of the line is missing: the way there is not certain.
        context.moveTo(x - size, y);
        context.lineTo(x - size * 0.7, y);
      }
      context.moveTo(x - (server.mark === "maybe-transit" ? 0 : size * 0.8), y);
      context.lineTo(x + size * 0.8, y);
      context.moveTo(x + size * 0.2, y - size * 0.6);
      context.lineTo(x + size * 0.8, y);
      context.lineTo(x + size * 0.2, y + size * 0.6);
      context.stroke();
      break;
    case "redundant":
      context.arc(x, y, size * 0.9, 0, 2 * Math.PI);
      context.stroke();
      break;
    case "undetermined":
    case "critical":
    case "duplicate":
      context.font = `bold ${size * 2.2}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(server.mark === "undetermined" ? "?" : "!", x, y + size * 0.12);
      break;
    default:
      if (server.loaded && server.incomplete) {
        context.font = `bold ${size * 2.2}px system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText("…", x, y - size * 0.3);
      }
  }
  context.lineCap = "butt";
  context.lineJoin = "miter";
}

// Whether a user set looks that vis-network draws, as pyvis describes them.
export function hasOwnLooks(server) {
  return (
    server.looks !== null &&
    Object.keys(server.looks).some((key) => !["hidden", "group", "label"].includes(key))
  );
}

// A server as vis-network's node: what the pointer hits and drags. It is drawn here, unless a user
// set its looks.
export function serverNode(server) {
  const node = { id: server.name, x: server.x, y: server.y, hidden: server.hidden };
  if (!hasOwnLooks(server)) return { ...node, shape: "custom", ctxRenderer: hitArea };
  const { label, hidden, ...looks } = server.looks;
  return { ...node, shape: "dot", size: SERVER_RADIUS, color: serverColour(server.mark), ...looks };
}

// Around a shape the pointer finds the server a little outside of it too, in the picture's units.
const LEAST_HIT = 50;

/**
 * vis-network takes the size of a node down once, before it is drawn; a box changes with the scale.
 * @this {{left: number, top: number, width: number, height: number}} - the node's shape there
 */
function hitArea({ id, x, y }) {
  const server = model.byName.get(id);
  const least = boxOf(server) ? 0 : LEAST_HIT;
  const [width, height] = serverHalf(server).map((part) => Math.max(2 * part, least));
  Object.assign(this, { width, height, left: x - width / 2, top: y - height / 2 });
  return { nodeDimensions: { width, height } };
}

export function drawServers(context) {
  const unit = 1 / view.scale;
  for (const server of model.servers) {
    if (server.hidden || hasOwnLooks(server)) continue;
    const found = view.found.has(server),
      selected = server === view.selected;
    if (found || selected || server === view.hovered) {
      outlineAround(context, server, 8 * unit, unit);
      context.fillStyle = withAlpha(found ? colours.doubt : colours.text, 0.25);
      context.fill();
      context.strokeStyle = colours.text;
      context.lineWidth = 2 * unit;
      if (selected) context.stroke();
    }
    drawInPlace(context, server, unit);
  }
}

function outlineAround(context, server, away, unit) {
  const box = boxOf(server);
  if (box) {
    boxOutline(context, box, server.x, server.y, unit, away / unit);
    return;
  }
  context.beginPath();
  context.arc(server.x, server.y, serverRadius(server) + away, 0, 2 * Math.PI);
}

function drawInPlace(context, server, unit) {
  const box = boxOf(server);
  if (box) drawBoxed(context, server, box, unit);
  else drawServer(context, server, server.x, server.y, serverRadius(server), unit);
}

// The same in pixels.
export function drawOnScreen(context, server) {
  const at = onScreen(server.x, server.y);
  const box = boxOf(server);
  if (box) drawBoxed(context, { ...server, ...at }, box, 1);
  else drawServer(context, server, at.x, at.y, serverRadius(server) * view.scale, 1);
}
