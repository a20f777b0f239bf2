// What a change or a failure does to a link, as a sign on it.

import { colours } from "./colours.js";
import { LINK_SIGNS, linkColour, linkCurve, linkVisible } from "./links.js";
import { model } from "./model.js";
import { onlyDiscs } from "./overview.js";
import { boxAt, drawnLinkSigns, inView, placed } from "./room.js";
import { serverRadius } from "./servers.js";
import { SIGN_APART, besideServer, freePlace, lineOf, placesOn } from "./signplaces.js";
import { drawCount } from "./stopsigns.js";
import { onScreen, view } from "./view.js";

const SIZE = 9;
// A link of fewer pixels has no place that is far enough from its ends.
const SHORTEST = 2 * SIGN_APART;

// What a change or a failure does to a link, at the place of the link that is farthest from others
// (a stop sign says that it is refused). A server counts those of its links that have no such
// place.
export function drawLinkSigns(context) {
  if (onlyDiscs()) return;
  const counted = new Map();
  for (const link of model.links) {
    if (
      !LINK_SIGNS.has(link.mark) ||
      link.mark === "refused" ||
      link.drawnBy !== link ||
      !linkVisible(link)
    )
      continue;
    const curve = linkCurve(link);
    if (!inView(boxOf(curve))) continue;
    const pixels = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
    const roomy = curve.loop || pixels > SHORTEST;
    const place = roomy && freePlace(placesOn(lineOf(link), curve, 0.5), SIZE, placed);
    if (place) drawOne(context, link.mark, place.at, { link });
    else {
      const own = counted.get(link.a) || counted.set(link.a, new Map()).get(link.a);
      own.set(link.mark, [...(own.get(link.mark) || []), link]);
    }
  }
  for (const [server, own] of counted) {
    if (serverRadius(server) * view.scale < LEAST_COUNTED) continue;
    for (const [mark, links] of own) {
      const place = besideServer(server, SIZE, placed);
      if (place.free) drawOne(context, mark, place, { server, count: links.length });
    }
  }
}

// Servers that are drawn smaller count nothing: the colour of their links says what becomes of
// them.
const LEAST_COUNTED = 7;

function drawOne(context, mark, { x, y }, { link = null, server = null, count = 0 }) {
  placed.push(boxAt(x, y, 2 * SIZE + 2, 2 * SIZE + 2));
  drawnLinkSigns.push({ x, y, size: SIZE, mark, link, server, count });
  drawLinkSign(context, mark, x, y, SIZE);
  if (count) drawCount(context, x, y, { size: SIZE, count, colour: linkColour({ mark }) });
}

function boxOf({ x1, y1, x2, y2 }) {
  const one = onScreen(x1, y1),
    other = onScreen(x2, y2);
  return {
    left: Math.min(one.x, other.x) - 40,
    right: Math.max(one.x, other.x) + 40,
    top: Math.min(one.y, other.y) - 40,
    bottom: Math.max(one.y, other.y) + 40,
  };
}

// A cross through what goes or will not be, a plus for what comes, an unequal sign for what is
// altered, a bolt for what fails.
export function drawLinkSign(context, mark, x, y, size = 9) {
  const colour = linkColour({ mark });
  const stroke = (width, style) => {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.stroke();
  };
  context.lineCap = "round";
  context.beginPath();
  if (mark === "goes" || mark === "refused") {
    const arm = size * 0.75;
    context.moveTo(x - arm, y - arm);
    context.lineTo(x + arm, y + arm);
    context.moveTo(x + arm, y - arm);
    context.lineTo(x - arm, y + arm);
    stroke(7, colours.canvas);
    stroke(3.2, colour);
  } else {
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fillStyle = colours.canvas;
    context.fill();
    stroke(2, colour);
    context.beginPath();
    const arm = size * 0.5;
    if (mark === "comes") {
      context.moveTo(x - arm, y);
      context.lineTo(x + arm, y);
      context.moveTo(x, y - arm);
      context.lineTo(x, y + arm);
    } else if (mark === "down") {
      context.moveTo(x + arm * 0.3, y - arm * 1.3);
      context.lineTo(x - arm * 0.7, y + arm * 0.2);
      context.lineTo(x + arm * 0.7, y + arm * 0.2);
      context.lineTo(x - arm * 0.3, y + arm * 1.3);
    } else if (mark === "critical") {
      context.moveTo(x, y - arm * 1.1);
      context.lineTo(x, y + arm * 0.2);
      context.moveTo(x, y + arm);
      context.lineTo(x, y + arm * 1.05);
    } else {
      context.moveTo(x - arm, y - size * 0.22);
      context.lineTo(x + arm, y - size * 0.22);
      context.moveTo(x - arm, y + size * 0.22);
      context.lineTo(x + arm, y + size * 0.22);
      context.moveTo(x - arm * 0.7, y + arm * 1.1);
      context.lineTo(x + arm * 0.7, y - arm * 1.1);
    }
    stroke(2, colour);
  }
  context.lineCap = "butt";
}
