// Asking: the engine answers, the picture shows the answer, and where the engine declines the page
// says why and which command answers.

import { topographEngine } from "../engine/engine.js";
import { byId, element, say } from "../script/document.js";
import { whenIdle } from "../script/idle.js";
import { model } from "../script/model.js";
import { whenSaid } from "../script/said.js";
import { rehearse, showAnswer } from "../script/saidparts.js";
import { narrow, view } from "../script/view.js";
import { askedIn, emptyQuestion, engineQuestion, faultsOf, hashOf } from "./asked.js";
import { distinct } from "./distinct.js";
import {
  completions,
  fillForm,
  fillKinds,
  form,
  listenToForm,
  sayFaults,
  showFields,
} from "./form.js";
import { newMarking, saidOf } from "./marking.js";
import { copyText } from "../script/copying.js";
import { laterData } from "../packed/unpacked.js";

/** @import { Asked } from "./asked.js" */

const asking = {
  engine: null,
  estate: null,
  destinations: [],
  qualified: null,
  rules: null,
  hash: "",
  // What was asked last, and what is found out of a question that is being typed: ``{question, told}``.
  last: null,
  typed: null,
};

const inReport = document.body.classList.contains("report");

/** What the engine needs is made when it is first needed. */
function engineOf() {
  if (!asking.engine) {
    const { nouns, rules, destinations } = JSON.parse(byId("ask-words").textContent);
    asking.rules = new Map(Object.entries(rules));
    asking.destinations = destinations;
    asking.engine = topographEngine(JSON.parse(byId("engine").textContent));
    asking.estate = {
      links: model.links,
      unloaded: new Set(
        model.servers.filter((server) => !server.loaded).map((server) => server.name),
      ),
      nouns: new Map(Object.entries(nouns)),
    };
  }
  return asking.engine;
}

// Of several servers with one name each has its system before it in the picture; answers name them
// without.
function pictureName(system, name) {
  const qualified = `${system}:${name}`;
  return !model.byName.has(name) && model.byName.has(qualified) ? qualified : name;
}

const NAMED = ["from", "to", "server", "at", "towards"];
const NAMES = ["path", "servers", "unreachable", "received"];

/** An answer with the names that its servers have in the picture: mostly those it has. */
function inPictureNames(answer) {
  asking.qualified ??= model.servers.some(({ name }) => name.includes(":"));
  return asking.qualified ? renamedInPicture(answer, answer.system) : answer;
}

function renamedInPicture(value, system) {
  if (Array.isArray(value)) return value.map((one) => renamedInPicture(one, system));
  if (value === null || typeof value !== "object") return value;
  const own = value.system || system;
  const found = {};
  for (const [key, one] of Object.entries(value)) {
    if (NAMED.includes(key) && typeof one === "string" && one) {
      found[key] = pictureName(key === "to" && value.to_system ? value.to_system : own, one);
    } else if (NAMES.includes(key) && Array.isArray(one)) {
      found[key] = one.map((name) =>
        typeof name === "string" ? pictureName(own, name) : renamedInPicture(name, own),
      );
    } else found[key] = renamedInPicture(one, own);
  }
  return found;
}

/** What the page says of an answer; with each step what its rule says. */
const saidHere = (answer) =>
  Object.assign(saidOf(inPictureNames(answer), asking.estate), { rules: asking.rules });

const namesInPicture = () => model.servers.map((server) => server.name);
const knownServers = {
  has: (name) => model.byName.has(name),
  like: (name) => (name ? completions(namesInPicture(), name, 3) : []),
};

// A fault in the page itself leaves the reader with the command.
function toldBy(engine, question) {
  try {
    return engine.ask(question);
  } catch (error) {
    console.error(error);
    return { answered: false, why: `It failed here: ${error}.`, command: engine.command(question) };
  }
}

// What stands under the form: the command that asks the same, and whether the page answers. Of a
// question that the page declines this stands there before it is asked.
function sayAsked() {
  const now = asking.typed || asking.last;
  byId("ask-asked").hidden = now === null;
  byId("ask-declined").hidden = now === null || now.told.answered;
  byId("ask-clear").hidden = !view.answer;
  byId("ask-link").hidden = asking.typed !== null;
  if (now === null) return;
  const { question, told } = now;
  byId("ask-command").textContent = told.answered ? asking.engine.command(question) : told.command;
  byId("ask-why").textContent = told.answered ? "" : told.why;
}

/**
 * Asks, and shows what comes of it.
 * @param {Asked} asked
 * @param {{look?: boolean}} [how] - whether the page goes to the picture
 * @returns {boolean | Promise<boolean>} whether the page answers that; once the data is unpacked
 */
function askHere(asked, { look = true } = {}) {
  const faults = faultsOf(asked, knownServers);
  if (faults.size) forgetAnswer();
  sayFaults(faults);
  if (faults.size) return false;
  if (!laterData.whole) return laterData.when.then(() => askHere(asked, { look }));
  const engine = engineOf();
  const question = engineQuestion(asked);
  const told = toldBy(engine, question);
  // What was answered before goes with its command.
  if (!told.answered) forgetAnswer();
  asking.last = { question, told };
  asking.typed = null;
  asking.hash = hashOf(asked);
  if (told.answered) {
    view.answer = saidHere(told.answer);
    // First, since showing the answer measures the page: it is laid out once.
    sayAsked();
    showAnswer(view.answer);
  } else {
    say(`This page does not answer that. ${told.why}`);
    sayAsked();
  }
  // Set in the location it would have the browser look for an element of that name.
  if (location.hash !== asking.hash)
    history.pushState(null, "", location.href.split("#")[0] + asking.hash);
  if (look && told.answered) lookAtAnswer();
  return told.answered;
}

// Where form and picture do not fit the window together, an answer leads to the picture; that of a
// page of its own to its head, where the answer stands.
function lookAtAnswer() {
  const place = inReport
    ? byId(narrow.matches ? "picture" : "ask")
    : document.querySelector("header");
  place.scrollIntoView({ block: "start" });
}

// The answer is taken off the picture, with what stands of it under the form.
function forgetAnswer() {
  asking.typed = null;
  if (view.answer) showAnswer(null);
  else forgetAsked();
}

// The question stays in the form, to be asked otherwise.
function forgetAsked() {
  asking.last = null;
  asking.typed = null;
  sayAsked();
  if (asking.hash && location.hash === asking.hash)
    history.replaceState(null, "", location.href.split("#")[0]);
  asking.hash = "";
}

// A question in the form that the page declines is said to be so before it is asked.
function checkTyped(asked) {
  if (!laterData.whole) return;
  const before = asking.typed || (asking.last?.told.answered ? null : asking.last);
  asking.typed = null;
  if (before === asking.last) asking.last = null;
  if (!faultsOf(asked, knownServers).size) {
    const question = engineQuestion(asked);
    const told = toldBy(engineOf(), question);
    if (!told.answered) asking.typed = { question, told };
  }
  if (asking.typed && asking.typed.told.why !== before?.told.why)
    say(`This page does not answer that. ${asking.typed.told.why}`);
  if (asking.typed || before) sayAsked();
}

// A link with a question, or the way back to one.
function askAsLinked() {
  if (location.hash === asking.hash) return;
  const asked = askedIn(location.hash);
  if (!asked) return;
  fillForm(asked);
  openForm(true);
  askHere(asked);
}

/** Asks from another part of the report, with the question in the form too. */
export function askFrom(fields) {
  const asked = { ...emptyQuestion(), ...fields };
  fillForm(asked);
  askHere(asked);
  byId("ask-question").focus({ preventScroll: true });
}

const SAMPLED = 40;

/**
 * Looks for examples of this estate while nobody waits, and offers them: how far a message of the
 * first servers gets, where it does not get, and who receives one. It leaves an engine behind that
 * the first question need not wait for.
 */
function findExamples() {
  const found = { far: null, most: 0, never: null, message: null, worth: -1 };
  whenIdle(engineOf);
  whenIdle(() => newMarking(asking.estate));
  whenIdle(() => {
    const loaded = model.servers.filter((server) => server.loaded && server.links.length);
    for (const [from, to] of sampledPairs(loaded)) whenIdle(() => tryReach(found, from, to));
    for (const destination of asking.destinations.slice(0, 4)) {
      for (const { name } of loaded.slice(0, 3))
        whenIdle(() => tryMessage(found, name, destination));
    }
    whenIdle(() => {
      if (found.message) sayOnce(found.message, { drawn: true });
      if (!found.far) return;
      for (const kind of ["reach", "hops", "paths", "reach-all"])
        whenIdle(() => sayOnce({ ...found.far, kind }));
    });
    whenIdle(() => offerExamples([found.far, found.never, found.message].filter(Boolean)));
  });
}

function tryReach(found, from, to) {
  const told = engineOf().ask({ question: "reach", from, to });
  if (!told.answered) return;
  const [reached] = told.answer.servers;
  if (reached && reached.hops > found.most) {
    found.far = { ...emptyQuestion(), from, to };
    found.most = reached.hops;
  }
  if (!reached && !found.never && !told.answer.undetermined.length)
    found.never = { ...emptyQuestion(), from, to };
}

// A message that somebody gets and that is stopped elsewhere is the best example.
function tryMessage(found, from, destination) {
  const told = engineOf().ask({ question: "propagate", from, destination, properties: {} });
  if (!told.answered) return;
  const worth =
    Math.min(told.answer.deliveries.length, 3) + Math.min(told.answer.stopped.length, 3);
  if (worth <= found.worth) return;
  found.message = { ...emptyQuestion("propagate"), from, destination };
  found.worth = worth;
}

// What answers say of the picture, one of each kind: browsers prepare the code of it.
function sayOnce(asked, how = {}) {
  const told = engineOf().ask(engineQuestion(asked));
  if (told.answered) rehearse(saidHere(told.answer), how);
}

// Pairs of three servers and others all over the estate.
function sampledPairs(servers) {
  const step = Math.max(1, Math.floor(servers.length / SAMPLED));
  const ends = servers.filter((_, index) => index % step === 0).slice(0, SAMPLED);
  const starts = [0, 1, 2]
    .map((third) => servers[Math.floor((third * servers.length) / 3)])
    .filter(Boolean);
  return distinct(starts).flatMap((start) =>
    ends.filter((end) => end !== start).map((end) => [start.name, end.name]),
  );
}

/** @param {Asked[]} examples */
function offerExamples(examples) {
  if (examples.length && !form.used && !askedIn(location.hash)) fillForm(examples[0]);
  const words = ({ kind, from, to, destination }) =>
    kind === "propagate"
      ? `Who receives ${destination} from ${from}?`
      : `Can a message get from ${from} to ${to}?`;
  const buttons = examples.map((asked) =>
    element(
      "button",
      { type: "button", class: "ask-example", on: { click: () => askFrom(asked) } },
      words(asked),
    ),
  );
  byId("ask-examples").replaceChildren("For example: ", ...buttons);
  byId("ask-examples").hidden = !buttons.length;
}

function closeList(id) {
  const list = document.getElementById(id);
  if (list instanceof HTMLDetailsElement) list.open = false;
}

// On a phone the form of a picture's page opens at a button.
function openForm(open) {
  byId("ask").classList.toggle("open", open);
  byId("ask-open").setAttribute("aria-expanded", String(open));
}

function listenToAsking() {
  fillKinds();
  showFields("reach");
  byId("ask").hidden = false;
  if (!inReport) byId("skip-to-ask").hidden = false;
  listenToForm({
    ask: askHere,
    check: checkTyped,
    names: namesInPicture,
    destinations: () => asking.destinations,
  });
  byId("ask-open").addEventListener("click", () => {
    openForm(!byId("ask").classList.contains("open"));
    byId("ask-question").focus();
  });
  byId("ask-copy").addEventListener("click", () => copyText(byId("ask-command").textContent));
  byId("ask-clear").addEventListener("click", () => {
    showAnswer(null);
    byId("ask-from").focus();
  });
  byId("ask-link").addEventListener("click", () =>
    copyText(location.href.split("#")[0] + asking.hash),
  );
  whenSaid.push((said) => {
    document.body.classList.toggle("answered", said !== null);
    // Where the answer stands above the picture, the lists behind it do not come between the two.
    if (said && narrow.matches) for (const id of ["zone-panel", "servers"]) closeList(id);
    if (!said) forgetAsked();
  });
  window.addEventListener("hashchange", askAsLinked);
  window.topograph.ask = (fields) => askHere({ ...emptyQuestion(), ...fields }, { look: false });
  askAsLinked();
  // A report offers examples; the first screen of a picture is for the picture.
  laterData.when.then(inReport ? findExamples : () => whenIdle(engineOf));
}

if (byId("ask")) listenToAsking();
