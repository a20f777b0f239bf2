// Samples of lines, signs and zones for the legend and for lists, drawn by the same code as the
// picture.

import { colours, outlineDashes, zoneColour, zonePattern } from "./colours.js";
import { trace, traceBroken } from "./curves.js";
import { element } from "./document.js";
import { arrowHead, configuredHere, drawLinkGroup, linkColour } from "./links.js";
import { drawLinkSign } from "./linksigns.js";
import { textOnGround } from "./linktexts.js";
import { model } from "./model.js";
import { FONT, boxAt } from "./room.js";
import { numberSign } from "./stepnumbers.js";
import { stopSign } from "./stopsigns.js";

export function sample(draw) {
  const width = 44,
    height = 22,
    ratio = Math.max(1, window.devicePixelRatio);
  const canvas = element("canvas", {
    width: width * ratio,
    height: height * ratio,
    "aria-hidden": "true",
  });
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  draw(context, width / 2, height / 2);
  return canvas;
}

export function sampleLink(style, colour, width = 1.4, line = "solid") {
  return (context, x, y) => {
    const shape = new Path2D();
    const curve = { x1: 3, y1: y, x2: 41, y2: y, cx: x, cy: y, bent: false };
    const link = { style, line, mark: "", looks: null, configuredBy: "a", a: { name: "a" } };
    if (style === "unresolved") traceBroken(shape, curve, 1);
    else trace(shape, curve);
    drawLinkGroup(context, { link, width, colour, shape, arrows: [] }, 1, true);
    if (style === "one-way") arrowHead(context, { x: 35, y }, 0, 6, colour);
    else if (["active-passive", "uplink"].includes(style))
      configuredHere(context, { x: 9, y }, 3.5, colour);
  };
}

// A text as it stands in the picture.
export function sampleText(text) {
  return sample((context, x, y) =>
    textOnGround(context, text, boxAt(x, y, 44, 14), `600 11px ${FONT}`, colours.text),
  );
}

export function sampleMarkedLink(mark) {
  return (context, x, y) => {
    const shape = new Path2D();
    trace(shape, { x1: 3, y1: y, x2: 41, y2: y, cx: x, cy: y, bent: false });
    const link = {
      style: "plain",
      line: "solid",
      mark,
      looks: null,
      configuredBy: "",
      a: { name: "a" },
    };
    drawLinkGroup(
      context,
      { link, width: 2.2, colour: linkColour(link), shape, arrows: [] },
      1,
      true,
    );
    if (mark === "refused") stopSign(context, x, y, 9, "stop");
    else drawLinkSign(context, mark, x, y);
  };
}

export function sampleWay(unsure) {
  return (context, x, y) => {
    const colour = unsure ? colours.doubt : colours.path;
    sampleLink("plain", colour, 3.5, unsure ? "dashes" : "solid")(context, x, y);
    numberSign(context, x, y, "1", 9, 0, colour);
  };
}

export function drawZoneSample(context, zone, x, y) {
  context.beginPath();
  context.roundRect(x - 19, y - 8, 38, 16, 8);
  context.fillStyle = zonePattern(context, zone);
  context.fill();
  context.strokeStyle = zoneColour(zone);
  context.lineWidth = 1.6;
  context.setLineDash(outlineDashes(zone, 0.72));
  context.stroke();
}

const ZONE_WORDS = {
  "1hop": "zone, 1hop: messages cross one of its links",
  mhop: "zone, mhop: messages go on from link to link",
  "": "zone whose type is not known",
};

// One zone of each type and one group of each kind, with what its outline means.
export function outlineEntries() {
  const found = new Map();
  for (const zone of model.zones) {
    const words = zone.kind === "zone" ? ZONE_WORDS[zone.type] || `zone, ${zone.type}` : zone.kind;
    if (!found.has(words)) found.set(words, zone);
  }
  return [...found].sort().map(([words, zone]) => [zone, words]);
}
