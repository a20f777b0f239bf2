// Brokers and containers that servers connect to: a drum beside the first of its servers, and a
// thin line to each.

import { DRUM, attachedPlace, attachedShown } from "./attachedplaces.js";
import { colours, serverColour } from "./colours.js";
import { element } from "./document.js";
import { textOnGround } from "./linktexts.js";
import { MARK_WORDS, model } from "./model.js";
import { FONT, boxAt, free, placed, textWidth, texts, whole } from "./room.js";
import { answered } from "./said.js";
import { sample } from "./samples.js";
import { drawSign } from "./servers.js";
import { shortened } from "./texts.js";
import { onScreen, view } from "./view.js";

// With the sign of what is said of it, which a server would have.
function drum(context, x, y, size, colour, unit, mark = "") {
  const wide = size,
    high = size * 0.95,
    lid = size * 0.38;
  context.beginPath();
  context.moveTo(x - wide, y - high + lid);
  context.lineTo(x - wide, y + high - lid);
  context.ellipse(x, y + high - lid, wide, lid, 0, Math.PI, 0, true);
  context.lineTo(x + wide, y - high + lid);
  context.ellipse(x, y - high + lid, wide, lid, 0, 0, 2 * Math.PI, true);
  context.fillStyle = colours.canvas;
  context.fill();
  context.strokeStyle = colour;
  context.lineWidth = 1.8 * unit;
  context.stroke();
  if (mark) drawSign(context, { mark, loaded: true }, x, y + lid * 0.5, size * 0.55, colour);
}

export function drawAttached(context) {
  const thin = 1 / view.scale;
  const usual = answered ? colours.faded : colours.plain;
  for (const one of attachedShown()) {
    const { x, y } = attachedPlace(one);
    context.beginPath();
    for (const server of one.servers) {
      context.moveTo(server.x, server.y);
      context.lineTo(x, y);
    }
    context.strokeStyle = answered ? colours.faded : colours.line;
    context.lineWidth = 1.2 * thin;
    context.setLineDash([1.5 * thin, 4 * thin]);
    context.stroke();
    context.setLineDash([]);
    drum(context, x, y, DRUM, one.mark ? serverColour(one.mark) : usual, thin, one.mark);
  }
}

// The drums first, so that no text covers one; their names where there is room.
export function keepOffAttached() {
  for (const one of attachedShown()) {
    const place = attachedPlace(one),
      at = onScreen(place.x, place.y);
    placed.push(boxAt(at.x, at.y, 2 * DRUM * view.scale + 2, 2 * DRUM * view.scale + 2));
  }
}

export function drawAttachedNames(context) {
  const font = `12px ${FONT}`,
    height = 16;
  for (const one of attachedShown()) {
    const place = attachedPlace(one),
      at = onScreen(place.x, place.y);
    const away = DRUM * view.scale + 2;
    for (const most of [30, 16]) {
      const text = shortened(one.name, most),
        width = textWidth(context, font, text) + 6;
      const boxes = [
        boxAt(at.x, at.y + away + height / 2, width, height),
        boxAt(at.x, at.y - away - height / 2, width, height),
        boxAt(at.x + away + width / 2, at.y, width, height),
        boxAt(at.x - away - width / 2, at.y, width, height),
      ];
      const box = boxes.find((place_) => whole(place_) && free(place_));
      if (!box) continue;
      placed.push(box);
      texts.push({ kind: "attached", text, ...box });
      textOnGround(context, text, box, font, answered && !one.mark ? colours.muted : colours.text);
      break;
    }
  }
}

// What a server connects to, for the list beside the picture.
export function attachedList(server) {
  const own = model.attached.filter(({ servers }) => servers.includes(server));
  if (!own.length) return [];
  const rows = own.map(({ name, kind, source, told }) =>
    element(
      "li",
      {},
      name,
      element("span", { class: "muted" }, ` ${[kind, told.note].filter(Boolean).join(", ")} `),
      element("span", { class: "source" }, source),
    ),
  );
  return [element("h3", {}, "Connected to"), element("ul", { class: "links" }, ...rows)];
}

export function attachedEntries() {
  const kinds = [...new Set(model.attached.map(({ kind }) => kind))].sort();
  const entries = kinds.map((kind) => [
    sample((context, x, y) => drum(context, x, y, 8, answered ? colours.faded : colours.plain, 1)),
    kind,
  ]);
  const marks = new Set(model.attached.map(({ mark }) => mark).filter(Boolean));
  for (const [mark, words] of Object.entries(MARK_WORDS))
    if (marks.has(mark))
      entries.push([
        sample((context, x, y) => drum(context, x, y, 8, serverColour(mark), 1, mark)),
        words,
      ]);
  return entries;
}
