// Asking: the engine answers, the picture shows the answer, and where the engine declines the page
// says why and which command answers.

import { topographEngine } from "../../page/engine/engine.js";
import { ruleTexts } from "../../page/script/answer.js";
import { byId, element, say } from "../../page/script/document.js";
import { whenIdle } from "../../page/script/idle.js";
import { model } from "../../page/script/model.js";
import { whenSaid } from "../../page/script/said.js";
import { rehearse, showAnswer } from "../../page/script/saidparts.js";
import { narrow } from "../../page/script/view.js";
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
import { copyText } from "./show.js";
import { laterData } from "./unpacked.js";

/** @import { Asked } from "./asked.js" */

const asking = { engine: null, estate: null, destinations: [], qualified: null, hash: "" };

/** What the engine needs is made when it is first needed. */
function engineOf() {
  if (!asking.engine) {
    const { nouns, rules, destinations } = JSON.parse(byId("words").textContent);
    for (const [rule, text] of Object.entries(rules)) ruleTexts.set(rule, text);
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

// What stands under the form: the command that asks the same, and whether the page answers.
function sayAsked(engine, question, told) {
  byId("ask-declined").hidden = told.answered;
  byId("ask-command").textContent = told.answered ? engine.command(question) : told.command;
  byId("ask-asked").hidden = false;
  byId("ask-clear").hidden = !told.answered;
}

/**
 * Asks, and shows what comes of it.
 * @param {Asked} asked
 * @param {{look?: boolean}} [how] - whether the page goes to the picture
 * @returns {boolean | Promise<boolean>} whether the page answers that; once the data is unpacked
 */
function askHere(asked, { look = true } = {}) {
  const faults = faultsOf(asked, knownServers);
  sayFaults(faults);
  if (faults.size) return false;
  if (!laterData.whole) return laterData.when.then(() => askHere(asked, { look }));
  const engine = engineOf();
  const question = engineQuestion(asked);
  const told = toldBy(engine, question);
  if (told.answered) {
    // First, since showing the answer measures the page: it is laid out once.
    sayAsked(engine, question, told);
    showAnswer(saidOf(inPictureNames(told.answer), asking.estate));
  } else {
    showAnswer(null);
    byId("ask-why").textContent = told.why;
    say(`This page does not answer that. ${told.why}`);
    sayAsked(engine, question, told);
  }
  asking.hash = hashOf(asked);
  // Set in the location it would have the browser look for an element of that name.
  if (location.hash !== asking.hash)
    history.pushState(null, "", location.href.split("#")[0] + asking.hash);
  // Where form and picture do not fit the window together, an answer leads to the picture.
  if (look && told.answered)
    byId(narrow.matches ? "picture" : "ask").scrollIntoView({ block: "start" });
  return told.answered;
}

// The answer was taken off the picture: the question stays in the form, to be asked otherwise.
function forgetAnswer() {
  byId("ask-declined").hidden = true;
  byId("ask-asked").hidden = true;
  if (asking.hash && location.hash === asking.hash)
    history.replaceState(null, "", location.href.split("#")[0]);
  asking.hash = "";
}

// A link with a question, or the way back to one.
function askAsLinked() {
  if (location.hash === asking.hash) return;
  const asked = askedIn(location.hash);
  if (!asked) return;
  fillForm(asked);
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
  if (told.answered) rehearse(saidOf(inPictureNames(told.answer), asking.estate), how);
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

function listenToAsking() {
  fillKinds();
  showFields("reach");
  byId("ask").hidden = false;
  listenToForm({ ask: askHere, names: namesInPicture, destinations: () => asking.destinations });
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
    if (!said) forgetAnswer();
  });
  window.addEventListener("hashchange", askAsLinked);
  window.topograph.ask = (fields) => askHere({ ...emptyQuestion(), ...fields }, { look: false });
  askAsLinked();
  laterData.when.then(findExamples);
}

if (byId("ask")) listenToAsking();
