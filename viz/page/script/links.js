// Links: how each is configured shows in its line, what the answer says of it in colour, width and
// signs.

import { asideOf, bendBetween } from "./bends.js";
import { boxOf } from "./boxes.js";
import { colours, withAlpha, zoneColour } from "./colours.js";
import {
  SERVER_RADIUS,
  apartOf,
  curveAside,
  curvePoints,
  directionOn,
  distanceToSegment,
  loopAt,
  pointOn,
  reversed,
  trace,
  traceBroken,
} from "./curves.js";
import { bothWays, model } from "./model.js";
import { onlyDiscs } from "./overview.js";
import { answered } from "./said.js";
import { reachOf } from "./servers.js";
import { view } from "./view.js";

export const LINK_WORDS = {
  "active-active": "both ends configure it",
  "active-passive": "the dot is at the end that configures it",
  plain: "link",
  uplink: "uplink of an edge router",
  "one-way": "messages pass along the arrow only",
  standby: "standby: carries nothing while another link works",
  idle: "idle: configured, and no message of the loaded files takes it",
  unresolved: "unresolved: not known where it leads, or what passes it",
};
// Lines of links by their style, where a kind of link has none of its own.
const STYLE_LINES = { uplink: [8, 5], standby: [2, 5], idle: [2, 5] };
// Four that are told apart at a glance, beside the full line (`linktexts.js` names the kinds).
const LINES = {
  solid: [],
  "long-dashes": [14, 5],
  "wide-dashes": [14, 5],
  dashes: [5, 4],
  "short-dashes": [5, 4],
  dots: [1.5, 4],
  "wide-dots": [1.5, 4],
  "close-dots": [1.5, 4],
  "dash-dot": [14, 4, 2, 4],
  "dash-dot-dot": [14, 4, 2, 4],
};
// What a change does to a link: its line, and a sign on it (``drawLinkSign``).
const MARK_LINES = { goes: [3, 5], refused: [3, 5], down: [3, 5], comes: [], altered: [] };
export const LINK_SIGNS = new Set(["goes", "refused", "comes", "altered", "down", "critical"]);

// The curve of a link from end a to end b: a straight line, or bent apart from its parallels and
// around servers.
export function linkCurve(link) {
  const { a, b } = link;
  if (a === b) return loopAt(a, link.parallel);
  const [first, second] = a.name < b.name ? [a, b] : [b, a];
  const aside = apartOf(link.parallel, link.parallels) + asideOf(link, first, second);
  return curveAside(a, b, a === first ? aside : -aside);
}

// The curve of a step or a block from where it starts, around servers too where its link is not in
// the picture.
export function curveBetween(link, from, to) {
  if (link) return link.a.name === from ? linkCurve(link) : reversed(linkCurve(link));
  const a = model.byName.get(from),
    b = model.byName.get(to);
  if (!a || !b) return null;
  const [first, second] = from < to ? [a, b] : [b, a];
  const aside = bendBetween(first, second, [0]);
  return curveAside(a, b, a === first ? aside : -aside);
}

export function linkColour(link) {
  switch (link.mark) {
    case "path":
      return colours.path;
    case "blocked":
      return colours.bad;
    case "duplicate":
      return colours.twice;
    case "down":
    case "critical":
    case "goes":
    case "refused":
      return colours.bad;
    case "comes":
      return colours.good;
    case "altered":
      return colours.doubt;
    case "redundant":
      return colours.spare;
    case "undetermined":
      return colours.doubt;
    case "reached":
    case "delivered":
      return colours.good;
    case "transit":
      return colours.passed;
    default:
      if (answered) return colours.faded;
      if (link.style === "unresolved") return colours.doubt;
      return link.inZone ? zoneColour(link.inZone) : colours.line;
  }
}

export function linkVisible(link) {
  return !link.a.hidden && !link.b.hidden && !(link.looks && link.looks.hidden);
}

// In a mesh links lead both ways between every two servers: arrow heads would only hide the servers.
export function headless(link) {
  return Boolean(link.inZone && link.inZone.mesh && !link.mark);
}

// Links that look alike are one stroke: thousands of links are a few dozen strokes.
export function drawLinks(context) {
  if (onlyDiscs()) return;
  const thin = 1 / view.scale;
  const near = view.scale > 0.3;
  const groups = new Map();
  for (const link of model.links) {
    if (link.drawnBy !== link || !linkVisible(link) || isBlocked(link)) continue;
    const width = link.mark ? 2.2 : near ? 1.4 : 0.7;
    const colour = linkColour(link);
    const key = link.looks ? link.id : `${link.style} ${link.line} ${link.mark} ${colour} ${width}`;
    if (!groups.has(key))
      groups.set(key, { link, width, colour, shape: new Path2D(), arrows: [], count: 0 });
    const group = groups.get(key);
    group.count += 1;
    const curve = linkCurve(link);
    if (link.style === "unresolved" && !link.mark) traceBroken(group.shape, curve, thin);
    else trace(group.shape, curve);
    if (!near || headless(link)) continue;
    if (link.style === "one-way")
      group.arrows.push([link, curve], ...(bothWays(link) ? [[link, reversed(curve)]] : []));
    else if (link.configuredBy && link.style !== "active-active")
      group.arrows.push([link, link.configuredBy === link.a.name ? curve : reversed(curve)]);
  }
  for (const [, group] of [...groups].sort(([, one], [, other]) => one.width - other.width)) {
    drawLinkGroup(context, group, thin, near);
  }
  context.setLineDash([]);
}

// From so many links on, those that nothing is told of are pale: names are read on top of them.
const DENSE = 1500;

function strength({ link, count = 0 }, near) {
  if (near || link.mark || link.looks) return 1;
  return count > DENSE ? 0.3 : 0.75;
}

export function drawLinkGroup(context, group, thin, near) {
  const { link, width, colour, shape, arrows } = group;
  const looks = link.looks || {};
  const line =
    typeof looks.color === "string" ? looks.color : (looks.color && looks.color.color) || colour;
  context.globalAlpha = strength(group, near);
  context.strokeStyle = line;
  context.setLineDash([]);
  const changed = MARK_LINES[link.mark];
  if (link.style === "active-active" && near && !link.looks && !changed) {
    // Two lines: a broad one, and the ground drawn over its middle.
    context.lineWidth = (width * 2 + 1.8) * thin;
    context.stroke(shape);
    context.globalAlpha = 1;
    context.strokeStyle = colours.canvas;
    context.lineWidth = 1.8 * thin;
    context.stroke(shape);
  } else {
    const dashes =
      changed || (looks.dashes ? STYLE_LINES.uplink : STYLE_LINES[link.style] || LINES[link.line]);
    context.setLineDash(dashes.map((part) => part * thin));
    context.lineWidth = (looks.width || width) * thin;
    context.stroke(shape);
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
  for (const [one, curve] of arrows) {
    // Of a one-way link it stands where messages arrive, of others where the link is configured.
    const arrives = one.style === "one-way";
    const length = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1);
    const [x, y] = arrives ? [curve.x2, curve.y2] : [curve.x1, curve.y1];
    const server = x === one.a.x && y === one.a.y ? one.a : one.b;
    const reach =
      arrives || boxOf(server)
        ? reachOf(server, directionOn(curve, arrives ? 1 : 0))
        : SERVER_RADIUS;
    const near = Math.min(0.45, (reach + (boxOf(server) ? 10 * thin : 16)) / (length || 1));
    const t = arrives ? 1 - near : near;
    if (!arrives)
      configuredHere(context, pointOn(curve, t), Math.min(4, 4 * Math.max(thin, 0.7)), line);
    else
      arrowHead(
        context,
        pointOn(curve, t),
        directionOn(curve, t),
        Math.min(8, 8 * Math.max(thin, 0.7)),
        line,
      );
  }
}

// The end that configures a link: a dot, since arrows are for where messages go.
export function configuredHere(context, { x, y }, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

export function arrowHead(context, { x, y }, angle, size, colour) {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.beginPath();
  context.moveTo(size, 0);
  context.lineTo(-size * 0.7, size * 0.75);
  context.lineTo(-size * 0.35, 0);
  context.lineTo(-size * 0.7, -size * 0.75);
  context.closePath();
  context.fillStyle = colour;
  context.fill();
  context.restore();
}

export function shownPaths() {
  return view.paths;
}

export function pathColour(index) {
  return index ? colours.twice : colours.path;
}

// The steps that lead to blocks and are not on a path that is shown, each once.
export function stepsToBlocks() {
  const shown = new Set(shownPaths().flatMap((path) => path.steps));
  return [...new Set(model.causes.flatMap((block) => block.way))].filter(
    (step) => !shown.has(step) && !isHidden(step.from) && !isHidden(step.to),
  );
}

// Whether a link is drawn up to a stop sign only, be it certain or not.
export function isBlocked(link) {
  return link.mark === "blocked" || (link.mark === "undetermined" && model.stopped.has(link));
}

// Whether a message gets over a step is left open.
export function isUnsure(step) {
  return Boolean(step.link) && step.link.mark === "undetermined";
}

// Steps with the curves that they are drawn as.
function withCurves(steps) {
  return steps
    .map((step) => [step, curveBetween(step.link, step.from, step.to)])
    .filter(([, curve]) => curve);
}

// The ways to the blocks: as paths are, and slimmer; broken where nobody knows whether the message
// gets there.
export function drawWays(context) {
  const thin = 1 / view.scale;
  const steps = stepsToBlocks();
  for (const unsure of [true, false]) {
    const drawn = withCurves(steps.filter((step) => isUnsure(step) === unsure));
    const curves = drawn.map(([, curve]) => curve);
    if (!curves.length) continue;
    const colour = unsure ? colours.doubt : colours.path;
    const shape = new Path2D();
    for (const curve of curves) trace(shape, curve);
    context.lineCap = "round";
    context.strokeStyle = colours.canvas;
    context.lineWidth = 7.5 * thin;
    context.stroke(shape);
    context.strokeStyle = colour;
    context.lineWidth = 3.5 * thin;
    context.lineCap = unsure ? "butt" : "round";
    if (unsure) context.setLineDash([9 * thin, 4 * thin]);
    context.stroke(shape);
    context.setLineDash([]);
    context.lineCap = "butt";
    for (const [step, curve] of drawn) arrowOn(context, step, curve, colour, 9 * thin);
  }
}

// Where a part t of a curve from one server to another is: of what is seen between their boxes, if
// they are boxes.
export function betweenBoxes(curve, from, to, t) {
  const length = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1);
  if (!length) return t;
  const covered = (server, angle) => (boxOf(server) ? reachOf(server, angle) / length : 0);
  const first = covered(from, directionOn(curve, 0)),
    last = 1 - covered(to, directionOn(curve, 1));
  return first < last ? first + t * (last - first) : t;
}

// The way a message goes along a line, where there is room: along the part of it that is seen
// between boxes.
function arrowOn(context, step, curve, colour, size) {
  const length = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1);
  if (length * view.scale <= 70) return;
  const t = betweenBoxes(curve, model.byName.get(step.from), model.byName.get(step.to), 0.74);
  arrowHead(context, pointOn(curve, t), directionOn(curve, t), size, colour);
}

// The chosen path: a broad line with a rim, and arrows the way the message goes. A second one
// beside it is broken and lies over the first.
export function drawPath(context) {
  const thin = 1 / view.scale;
  for (const [index, path] of shownPaths().entries()) {
    const drawn = withCurves(
      path.steps.filter((step) => !isHidden(step.from) && !isHidden(step.to)),
    );
    const curves = drawn.map(([, curve]) => curve);
    const shape = new Path2D();
    for (const curve of curves) trace(shape, curve);
    context.lineCap = index ? "butt" : "round";
    context.strokeStyle = colours.canvas;
    context.lineWidth = (index ? 6 : 9.5) * thin;
    context.stroke(shape);
    context.strokeStyle = pathColour(index);
    context.lineWidth = (index ? 3.5 : 5.5) * thin;
    if (index) context.setLineDash([11 * thin, 6 * thin]);
    context.stroke(shape);
    context.setLineDash([]);
    context.lineCap = "butt";
    for (const [step, curve] of drawn) arrowOn(context, step, curve, pathColour(index), 10 * thin);
  }
}

export function isHidden(name) {
  const server = model.byName.get(name);
  return !server || server.hidden;
}

// The link nearest to a place in the picture, if one is as near as a finger or a pointer hits.
export function linkAt(x, y) {
  let best = null,
    nearest = 7 / view.scale;
  for (const link of model.links) {
    if (link.drawnBy !== link || !linkVisible(link)) continue;
    const curve = linkCurve(link);
    const parts = curvePoints(curve);
    for (let index = 1; index < parts.length; index += 1) {
      const distance = distanceToSegment(x, y, parts[index - 1], parts[index]);
      if (distance < nearest) {
        nearest = distance;
        best = link;
      }
    }
  }
  return best;
}

export function drawSelectedLink(context) {
  const link = view.selectedLink;
  if (!link || !linkVisible(link)) return;
  const shape = new Path2D();
  trace(shape, linkCurve(link));
  context.strokeStyle = withAlpha(colours.text, 0.35);
  context.lineWidth = 11 / view.scale;
  context.stroke(shape);
}
