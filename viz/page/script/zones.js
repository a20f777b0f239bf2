// Zones: hulls under the servers. A part whose convex hull would cover servers of others is a broad
// band along its links instead.

import { refreshBends } from "./bends.js";
import { outlineDashes, withAlpha, zoneColour, zonePattern } from "./colours.js";
import { boxAround, curvePoints, distanceToSegment, pointOn } from "./curves.js";
import { linkCurve } from "./links.js";
import { closedFolds, model } from "./model.js";
import { inOverview } from "./overview.js";
import { answered } from "./said.js";
import { view } from "./view.js";

export const PADDING = 46;
export const FEW_ZONES = 12;

export function zoneShapes() {
  if (inOverview()) {
    for (const zone of model.zones) Object.assign(zone, { shape: null, area: 0, labels: [] });
    model.zonesBySize = [];
    return;
  }
  refreshBends();
  const filled = squares();
  for (const zone of model.zones) shapeZone(zone, filled);
  if (model.zones.length <= FEW_ZONES) for (const zone of model.zones) preferOwnPlaces(zone);
  model.zonesBySize = [...model.zones].sort(
    (one, other) => other.area - one.area || one.index - other.index,
  );
}

export function shapeZone(zone, filled = squares()) {
  const members = zone.servers.filter((server) => !server.hidden);
  zone.shape = null;
  zone.area = 0;
  zone.labels = [];
  if (!members.length) return;
  const stacks = foldsIn(zone);
  const points = [...members, ...stacks];
  const corners = convexHull(points);
  zone.area = area(corners);
  const inside = new Set(members);
  const box = boxAround(corners, PADDING);
  zone.banded =
    members.length > 2 &&
    (isChain(zone, members) ||
      coversOthers(corners, box, inside, filled, zone.tree ? PADDING : PADDING / 2));
  if (zone.banded) {
    const contours = bandContours(points, bandLinks(zone, members));
    zone.shape = contourShape(contours);
    zone.labels = bandLabelPlaces(zone, members, contours);
  } else {
    zone.shape = paddedHull(corners);
    zone.labels = hullLabelPlaces(corners);
  }
}

// The folds of a zone, and points on the way from their hubs.
function foldsIn(zone) {
  return closedFolds()
    .filter((fold) => fold.servers[0].zones.includes(zone))
    .flatMap(({ hub, x, y }) =>
      [0.25, 0.5, 0.75, 1].map((t) => ({ x: hub.x + (x - hub.x) * t, y: hub.y + (y - hub.y) * t })),
    );
}

// A name in the overlap of two zones, or at the edge of another, could be the other's.
function preferOwnPlaces(zone) {
  const context = document.createElement("canvas").getContext("2d");
  context.lineWidth = 2 * PADDING;
  const over = (shape, x, y) =>
    context.isPointInPath(shape, x, y) || context.isPointInStroke(shape, x, y);
  const inOthers = ({ x, y }) =>
    model.zones.filter((other) => other !== zone && other.shape && over(other.shape, x, y)).length;
  zone.labels = zone.labels
    .map((place) => ({ ...place, others: inOthers(place) }))
    .sort((one, other) => one.others - other.others);
}

// Which servers are near: the picture in squares, so that a zone asks for those around it and not
// for all.
const SQUARE = 300;
const squareOf = (x, y) => `${Math.floor(x / SQUARE)} ${Math.floor(y / SQUARE)}`;

function squares() {
  const filled = new Map();
  for (const server of model.servers) {
    if (server.hidden) continue;
    const key = squareOf(server.x, server.y);
    if (filled.has(key)) filled.get(key).push(server);
    else filled.set(key, [server]);
  }
  return filled;
}

// A chain is shown as the way that it is.
function isChain(zone, members) {
  if (!zone.tree || members.length < 4) return false;
  const links = new Map();
  for (const link of zone.links)
    for (const end of [link.a, link.b]) links.set(end, (links.get(end) || 0) + 1);
  return Math.max(...links.values()) <= 2;
}

function coversOthers(corners, box, inside, filled, reach) {
  for (let x = box.left; x < box.right + SQUARE; x += SQUARE) {
    for (let y = box.top; y < box.bottom + SQUARE; y += SQUARE) {
      for (const server of filled.get(squareOf(x, y)) || []) {
        if (!inside.has(server) && within(corners, server, reach)) return true;
      }
    }
  }
  return false;
}

// Andrew's monotone chain, counter-clockwise on paper whose y grows downwards.
function convexHull(points) {
  const sorted = [...points].sort((p, q) => p.x - q.x || p.y - q.y);
  if (sorted.length < 3) return sorted;
  const half = (ordered) => {
    const chain = [];
    for (const point of ordered) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0)
        chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function turn(p, q, r) {
  return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

function area(corners) {
  let twice = 0;
  corners.forEach((p, index) => {
    const q = corners[(index + 1) % corners.length];
    twice += p.x * q.y - q.x * p.y;
  });
  return Math.abs(twice) / 2;
}

// Whether a server lies in the hull or nearer to it than ``reach``.
function within(corners, { x, y }, reach) {
  let inside = corners.length > 2;
  for (let index = 0; index < corners.length; index += 1) {
    const p = corners[index],
      q = corners[(index + 1) % corners.length];
    if (distanceToSegment(x, y, p, q) < reach) return true;
    if (inside && turn(p, q, { x, y }) < 0) inside = false;
  }
  return inside;
}

// Of the padding what a smooth outline keeps from a corner of the hull, and the turn from which on
// a corner is an arc around its server: as in viz/layout/outlines.py.
const LEAST = 0.72,
  SHARP = (140 * Math.PI) / 180;

// A smooth curve around the corners of a convex hull: flat corners are wide curves, sharp ones arcs.
function paddedHull(corners) {
  const shape = new Path2D();
  if (corners.length === 1) {
    shape.arc(corners[0].x, corners[0].y, PADDING, 0, 2 * Math.PI);
    return shape;
  }
  corners.forEach((corner, index) => {
    const before = corners[(index + corners.length - 1) % corners.length];
    const after = corners[(index + 1) % corners.length];
    const from = Math.atan2(corner.y - before.y, corner.x - before.x);
    const to = Math.atan2(after.y - corner.y, after.x - corner.x);
    const turned = (to - from + 4 * Math.PI) % (2 * Math.PI);
    if (turned === 0 || turned >= SHARP) {
      shape.arc(corner.x, corner.y, PADDING, from - Math.PI / 2, to - Math.PI / 2);
      return;
    }
    const half = turned / 2,
      out = PADDING / Math.cos(half);
    const shorter = Math.min(
      Math.hypot(corner.x - before.x, corner.y - before.y),
      Math.hypot(after.x - corner.x, after.y - corner.y),
    );
    const reach = Math.min(
      PADDING * Math.tan(half) + shorter / 2,
      (2 * (out - LEAST * PADDING)) / Math.sin(half),
    );
    const outwards = from + half - Math.PI / 2;
    const x = corner.x + out * Math.cos(outwards),
      y = corner.y + out * Math.sin(outwards);
    shape.lineTo(x - reach * Math.cos(from), y - reach * Math.sin(from));
    shape.quadraticCurveTo(x, y, x + reach * Math.cos(to), y + reach * Math.sin(to));
  });
  shape.closePath();
  return shape;
}

// Where a name can stand: above and below the middle first, then all around, in the middle at last.
function hullLabelPlaces(corners) {
  const box = boxAround(corners, PADDING);
  const middle = (box.left + box.right) / 2;
  const over = (point) => (corners.length > 2 ? (point.x + middle) / 2 : middle);
  const around = outermost(corners).map(({ x, y, dx, dy }) => ({
    x: x + dx * PADDING,
    y: y + dy * PADDING,
    dx,
  }));
  const [top, bottom, ...others] = around;
  return [
    { x: over(top), y: top.y },
    { x: over(bottom), y: bottom.y },
    ...others,
    { x: middle, y: (box.top + box.bottom) / 2 },
  ];
}

// The points furthest up, down, right and left, then those between, each with its direction.
function outermost(points) {
  const slant = Math.SQRT1_2;
  const directions = [
    [0, -1],
    [0, 1],
    [1, 0],
    [-1, 0],
    [slant, -slant],
    [-slant, -slant],
    [slant, slant],
    [-slant, slant],
  ];
  return directions.map(([dx, dy]) => {
    const { x, y } = points.reduce((best, p) =>
      p.x * dx + p.y * dy > best.x * dx + best.y * dy ? p : best,
    );
    return { x, y, dx, dy };
  });
}

// The links along which a band runs: all of them where they are few, else a shortest spanning
// forest (Kruskal).
function bandLinks(zone, members) {
  const links = zone.links.filter((link) => !link.a.hidden && !link.b.hidden);
  if (links.length <= 3 * members.length) return links;
  const root = new Map(members.map((server) => [server, server]));
  const find = (server) => {
    let at = server;
    while (root.get(at) !== at) at = root.get(at);
    return at;
  };
  const length = (link) => Math.hypot(link.a.x - link.b.x, link.a.y - link.b.y);
  return [...links]
    .sort((one, other) => length(one) - length(other))
    .filter((link) => {
      if (!root.has(link.a) || !root.has(link.b)) return false;
      const one = find(link.a),
        other = find(link.b);
      if (one === other) return false;
      root.set(one, other);
      return true;
    });
}

// The outlines of all points near a member or a link: a field of distances on a grid, and its level
// line by marching squares. Where two lines are near a point, far enough from where they meet, they
// count together, so that the outline has no corner between them.
const SOFT = 12;

function bandContours(members, links) {
  const reach = PADDING * 0.8;
  const lines = links.map((link) => curvePoints(linkCurve(link)));
  const box = boxAround([...members, ...lines.flat()], 2 * reach);
  const { left, top } = box;
  const longest = Math.max(box.right - left, box.bottom - top);
  const cell = Math.max(reach / 4, longest / 200);
  const columns = Math.ceil((box.right - left) / cell) + 1,
    rows = Math.ceil((box.bottom - top) / cell) + 1;
  const far = reach + 3 * SOFT;
  const nearest = new Float32Array(columns * rows).fill(far),
    together = new Float32Array(columns * rows);
  const grid = { left, top, cell, columns, rows, far };
  for (const server of members)
    eachNear(grid, server, server, (index, distance) => {
      if (distance < nearest[index]) nearest[index] = distance;
    });
  // Of the line at hand: the distance, and how far from its ends its nearest point is.
  const own = new Map();
  for (const line of lines) {
    own.clear();
    const [start, end] = [line[0], line[line.length - 1]];
    for (let at = 1; at < line.length; at += 1)
      eachNear(grid, line[at - 1], line[at], (index, distance, x, y) => {
        const known = own.get(index);
        if (known && known.distance <= distance) return;
        const inside = Math.min(
          Math.hypot(x - start.x, y - start.y),
          Math.hypot(x - end.x, y - end.y),
        );
        own.set(index, { distance, inside });
      });
    for (const [index, { distance, inside }] of own) {
      if (distance < nearest[index]) nearest[index] = distance;
      together[index] += Math.min(1, inside / reach) * Math.exp((reach - distance) / SOFT);
    }
  }
  const field = nearest.map((distance, index) =>
    Math.min(distance, reach - SOFT * Math.log(together[index])),
  );
  return marchingSquares(field, columns, rows, reach, cell, left, top);
}

// Each point of the grid near a straight line: its number, its distance, and the nearest point.
function eachNear({ left, top, cell, columns, rows, far }, p, q, take) {
  const across = q.x - p.x,
    down = q.y - p.y,
    length = across * across + down * down;
  const fromRow = Math.max(0, Math.floor((Math.min(p.y, q.y) - far - top) / cell));
  const toRow = Math.min(rows - 1, Math.ceil((Math.max(p.y, q.y) + far - top) / cell));
  const slope = down ? across / down : 0;
  const lean = far * Math.hypot(1, slope);
  const low = Math.min(p.x, q.x) - far,
    high = Math.max(p.x, q.x) + far;
  for (let row = fromRow; row <= toRow; row += 1) {
    const y = top + row * cell;
    const at = p.x + (y - p.y) * slope;
    const first = down ? Math.max(low, at - lean) : low;
    const last = down ? Math.min(high, at + lean) : high;
    const fromColumn = Math.max(0, Math.floor((first - left) / cell));
    const toColumn = Math.min(columns - 1, Math.ceil((last - left) / cell));
    for (let column = fromColumn; column <= toColumn; column += 1) {
      const x = left + column * cell;
      const t = length
        ? Math.max(0, Math.min(1, ((x - p.x) * across + (y - p.y) * down) / length))
        : 0;
      const nearX = p.x + t * across,
        nearY = p.y + t * down;
      const distance = Math.hypot(x - nearX, y - nearY);
      if (distance < far) take(row * columns + column, distance, nearX, nearY);
    }
  }
}

// Every cell gives the pieces of the level line in it; pieces meet on the cells' sides, which have
// numbers.
function marchingSquares(field, columns, rows, level, cell, left, top) {
  const points = new Map(),
    next = new Map();
  const horizontal = (row, column) => 2 * (row * columns + column);
  const vertical = (row, column) => 2 * (row * columns + column) + 1;
  const cut = (one, other) => (level - one) / (other - one);
  for (let row = 0; row < rows - 1; row += 1) {
    const above = row * columns,
      below = above + columns;
    for (let column = 0; column < columns - 1; column += 1) {
      const a = field[above + column],
        b = field[above + column + 1],
        c = field[below + column + 1],
        d = field[below + column];
      const kind =
        (a < level ? 1 : 0) + (b < level ? 2 : 0) + (c < level ? 4 : 0) + (d < level ? 8 : 0);
      if (kind === 0 || kind === 15) continue;
      const sides = {
        up: horizontal(row, column),
        right: vertical(row, column + 1),
        down: horizontal(row + 1, column),
        left: vertical(row, column),
      };
      const x = left + column * cell,
        y = top + row * cell;
      if (a < level !== b < level) points.set(sides.up, { x: x + cut(a, b) * cell, y });
      if (b < level !== c < level)
        points.set(sides.right, { x: x + cell, y: y + cut(b, c) * cell });
      if (d < level !== c < level) points.set(sides.down, { x: x + cut(d, c) * cell, y: y + cell });
      if (a < level !== d < level) points.set(sides.left, { x, y: y + cut(a, d) * cell });
      for (const [from, to] of PIECES[kind]) next.set(sides[from], sides[to]);
    }
  }
  const contours = [];
  for (const start of [...next.keys()]) {
    const contour = [];
    for (let side = start; next.has(side);) {
      contour.push(points.get(side));
      const following = next.get(side);
      next.delete(side);
      side = following;
    }
    // Holes run the other way round; a hull has none.
    if (contour.length > 2 && signedArea(contour) < 0) contours.push(contour);
  }
  return contours;
}

// By which corners are inside (1 upper left, 2 upper right, 4 lower right, 8 lower left): the
// inside stays on the same hand.
const PIECES = {
  1: [["left", "up"]],
  2: [["up", "right"]],
  3: [["left", "right"]],
  4: [["right", "down"]],
  5: [
    ["left", "up"],
    ["right", "down"],
  ],
  6: [["up", "down"]],
  7: [["left", "down"]],
  8: [["down", "left"]],
  9: [["down", "up"]],
  10: [
    ["up", "right"],
    ["down", "left"],
  ],
  11: [["down", "right"]],
  12: [["right", "left"]],
  13: [["right", "up"]],
  14: [["up", "left"]],
};

function signedArea(contour) {
  let twice = 0;
  contour.forEach((p, index) => {
    const q = contour[(index + 1) % contour.length];
    twice += p.x * q.y - q.x * p.y;
  });
  return twice / 2;
}

function contourShape(contours) {
  const shape = new Path2D();
  for (const contour of contours) {
    const middle = (p, q) => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
    const start = middle(contour[contour.length - 1], contour[0]);
    shape.moveTo(start.x, start.y);
    contour.forEach((point, index) => {
      const end = middle(point, contour[(index + 1) % contour.length]);
      shape.quadraticCurveTo(point.x, point.y, end.x, end.y);
    });
    shape.closePath();
  }
  return shape;
}

// A band is long and thin: the name of a large one stands on one of its links, those near its
// middle first.
function bandLabelPlaces(zone, members, contours) {
  const centre = { x: 0, y: 0 };
  for (const { x, y } of members) {
    centre.x += x / members.length;
    centre.y += y / members.length;
  }
  const near = ({ x, y }) => Math.hypot(x - centre.x, y - centre.y);
  const onLinks = zone.links
    .filter((link) => !link.a.hidden && !link.b.hidden)
    .map((link) => pointOn(linkCurve(link), 0.5));
  onLinks.sort((p, q) => near(p) - near(q));
  const onOutline = outermost(contours.flat());
  const middle = onLinks.slice(0, 12);
  return members.length > 12 ? [...middle, ...onOutline] : [...onOutline, ...middle];
}

export function drawZones(context) {
  const thin = 1 / view.scale;
  for (const zone of model.zonesBySize) {
    if (!zone.shape) continue;
    const pattern = zonePattern(context, zone);
    pattern.setTransform(new DOMMatrix().scale(thin * Math.min(1, Math.max(0.5, view.scale * 2))));
    context.fillStyle = pattern;
    context.fill(zone.shape);
    context.strokeStyle = withAlpha(zoneColour(zone), answered ? 0.7 : 0.9);
    context.lineWidth = 1.6 * thin;
    context.setLineDash(outlineDashes(zone, thin));
    context.stroke(zone.shape);
  }
  context.setLineDash([]);
}
