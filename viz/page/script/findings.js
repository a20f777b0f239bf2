// What `check` finds wrong: a badge at the server or link, with the worst severity and the number
// of errors and warnings; its list beside the picture.

import { boxOf } from "./boxes.js";
import { colours } from "./colours.js";
import { folderOf, rowsOf, withNames } from "./compact.js";
import { pointOn } from "./curves.js";
import { byId, element, plural, say, serverButton } from "./document.js";
import { betweenBoxes, linkCurve, linkVisible } from "./links.js";
import { embeddedData, model, placeOf } from "./model.js";
import { FONT, boxAt, overlaps, placed, whole } from "./room.js";
import { answered } from "./said.js";
import { sample } from "./samples.js";
import { serverHalf, serverRadius } from "./servers.js";
import { inThousands } from "./texts.js";
import { onScreen, redraw, showServers, view } from "./view.js";

(() => {
  const texts = embeddedData.texts;
  for (const row of rowsOf(embeddedData.findings)) {
    const link = row[7] < 0 ? null : model.links[row[7]];
    const ends = link ? [link.a.name, link.b.name] : ["", ""];
    const finding = {
      rule: texts[row[0]],
      severity: texts[row[1]],
      message: withNames(texts[row[2]], [texts[row[6]], ...ends, folderOf(texts[row[3]])]),
      source: placeOf(row[3], row[4], row[5]),
    };
    const about = link || model.byName.get(texts[row[6]]);
    if (about) (about.findings = about.findings || []).push(finding);
  }
  // Those of long lists are counted only.
  for (const [name, number, errors, warnings] of rowsOf(embeddedData.moreFindings)) {
    const about = number < 0 ? model.byName.get(texts[name]) : model.links[number];
    if (about) about.moreFindings = { errors, warnings };
  }
})();

// The size of the largest badge, and the smallest server that has one of its own: where servers are
// smaller, those of a zone have one together.
export const BADGE = 8;
const OWN_BADGE = 4;
const PART_OF_SERVER = 0.42;
const WITH_NUMBER = 6;
const SHORTEST_LINK = 70;

const NONE = { errors: 0, warnings: 0 };

const sum = (one, other) => ({
  errors: one.errors + other.errors,
  warnings: one.warnings + other.warnings,
});

// How many errors and warnings there are at a server or link.
function seriousFindings(about) {
  const listed = (severity) =>
    (about.findings || []).filter((one) => one.severity === severity).length;
  return sum({ errors: listed("error"), warnings: listed("warning") }, about.moreFindings || NONE);
}

const serious = new Map(
  [...model.servers, ...model.links]
    .map((about) => /** @type {[any, typeof NONE]} */ ([about, seriousFindings(about)]))
    .filter(([, { errors, warnings }]) => errors + warnings),
);
const linksWithBadge = model.links.filter((link) => serious.has(link));

// The badge of the worst finding: a dot for a warning, a square on its corner for an error, with a
// short text in it where there is room.
export function findingSign(context, severity, x, y, text, size = BADGE) {
  context.beginPath();
  if (severity === "error") {
    for (const [dx, dy] of [
      [0, -1.15],
      [1.15, 0],
      [0, 1.15],
      [-1.15, 0],
    ])
      context.lineTo(x + dx * size, y + dy * size);
  } else context.arc(x, y, size, 0, 2 * Math.PI);
  context.closePath();
  context.fillStyle = severity === "error" ? colours.bad : colours.doubt;
  context.strokeStyle = colours.canvas;
  context.lineWidth = Math.min(1.5, size / 4);
  context.fill();
  context.stroke();
  if (!text) return;
  context.font = `700 ${Math.round(size * 1.3)}px ${FONT}`;
  context.fillStyle = colours.canvas;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 0.5);
}

// Where badges were drawn last, so that a click on one finds its server or link, and how many
// servers and links with findings have none there: they are out of the window, or another covers
// them.
export const badges = [];
export const unbadged = { count: 0 };

function drawBadge(context, abouts, found, x, y, size) {
  const box = boxAt(x, y, 2 * size + 2, 2 * size + 2);
  if (!whole(box) || placed.some((other) => other.badge && overlaps(other, box))) {
    unbadged.count += abouts.length;
    return;
  }
  const severity = found.errors ? "error" : "warning";
  const number = found.errors + found.warnings;
  const text = number < 100 ? String(number) : "99+";
  findingSign(context, severity, x, y, size >= WITH_NUMBER ? text : "", size);
  placed.push({ ...box, badge: true });
  badges.push({ about: abouts[0], abouts, x, y, text, severity, size });
}

// Beside an answer, which has signs of its own, there is none; the list beside the picture stays.
export function drawBadges(context) {
  badges.length = 0;
  unbadged.count = 0;
  if (answered) return;
  const left = drawLinkBadges(context);
  const small = new Map();
  for (const server of model.servers) {
    const found = sum(serious.get(server) || NONE, left.get(server) || NONE);
    if (!(found.errors + found.warnings) || server.hidden) continue;
    const radius = serverRadius(server) * view.scale;
    const at = onScreen(server.x, server.y);
    if (radius < OWN_BADGE) {
      const zone = server.zones[0] || null;
      if (!small.has(zone)) small.set(zone, []);
      small.get(zone).push({ server, found, ...at });
      continue;
    }
    const [wide, high] = serverHalf(server).map((part) => part * view.scale);
    if (boxOf(server)) {
      drawBadge(context, [server], found, at.x + wide - 4, at.y - high + 2, BADGE);
      continue;
    }
    const size = Math.max(2.5, Math.min(BADGE, radius * PART_OF_SERVER));
    drawBadge(context, [server], found, at.x + wide * 0.8, at.y - high * 0.8, size);
  }
  drawSmallBadges(context, small);
  sayUnbadged();
}

function sayUnbadged() {
  const place = byId("unbadged");
  if (!place) return;
  const words = unbadged.count
    ? `${plural(unbadged.count, "more server or link", "more servers and links")} with findings: out of the window, or below another badge.`
    : "";
  if (place.textContent === words) return;
  place.textContent = words;
  place.hidden = !words;
}

// One badge for the small servers of each zone, at the one in their middle.
function drawSmallBadges(context, small) {
  for (const together of small.values()) {
    const middle = (axis) => together.reduce((sum, one) => sum + one[axis], 0) / together.length;
    const near = (one) => Math.hypot(one.x - middle("x"), one.y - middle("y"));
    const first = together.reduce((best, one) => (near(one) < near(best) ? one : best));
    const servers = together.map(({ server }) => server);
    const found = together.reduce((total, one) => sum(total, one.found), NONE);
    drawBadge(context, servers, found, first.x, first.y, BADGE);
  }
}

// Badges on links; the findings of links that are too short for one count for their first server.
function drawLinkBadges(context) {
  const left = new Map();
  for (const link of linksWithBadge) {
    if (!linkVisible(link)) continue;
    const curve = linkCurve(link);
    const long = Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale;
    if (long < SHORTEST_LINK && !curve.loop) {
      left.set(link.a, sum(left.get(link.a) || NONE, serious.get(link)));
      continue;
    }
    // Off the dot of the end that configures the link.
    const part = link.configuredBy === link.a.name ? 0.7 : 0.3;
    const { x, y } = pointOn(curve, betweenBoxes(curve, link.a, link.b, part));
    const at = onScreen(x, y);
    drawBadge(context, [link], serious.get(link), at.x, at.y, BADGE * 0.9);
  }
  return left;
}

// The badge at a place of the canvas.
export function badgeAt(x, y) {
  return badges.find((badge) => Math.hypot(badge.x - x, badge.y - y) < badge.size + 6) || null;
}

// The findings of a server or link for the list beside the picture.
export function findingList(about) {
  const found = about.findings || [];
  if (!found.length) return [];
  const rows = found.map(({ rule, severity, message, source }) =>
    element(
      "li",
      { class: `finding ${severity}` },
      element("b", {}, severity),
      element("span", {}, ` ${[rule, message].filter(Boolean).join(" ")} `),
      element("span", { class: "source" }, source),
    ),
  );
  return [
    element("h3", {}, plural(found.length, "finding")),
    element("ul", { class: "findings" }, ...rows),
  ];
}

export function findingEntries() {
  if (answered) return [];
  const all = [...serious.values()];
  return ["error", "warning"]
    .filter((severity) => all.some(({ errors }) => errors > 0 === (severity === "error")))
    .map((severity) => [
      sample((context, x, y) => findingSign(context, severity, x, y, "3")),
      `worst finding: ${severity}, and how many warnings and errors`,
    ]);
}

// Findings of a rule in the picture, with what each is about.
function ofRule(rule, severity) {
  const found = [];
  for (const about of [...model.servers, ...model.links])
    for (const one of about.findings || [])
      if (one.severity === severity && one.rule === rule) found.push({ about, ...one });
  return found;
}

const serversOf = (about) => (about.together ? [about.a, about.b] : [about]);

const LISTED_OF_A_RULE = 200;

// A rule in the list is filled with what the picture has of it, and its servers are marked there;
// another one takes its place.
function showRule(details) {
  const { rule, severity, total } = details.dataset;
  const found = ofRule(rule, severity);
  const servers = new Set(found.flatMap(({ about }) => serversOf(about)));
  view.found = servers;
  showServers([...servers].filter((server) => !server.hidden));
  say(`${plural(servers.size, "server")} with findings of ${rule}`);
  redraw();
  if (!found.length || details.dataset.filled) return;
  details.dataset.filled = "true";
  const rows = found.slice(0, LISTED_OF_A_RULE).map(({ about, message, source }) => {
    const [first, second] = serversOf(about);
    return element(
      "li",
      { class: `finding ${severity}` },
      serverButton(first.name),
      second ? " and " : " ",
      second ? serverButton(second.name) : null,
      element("span", {}, ` ${message} `),
      element("span", { class: "source" }, source),
    );
  });
  const shown = rows.length === Number(total);
  const command = element("code", {}, `topograph check --rule ${rule}`);
  details.querySelector("ul").replaceChildren(...rows);
  const rest = details.querySelector("p");
  if (rest) rest.remove();
  if (!shown)
    details.append(
      element(
        "p",
        { class: "muted" },
        `${inThousands(rows.length)} of ${inThousands(Number(total))} are listed here: `,
        command,
        " lists all.",
      ),
    );
}

// None of the rules is marked any longer.
export function closeRules() {
  for (const details of document.querySelectorAll(".rule-found[open]"))
    if (details instanceof HTMLDetailsElement) details.open = false;
}

export function listenToFindings() {
  const list = byId("check");
  if (!list) return;
  for (const link of document.querySelectorAll(".found-line"))
    link.addEventListener("click", () => (list.open = true));
  for (const details of list.querySelectorAll("details"))
    details.addEventListener("toggle", () => {
      if (details.open) {
        for (const other of list.querySelectorAll("details"))
          if (other !== details) other.open = false;
        showRule(details);
      } else if (!list.querySelector("details[open]")) {
        view.found = new Set();
        redraw();
      }
    });
}
