// Equal leaves of a server as one: how a fold is drawn, hit and opened.

import { colours } from "./colours.js";
import { hint, say } from "./document.js";
import { linkColour } from "./links.js";
import { textOnGround } from "./linktexts.js";
import { closedFolds, model } from "./model.js";
import { FONT, boxAt, placed, textWidth, texts } from "./room.js";
import { drawServer, serverRadius } from "./servers.js";
import { openFolds } from "./shown.js";
import { onScreen, showServers, view } from "./view.js";

// How far up and to the right the servers of a stack are, and how strong.
const STACK = [
  [10, 0.3],
  [5, 0.5],
  [0, 1],
];

export function drawFolds(context) {
  const unit = 1 / view.scale;
  for (const fold of closedFolds()) {
    const [first] = fold.servers;
    const radius = serverRadius(first);
    context.beginPath();
    context.moveTo(fold.hub.x, fold.hub.y);
    context.lineTo(fold.x, fold.y);
    context.strokeStyle = linkColour(first.links[0]);
    context.lineWidth = 3 * unit;
    context.stroke();
    for (const [away, strength] of STACK) {
      const look = away ? { ...first, mark: "", here: "" } : first;
      const off = (away / 14) * radius;
      context.globalAlpha = strength;
      drawServer(context, look, fold.x + off, fold.y - off, radius, unit);
    }
    context.globalAlpha = 1;
    if (fold !== view.fold) continue;
    context.beginPath();
    context.arc(fold.x, fold.y, radius + 12 * unit, 0, 2 * Math.PI);
    context.strokeStyle = colours.text;
    context.lineWidth = 2 * unit;
    context.stroke();
  }
}

// How many servers a fold has, and how many findings.
export function drawFoldTexts(context) {
  for (const fold of closedFolds()) {
    const at = onScreen(fold.x, fold.y);
    const below = serverRadius(fold.servers[0]) * view.scale + 10;
    [fold.label, fold.noticed].filter(Boolean).forEach((text, index) => {
      const font = `${index ? "" : "600 "}12px ${FONT}`;
      const width = textWidth(context, font, text) + 6;
      const box = boxAt(at.x, at.y + below + 15 * index, width, 14);
      placed.push(box);
      texts.push({ kind: "fold", text, ...box });
      textOnGround(context, text, box, font, index ? colours.muted : colours.text);
    });
  }
}

export function foldAt({ x, y }) {
  return (
    closedFolds().find(
      (fold) => Math.hypot(fold.x - x, fold.y - y) <= 1.8 * serverRadius(fold.servers[0]),
    ) || null
  );
}

function foldTitle(fold) {
  return [`${fold.label} at ${fold.hub.name}`, fold.noticed].filter(Boolean).join("; ");
}

export function chooseFold(fold) {
  view.fold = fold;
  say(`${foldTitle(fold)}; Enter shows each of them`);
}

export function showFold(fold) {
  view.fold = null;
  openFolds([fold]);
  showServers([fold.hub, ...fold.servers]);
  hint(`${fold.label} at ${fold.hub.name}: Escape folds them again`);
  say(`${foldTitle(fold)}; Escape folds them again`);
}

// Folds what was opened; false if nothing was.
export function foldAll() {
  const opened = model.folds.filter((fold) => fold.open);
  openFolds(opened, false);
  if (opened.length) hint("");
  return opened.length > 0;
}
