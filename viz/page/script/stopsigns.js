// Where messages end, as signs with the number of causes that each stands for.

import { stops } from "./blocks.js";
import { colours } from "./colours.js";
import { FONT, boxAt, drawnSigns, inView, placed, textWidth } from "./room.js";
import { changes } from "./said.js";

// A cause and what only repeats it are one sign, with their number; so are those that a server
// counts.
export function drawStopSigns(context) {
  const signs = stops.signs.filter(({ x, y }) => inView(boxAt(x, y, 26, 26)));
  drawnSigns.push(...signs);
  for (const sign of signs) {
    drawSignOf(context, sign);
    placed.push(boxAt(sign.x, sign.y, 2 * sign.size + 2, 2 * sign.size + 2));
  }
  return signs;
}

export function drawSignOf(context, { causes, count, size, x, y }) {
  countedStop(context, x, y, { size, kind: kindOf(causes), count: count === 1 ? 0 : count });
}

/**
 * What the sign of blocks says: that the message is stopped, that this is not known, or that it
 * only waits. Of several the first of these.
 * @returns {"stop" | "open" | "wait"}
 */
export function kindOf(blocks) {
  if (blocks.some((block) => block.certain && !block.waits)) return "stop";
  return blocks.some((block) => !block.certain) ? "open" : "wait";
}

export function stopColour(kind) {
  return kind === "stop" ? colours.bad : colours.doubt;
}

// A stop sign, and beside it how many it stands for; without ``count`` the sign alone.
export function countedStop(context, x, y, { size = 10, kind = "stop", count = 0 } = {}) {
  stopSign(context, x, y, size, kind);
  if (count) drawCount(context, x, y, { size, count, colour: stopColour(kind) });
}

// How many things a sign stands for, at its upper right.
export function drawCount(context, x, y, { size, count, colour }) {
  const font = `700 10px ${FONT}`;
  const text = String(count);
  const width = textWidth(context, font, text) + 7;
  const left = x + size * 0.4,
    top = y - size * 1.25;
  context.beginPath();
  context.roundRect(left, top, width, 13, 6.5);
  context.fillStyle = colours.canvas;
  context.fill();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.stroke();
  context.font = font;
  context.fillStyle = colours.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, left + width / 2, top + 7);
}

function clockSign(context, x, y, size) {
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.fillStyle = colours.doubt;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = colours.canvas;
  context.stroke();
  context.beginPath();
  context.moveTo(x, y - size * 0.6);
  context.lineTo(x, y);
  context.lineTo(x + size * 0.45, y + size * 0.3);
  context.lineWidth = size * 0.22;
  context.lineCap = "round";
  context.stroke();
}

// ``kind`` is that of ``kindOf``.
export function stopSign(context, x, y, size, kind) {
  if (kind === "wait") {
    clockSign(context, x, y, size);
    return;
  }
  const certain = kind === "stop";
  context.beginPath();
  for (let corner = 0; corner < 8; corner += 1) {
    const angle = Math.PI / 8 + (corner * Math.PI) / 4;
    context.lineTo(x + size * Math.cos(angle), y + size * Math.sin(angle));
  }
  context.closePath();
  context.fillStyle = stopColour(kind);
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = colours.canvas;
  context.stroke();
  context.fillStyle = colours.canvas;
  if (certain) context.fillRect(x - size * 0.55, y - size * 0.18, size * 1.1, size * 0.36);
  else {
    context.font = `700 ${size * 1.3}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText("?", x, y + 0.5);
  }
}

export function blockWords(kind) {
  if (kind === "wait") return "waits here, and why";
  const certain = kind === "stop";
  if (changes) return certain ? "refused, and why" : "nobody can say whether it is refused";
  return certain ? "goes no further, and why" : "not known whether it goes on";
}
