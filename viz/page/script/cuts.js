// Long words in sentences are cut, and shown whole when they are pressed.

import { element } from "./document.js";
import { readableText, shortened, visibleText } from "./texts.js";

// Long words (names, mostly) of a sentence without their middle; pressing one shows the whole of
// it.
const LONGEST_WORD = 48;

const CUT_WORD = 30;

export function briefNodes(text) {
  const words = String(text).split(/(\s+)/);
  if (words.every((word) => word.length <= LONGEST_WORD)) return [readableText(text)];
  return words
    .filter(Boolean)
    .map((word) => (Array.from(word).length > LONGEST_WORD ? cutWord(word) : readableText(word)));
}

function cutWord(word) {
  return element(
    "button",
    { type: "button", class: "cut", "data-whole": word, title: visibleText(word) },
    shortened(word, CUT_WORD),
  );
}

export function listenToCuts() {
  document.addEventListener("click", ({ target }) => {
    const cut = target instanceof Element ? target.closest("button.cut") : null;
    if (!(cut instanceof HTMLElement)) return;
    const whole = cut.getAttribute("aria-expanded") === "true";
    cut.setAttribute("aria-expanded", String(!whole));
    cut.textContent = whole
      ? shortened(cut.dataset.whole, CUT_WORD)
      : readableText(cut.dataset.whole);
  });
}
