// Whether there is room for servers as boxes with their names in them: for all of a picture, or for
// none. No two boxes touch, no box lies on the line of others or on something else, and of each
// line enough is seen between its boxes. The rule is that of viz/svg/boxes.py.

import { DRUM, attachedPlace, attachedShown } from "./attachedplaces.js";
import { BOX_FONT, GLYPH, useBoxes } from "./boxes.js";
import { curvePoints } from "./curves.js";
import { LINK_SIGNS, linkCurve, linkVisible } from "./links.js";
import { closedFolds, embeddedData, model } from "./model.js";
import { inOverview } from "./overview.js";
import { boxAt, overlaps, textWidth } from "./room.js";
import { hasOwnLooks, serverRadius, serverSpan } from "./servers.js";
import { shortened } from "./texts.js";
import { onScreen, view } from "./view.js";

// More servers than this have shapes, and a longer name is not in a box.
const MOST = 40,
  LONGEST = 124,
  CHARACTERS = 44;
// Pixels between two boxes, between a box and the line of others, and what is seen of a line, and of one
// that has a sign.
const APART = 8,
  FROM_LINES = 4,
  SEEN = 24,
  SEEN_WITH_SIGN = 34;
const BOX_HALF = 15,
  BEFORE = 6,
  BETWEEN = 5,
  FOR_LETTER = 6,
  AFTER = 8;

// To be called before anything is drawn. Servers times lines, if there are few servers.
export function fitBoxes(context) {
  useBoxes([]);
  if (inOverview() || closedFolds().length || embeddedData.added.nodes.length) return;
  const servers = [];
  for (const server of model.servers) {
    if (server.hidden) continue;
    if (servers.length === MOST || hasOwnLooks(server)) return;
    servers.push(server);
  }
  const named = servers.filter(({ shape }) => shape !== "host");
  const found = new Map(named.map((server) => [server, sizeOf(context, server)]));
  if (named.length && fits(servers, found)) useBoxes(found);
}

function sizeOf(context, server) {
  const text = shortened((server.looks && server.looks.label) || server.name, CHARACTERS);
  const width = textWidth(context, BOX_FONT, text);
  const [across] = serverSpan(server).map((part) => part * GLYPH);
  const between = BETWEEN + (server.part ? FOR_LETTER : 0);
  const wide = (BEFORE + 2 * across + between + width + AFTER) / 2;
  return {
    wide,
    high: BOX_HALF,
    sign: BEFORE + across - wide,
    middle: wide - AFTER - width / 2,
    width,
    text,
  };
}

function fits(servers, found) {
  if ([...found.values()].some(({ width }) => width > LONGEST)) return false;
  const half = (server) => {
    const box = found.get(server);
    if (box) return [box.wide, box.high];
    return serverSpan(server).map((part) => part * serverRadius(server) * view.scale);
  };
  const own = servers.map((server) => {
    const { x, y } = onScreen(server.x, server.y);
    const [wide, high] = half(server);
    return { server, box: boxAt(x, y, 2 * wide + APART, 2 * high + APART) };
  });
  const attached = attachedShown().map((one) => ({ one, at: attachedPlace(one) }));
  const others = attached.map(({ at }) => {
    const { x, y } = onScreen(at.x, at.y);
    return { server: null, box: boxAt(x, y, 2 * DRUM * view.scale, 2 * DRUM * view.scale) };
  });
  const all = [...own, ...others];
  for (let first = 0; first < own.length; first += 1)
    for (let second = first + 1; second < all.length; second += 1)
      if (overlaps(own[first].box, all[second].box)) return false;
  return linesOf(attached).every(
    ({ ends, points, seen }) =>
      partSeen(ends, half) >= seen && own.every((one) => isClear(one, ends, points)),
  );
}

function linesOf(attached) {
  const pixels = (points) => points.map(({ x, y }) => onScreen(x, y));
  const stopped = new Set(model.blocks.map(({ link }) => link));
  const hasSign = (link) => LINK_SIGNS.has(link.mark) || stopped.has(link);
  const links = model.links
    .filter((link) => link.drawnBy === link && linkVisible(link) && link.a !== link.b)
    .map((link) => ({
      ends: [link.a, link.b],
      points: pixels(curvePoints(linkCurve(link))),
      seen: link.together.some(hasSign) ? SEEN_WITH_SIGN : SEEN,
    }));
  const drums = attached.flatMap(({ one, at }) =>
    one.servers.map((server) => ({ ends: [server], points: pixels([server, at]), seen: 0 })),
  );
  return [...links, ...drums];
}

// How many pixels of a line between two servers are seen.
function partSeen([a, b], half) {
  if (!b) return Infinity;
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const reach = (server) => {
    const [wide, high] = half(server);
    return Math.min(
      wide / Math.max(0.01, Math.abs(Math.cos(angle))),
      high / Math.max(0.01, Math.abs(Math.sin(angle))),
    );
  };
  return Math.hypot(b.x - a.x, b.y - a.y) * view.scale - reach(a) - reach(b);
}

function isClear({ server, box }, ends, points) {
  if (ends.includes(server)) return true;
  const wider = FROM_LINES - APART / 2;
  const { left, right, top, bottom } = box;
  const around = {
    left: left - wider,
    right: right + wider,
    top: top - wider,
    bottom: bottom + wider,
  };
  return points.every((point, at) => !at || !isCrossed(around, points[at - 1], point));
}

// Whether a straight line between two places passes through a box.
function isCrossed({ left, right, top, bottom }, p, q) {
  let first = 0,
    last = 1;
  for (const [from, step, least, most] of [
    [p.x, q.x - p.x, left, right],
    [p.y, q.y - p.y, top, bottom],
  ]) {
    if (step === 0) {
      if (from < least || from > most) return false;
      continue;
    }
    const [one, other] = [(least - from) / step, (most - from) / step].sort((a, b) => a - b);
    first = Math.max(first, one);
    last = Math.min(last, other);
  }
  return first <= last;
}
