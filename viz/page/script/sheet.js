// Details on a small screen: a sheet over the picture from below, which a tap, Escape or a pull
// closes. On a wide one they stand in the panel.

import { blockAsText } from "./answer.js";
import { byId, capital, element, say } from "./document.js";
import { drawnSigns } from "./room.js";
import { blockWords, kindOf } from "./stopsigns.js";
import { aboveTheServers, animation, narrow, onScreen, redraw, view } from "./view.js";

// What had the focus when the sheet was opened, and whether a finger or pointer opened it: then the
// focus goes there and back.
const sheet = { opener: null, pointed: false };

/** What is to be done when other details are shown, or none: other scripts add theirs. */
export const whenDetails = [];

/** Shows these elements as the details of what was chosen. */
export function showDetails(children) {
  for (const listener of whenDetails) listener();
  const place = byId("selected");
  if (!place.contains(document.activeElement)) sheet.opener = document.activeElement;
  const close = element(
    "button",
    {
      type: "button",
      class: "close",
      "aria-label": "Close details",
      on: { click: clearSelection },
    },
    "×",
  );
  const handle = element("button", {
    type: "button",
    class: "handle",
    "aria-label": "Close details",
    tabindex: -1,
  });
  listenToHandle(handle, place);
  place.replaceChildren(handle, close, ...children);
  place.hidden = false;
  place.scrollTop = 0;
  place.style.transform = "";
  place.setAttribute(
    "aria-label",
    place.querySelector("h2") ? place.querySelector("h2").textContent : "Selected",
  );
  if (narrow.matches) place.setAttribute("role", "dialog");
  else place.removeAttribute("role");
  byId("canvas").setAttribute("aria-expanded", "true");
  document.documentElement.classList.add("sheet");
  if (narrow.matches && sheet.pointed) takeFocus(place);
}

// After a tap the browser moves the focus to what was tapped, and clicks what has come to be there.
function takeFocus(place) {
  place.classList.add("opening");
  place.focus({ preventScroll: true });
  setTimeout(() => {
    place.classList.remove("opening");
    if (!place.hidden && !place.contains(document.activeElement))
      place.focus({ preventScroll: true });
  }, 350);
}

export function hideDetails() {
  for (const listener of whenDetails) listener();
  const place = byId("selected");
  if (place.hidden) return;
  const inside = place.contains(document.activeElement);
  place.hidden = true;
  byId("canvas").setAttribute("aria-expanded", "false");
  document.documentElement.classList.remove("sheet");
  if (!inside) return;
  const back =
    sheet.opener && sheet.opener.isConnected && sheet.opener !== document.body
      ? sheet.opener
      : byId("canvas");
  back.focus({ preventScroll: true });
}

// A tap on the handle closes the sheet; so does pulling it down.
function listenToHandle(handle, place) {
  const far = 60;
  let from = null;
  handle.addEventListener("pointerdown", (event) => {
    from = event.clientY;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (from !== null) place.style.transform = `translateY(${Math.max(0, event.clientY - from)}px)`;
  });
  const end = (event) => {
    const pulled = from === null ? 0 : event.clientY - from;
    from = null;
    place.style.transform = "";
    if (pulled > far) clearSelection();
  };
  handle.addEventListener("pointerup", end);
  handle.addEventListener("pointercancel", end);
  handle.addEventListener("click", clearSelection);
}

/** Moves a place of the picture out from under the sheet. */
export function keepInSight({ x, y }) {
  const open = narrow.matches && !byId("selected").hidden;
  if (open)
    document.querySelector(".canvas").scrollIntoView({ block: "start", behavior: "instant" });
  const at = onScreen(x, y);
  const canvas = byId("canvas").getBoundingClientRect();
  const covered = open ? byId("selected").getBoundingClientRect().top : Infinity;
  const low = Math.min(canvas.bottom, covered, window.innerHeight) - canvas.top;
  const above = aboveTheServers();
  if (at.x > 20 && at.x < view.width - 20 && at.y > above && at.y < low - 30) return;
  const level = Math.max(above + 20, (above + low) / 2);
  view.network.moveTo({
    position: { x, y: y - (level - view.height / 2) / view.scale },
    animation: animation(),
  });
}

/** The stop sign at a place on the canvas, as near as a finger hits. */
export function signAt(x, y) {
  const reach = (sign) => Math.hypot(sign.x - x, sign.y - y) - sign.size;
  const near = drawnSigns.filter((sign) => reach(sign) < 8);
  return near.reduce((best, sign) => (!best || reach(sign) < reach(best) ? sign : best), null);
}

// Why the message goes no further here: every reason that the sign stands for, whole.
function signDetails({ causes }) {
  const title = capital(blockWords(kindOf(causes)));
  return [element("h2", {}, title), element("ol", { class: "blocks" }, ...causes.map(blockAsText))];
}

export function showSign(sign) {
  view.selected = null;
  view.selectedLink = null;
  view.network.unselectAll();
  showDetails(signDetails(sign));
  const { x, y } = view.network.DOMtoCanvas({ x: sign.x, y: sign.y });
  keepInSight({ x, y });
  say(sign.causes.map((block) => `${block.at} to ${block.to}: ${block.reason}`).join("; "));
  redraw();
}

const short = window.matchMedia("(max-height: 899px)");
export function fitWindow() {
  const fold = () => {
    byId("legend").open = !narrow.matches && !short.matches;
  };
  fold();
  narrow.addEventListener("change", fold);
  short.addEventListener("change", fold);
  document.addEventListener("pointerdown", () => (sheet.pointed = true), true);
  document.addEventListener("keydown", () => (sheet.pointed = false), true);
}

export function clearSelection() {
  view.selected = null;
  view.selectedLink = null;
  view.network.unselectAll();
  hideDetails();
  byId("around").hidden = view.neighbourhood === null;
  redraw();
}
