// What a change or a failure does to a link, as a sign on its middle.

import { colours } from "./colours.js";
import { pointOn } from "./curves.js";
import { LINK_SIGNS, linkColour, linkCurve, linkVisible } from "./links.js";
import { model } from "./model.js";
import { onlyDiscs } from "./overview.js";
import { boxAt, free, inView, placed } from "./room.js";
import { onScreen, view } from "./view.js";

// What a change does to a link stands on its middle, unless a stop sign stands there.
export function drawLinkSigns(context) {
  if (onlyDiscs()) return;
  for (const link of model.links) {
    if (
      !LINK_SIGNS.has(link.mark) ||
      link.mark === "refused" ||
      link.drawnBy !== link ||
      !linkVisible(link)
    )
      continue;
    const curve = linkCurve(link);
    const middle = pointOn(curve, 0.5);
    const at = onScreen(middle.x, middle.y);
    const box = boxAt(at.x, at.y, 20, 20);
    if (
      !inView(box) ||
      Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale < 34 ||
      !free(box)
    )
      continue;
    placed.push(box);
    drawLinkSign(context, link.mark, at.x, at.y);
  }
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
