// How the overview is drawn: discs with rings for what the answer says, what joins them, and the
// chosen paths over them.

import { bendBetween } from "./bends.js";
import { colours, outlineDashes, serverColour, withAlpha, zoneColour } from "./colours.js";
import { curveAside, trace } from "./curves.js";
import { linkCount, serverCount } from "./document.js";
import { BADGE, findingSign } from "./findings.js";
import { pathColour, shownPaths } from "./links.js";
import { MARK_WORDS, model, zoneTitle } from "./model.js";
import { discsOnPath, overview } from "./overview.js";
import { FONT, boxAt, free, overlaps, placed, textWidth, texts } from "./room.js";
import { outlineEntries, sample, sampleLink } from "./samples.js";
import { drawStill } from "./still.js";
import { countedStop } from "./stopsigns.js";
import { inThousands, shortened } from "./texts.js";
import { onScreen, view } from "./view.js";

const RING_DASHES = { bad: [5, 3], doubt: [2, 3], passed: [9, 3] };

export function drawOverview(context) {
  const thin = 1 / view.scale;
  const theme = colours.dark ? "dark" : "light";
  const { open } = overview;
  drawStill(context, "bundles", theme, (still) => {
    drawBundles(still, thin);
    drawSpines(still, thin);
  });
  drawCrossings(context, thin);
  drawStill(context, "discs", `${theme} ${open ? open.name : ""}`, (still) =>
    drawDiscs(still, thin),
  );
  const onWay = new Set(shownCrossings().flatMap((way) => way.map(({ disc }) => disc)));
  for (const disc of overview.discs) {
    drawRing(
      context,
      disc,
      disc.radius * 0.93,
      Math.min(Math.max(2.2 * thin, disc.radius * 0.08), 8 * thin),
      thin,
    );
    if (onWay.has(disc)) outlined(context, disc, 2.5 * thin, 3 * thin, colours.path);
    if (disc !== open && (disc === overview.chosen || disc === overview.hovered))
      outlined(context, disc, 6 * thin, 2.5 * thin, colours.text);
  }
}

function drawDiscs(context, thin) {
  for (const disc of overview.discs) {
    const line = disc.zone ? zoneColour(disc.zone) : colours.line;
    circle(context, disc, disc.radius);
    context.fillStyle = colours.canvas;
    context.fill();
    if (disc === overview.open) {
      context.fillStyle = withAlpha(line, 0.08);
      context.fill();
    }
    context.strokeStyle = line;
    context.lineWidth = 1.8 * thin;
    context.setLineDash(disc.zone ? outlineDashes(disc.zone, thin) : [12 * thin, 5 * thin]);
    context.stroke();
  }
  context.setLineDash([]);
}

function circle(context, { x, y }, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function outlined(context, disc, away, width, colour) {
  circle(context, disc, disc.radius + away);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

// For how many servers the answer says what their colour means, from the top on. Red and green are
// not told apart by colour alone.
function drawRing(context, disc, radius, width, thin) {
  const parts = new Map();
  for (const [mark, many] of disc.shares) {
    const colour = serverColour(mark);
    const dashes =
      (colour === colours.bad && RING_DASHES.bad) ||
      (colour === colours.doubt && RING_DASHES.doubt) ||
      (colour === colours.passed && RING_DASHES.passed);
    const part = parts.get(colour) || { many: 0, dashes: dashes || [] };
    parts.set(colour, { ...part, many: part.many + many });
  }
  let done = 0;
  for (const [colour, { many, dashes }] of parts) {
    const turn = (servers) => ((servers / disc.servers.length) * 2 - 0.5) * Math.PI;
    context.beginPath();
    context.arc(disc.x, disc.y, radius, turn(done), turn(done + many));
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dashes.map((part) => part * thin));
    context.stroke();
    done += many;
  }
  context.setLineDash([]);
}

function drawBundles(context, thin) {
  context.strokeStyle = withAlpha(colours.line, 0.45);
  for (const { ends, links, servers, drawn } of overview.bundles) {
    if (!drawn) continue;
    context.beginPath();
    context.moveTo(ends[0].x, ends[0].y);
    context.lineTo(ends[1].x, ends[1].y);
    context.lineWidth = (1 + Math.log2(links + servers.length) * 0.8) * thin;
    context.stroke();
  }
}

// The links of a zone that spans others, between the discs of those, in its colour.
function drawSpines(context, thin) {
  for (const { disc, pairs } of overview.spines) {
    context.strokeStyle = withAlpha(disc.zone ? zoneColour(disc.zone) : colours.line, 0.75);
    context.lineWidth = 1.6 * thin;
    context.beginPath();
    for (const [a, b] of pairs) {
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
    }
    context.stroke();
  }
}

// Halfway between the rims of two discs.
function betweenDiscs([a, b]) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const t = (a.radius + length - b.radius) / 2 / length;
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

export function shownCrossings() {
  return shownPaths().map(discsOnPath);
}

// Between a path and the rim of a disc that it does not pass.
const AROUND_DISCS = 10;

// The way from one disc to another, around those that are not its ends.
function discCurve(a, b) {
  const [first, second] = overview.discs.indexOf(a) < overview.discs.indexOf(b) ? [a, b] : [b, a];
  overview.widest ??= Math.max(...overview.discs.map((disc) => disc.radius));
  const around = {
    near: () => overview.discs,
    clear: (disc) => disc.radius + AROUND_DISCS,
    widest: overview.widest + AROUND_DISCS,
  };
  const aside = bendBetween(first, second, [0], around);
  return curveAside(a, b, a === first ? aside : -aside);
}

function drawCrossings(context, thin) {
  shownCrossings().forEach((way, index) => {
    if (way.length < 2) return;
    context.beginPath();
    for (let at = 1; at < way.length; at += 1)
      trace(context, discCurve(way[at - 1].disc, way[at].disc));
    context.lineJoin = "round";
    context.strokeStyle = colours.canvas;
    context.lineWidth = 9.5 * thin;
    context.stroke();
    context.strokeStyle = pathColour(index);
    context.lineWidth = 5.5 * thin;
    context.setLineDash(index ? [10 * thin, 6 * thin] : []);
    context.stroke();
    context.setLineDash([]);
    context.lineJoin = "miter";
  });
}

export function drawDiscTexts(context) {
  const ratio = context.canvas.width / view.width;
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textAlign = "center";
  context.textBaseline = "middle";
  const named = new Set();
  const seen = overview.discs
    .map((disc) => ({ disc, ...onScreen(disc.x, disc.y), r: disc.radius * view.scale }))
    .filter(({ x, y, r }) => x > -r && y > -r && x < view.width + r && y < view.height + r);
  drawJoints(context);
  for (const { disc, x, y, r } of seen) {
    if (disc === overview.open) drawOpenName(context, disc, x, y, r);
    else
      for (const line of freeLines(context, disc, x, y, r)) {
        named.add(disc);
        drawDiscLine(context, disc, line, x, y);
      }
    // On the rim, off the name.
    const aside = (r + 5) * Math.SQRT1_2;
    if (r > 5 && disc.worst && disc.worst !== "info")
      drawDiscFindings(context, disc, x + aside, y - aside, r);
    if (r > 12 && disc.blocked) countedStop(context, x - aside, y - aside, { count: disc.blocked });
  }
  nameBeside(context, seen, named);
  shownCrossings().forEach((way, index) => {
    for (const { disc, from, to } of way) {
      const at = onScreen(disc.x, disc.y + disc.radius);
      stepsSign(context, at.x, at.y, from === to ? String(from) : `${from}–${to}`, index);
    }
  });
  context.restore();
}

// Pixels of the radius of a disc from which the number of its findings is at their sign.
const COUNTED = 18;

// The sign of the worst finding about a disc, and how many errors and warnings there are.
function drawDiscFindings(context, { worst, errors, warnings }, x, y, r) {
  const size = (r < 13 ? 0.4 : 0.75) * BADGE;
  findingSign(context, worst, x, y, "", size);
  const number = errors + warnings;
  if (!number || r < COUNTED) return;
  const font = `700 ${r < 30 ? 10 : 12}px ${FONT}`;
  const text = inThousands(number);
  const width = textWidth(context, font, text);
  const left = x + size + 3;
  const box = boxAt(left + width / 2, y, width + 2, 12);
  if (!free(box)) return;
  placed.push(box);
  texts.push({ kind: "findings", text, ...box });
  context.font = font;
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeStyle = colours.canvas;
  context.strokeText(text, left + width / 2, y + 0.5);
  context.fillStyle = worst === "error" ? colours.bad : colours.doubt;
  context.fillText(text, left + width / 2, y + 0.5);
}

// Names beside discs in which there is no room for them, with their hubs: those that join most others
// first, as far as there is room.
const MOST_BESIDE = 120;
const HUBS_BESIDE = 60;
function nameBeside(context, seen, named) {
  const font = `600 10px ${FONT}`;
  const onWay = new Set(shownCrossings().flatMap((way) => way.map(({ disc }) => disc)));
  const order = seen
    .filter(({ disc }) => !named.has(disc) && disc !== overview.open)
    .sort(
      (one, other) =>
        Number(onWay.has(other.disc)) - Number(onWay.has(one.disc)) ||
        other.disc.joined - one.disc.joined ||
        other.disc.servers.length - one.disc.servers.length,
    );
  const rims = seen.map(({ disc, x, y, r }) => [disc, boxAt(x, y, 1.6 * r, 1.6 * r)]);
  let done = 0;
  for (const { disc, x, y, r } of order.slice(0, 3 * MOST_BESIDE)) {
    if (done === MOST_BESIDE) break;
    // A name covers no disc; that of a hub of many may cover discs that are joined to few.
    const least = done < HUBS_BESIDE ? disc.joined * 0.6 : 0;
    const covers = (box) =>
      rims.some(([other, rim]) => other.joined > least && other !== disc && overlaps(box, rim));
    const text = shortened(discLabel(disc), 32);
    const width = textWidth(context, font, text) + 4;
    const places = [
      [0, r + 7],
      [0, -r - 7],
      [r + 3 + width / 2, 0],
      [-r - 3 - width / 2, 0],
    ];
    for (const [dx, dy] of places) {
      const box = boxAt(x + dx, y + dy, width, 11);
      if (!free(box) || covers(box)) continue;
      placed.push(box);
      texts.push({ kind: "disc", text, ...box });
      drawDiscLine(context, disc, { text, font, level: dy, name: true }, x + dx, y);
      done += 1;
      break;
    }
  }
}

// The name of a disc with its hub.
function discLabel(disc) {
  return disc.hub && !disc.name.includes(disc.hub) ? `${disc.name}: ${disc.hub}` : disc.name;
}

function drawDiscLine(context, disc, { text, font, level, name }, x, y) {
  context.font = font;
  if (name && textWidth(context, font, text) > 1.6 * disc.radius * view.scale) {
    context.lineWidth = 6;
    context.lineJoin = "round";
    context.strokeStyle = colours.canvas;
    context.strokeText(text, x, y + level);
  }
  context.fillStyle = name ? (disc.zone ? zoneColour(disc.zone) : colours.text) : colours.text;
  context.fillText(text, x, y + level);
}

// The name of an open zone stands on its rim.
function drawOpenName(context, disc, x, y, r) {
  const font = `700 13px ${FONT}`;
  const text = shortened(disc.zone ? zoneTitle(disc.zone) : disc.name, 40);
  const width = textWidth(context, font, text) + 14;
  const top = Math.max(view.above + 14, y - r);
  const box = boxAt(x, top, width, 20);
  placed.push(box);
  context.fillStyle = colours.canvas;
  context.strokeStyle = disc.zone ? zoneColour(disc.zone) : colours.line;
  context.lineWidth = 1.2;
  context.beginPath();
  context.roundRect(box.left, box.top, width, 20, 10);
  context.fill();
  context.stroke();
  drawDiscLine(context, disc, { text, font, level: 0.5, name: true }, x, top);
}

// Its lines, unless its name lies over its outline and would lie over another's.
function freeLines(context, disc, x, y, r) {
  // Of few discs an answer says something else than the one before.
  const about = `${r} ${disc.shares.size > 0} ${disc.result}`;
  if (disc.about !== about) {
    disc.about = about;
    disc.lines = discLines(context, disc, r);
  }
  const { lines } = disc;
  if (!lines.length || r >= OVER_OUTLINE) return lines;
  const [{ text, font, level }] = lines;
  const box = boxAt(x, y + level, textWidth(context, font, text), 9);
  if (!free(box)) return [];
  placed.push(box);
  return lines;
}

// Pixels of the radius up to which the name of a disc may lie over its outline.
const OVER_OUTLINE = 22;
// Pixels of the radius of a disc that has its name: in a small window 300 discs are as small as
// this.
const LEAST_NAMED = 7;

// The texts that fit into a disc: its name, how many servers, and what the answer says, in fewer
// words where there is less room.
function discLines(context, disc, r) {
  if (r < LEAST_NAMED) return [];
  const size = Math.max(8.5, Math.min(18, r * 0.32)),
    small = Math.max(9, Math.min(13, size * 0.8));
  const servers = serverCount(disc.servers.length);
  const results = disc.result.split("; ").filter(Boolean);
  const compact = results
    .slice(0, 1)
    .filter((part) => part.startsWith("reached "))
    .map((part) => part.slice("reached ".length));
  const abouts = [
    disc.type ? `${disc.type} · ${servers}` : servers,
    servers,
    inThousands(disc.servers.length),
  ];
  const below = [results, results.slice(0, 1), compact]
    .filter((said) => said.length)
    .flatMap((said) => abouts.map((about) => [about, ...said]));
  if (!results.length) below.push(...abouts.map((about) => [about]));
  else below.push(compact, [abouts[2]]);
  if (disc.hub && !disc.name.includes(disc.hub))
    below.unshift(...below.map((words) => [...words, disc.hub]));
  const inner = r * (disc.shares.size ? 0.9 : 0.95);
  for (const words of [...below, []]) {
    const lines = placedLines([disc.name, ...words], size, small, inner);
    const [name, ...others] = lines;
    const wide = ({ text, font, room }) => textWidth(context, font, text) <= room;
    if (words.length && name.room < 1.5 * size) continue;
    if (words.length && !(others.every(wide) && (wide(name) || name.room > 4 * size))) continue;
    if (r < OVER_OUTLINE) name.room = Math.max(name.room, 2 * r + 8);
    if (name.room < 1.5 * size) return [];
    while (!wide(name) && name.text.length > 2)
      name.text = `${name.text.replace(/…$/, "").slice(0, -1)}…`;
    return lines;
  }
  return [];
}

function placedLines(words, size, small, r) {
  const heights = words.map((_, index) => (index ? small : size) * 1.2);
  let top = -heights.reduce((sum, height) => sum + height, 0) / 2;
  return words.map((text, index) => {
    const height = heights[index];
    const far = Math.max(Math.abs(top), Math.abs(top + height));
    const line = {
      text,
      font: `${index ? "" : "700 "}${index ? small : size}px ${FONT}`,
      level: top + height / 2,
      room: 2 * Math.sqrt(Math.max(0, r * r - far * far)),
      name: index === 0,
    };
    top += height;
    return line;
  });
}

// How far the middle of a way between two discs is from the nearest rim. Discs stay where they are.
function awayFromDiscs(bundle) {
  const { x, y } = betweenDiscs(bundle.ends);
  bundle.away ??= Math.min(
    ...overview.discs.map((disc) => Math.hypot(disc.x - x, disc.y - y) - disc.radius),
  );
  return bundle.away;
}

// What joins two discs, where there is room between them.
function drawJoints(context) {
  // Of a short way in which no text has room only the ring is drawn.
  const font = `11px ${FONT}`;
  for (const bundle of overview.bundles) {
    if (!bundle.drawn && !bundle.blocked) continue;
    const middle = betweenDiscs(bundle.ends);
    const at = onScreen(middle.x, middle.y);
    if (at.x < 0 || at.y < 0 || at.x > view.width || at.y > view.height) continue;
    if (bundle.blocked) countedStop(context, at.x, at.y, { count: bundle.blocked });
    if (bundle.blocked || awayFromDiscs(bundle) * view.scale < 8) continue;
    if (bundle.servers.length) {
      circle(context, at, 3.6);
      context.fillStyle = colours.canvas;
      context.fill();
      context.strokeStyle = colours.line;
      context.lineWidth = 1.6;
      context.stroke();
    }
    const near =
      Math.hypot(bundle.ends[0].x - bundle.ends[1].x, bundle.ends[0].y - bundle.ends[1].y) -
      bundle.ends[0].radius -
      bundle.ends[1].radius;
    const words = [];
    if (bundle.links) words.push(linkCount(bundle.links));
    if (bundle.servers.length > 1) words.push(`${bundle.servers.length} shared`);
    // A name of one server is told when the reader comes close.
    else if (
      bundle.servers.length &&
      Math.min(bundle.ends[0].radius, bundle.ends[1].radius) * view.scale > 40
    )
      words.push(shortened(bundle.servers[0], 18));
    if (!words.length) continue;
    const text = words.join(", ");
    const box = boxAt(at.x, at.y - 11, textWidth(context, font, text), 13);
    if (near * view.scale < 40 || !free(box)) continue;
    placed.push(box);
    context.font = font;
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = withAlpha(colours.canvas, 0.9);
    context.strokeText(text, at.x, at.y - 11);
    context.fillStyle = colours.muted;
    context.fillText(text, at.x, at.y - 11);
  }
}

// Which steps of a path are in a disc.
function stepsSign(context, x, y, text, index = 0) {
  const font = `700 11px ${FONT}`;
  const width = textWidth(context, font, text) + 12;
  context.beginPath();
  context.roundRect(x - width / 2, y - 9, width, 18, index ? 3 : 9);
  context.fillStyle = colours.canvas;
  context.fill();
  context.strokeStyle = pathColour(index);
  context.lineWidth = 2.2;
  context.stroke();
  context.font = font;
  context.fillStyle = pathColour(index);
  context.fillText(text, x, y + 0.5);
}

export function overviewLegend() {
  const entries = [];
  const disc = (zone) => (context, x, y) => {
    circle(context, { x, y }, 9);
    context.strokeStyle = zone ? zoneColour(zone) : colours.line;
    context.lineWidth = 1.8;
    context.setLineDash(zone ? outlineDashes(zone, 0.72) : [9, 4]);
    context.stroke();
  };
  for (const [zone, words] of outlineEntries())
    entries.push([sample(disc(zone)), `${words}. The larger, the more ${model.about.nouns[1]}`]);
  if (overview.discs.some(({ zone }) => !zone))
    entries.push([sample(disc(null)), `${model.about.nouns[1]} in no ${model.about.nouns[4]}`]);
  const line = (context, x, y, width) => {
    context.strokeStyle = withAlpha(colours.line, 0.6);
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x - 19, y);
    context.lineTo(x + 19, y);
    context.stroke();
  };
  for (const { disc: spanning } of overview.spines) {
    const draw = (context, x, y) => {
      context.strokeStyle = zoneColour(spanning.zone);
      context.lineWidth = 1.6;
      context.beginPath();
      context.moveTo(x - 19, y);
      context.lineTo(x + 19, y);
      context.stroke();
    };
    const { kind, name } = spanning.zone;
    entries.push([sample(draw), `links of ${kind} ${name}, which spans others`]);
  }
  if (overview.bundles.some(({ servers, drawn }) => drawn && servers.length)) {
    const draw = (context, x, y) => {
      line(context, x, y, 1.4);
      circle(context, { x, y }, 3.6);
      context.fillStyle = colours.canvas;
      context.fill();
      context.strokeStyle = colours.line;
      context.stroke();
    };
    entries.push([sample(draw), `a ${model.about.nouns[0]} is in both`]);
  }
  if (overview.bundles.some(({ links }) => links))
    entries.push([
      sample((context, x, y) => line(context, x, y, 3.5)),
      `${model.about.nouns[3]} between them`,
    ]);
  const marks = new Set(overview.discs.flatMap(({ shares }) => [...shares.keys()]));
  for (const mark of marks) {
    const draw = (context, x, y) =>
      drawRing(context, { x, y, shares: new Map([[mark, 3]]), servers: [1, 1, 1, 1] }, 8, 3.5, 1);
    entries.push([sample(draw), `so many: ${MARK_WORDS[mark]}`]);
  }
  if (model.paths.length) {
    const draw = (context, x, y) => {
      sampleLink("plain", colours.path, 5)(context, x, y);
      context.textAlign = "center";
      context.textBaseline = "middle";
      stepsSign(context, x, y, "1–3");
    };
    entries.push([sample(draw), "path, and which of its steps are there"]);
  }
  if (
    overview.discs.some(({ blocked }) => blocked) ||
    overview.bundles.some(({ blocked }) => blocked)
  ) {
    const draw = (context, x, y) => {
      context.textAlign = "center";
      context.textBaseline = "middle";
      countedStop(context, x - 4, y + 1, { count: 3 });
    };
    entries.push([sample(draw), "goes no further: so many places"]);
  }
  for (const severity of ["error", "warning"]) {
    if (overview.discs.some(({ worst }) => worst === severity))
      entries.push([
        sample((context, x, y) => findingSign(context, severity, x, y, "", 0.75 * BADGE)),
        `worst finding: ${severity}, and how many warnings and errors`,
      ]);
  }
  return entries;
}
