// The page beside the picture. Text goes into it as text nodes only.

import { model } from "./model.js";
import { inThousands, readableText } from "./texts.js";

/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

// An element with attributes, listeners (``on``) and children; a child is an element or text.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on")
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (value !== null && value !== false)
      made.setAttribute(name, value === true ? "" : value);
  }
  made.append(
    ...children
      .filter((child) => child !== null && child !== "")
      .map((child) => (child instanceof Node ? child : readableText(child))),
  );
  return made;
}

export function say(text) {
  byId("said").textContent = readableText(text);
}

export function plural(count, one, many = `${one}s`) {
  return `${inThousands(count)} ${count === 1 ? one : many}`;
}

// So many servers or links, as they are called in this network.
export function serverCount(count) {
  return plural(count, model.about.nouns[0], model.about.nouns[1]);
}

export function linkCount(count) {
  return plural(count, model.about.nouns[2], model.about.nouns[3]);
}

export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

// Pressing it selects the server (``listenToNames``).
export function serverButton(name, text = name) {
  if (!model.byName.has(name)) return element("span", {}, text);
  return element("button", { type: "button", class: "server", "data-server": name }, text);
}

export function definitions(pairs) {
  const list = element("dl");
  for (const [term, ...values] of pairs)
    list.append(element("dt", {}, term), element("dd", {}, ...values));
  return list;
}

export function hint(text) {
  byId("hint").textContent = readableText(text);
  byId("hint").hidden = !text;
}
