// Room on the screen, in pixels: the boxes of what is drawn already, and texts as wide as they will
// be.

import { apartText, visibleText } from "./texts.js";
import { view } from "./view.js";

export const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

// The boxes of the last drawing.
export const placed = [];

// The texts of the last drawing with their places, for scripts that look at the page from outside.
export const texts = [];

// The widths of texts by font and text: to measure one takes longer than to draw it.
const widths = new Map();

// The boxes of ``placed`` by the squares of the screen that they touch: as many as were looked at.
const SQUARE = 64;
const squares = { count: 0, first: null, boxes: new Map() };

function squaresOf(box, visit) {
  const lastRow = Math.floor(box.bottom / SQUARE),
    lastColumn = Math.floor(box.right / SQUARE);
  for (let row = Math.floor(box.top / SQUARE); row <= lastRow; row += 1)
    for (let column = Math.floor(box.left / SQUARE); column <= lastColumn; column += 1)
      if (visit(row * 65536 + column)) return true;
  return false;
}

// Whether a box covers nothing that is drawn; as long as it takes for what is near to it.
export function free(box) {
  if (squares.count > placed.length || squares.first !== placed[0])
    Object.assign(squares, { count: 0, first: placed[0], boxes: new Map() });
  for (; squares.count < placed.length; squares.count += 1) {
    const one = placed[squares.count];
    squaresOf(one, (square) => {
      const here = squares.boxes.get(square);
      if (here) here.push(one);
      else squares.boxes.set(square, [one]);
      return false;
    });
  }
  return !squaresOf(box, (square) => {
    const here = squares.boxes.get(square);
    return here !== undefined && here.some((other) => overlaps(box, other));
  });
}

export function overlaps(one, other) {
  return (
    one.left < other.right &&
    one.right > other.left &&
    one.top < other.bottom &&
    one.bottom > other.top
  );
}

export function inView(box) {
  return box.right > 0 && box.left < view.width && box.bottom > 0 && box.top < view.height;
}

export function whole(box) {
  return box.left >= 0 && box.right <= view.width && box.top >= 0 && box.bottom <= view.height;
}

// Whether a box lies under one of the buttons over the picture.
export function underTool(box) {
  return view.tools.some((tool) => overlaps(box, tool));
}

export function boxAt(x, y, width, height) {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

// The place in a box that is nearest to another place.
export function nearestIn(box, x, y) {
  return {
    x: Math.max(box.left, Math.min(box.right, x)),
    y: Math.max(box.top, Math.min(box.bottom, y)),
  };
}

export function textWidth(context, font, text) {
  const key = `${font}\n${text}`;
  if (!widths.has(key)) {
    context.font = font;
    widths.set(key, context.measureText(text).width);
  }
  return widths.get(key);
}

// A text as lines no wider than ``widest``; where more than ``most`` are needed the last is cut.
export function wrapped(context, font, text, widest, most) {
  context.font = font;
  const lines = [];
  let line = "";
  const keep = (one) =>
    lines.push({ text: apartText(one), font, width: textWidth(context, font, one) });
  const cut = (one) => {
    let short = one;
    while (short.length > 1 && context.measureText(`${short}…`).width > widest)
      short = short.slice(0, -1);
    return short === one ? one : `${short}…`;
  };
  const words = visibleText(text).split(/\s+/).filter(Boolean);
  for (const [index, word] of words.entries()) {
    const longer = line ? `${line} ${word}` : word;
    if (context.measureText(longer).width <= widest) line = longer;
    else if (lines.length + 1 === most) {
      keep(cut(`${longer}${index < words.length - 1 ? ` ${words[index + 1]}` : ""}`));
      return lines;
    } else {
      if (line) keep(line);
      line = cut(word);
    }
  }
  if (line) keep(line);
  return lines;
}

export const MANY_BLOCKS = 12;

// What was drawn last, for ``pictureGeometry``.
export const drawnSigns = [],
  drawnLinkSigns = [],
  drawnCards = [];
