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
import { freePlace, lineOf, placesOn } from "./signplaces.js";
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
  // Several ways begin alike: what is numbered alike on one line is one number.
  const once = new Map();
  for (const one of numbered) {
    const { link, from, to, number } = one.step;
    const key = `${lineOf(link, from, to)}|${from}|${number}|${one.index}`;
    if (!once.has(key) && from !== to && !isHidden(from) && !isHidden(to)) once.set(key, one);
  }
  const drawn = [...once.values()].filter(({ step }) =>
    curveBetween(step.link, step.from, step.to),
  );
  const lines = drawn.map(({ step }) => lineOnScreen(curveBetween(step.link, step.from, step.to)));
  drawn.forEach(({ step, colour, index }, own) => {
    // A number that is nearer to another step would count that one, and one that is nearer to
    // another link of the same servers seems to belong to it.
    const others = () => [...lines.filter((_, other) => other !== own), ...linesBeside(step)];
    const nearest = (spots) => {
      const all = others();
      return spots.filter((spot) => {
        const away = distanceToLine(spot, lines[own]);
        return all.every((line) => distanceToLine(spot, line) >= away);
      });
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

// A step that is shorter than this, in pixels, has its number beside it: over it there would be
// nothing left of it.
const SHORT = 46;

// Where there is no room near its own step, a number is in the list only.
function drawStepNumber(context, step, colour, index, nearest) {
  const curve = curveBetween(step.link, step.from, step.to);
  const pixels = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
  const radius = pixels < 60 ? 9 : 11;
  const place =
    (pixels < SHORT && !curve.loop ? null : placeOnStep(step, curve, radius)) ||
    placeBeside(curve, radius, nearest);
  if (!place || !inView(boxAt(place.x, place.y, 2 * radius, 2 * radius))) return;
  placed.push(boxAt(place.x, place.y, 2 * radius + 1, 2 * radius + 1));
  numbers.push([place.x, place.y, String(step.number), radius, index, colour, step]);
  numberSign(context, ...numbers[numbers.length - 1]);
}

// As a sign is placed; a number may come nearer to others than a sign may, for it is on its line.
function placeOnStep(step, curve, radius) {
  const places = placesOn(lineOf(step.link, step.from, step.to), curve, 0.5);
  const found =
    freePlace(places, radius, placed) ||
    freePlace(places, radius, placed, radius / 2) ||
    freePlace(places, radius, placed, 0);
  return found && found.at;
}

function placeBeside(curve, radius, nearest) {
  const middle = pointOn(curve, 0.5);
  const at = onScreen(middle.x, middle.y);
  const side = 2 * radius + 1;
  const angle = directionOn(curve, 0.5) - Math.PI / 2;
  const turned = [0, 4, 1, -1, 3, -3, 2, -2].map((part) => (part * Math.PI) / 4);
  const beside = [16, 27, 38, 52].flatMap((away) =>
    turned.map((turn) => ({
      x: at.x + Math.cos(angle + turn) * away,
      y: at.y + Math.sin(angle + turn) * away,
    })),
  );
  return nearest(beside.filter(({ x, y }) => free(boxAt(x, y, side, side))))[0] || null;
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
