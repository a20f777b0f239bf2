// The time line answers: a moment that is chosen shows the picture of its state, and what it
// changed. The picture of every state has the same size and each server its place, so that what
// differs is what moves.

import { inflated } from "../../page/packed/inflate.js";

/** @type {{ id: string, title: string, lines: string[], picture: number, unread: boolean }[]} */
const moments = JSON.parse(element("moments-data").textContent ?? "[]");
const buttons = [...document.querySelectorAll("#moments button")];
/** @type {string[] | null} */
let pictures = null;
let now = -1;

/** The least size at which a picture is shown: names have 13 pixels. */
const LEAST = 0.7;

/** The element of that id, which the page has. */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** The pictures of all states, unpacked once. */
async function unpackPictures() {
  const holder = element("pictures");
  const text =
    holder.getAttribute("type") === "application/zlib"
      ? await inflated(holder)
      : holder.textContent;
  pictures = JSON.parse(text ?? "[]");
}

/** Show one moment. */
function show(at) {
  const moment = moments[at];
  if (!moment || !pictures) return;
  if (now >= 0) buttons[now].removeAttribute("aria-current");
  const before = now;
  now = at;
  buttons[at].setAttribute("aria-current", "true");
  buttons[at].scrollIntoView({ block: "nearest", inline: "nearest" });
  if (before < 0 || moments[before].picture !== moment.picture) {
    const markup = moment.picture < 0 ? "" : pictures[moment.picture];
    const drawn = new DOMParser().parseFromString(markup, "text/html");
    element("picture").replaceChildren(...drawn.body.childNodes);
    fit();
  }
  element("since").textContent = since(at);
  element("moment-title").textContent = moment.title;
  const lines = moment.lines.length
    ? moment.lines
    : ["Nothing that the network does is different."];
  element("moment-lines").replaceChildren(
    ...lines.map((text) => {
      const line = document.createElement("li");
      line.textContent = text;
      return line;
    }),
  );
  button("earlier").disabled = at === 0;
  button("later").disabled = at === moments.length - 1;
  button("earlier-change").disabled = changeFrom(at, -1) < 0;
  button("later-change").disabled = changeFrom(at, 1) < 0;
  history.replaceState(null, "", `#${moment.id}`);
}

/** As wide as the page lets it be, and at least so wide that names can be read. What changed is in
 * the middle then; where nothing is marked, the picture stays where it is. */
function fit() {
  const frame = element("picture");
  const drawing = frame.querySelector("svg");
  if (!drawing) return;
  const wide = Number(drawing.getAttribute("width")) * LEAST;
  drawing.style.width = `${Math.max(wide, frame.clientWidth)}px`;
  const marked = drawing.querySelector(".server:not(.c-plain)");
  if (!marked) return;
  const [outer, inner] = [frame.getBoundingClientRect(), marked.getBoundingClientRect()];
  frame.scrollLeft += inner.left - outer.left - outer.width / 2;
  frame.scrollTop += inner.top - outer.top - outer.height / 2;
}

/** Since which commit the network is as it is drawn. */
function since(at) {
  if (moments[at].picture < 0) return "This state is not drawn.";
  if (moments[at].unread) return "This state cannot be read. Drawn is the last one that could be.";
  const first = moments.findIndex((moment) => moment.picture === moments[at].picture);
  const marked = first > 0 ? "Marked is what came with it, or goes with the next change." : "";
  return `As it is since ${moments[first].title}. ${marked}`.trim();
}

/** @returns {HTMLButtonElement} */
function button(id) {
  const found = element(id);
  if (!(found instanceof HTMLButtonElement)) throw new Error(`${id} is no button`);
  return found;
}

/** The next moment in a direction that changed something; -1 where there is none. */
function changeFrom(at, step) {
  for (let other = at + step; other >= 0 && other < moments.length; other += step)
    if (moments[other].lines.length) return other;
  return -1;
}

/** The moment that the address names, else the last one. */
function asked() {
  const named = moments.findIndex((moment) => `#${moment.id}` === location.hash);
  return named < 0 ? moments.length - 1 : named;
}

function step(by) {
  show(Math.min(Math.max(now + by, 0), moments.length - 1));
}

function stepChange(by) {
  const found = changeFrom(now, by);
  if (found >= 0) show(found);
}

/** Arrows step through the commits, with Shift through those that changed something. */
function pressed(event) {
  const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (event.shiftKey) stepChange(by);
  else step(by);
}

async function start() {
  if (!moments.length || !("DecompressionStream" in window)) return;
  await unpackPictures();
  element("now").hidden = false;
  buttons.forEach((one, at) => one.addEventListener("click", () => show(at)));
  button("earlier").addEventListener("click", () => step(-1));
  button("later").addEventListener("click", () => step(1));
  button("earlier-change").addEventListener("click", () => stepChange(-1));
  button("later-change").addEventListener("click", () => stepChange(1));
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => show(asked()));
  show(asked());
  document.documentElement.dataset.drawn = "true";
}

start();
