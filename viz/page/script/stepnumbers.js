// The numbers of the steps of a path, each nearer to its own step than to any other.

import { colours } from "./colours.js";
import { directionOn, distanceToSegment, pointOn } from "./curves.js";
import {
  curveBetween,
  isHidden,
  isUnsure,
  pathColour,
  shownPaths,
  stepsToBlocks,
} from "./links.js";
import { model, otherEnd } from "./model.js";
import { FONT, MANY_BLOCKS, boxAt, free, inView, placed } from "./room.js";
import { onScreen, view } from "./view.js";

// What was drawn last, as the arguments of ``numberSign``, with the step.
export const numbers = [];

export function drawStepNumbers(context) {
  const numbered = shownPaths().flatMap(({ steps }, index) =>
    steps.map((step) => ({ step, colour: pathColour(index), index })),
  );
  if (model.causes.length <= MANY_BLOCKS) {
    for (const step of stepsToBlocks())
      numbered.push({ step, colour: isUnsure(step) ? colours.doubt : colours.path, index: 0 });
  }
  const drawn = numbered.filter(
    ({ step }) =>
      !isHidden(step.from) && !isHidden(step.to) && curveBetween(step.link, step.from, step.to),
  );
  const lines = drawn.map(({ step }) => lineOnScreen(curveBetween(step.link, step.from, step.to)));
  drawn.forEach(({ step, colour, index }, own) => {
    // A number that is nearer to another step would count that one, and one that is nearer to
    // another link of the same servers seems to belong to it.
    const others = [...lines.filter((_, other) => other !== own), ...linesBeside(step)];
    const nearest = (spot) => {
      const away = distanceToLine(spot, lines[own]);
      return others.every((line) => distanceToLine(spot, line) >= away);
    };
    drawStepNumber(context, step, colour, index, nearest);
  });
}

// The other links of the two servers of a step, as they are drawn.
function linesBeside(step) {
  const ends = [step.from, step.to].map((name) => model.byName.get(name)).filter(Boolean);
  return ends.flatMap((server) =>
    server.links
      .map((link) => ({ link, other: otherEnd(link, server) }))
      .filter(({ other }) => !other.hidden && !ends.includes(other))
      .map(({ link }) => lineOnScreen(curveBetween(link, link.a.name, link.b.name))),
  );
}

// A curve in pixels, as a line of straight parts.
function lineOnScreen(curve) {
  const parts = curve.bent ? 16 : 1;
  return Array.from({ length: parts + 1 }, (_, at) => pointOn(curve, at / parts)).map(({ x, y }) =>
    onScreen(x, y),
  );
}

function distanceToLine({ x, y }, line) {
  let nearest = Infinity;
  for (let at = 1; at < line.length; at += 1)
    nearest = Math.min(nearest, distanceToSegment(x, y, line[at - 1], line[at]));
  return nearest;
}

// Where on a step its number may stand, in the order of preference: the arrow is nearer to the end.
const ON_STEP = [0.5, 0.38, 0.62, 0.26];

// On a long step, beside a short one: over it there would be nothing left of it.
function drawStepNumber(context, step, colour, index, nearest) {
  const curve = curveBetween(step.link, step.from, step.to);
  const middle = pointOn(curve, 0.5);
  const at = onScreen(middle.x, middle.y);
  const pixels = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
  const radius = pixels < 60 ? 9 : 11;
  const side = 2 * radius + 1;
  const angle = directionOn(curve, 0.5) - Math.PI / 2;
  const turned = [
    0,
    Math.PI,
    Math.PI / 4,
    -Math.PI / 4,
    (3 * Math.PI) / 4,
    (-3 * Math.PI) / 4,
    Math.PI / 2,
    -Math.PI / 2,
  ];
  const beside = [16, 27, 38, 52].flatMap((away) =>
    turned.map((turn) => ({
      x: at.x + Math.cos(angle + turn) * away,
      y: at.y + Math.sin(angle + turn) * away,
    })),
  );
  const along = ON_STEP.map((part) => pointOn(curve, part)).map(({ x, y }) => onScreen(x, y));
  const places = pixels < 46 ? beside : pixels < 120 ? [at, ...beside] : [...along, ...beside];
  const own = places.filter(nearest);
  const place = own.find(({ x, y }) => free(boxAt(x, y, side, side))) || own[0] || places[0];
  const box = boxAt(place.x, place.y, side, side);
  if (!inView(box)) return;
  placed.push(box);
  numbers.push([place.x, place.y, String(step.number), radius, index, colour, step]);
  numberSign(context, ...numbers[numbers.length - 1]);
}

// The number of a step: in a circle, and in a square on the second of two paths.
export function numberSign(
  context,
  x,
  y,
  text,
  radius = 11,
  index = 0,
  colour = pathColour(index),
) {
  context.beginPath();
  if (index) context.roundRect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8, 2);
  else context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colours.canvas;
  context.fill();
  context.lineWidth = radius / 4.5;
  context.strokeStyle = colour;
  context.stroke();
  context.font = `700 ${Math.round(radius * (text.length > 2 ? 0.85 : 1.1))}px ${FONT}`;
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 0.5);
}
