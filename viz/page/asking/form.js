// The form of a question: its fields, what completes them, and what is wrong said where it is.

import { byId, element } from "../script/document.js";
import { fieldText, nameInField } from "../script/texts.js";
import { ASKED_KINDS, MOST_PROPERTIES, PROPERTY_TYPES, kindOf } from "./asked.js";

/** @import { Asked, PropertyAsked } from "./asked.js" */

const MOST_OFFERED = 40;

const propertyRows = { next: 0 };

// Whether the reader has been in the form: from then on nothing is put into it that he did not ask
// for.
export const form = { used: false };

export function fillKinds() {
  byId("ask-question").replaceChildren(
    ...ASKED_KINDS.map(({ kind, words }) => element("option", { value: kind }, words)),
  );
}

// Shows the fields of a question, and nothing else.
export function showFields(kind) {
  const { fields } = kindOf(kind);
  for (const field of document.querySelectorAll("#ask-form [data-field]")) {
    field.hidden = !fields.includes(field.dataset.field);
  }
}

/** The question that stands in the form. @returns {Asked} */
function askedInForm() {
  return {
    kind: byId("ask-question").value,
    from: nameInField(byId("ask-from").value.trim()),
    to: nameInField(byId("ask-to").value.trim()),
    destination: nameInField(byId("ask-destination").value.trim()),
    user: byId("ask-user").value,
    properties: [...document.querySelectorAll(".ask-property")].map((row) => ({
      name: row.querySelector(".ask-name").value,
      type: row.querySelector("select").value,
      value: row.querySelector(".ask-value").value,
    })),
  };
}

/** @param {Asked} asked */
export function fillForm(asked) {
  byId("ask-question").value = asked.kind;
  for (const field of ["from", "to", "destination", "user"])
    byId(`ask-${field}`).value = fieldText(asked[field]);
  byId("ask-properties").replaceChildren(...asked.properties.map(propertyRow));
  showFields(asked.kind);
  sayFaults(new Map());
}

/** @param {PropertyAsked} property */
function propertyRow({ name, type, value }) {
  const number = (propertyRows.next += 1);
  const row = element("div", {
    class: "ask-property",
    role: "group",
    "aria-label": `Property ${number}`,
  });
  const labelled = (words, field) => element("label", {}, element("span", {}, words), field);
  const error = element("span", {
    class: "ask-error",
    id: `ask-property-${number}-error`,
    role: "alert",
  });
  const described = { "aria-describedby": error.id, type: "text", spellcheck: "false" };
  const nameField = element("input", { ...described, class: "ask-name" });
  const types = PROPERTY_TYPES.map(([known, words]) => element("option", { value: known }, words));
  const typeField = element("select", {}, ...types);
  const valueField = element("input", { ...described, class: "ask-value" });
  const remove = element(
    "button",
    { type: "button", "aria-label": `Remove property ${name || number}` },
    "Remove",
  );
  nameField.value = name;
  typeField.value = type;
  valueField.value = value;
  const followType = () => (valueField.disabled = typeField.value === "null");
  followType();
  typeField.addEventListener("change", followType);
  remove.addEventListener("click", () => {
    row.remove();
    byId("ask-add").focus();
  });
  row.append(
    labelled("Name", nameField),
    labelled("Type", typeField),
    labelled("Value", valueField),
    remove,
    error,
  );
  return row;
}

/**
 * Says what is wrong at the fields, and takes back what was said before. @param {Map<string,
 * string>} faults
 */
export function sayFaults(faults) {
  const said = (field, error, text) => {
    error.textContent = text;
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  };
  for (const name of ["from", "to", "destination"]) {
    said(byId(`ask-${name}`), byId(`ask-${name}-error`), faults.get(name) || "");
  }
  document.querySelectorAll(".ask-property").forEach((row, number) => {
    said(
      row.querySelector(".ask-value"),
      row.querySelector(".ask-error"),
      faults.get(`property-${number}`) || "",
    );
  });
  const wrong = document.querySelector("#ask-form [aria-invalid]");
  if (wrong) wrong.focus();
}

// The names that a text completes to, those that begin with it first: a list of thousands is never
// in the document.
export function completions(names, text, most = MOST_OFFERED) {
  const wanted = text.trim().toLowerCase();
  const first = [],
    others = [];
  for (const name of names) {
    const at = name.toLowerCase().indexOf(wanted);
    if (at === 0) first.push(name);
    else if (at > 0 && others.length < most) others.push(name);
    if (first.length >= most) break;
  }
  return [...first, ...others].slice(0, most);
}

export function completes(field, names) {
  const list = byId(`${field.id}-list`);
  const offer = () => {
    const offered = completions(names().map(fieldText), field.value);
    // A browser opens the list again when it changes: one that offers only what stands there
    // already stays empty.
    const done = offered.length === 1 && offered[0] === field.value;
    list.replaceChildren(
      ...(done ? [] : offered.map((name) => element("option", { value: name }))),
    );
  };
  field.addEventListener("focus", offer);
  field.addEventListener("input", offer);
}

// Milliseconds without a key after which what is typed is looked at.
const PAUSE = 250;

/**
 * ``check`` is given what stands in the form whenever the reader pauses, ``ask`` what he asks.
 */
export function listenToForm({ ask, check, names, destinations }) {
  const fields = byId("ask-form");
  for (const use of ["focusin", "input"]) fields.addEventListener(use, () => (form.used = true));
  let pause = 0;
  for (const change of ["input", "change"])
    fields.addEventListener(change, () => {
      clearTimeout(pause);
      pause = window.setTimeout(() => check(askedInForm()), PAUSE);
    });
  const askNow = () => {
    clearTimeout(pause);
    ask(askedInForm());
  };
  // Without submitting it: frames of notebooks allow no form to be submitted.
  fields.addEventListener("submit", (event) => event.preventDefault());
  byId("ask-now").addEventListener("click", askNow);
  fields.addEventListener("keydown", (event) => {
    const typed = event.target instanceof HTMLInputElement;
    if (event.key !== "Enter" || event.isComposing || !typed) return;
    event.preventDefault();
    askNow();
  });
  byId("ask-question").addEventListener("change", (event) => showFields(event.target.value));
  byId("ask-add").addEventListener("click", () => {
    const rows = byId("ask-properties");
    if (rows.childElementCount >= MOST_PROPERTIES) return;
    const row = propertyRow({ name: "", type: "string", value: "" });
    rows.append(row);
    row.querySelector("input").focus();
  });
  for (const id of ["ask-from", "ask-to"]) completes(byId(id), names);
  completes(byId("ask-destination"), destinations);
}
