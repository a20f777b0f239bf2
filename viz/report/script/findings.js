// The findings: filtered, sorted, copied, written as CSV. Those beyond the markup come out of the
// data on demand.

import { distinct } from "../../page/asking/distinct.js";
import { completes } from "../../page/asking/form.js";
import { counted } from "../../page/asking/sentences.js";
import { laterData } from "../../page/packed/unpacked.js";
import { folderOf, rowsOf, withNames } from "../../page/script/compact.js";
import { copyText } from "../../page/script/copying.js";
import { byId, element, say } from "../../page/script/document.js";
import { whenIdle } from "../../page/script/idle.js";
import { inThousands } from "../../page/script/texts.js";
import { compareCells, inOrder, turnSorting } from "./tables.js";

/**
 * @typedef {{severity: string, rule: string, message: string, server: string, link: string[],
 *   place: string, excerpt: string}} Finding
 * @typedef {{element: HTMLElement, body: HTMLTableSectionElement, rows: Finding[], first: number,
 *   limit: number, sorted: [string, number] | null}} FindingGroup
 */

const MORE_ROWS = 200;
const FILTERED_ROWS = 50;
// What each column of the markup holds.
const FINDING_COLUMNS = ["message", "server", "place"];

const findings = {
  /** @type {FindingGroup[]} */ groups: [],
  text: "",
  severity: "",
  rule: "",
  server: "",
};

/** @returns {Finding} */
function findingOf(row) {
  const [message, , place] = row.cells;
  const excerpt = message.querySelector(".excerpt");
  const link = row.dataset.link ? JSON.parse(row.dataset.link) : [];
  return {
    severity: row.dataset.severity,
    rule: row.dataset.rule,
    message: message.firstChild ? message.firstChild.textContent : "",
    server: row.dataset.server,
    link,
    place: place.textContent.trim(),
    excerpt: excerpt ? excerpt.textContent : "",
  };
}

/** All findings, where the markup has not all of them. @returns {Finding[]} */
function findingsBeyond() {
  const beyond = byId("more-findings");
  if (!beyond) return [];
  const { rows, texts } = JSON.parse(beyond.textContent);
  return rowsOf(rows).map((row) => {
    const [severity, rule, text, server, link, place, excerpt] = row.map((one) =>
      Array.isArray(one) ? one.map((name) => texts[name]) : texts[one],
    );
    const [a, b] = link.length ? link : ["", ""];
    const message = withNames(text, [server, a, b, folderOf(place)]);
    return { severity, rule, message, server, link, place, excerpt };
  });
}

// The groups of the markup, each with all of its findings.
function readFindings() {
  const all = new Map();
  for (const finding of findingsBeyond()) {
    const key = JSON.stringify([finding.severity, finding.rule]);
    if (!all.has(key)) all.set(key, []);
    all.get(key).push(finding);
  }
  findings.groups = [...document.querySelectorAll("#findings .group-of-rule")].map((group) => {
    const body = group.querySelector("tbody");
    const own = all.get(JSON.stringify([group.dataset.severity, group.dataset.rule]));
    const rows = own || [...body.rows].map(findingOf);
    return {
      element: group,
      body,
      rows,
      first: body.rows.length,
      limit: body.rows.length,
      sorted: null,
    };
  });
}

const filtering = () =>
  Boolean(findings.text || findings.severity || findings.rule || findings.server);

/** @param {Finding} finding */
function matches(finding) {
  const { text, severity, rule, server } = findings;
  if (severity && finding.severity !== severity) return false;
  if (rule && finding.rule !== rule) return false;
  if (server && finding.server !== server && !finding.link.includes(server)) return false;
  if (!text) return true;
  const all = [
    finding.message,
    finding.server,
    finding.place,
    finding.excerpt,
    finding.rule,
    ...finding.link,
  ];
  return all.some((part) => part.toLowerCase().includes(text));
}

/** @param {FindingGroup} group @returns {Finding[]} */
function matchingRows(group) {
  const found = group.rows.filter(matches);
  if (!group.sorted) return found;
  const [column, way] = group.sorted;
  return found.sort((one, other) => way * compareCells(one[column], other[column]));
}

function drawGroup(group) {
  const found = matchingRows(group);
  const shown = found.slice(0, group.limit);
  group.body.replaceChildren(...shown.map(findingRow));
  group.element.hidden = !found.length;
  const all = inThousands(group.rows.length);
  const count = found.length === group.rows.length ? all : `${inThousands(found.length)} of ${all}`;
  group.element.querySelector("summary .count").textContent = count;
  for (const old of group.element.querySelectorAll(".cut")) old.remove();
  const left = found.length - shown.length;
  if (!left) return;
  const more = () => {
    group.limit += MORE_ROWS;
    drawGroup(group);
  };
  const words = `Show ${inThousands(Math.min(left, MORE_ROWS))} more of ${group.element.dataset.rule}`;
  const button = element("button", { type: "button", on: { click: more } }, words);
  group.element.append(
    element("p", { class: "cut" }, button, ` ${inThousands(left)} are not shown.`),
  );
}

/** @param {Finding} finding */
function findingRow(finding) {
  const { message, server, link, place, excerpt, severity, rule } = finding;
  const about = link.length ? link : server ? [server] : [];
  const name = element("bdi", { title: server }, middleCut(server));
  const data = { "data-server": server, "data-rule": rule, "data-severity": severity };
  return element(
    "tr",
    { ...data, "data-link": link.length ? JSON.stringify(link) : "" },
    element("td", {}, message, excerpt ? element("code", { class: "excerpt" }, excerpt) : null),
    element("td", {}, name),
    element("td", {}, place ? element("code", { class: "place", title: place }, place) : ""),
    element(
      "td",
      { class: "row-tools" },
      about.length ? showButton(about) : null,
      copyButton(finding),
    ),
  );
}

function showButton(names) {
  const unseen = element("span", { class: "unseen" }, ` ${names.join(" and ")} in the picture`);
  return element(
    "button",
    { type: "button", class: "show", "data-show": JSON.stringify(names) },
    "show",
    unseen,
  );
}

function copyButton(finding) {
  const unseen = element("span", { class: "unseen" }, ` the finding ${finding.message}`);
  const listener = { click: () => copyText(copiedFinding(finding)) };
  return element("button", { type: "button", class: "copy-row", on: listener }, "copy", unseen);
}

/** One line, with tabs between, as spreadsheets and mail take it. @param {Finding} finding */
function copiedFinding({ severity, rule, message, server, place }) {
  return [severity, rule, message, server, place]
    .map((part) => part.replace(/[\t\r\n]+/g, " "))
    .join("\t");
}

// A long name without its middle; all of it stands in the title.
function middleCut(name, most = 48) {
  return name.length <= most ? name : `${name.slice(0, most / 2)}…${name.slice(-(most / 2 - 1))}`;
}

const CSV_COLUMNS = ["severity", "rule", "message", "server", "link", "place", "excerpt"];

/**
 * The findings that match, as CSV (RFC 4180).
 * @returns {string}
 */
function findingsAsCsv() {
  const rows = findings.groups.flatMap(matchingRows);
  const lines = rows.map((row) =>
    CSV_COLUMNS.map((column) => csvCell(column === "link" ? row.link.join(" - ") : row[column])),
  );
  return [CSV_COLUMNS.map(csvCell), ...lines].map((cells) => `${cells.join(",")}\r\n`).join("");
}

// A cell that a spreadsheet would take for a formula begins with an apostrophe.
function csvCell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function downloadCsv() {
  const address = URL.createObjectURL(
    new Blob([findingsAsCsv()], { type: "text/csv;charset=utf-8" }),
  );
  element("a", { href: address, download: "findings.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function filterFindings() {
  findings.text = byId("findings-text").value.trim().toLowerCase();
  findings.severity = byId("findings-severity").value;
  findings.rule = byId("findings-rule").value;
  findings.server = byId("findings-server").value.trim();
  for (const group of findings.groups) {
    group.limit = filtering() ? FILTERED_ROWS : group.first;
    drawGroup(group);
  }
  const number = findings.groups.reduce((sum, group) => sum + group.rows.filter(matches).length, 0);
  const words = counted(number, "finding");
  byId("findings-number").textContent = words;
  const { text, severity, rule, server } = findings;
  const filters = Object.entries({ text, severity, rule, server }).filter(([, value]) => value);
  const all = findings.groups.reduce((sum, group) => sum + group.rows.length, 0);
  const told = filters.map(([name, value]) => `${name} '${value}'`).join(", ");
  byId("findings-filtered").textContent =
    `${inThousands(number)} of ${counted(all, "finding")}: filter ${told}`;
  byId("findings-filtered").hidden = !filters.length;
  say(words);
}

function sortFindings(heading) {
  const element = heading.closest(".group-of-rule");
  const group = findings.groups.find((one) => one.element === element);
  const column = FINDING_COLUMNS[[...heading.parentElement.children].indexOf(heading)];
  group.sorted = [column, turnSorting(heading)];
  drawGroup(group);
  say(`Sorted by ${heading.textContent.trim()}, ${heading.getAttribute("aria-sort")}`);
}

function findingsTools() {
  const choice = (id, all, values) =>
    element(
      "select",
      { id, on: { change: filterFindings } },
      ...["", ...values].map((value) => element("option", { value }, value || all)),
    );
  const labelled = (words, field) => element("label", {}, element("span", {}, words), field);
  const severities = ["error", "warning", "info"].filter((one) =>
    findings.groups.some(({ element: { dataset } }) => dataset.severity === one),
  );
  const rules = distinct(findings.groups.map((group) => group.element.dataset.rule)).sort(
    inOrder.compare,
  );
  const text = {
    id: "findings-text",
    type: "search",
    spellcheck: "false",
    on: { input: filterFindings },
  };
  const server = {
    id: "findings-server",
    type: "search",
    spellcheck: "false",
    list: "findings-server-list",
    on: { input: filterFindings },
  };
  byId("findings-tools").replaceChildren(
    labelled("Text", element("input", text)),
    labelled("Severity", choice("findings-severity", "all", severities)),
    labelled("Rule", choice("findings-rule", "all", rules)),
    labelled("Server", element("input", server)),
    element("datalist", { id: "findings-server-list" }),
    element(
      "button",
      { type: "button", id: "findings-csv", on: { click: downloadCsv } },
      "Download as CSV",
    ),
    element("span", { id: "findings-number", class: "count" }),
  );
  const named = distinct(
    findings.groups.flatMap((group) => group.rows.flatMap((row) => [row.server, ...row.link])),
  ).filter(Boolean);
  completes(byId("findings-server"), () => named);
}

function listenToFindings() {
  if (!findings.groups.length) return;
  findingsTools();
  for (const group of findings.groups) {
    // The rows of the markup stay as they are, each with a button more; those of which there are
    // more get theirs when they are drawn.
    [...group.body.rows].forEach((row, number) =>
      row.lastElementChild.append(copyButton(group.rows[number])),
    );
    if (group.rows.length > group.first) drawGroup(group);
  }
  byId("findings").addEventListener("click", ({ target }) => {
    const heading = target instanceof Element ? target.closest("thead th[aria-sort]") : null;
    if (heading) sortFindings(heading);
  });
}

if (byId("findings")) {
  laterData.when.then(() => {
    whenIdle(readFindings);
    whenIdle(listenToFindings);
  });
}
