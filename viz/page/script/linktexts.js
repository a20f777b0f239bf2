// What is at a link: its cost, where costs differ or are not 1, of many parallel links their number,
// and where there are several kinds of links, which it is.

import { colours, withAlpha } from "./colours.js";
import { directionOn, pointOn } from "./curves.js";
import { linkCurve, linkVisible, shownPaths, stepsToBlocks } from "./links.js";
import { model } from "./model.js";
import { FONT, boxAt, free, placed, textWidth, texts, whole } from "./room.js";
import { answered } from "./said.js";
import { onScreen, view } from "./view.js";

export const costsShown = model.links.some((link) => link.cost !== null && link.cost !== 1);

// The kinds of links whose names are at their lines: where there are more than two kinds, all but one
// that is more frequent than all others. `Scene.named_roles` says the same.
const MOST_NAMED = 60;
const namedRoles = (() => {
  const found = new Map();
  for (const { role } of model.links) if (role) found.set(role, (found.get(role) || 0) + 1);
  if (found.size < 3 || model.links.length > MOST_NAMED) return new Set();
  const order = [...found].sort(([, many], [, more]) => more - many);
  return new Set(order.slice(order[0][1] > order[1][1] ? 1 : 0).map(([role]) => role));
})();

// The text of the line of a link; empty where it says nothing.
function linkText(link) {
  const said = link.crowd ? [`×${link.together.length}`] : [];
  const costs = link.together.map((one) => one.cost).filter((cost) => cost !== null);
  if (costsShown && costs.length) {
    const least = Math.min(...costs),
      most = Math.max(...costs);
    said.push(least === most ? `cost ${least}` : `cost ${least} to ${most}`);
  }
  if (namedRoles.has(link.role)) said.push(link.role);
  return said.join(", ");
}

// The lines that have a text, by their first link: an answer changes neither.
const linkTexts = new Map(
  model.links
    .filter((link) => link.together[0] === link && linkText(link))
    .map((link) => [link, linkText(link)]),
);

// Beside the middle of a link, or a little along it, wherever it covers no other text.
const LINK_TEXT_PLACES = [0.5, 0.42, 0.58, 0.34, 0.66].flatMap((t) =>
  [-1, 1].map((side) => [t, side]),
);

// How far from its line a text is, in pixels: next to a path, which is broader and has numbers on it,
// farther if need be.
const NEXT_TO_LINE = [3],
  NEXT_TO_PATH = [3, 7, 12];

export function drawLinkTexts(context) {
  const font = `600 11px ${FONT}`;
  const height = 14;
  const steps = [...shownPaths().flatMap((path) => path.steps), ...stepsToBlocks()];
  const onPath = new Set(steps.map(({ link }) => link && link.together[0]));
  for (const [link, text] of linkTexts) {
    if (!linkVisible(link)) continue;
    const curve = linkCurve(link);
    const pixels = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
    const width = textWidth(context, font, text) + 6;
    if (!curve.loop && pixels < width + 26) continue;
    const apart = onPath.has(link) ? NEXT_TO_PATH : NEXT_TO_LINE;
    for (const [gap, t, side] of apart.flatMap((gap) =>
      LINK_TEXT_PLACES.map(([t, side]) => [gap, t, side]),
    )) {
      const point = pointOn(curve, t),
        at = onScreen(point.x, point.y);
      // As far from the line as the text's box reaches across it.
      const across = directionOn(curve, t) + (side * Math.PI) / 2;
      const away =
        Math.abs(Math.cos(across)) * (width / 2) + Math.abs(Math.sin(across)) * (height / 2) + gap;
      const box = boxAt(
        at.x + Math.cos(across) * away,
        at.y + Math.sin(across) * away,
        width,
        height,
      );
      if (!whole(box) || !free(box)) continue;
      placed.push(box);
      texts.push({ kind: "link", text, ...box });
      textOnGround(
        context,
        text,
        box,
        font,
        link.drawnBy.mark || !answered ? colours.text : colours.muted,
      );
      break;
    }
  }
}

// A text with a rim of the ground's colour, so that a line below it does not run through the
// letters.
export function textOnGround(context, text, box, font, colour) {
  const middle = (box.left + box.right) / 2,
    level = (box.top + box.bottom) / 2 + 0.5;
  context.font = font;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = withAlpha(colours.canvas, 0.9);
  context.strokeText(text, middle, level);
  context.fillStyle = colour;
  context.fillText(text, middle, level);
}
