// What `check` finds wrong: a badge at the server or link, with the worst severity and the number
// of errors and warnings; its list beside the picture.

import { colours } from "./colours.js";
import { folderOf, rowsOf, withNames } from "./compact.js";
import { pointOn } from "./curves.js";
import { element, plural } from "./document.js";
import { linkCurve, linkVisible } from "./links.js";
import { embeddedData, model, placeOf } from "./model.js";
import { FONT, boxAt, overlaps, placed, whole } from "./room.js";
import { answered } from "./said.js";
import { sample } from "./samples.js";
import { serverRadius, serverSpan } from "./servers.js";
import { onScreen, view } from "./view.js";

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
})();

export const BADGE = 8;

// Findings are worst first.
function seriousFindings(about) {
  return (about.findings || []).filter(({ severity }) => severity !== "info");
}

const withBadge = {
  servers: model.servers.filter((server) => seriousFindings(server).length),
  links: model.links.filter((link) => seriousFindings(link).length),
};

// The badge of the worst finding: a triangle for a warning, a square on its corner for an error,
// with a short text in it.
export function findingSign(context, severity, x, y, text, size = BADGE) {
  const error = severity === "error";
  context.beginPath();
  const corners = error
    ? [
        [0, -1.15],
        [1.15, 0],
        [0, 1.15],
        [-1.15, 0],
      ]
    : [
        [0, -1.2],
        [1.2, 0.9],
        [-1.2, 0.9],
      ];
  for (const [dx, dy] of corners) context.lineTo(x + dx * size, y + dy * size);
  context.closePath();
  context.fillStyle = error ? colours.bad : colours.doubt;
  context.strokeStyle = colours.canvas;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
  if (!text) return;
  context.font = `700 10px ${FONT}`;
  context.fillStyle = colours.canvas;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + (error ? 0.5 : 2));
}

// Where badges were drawn last, so that a click on one finds its server or link.
export const badges = [];

// Beside an answer, which has signs of its own, there is none; the list beside the picture stays.
export function drawBadges(context) {
  badges.length = 0;
  if (answered) return;
  const draw = (about, x, y) => {
    const box = boxAt(x, y, 2 * BADGE + 3, 2 * BADGE + 3);
    if (!whole(box) || placed.some((other) => other.badge && overlaps(other, box))) return;
    const found = seriousFindings(about);
    const text = found.length < 10 ? String(found.length) : "9+";
    findingSign(context, found[0].severity, x, y, text);
    placed.push({ ...box, badge: true });
    badges.push({ about, x, y, text, severity: found[0].severity });
  };
  for (const server of withBadge.servers) {
    if (server.hidden) continue;
    const { x, y } = onScreen(server.x, server.y);
    const radius = serverRadius(server) * view.scale;
    if (radius < 4) continue;
    const [wide, high] = serverSpan(server).map((part) => part * radius);
    draw(server, x + wide * 0.75 + 4, y - high * 0.75 - 4);
  }
  for (const link of withBadge.links) {
    if (!linkVisible(link)) continue;
    const curve = linkCurve(link);
    if (Math.hypot(curve.x2 - curve.x1, curve.y2 - curve.y1) * view.scale < 70 && !curve.loop)
      continue;
    const { x, y } = pointOn(curve, 0.3);
    const at = onScreen(x, y);
    draw(link, at.x, at.y);
  }
}

// The server or link whose badge is at a place of the canvas.
export function badgeAt(x, y) {
  const hit = badges.find((badge) => Math.hypot(badge.x - x, badge.y - y) < BADGE + 6);
  return hit ? hit.about : null;
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
  const all = [...withBadge.servers, ...withBadge.links].map(
    (about) => seriousFindings(about)[0].severity,
  );
  return ["error", "warning"]
    .filter((severity) => all.includes(severity))
    .map((severity) => [
      sample((context, x, y) => findingSign(context, severity, x, y, "3")),
      `worst finding: ${severity}, and how many warnings and errors`,
    ]);
}
