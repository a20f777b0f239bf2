// Where signs and numbers lie on their own lines: as far as can be from every other line, from
// servers and from what is attached to them, so that each is read as its own line's. The rule is
// that of viz/svg/signplaces.py.

import { DRUM, attachedPlace, attachedShown } from "./attachedplaces.js";
import { bends } from "./bends.js";
import { boxesShown } from "./boxes.js";
import { SERVER_RADIUS, curvePoints, distanceToSegment, pointOn } from "./curves.js";
import {
  curveBetween,
  isHidden,
  linkCurve,
  linkVisible,
  shownPaths,
  stepsToBlocks,
} from "./links.js";
import { model } from "./model.js";
import { onlyDiscs } from "./overview.js";
import { boxAt, free, overlaps, placed, whole } from "./room.js";
import { serverBox } from "./servernames.js";
import { serverBody } from "./servers.js";
import { onScreen, view, visibleServers } from "./view.js";

// What a sign keeps from what is not its own, in pixels.
export const SIGN_APART = 14;
// Of places that are nearly as far from everything as the farthest, the one nearest to the wanted
// part of the line is taken.
const NEARLY = 0.85;
// Farther than this, in the picture's units, nothing is looked at.
const FAR = 320;
const PARTS = 48;

// Everything that signs keep off, as it was when ``version`` of the servers' places was counted.
const around = {
  version: -1,
  paths: null,
  blocks: null,
  scale: 0,
  lines: [],
  boxes: [],
  found: new Map(),
};

// The line that a link, or a step without one, is drawn as: links that share a line have one.
export function lineOf(link, from, to) {
  return link ? link.together[0].id : from < to ? `${from}\n${to}` : `${to}\n${from}`;
}

function renew() {
  const paths = shownPaths();
  // Boxes are as large at any scale, in pixels.
  const scale = boxesShown() ? view.scale : 0;
  if (
    around.version === bends.version &&
    around.paths === paths &&
    around.blocks === model.blocks &&
    around.scale === scale
  )
    return;
  Object.assign(around, { version: bends.version, paths, blocks: model.blocks, scale });
  around.found = new Map();
  around.lines = [];
  const add = (own, points) => {
    const xs = points.map(({ x }) => x),
      ys = points.map(({ y }) => y);
    around.lines.push({
      own,
      points,
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    });
  };
  if (!onlyDiscs())
    for (const link of model.links)
      if (link.drawnBy === link && linkVisible(link))
        add(lineOf(link), curvePoints(linkCurve(link)));
  const unlinked = [
    ...paths.flatMap(({ steps }) => steps),
    ...stepsToBlocks(),
    ...model.blocks.map(({ at, to, link }) => ({ from: at, to, link })),
  ].filter(({ link, from, to }) => !link && from !== to && !isHidden(from) && !isHidden(to));
  for (const { from, to } of unlinked)
    add(lineOf(null, from, to), curvePoints(curveBetween(null, from, to)));
  around.boxes = visibleServers().map((server) => {
    const [wide, high] = serverBody(server).map((part) => 2 * part);
    return boxAt(server.x, server.y, wide, high);
  });
  for (const one of attachedShown()) {
    const at = attachedPlace(one);
    around.boxes.push(boxAt(at.x, at.y, 2 * DRUM, 2 * DRUM));
    for (const server of one.servers) add(one.name, [server, at]);
  }
}

function near(box, spot) {
  return (
    box.left < spot.right + FAR &&
    box.right > spot.left - FAR &&
    box.top < spot.bottom + FAR &&
    box.bottom > spot.top - FAR
  );
}

function distanceToBox(x, y, { left, right, top, bottom }) {
  const aside = Math.max(left - x, 0, x - right),
    off = Math.max(top - y, 0, y - bottom);
  return Math.sqrt(aside * aside + off * off);
}

function distanceToPoints(x, y, points) {
  let nearest = Infinity;
  for (let at = 1; at < points.length; at += 1)
    nearest = Math.min(nearest, distanceToSegment(x, y, points[at - 1], points[at]));
  return nearest;
}

/**
 * The places on a curve, those that a sign is to take before others first: ``clear`` is how far
 * each is from what does not belong to the line ``own`` (``lineOf``). Found when it is first
 * asked for, and kept until a server moves; linear in what is drawn.
 * @returns {{t: number, x: number, y: number, clear: number}[]}
 */
export function placesOn(own, curve, wanted) {
  renew();
  const key = `${own}|${wanted}|${curve.x1}|${curve.y1}`;
  if (!around.found.has(key)) around.found.set(key, inOrder(own, curve, wanted));
  return around.found.get(key);
}

function inOrder(own, curve, wanted) {
  const points = curvePoints(curve);
  const mine = {
    left: Math.min(...points.map(({ x }) => x)),
    right: Math.max(...points.map(({ x }) => x)),
    top: Math.min(...points.map(({ y }) => y)),
    bottom: Math.max(...points.map(({ y }) => y)),
  };
  const lines = around.lines.filter((line) => line.own !== own && near(line, mine));
  const boxes = around.boxes.filter((box) => near(box, mine));
  const places = [];
  for (let part = 3; part <= PARTS - 3; part += 1) {
    const t = part / PARTS;
    const { x, y } = pointOn(curve, t);
    let clear = FAR;
    for (const box of boxes) clear = Math.min(clear, distanceToBox(x, y, box));
    for (const line of lines)
      if (distanceToBox(x, y, line) < clear)
        clear = Math.min(clear, distanceToPoints(x, y, line.points));
    places.push({ t, x, y, clear });
  }
  const most = Math.max(...places.map(({ clear }) => clear));
  const group = ({ clear }) => (clear >= NEARLY * most ? 0 : 1);
  const off = (place) => (group(place) ? -place.clear : Math.abs(place.t - wanted));
  return places.sort((one, other) => group(one) - group(other) || off(one) - off(other));
}

/**
 * The first of the places (``placesOn``) that is ``apart`` pixels from what is not its own, and
 * where a sign of a size in pixels covers none of ``others``; null where there is none.
 */
export function freePlace(places, size, others, apart = SIGN_APART) {
  for (const place of places) {
    if (place.clear * view.scale < apart) continue;
    const at = onScreen(place.x, place.y);
    const box = boxAt(at.x, at.y, 2 * size + 2, 2 * size + 2);
    if (isFree(box, others)) return { ...place, at, box };
  }
  return null;
}

function isFree(box, others) {
  return others === placed ? free(box) : !others.some((other) => overlaps(box, other));
}

const DIRECTIONS = 16;

/**
 * The place right beside a server, in pixels, where a sign is farthest from lines and covers none
 * of ``others``; where it covers some everywhere, it is not ``free``.
 */
export function besideServer(server, size, others) {
  renew();
  const box = serverBox(server);
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const reach = (size + 3) / view.scale + FAR / 8;
  const lines = around.lines.filter(
    (line) => distanceToBox(server.x, server.y, line) < reach + SERVER_RADIUS * 2,
  );
  let best = null;
  for (let turn = 0; turn < DIRECTIONS; turn += 1) {
    // Above first.
    const angle = -Math.PI / 2 + (turn * 2 * Math.PI) / DIRECTIONS;
    const across = Math.cos(angle),
      down = Math.sin(angle);
    const x = middle.x + across * ((box.right - box.left) / 2 + size + 3),
      y = middle.y + down * ((box.bottom - box.top) / 2 + size + 3);
    const here = boxAt(x, y, 2 * size, 2 * size);
    const empty = whole(here) && isFree(here, others);
    const own = {
      x: server.x + (x - middle.x) / view.scale,
      y: server.y + (y - middle.y) / view.scale,
    };
    let clear = FAR;
    for (const { points } of lines) clear = Math.min(clear, distanceToPoints(own.x, own.y, points));
    if (
      !best ||
      Number(empty) > Number(best.free) ||
      (empty === best.free && clear > best.clear + 0.5)
    )
      best = { x, y, box: here, free: empty, clear };
  }
  return best;
}
