// Where things were drawn last, in pixels from the canvas' upper left corner, for those who check
// that a reader can tell them apart.

import { DRUM, attachedPlace, attachedShown } from "./attachedplaces.js";
import { curvePoints } from "./curves.js";
import {
  curveBetween,
  isHidden,
  linkCurve,
  linkVisible,
  shownPaths,
  stepsToBlocks,
} from "./links.js";
import { model } from "./model.js";
import { badges } from "./findings.js";
import { boxAt, drawnCards, drawnLinkSigns, drawnSigns, texts } from "./room.js";
import { serverBox } from "./servernames.js";
import { serverBody } from "./servers.js";
import { numbers } from "./stepnumbers.js";
import { onScreen, view, visibleServers } from "./view.js";

/**
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 * @typedef {{x: number, y: number}} Spot
 * @returns {{
 *   width: number, height: number, scale: number,
 *   servers: {name: string, box: Box, body: Box}[],
 *   paths: {title: string, servers: string[], steps: {from: string, to: string, number: string,
 * line: Spot[]}[]}[], ways: {from: string, to: string, number: string, line: Spot[]}[], links:
 * {from: string, to: string, mark: string, line: Spot[]}[], numbers: {x: number, y: number, text: string, from:
 * string, to: string}[], signs: {x: number, y: number, size: number, server: string, blocks: {at: string, to:
 * string, reason: string}[]}[], linkSigns: {x: number, y: number, size: number, mark: string, ends:
 * string[], server: string, count: number}[], names: {server: string, text: string, box: Box}[],
 * linkTexts: {text: string, box: Box}[], badges: {x: number, y: number, size: number, ends: string[], configuredBy: string}[],
 * headlined: string[], attached: {name: string, box: Box, lines: Spot[][]}[], cards: {box: Box, reason: string, guard: string, lines:
 * string[]}[], }}
 */
export function pictureGeometry() {
  const line = (curve) => curvePoints(curve, 24).map(({ x, y }) => onScreen(x, y));
  const between = (step) => line(curveBetween(step.link, step.from, step.to));
  const there = (step) =>
    !isHidden(step.from) &&
    !isHidden(step.to) &&
    curveBetween(step.link, step.from, step.to) !== null;
  const drawn = (step) => ({
    from: step.from,
    to: step.to,
    number: String(step.number),
    line: between(step),
  });
  return {
    width: view.width,
    height: view.height,
    servers: visibleServers().map((server) => {
      const { x, y } = onScreen(server.x, server.y);
      const [wide, high] = serverBody(server).map((part) => 2 * part * view.scale);
      return { name: server.name, box: serverBox(server), body: boxAt(x, y, wide, high) };
    }),
    scale: view.scale,
    paths: shownPaths().map(({ title, servers, steps }) => ({
      title,
      servers,
      steps: steps.filter(there).map(drawn),
    })),
    // Steps that lead to blocks and are not on these paths.
    ways: stepsToBlocks().filter(there).map(drawn),
    links: model.links
      .filter((link) => link.drawnBy === link && linkVisible(link))
      .map((link) => ({
        from: link.a.name,
        to: link.b.name,
        mark: link.mark,
        line: line(linkCurve(link)),
      })),
    numbers: numbers.map(([x, y, text, , , , step]) => ({
      x,
      y,
      text,
      from: step.from,
      to: step.to,
    })),
    signs: drawnSigns.map(({ x, y, size, at, causes }) => ({
      x,
      y,
      size,
      server: at ? at.name : "",
      blocks: causes.map(({ at, to, reason }) => ({ at, to, reason })),
    })),
    linkSigns: drawnLinkSigns.map(({ x, y, size, mark, link, server, count }) => ({
      x,
      y,
      size,
      mark,
      ends: link ? [link.a.name, link.b.name] : [],
      server: server ? server.name : "",
      count,
    })),
    names: texts
      .filter(({ of }) => of !== undefined)
      .map(({ of, text, left, right, top, bottom }) => ({
        server: of,
        text,
        box: { left, right, top, bottom },
      })),
    linkTexts: texts
      .filter(({ kind }) => kind === "link")
      .map(({ text, left, right, top, bottom }) => ({ text, box: { left, right, top, bottom } })),
    badges: badges.map(({ about, x, y, size }) => ({
      x,
      y,
      size,
      ends: about.together ? [about.a.name, about.b.name] : [],
      configuredBy: about.configuredBy || "",
    })),
    headlined: [...model.headlined].map(({ name }) => name),
    attached: attachedShown().map((one) => {
      const place = attachedPlace(one);
      const at = onScreen(place.x, place.y);
      const size = DRUM * view.scale;
      return {
        name: one.name,
        box: boxAt(at.x, at.y, 2 * size, 2 * size),
        lines: one.servers.map(({ x, y }) => [onScreen(x, y), at]),
      };
    }),
    cards: drawnCards.map(({ box, reason, guard, lines }) => ({
      box,
      reason,
      guard,
      lines: lines.map(({ text }) => text),
    })),
  };
}
