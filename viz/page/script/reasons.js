// The reasons of stops, on cards beside their signs.

import { colours } from "./colours.js";
import {
  FONT,
  MANY_BLOCKS,
  boxAt,
  drawnCards,
  free,
  nearestIn,
  placed,
  underTool,
  whole,
  wrapped,
} from "./room.js";
import { changes } from "./said.js";
import { numberSign, numbers } from "./stepnumbers.js";
import { drawSignOf, kindOf, stopColour } from "./stopsigns.js";

// The reason stands beside its sign, on a card, if need be a little away and with a line to it. Of
// very many signs some have a card, more when the reader comes closer; all reasons stand in the
// list.
export function drawReasons(context, signs) {
  const cards = signs.length > MANY_BLOCKS ? signs.slice(0, 5) : signs;
  for (const sign of cards) {
    const { block, causes, count, x, y } = sign;
    if (causes.some((other) => other.reason !== block.reason)) continue;
    const reason = reasonOf(causes, count);
    // Whole, or what decides it only in the list: a reason that is cut may be read as another one.
    const guard =
      !changes &&
      causes.length === 1 &&
      block.guard &&
      !block.guard.startsWith(block.reason.slice(0, 20))
        ? block.guard
        : "";
    const room = changes ? [230] : [190, 260];
    const texts = guard ? [guard, ""] : [""];
    const forms = texts.flatMap((more) =>
      room.map((width) => ({ more, lines: reasonLines(context, reason, more, width) })),
    );
    const crossing = changes ? { crossing: true } : {};
    const found = forms
      .map(({ more, lines }) => ({ more, card: reasonPlace(lines, x, y) }))
      .find(({ card }) => card);
    const card = found ? found.card : changes ? reasonPlace(forms[0].lines, x, y, crossing) : null;
    if (!card) continue;
    placed.push(card.box);
    drawnCards.push({ sign, reason, guard: found ? found.more : "", ...card });
    drawReason(context, sign, card);
  }
  // A card's line may have crossed one.
  for (const number of numbers) numberSign(context, ...number);
}

const MOST_LINES = 7;

function reasonLines(context, reason, guard, width) {
  const lines = wrapped(context, `600 12px ${FONT}`, reason, width, MOST_LINES);
  return guard ? [...lines, ...wrapped(context, `12px ${FONT}`, guard, width, MOST_LINES)] : lines;
}

// The reason on a sign, and how many blocks it stands for.
function reasonOf([block, ...others], count) {
  if (count === 1) return block.reason;
  const alike = [block, ...others].every((one) =>
    one.repeated.every((other) => other.reason === block.reason),
  );
  const more = count === 2 ? "1 more follows" : `${count - 1} more follow`;
  return alike ? `${count} times: ${block.reason}` : `${block.reason}; ${more} from it`;
}

function drawReason(context, sign, { box, lines }) {
  const colour = stopColour(kindOf([sign.block]));
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(sign.x, sign.y);
  const end = nearestIn(box, sign.x, sign.y);
  context.lineTo(end.x, end.y);
  context.stroke();
  drawSignOf(context, sign);
  context.fillStyle = colours.canvas;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 4);
  context.fill();
  context.stroke();
  context.fillStyle = colours.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach((line, index) => {
    context.font = line.font;
    context.fillText(line.text, (box.left + box.right) / 2, box.top + 12 + index * 16);
  });
}

// The first place near a sign where a card lies free, and its line to the sign crosses nothing,
// unless ``crossing`` allows that.
function reasonPlace(lines, x, y, { crossing = false } = {}) {
  const width = Math.max(...lines.map(({ width: wide }) => wide)) + 16,
    height = lines.length * 16 + 8;
  for (const away of [20, 44, 76, 120, 170]) {
    const across = away + width / 2,
      along = away + height / 2;
    const places = [
      [x + across, y],
      [x - across, y],
      [x, y + along],
      [x, y - along],
      [x + across * 0.8, y + along],
      [x - across * 0.8, y + along],
      [x + across * 0.8, y - along],
      [x - across * 0.8, y - along],
    ];
    for (const [left, top] of places) {
      const box = boxAt(left, top, width, height);
      if (whole(box) && !underTool(box) && free(box) && (crossing || reaches(x, y, box)))
        return { box, lines };
    }
  }
  return null;
}

function reaches(x, y, box) {
  const end = nearestIn(box, x, y);
  const length = Math.hypot(end.x - x, end.y - y);
  for (let along = 18; along < length; along += 6) {
    const part = boxAt(
      x + ((end.x - x) * along) / length,
      y + ((end.y - y) * along) / length,
      2,
      2,
    );
    if (!free(part)) return false;
  }
  return true;
}
