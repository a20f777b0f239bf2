// Texts over the picture, at the size of the page's text whatever the zoom. The most telling come
// first, and what would cover them stays away.

import { drawAttachedNames, keepOffAttached } from "./attached.js";
import { boxesShown } from "./boxes.js";
import { pointOn } from "./curves.js";
import { drawBadges } from "./findings.js";
import { drawFoldTexts } from "./folds.js";
import { drawLeavingTexts } from "./leaving.js";
import { curveBetween, isHidden, shownPaths, stepsToBlocks } from "./links.js";
import { drawLinkSigns } from "./linksigns.js";
import { drawLinkTexts } from "./linktexts.js";
import { model } from "./model.js";
import { drawReasons } from "./reasons.js";
import {
  MANY_BLOCKS,
  boxAt,
  drawnCards,
  drawnLinkSigns,
  drawnSigns,
  placed,
  texts,
} from "./room.js";
import { drawEnds, isEnd, namesInOrder, serverBox, serverLabel } from "./servernames.js";
import { drawStepNumbers, numbers } from "./stepnumbers.js";
import { drawStopSigns } from "./stopsigns.js";
import { onScreen, view, visibleServers } from "./view.js";
import { drawZoneLabels } from "./zonenames.js";
import { FEW_ZONES } from "./zones.js";

// Everything that is text or sign, in pixels; called when the rest has been drawn.
export function drawLabels(context) {
  const ratio = context.canvas.width / view.width;
  for (const kept of [placed, texts, numbers, drawnSigns, drawnLinkSigns, drawnCards])
    kept.length = 0;
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textBaseline = "middle";
  context.textAlign = "center";
  const beyond = boxesShown() ? 120 : 20;
  const servers = visibleServers().filter((server) => {
    const { x, y } = onScreen(server.x, server.y);
    return x > -beyond && y > -20 && x < view.width + beyond && y < view.height + 20;
  });
  const [first, rest] = namesInOrder(servers);
  placed.push(...view.tools);
  for (const server of servers) if (!isEnd(server)) placed.push(serverBox(server));
  keepOffAttached();
  const signs = drawStopSigns(context);
  drawLinkSigns(context);
  const line = pathOnScreen();
  drawEnds(context, line);
  drawStepNumbers(context);
  placed.push(...line);
  // Zones of many are small, and their names lie over servers; a reason has to find room before
  // them.
  const roomy = model.zones.length <= FEW_ZONES && servers.length < 60;
  if (!roomy) drawReasons(context, signs);
  const onPath = new Set(view.paths.flatMap((path) => path.servers));
  for (const server of first)
    if (!roomy || onPath.has(server.name)) serverLabel(context, server, true);
  drawFoldTexts(context);
  drawZoneLabels(context);
  if (roomy) {
    for (const server of first) if (!onPath.has(server.name)) serverLabel(context, server, true);
    drawReasons(context, signs);
  }
  drawBadges(context);
  for (const server of rest) serverLabel(context, server, false);
  drawLinkTexts(context);
  drawLeavingTexts(context);
  drawAttachedNames(context);
  context.restore();
}

// The chosen path as a chain of small boxes: what is written keeps off it.
function pathOnScreen() {
  const boxes = [];
  const ways = model.causes.length <= MANY_BLOCKS ? [stepsToBlocks()] : [];
  for (const steps of [...shownPaths().map((path) => path.steps), ...ways]) {
    for (const step of steps) {
      if (isHidden(step.from) || isHidden(step.to)) continue;
      const curve = curveBetween(step.link, step.from, step.to);
      const pixels = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
      const count = Math.min(60, Math.ceil(pixels / 14));
      for (let index = 1; index < count; index += 1) {
        const { x, y } = pointOn(curve, index / count);
        const at = onScreen(x, y);
        boxes.push(boxAt(at.x, at.y, 9, 9));
      }
    }
  }
  return boxes;
}
