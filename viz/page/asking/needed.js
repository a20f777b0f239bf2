// What servers whose files are not loaded would need for those left open to be reached:
// ``topograph/questions/texts/needed.py`` has the same.

import { inThousands } from "../script/texts.js";
import { distinct } from "./distinct.js";

const NEEDED_NAMED = 3;

/**
 * The entries by the assumption that decides them, and how; those that none decides last.
 * @returns {any[][]}
 */
function byAssumption(entries) {
  const order = ({ decided_if: decided }) => (decided ? Number(!decided.reached) : 2);
  const found = new Map();
  for (const entry of entries) {
    const key = JSON.stringify(entry.decided_if);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(entry);
  }
  return [...found.values()].sort(([one], [other]) => order(one) - order(other));
}

/** A paragraph for all servers left open of which the same is true, in their order. */
export function neededTexts(entries) {
  return byAssumption(entries).flatMap((decided) => {
    const alike = new Map();
    for (const entry of decided.filter((one) => one.would_need.length)) {
      const key = JSON.stringify([
        entry.system,
        ...entry.would_need.map((one) => needOf(entry, one)),
      ]);
      if (!alike.has(key)) alike.set(key, []);
      alike.get(key).push(entry);
    }
    return [...alike.values()].map(neededText);
  });
}

// The end of a verdict on servers that no shown path leads to: whose routes could change it; ""
// where that was not judged of each, or an assumption decides one.
export function couldChange(...entries) {
  if (!entries.length || entries.some((one) => one.decided_if || !one.would_need.length)) return "";
  const needed = entries.flatMap((one) => one.would_need);
  const names = anyOf(distinct(needed.map((one) => one.server)));
  return `; routes of ${names} that they do not show could change that`;
}

// What is needed, with nothing for the entry's own name.
const needOf = (entry, { server, routes, legal }) => [
  server,
  routes.map(({ towards, zones, except_zones }) => [
    towards === entry.server ? "" : towards,
    zones,
    except_zones,
  ]),
  legal,
];

function neededText(alike) {
  const [{ server, would_need: needed }] = alike;
  const alone = alike.length === 1;
  const byNeed = new Map();
  for (const one of needed) {
    const need = needText(one, (name) => (name === server && !alone ? "it" : name));
    byNeed.set(need, [...(byNeed.get(need) || []), one.server]);
  }
  const needs = [...byNeed].map(([need, names]) => `${anyOf(names)} would need ${need}`);
  const legal = needed[0].legal ? "could then still be" : "would then not be";
  const whom = alone ? server : "one of these";
  return `For ${whom} to be reached, ${needs.join("; or ")}. The network ${legal} legal.`;
}

/** The links that a server would need; ``called`` says what stands in place of a name. */
function needText({ routes }, called) {
  const told = routes.map((route) => {
    const name = called(route.towards);
    return `to ${name} or to a server that reaches ${name}${inZones(route)}`;
  });
  return told.length === 1
    ? `a route ${told[0]}`
    : `a route ${told.join(" and one ")}, not both in one 1hop zone`;
}

function inZones({ zones, except_zones: others }) {
  if (zones.length) return `, in zone ${zones.join(" or ")}`;
  return others.length ? `, in a zone other than ${others.join(" and ")}` : "";
}

function anyOf(names) {
  const listed =
    names.length > NEEDED_NAMED + 1
      ? [...names.slice(0, NEEDED_NAMED), `one of ${inThousands(names.length - NEEDED_NAMED)} more`]
      : names;
  if (listed.length < 2) return listed.join("");
  return `${listed.slice(0, -1).join(", ")} or ${listed[listed.length - 1]}`;
}
