// Colours come from the style sheet's custom properties, each a light-dark() pair, so that page and
// picture change together.

import { answered } from "./said.js";

export const darkPreferred = window.matchMedia("(prefers-color-scheme: dark)");
export const stillPreferred = window.matchMedia("(prefers-reduced-motion: reduce)");
const ZONE_COLOURS = 8;
const ZONE_PATTERNS = 9;

export const colours = { dark: false, chosen: null };

export function readColours() {
  colours.dark = colours.chosen === null ? darkPreferred.matches : colours.chosen === "dark";
  const style = getComputedStyle(document.documentElement);
  const read = (name) => {
    const pair = style.getPropertyValue(name).match(/#[0-9a-f]{6}/gi);
    return pair[colours.dark && pair.length > 1 ? 1 : 0];
  };
  for (const name of [
    "canvas",
    "text",
    "muted",
    "line",
    "plain",
    "faded",
    "from",
    "path",
    "good",
    "bad",
    "doubt",
    "passed",
    "twice",
    "spare",
  ]) {
    colours[name] = read(`--${name}`);
  }
  colours.zones = Array.from({ length: ZONE_COLOURS }, (_, index) => read(`--zone-${index}`));
  colours.patterns = new Map();
}

export function withAlpha(colour, alpha) {
  return (
    colour +
    Math.round(alpha * 255)
      .toString(16)
      .padStart(2, "0")
  );
}

export function zoneColour(zone) {
  return colours.zones[zone.colour % ZONE_COLOURS];
}

// The outline of a zone: broken where messages cross one link, dotted where its type is not known.
export function outlineDashes(zone, size) {
  if (zone.kind !== "zone" || zone.type === "mhop") return [];
  return (zone.type === "1hop" ? [7, 4] : [1.5, 4]).map((part) => part * size);
}

// Zones differ by pattern as well as by colour: stripes either way, dots, lines, grids, rings, none.
export function zonePattern(context, zone) {
  const key = `${zone.colour % ZONE_COLOURS} ${zone.colour % ZONE_PATTERNS}`;
  if (!colours.patterns.has(key))
    colours.patterns.set(key, context.createPattern(patternTile(zone), "repeat"));
  return colours.patterns.get(key);
}

const TILE = 14;

// Lines of each pattern, across a tile, and how large its dots or rings are.
const PATTERNS = [
  {
    lines: [
      [-4, 4, 4, -4],
      [0, TILE, TILE, 0],
      [TILE - 4, TILE + 4, TILE + 4, TILE - 4],
    ],
  },
  {
    lines: [
      [-4, TILE - 4, 4, TILE + 4],
      [0, 0, TILE, TILE],
      [TILE - 4, -4, TILE + 4, 4],
    ],
  },
  { dots: 1.5 },
  { lines: [[0, TILE / 2, TILE, TILE / 2]] },
  { lines: [[TILE / 2, 0, TILE / 2, TILE]] },
  {
    lines: [
      [0, TILE / 2, TILE, TILE / 2],
      [TILE / 2, 0, TILE / 2, TILE],
    ],
  },
  {
    lines: [
      [0, 0, TILE, TILE],
      [0, TILE, TILE, 0],
    ],
  },
  { rings: 2.4 },
  {},
];

function patternTile(zone) {
  const tile = document.createElement("canvas");
  tile.width = TILE;
  tile.height = TILE;
  const ink = tile.getContext("2d");
  ink.fillStyle = withAlpha(zoneColour(zone), colours.dark ? 0.16 : 0.11);
  ink.fillRect(0, 0, TILE, TILE);
  ink.strokeStyle = withAlpha(zoneColour(zone), colours.dark ? 0.3 : 0.26);
  ink.fillStyle = ink.strokeStyle;
  ink.lineWidth = 1.2;
  const { lines = [], dots = 0, rings = 0 } = PATTERNS[zone.colour % ZONE_PATTERNS];
  for (const [x1, y1, x2, y2] of lines) {
    ink.beginPath();
    ink.moveTo(x1, y1);
    ink.lineTo(x2, y2);
    ink.stroke();
  }
  for (const [x, y] of [
    [TILE / 4, TILE / 4],
    [(3 * TILE) / 4, (3 * TILE) / 4],
  ]) {
    ink.beginPath();
    ink.arc(x, y, dots || rings, 0, 2 * Math.PI);
    if (dots) ink.fill();
    else if (rings) ink.stroke();
  }
  return tile;
}

export function serverColour(mark) {
  return {
    "": answered ? colours.faded : colours.plain,
    asked: colours.from,
    target: colours.path,
    reached: colours.good,
    delivered: colours.good,
    stored: colours.good,
    "would-deliver": colours.good,
    "one-of": colours.good,
    later: colours.doubt,
    "may-end": colours.doubt,
    lost: colours.bad,
    unreachable: colours.bad,
    nothing: colours.bad,
    undetermined: colours.doubt,
    transit: colours.passed,
    held: colours.doubt,
    aside: colours.doubt,
    rejected: colours.bad,
    circulates: colours.twice,
    path: colours.path,
    blocked: colours.bad,
    duplicate: colours.twice,
    redundant: colours.spare,
    down: colours.bad,
    critical: colours.bad,
    affects: colours.doubt,
    harmless: colours.good,
    "cut-off": colours.bad,
    apart: colours.bad,
    loses: colours.bad,
    "would-lose": colours.bad,
    elsewhere: colours.doubt,
    better: colours.good,
    "maybe-transit": colours.doubt,
    gains: colours.good,
    "would-gain": colours.good,
    comes: colours.good,
    goes: colours.bad,
  }[mark];
}
