// What becomes of a copy on a destination of another type, which Python worked out.

import { Declined } from "./declined.js";
import { askingOf } from "./guards.js";

/**
 * Tell what becomes of a copy on a destination of another type, which Python worked out; the copies
 * that are made of it there.
 */
export function tellOnward(trace, copy) {
  const { told } = trace;
  const { part, messages } = told;
  const server = part.servers.name[copy.start];
  const declined = (why) => {
    throw new Declined(`A copy of the message goes to ${copy.about} at ${server}, and ${why}.`);
  };
  let way = told.onward.get(`${copy.start} ${copy.name}`);
  const asking = askingOf(messages, copy.name, copy.properties, "");
  const defaults = [];
  while (way && way.selector !== undefined) {
    const verdict = asking.selector(way.selector);
    if (!verdict.known) declined(`whether a selector there takes it is not decided in this page`);
    defaults.push(...verdict.defaults);
    way = way.ways[verdict.truth];
  }
  if (!way) return declined("what becomes of it there is not decided in this page");
  const numbers = new Map(part.servers.name.map((name, number) => [name, number]));
  for (const name of way.visited) trace.visited.add(numbers.get(name));
  for (const one of way.assumptions) trace.position(one);
  for (const one of defaults) trace.defaults.add(one);
  for (const [name, because, source] of way.open)
    trace.leaveOpen(numbers.get(name), because, told.source(source), copy.about);
  const branches = trace.graft(copy.branch, way);
  const copies = [];
  way.branches.forEach((branch, at) => {
    if (!branch.ending) return;
    const step = { ...way.steps[branch.last], source: told.source(way.steps[branch.last].source) };
    const ending = { ...branch.ending };
    const { outcome } = ending;
    if (outcome === "PUBLISHED") {
      const colon = ending.destination.indexOf(":");
      const [type, name] = [
        ending.destination.slice(0, colon),
        ending.destination.slice(colon + 1),
      ];
      copies.push({
        start: ending.server ? numbers.get(ending.server) : copy.start,
        type,
        name,
        branch: branches[at],
      });
      return;
    }
    if (outcome === "DELIVERED") ending.copies = copy.times;
    else if (outcome === "NOT_FORWARDED") {
      Object.assign(ending, {
        reason: ending.condition,
        destination: copy.about,
        source: step.source,
        rule: step.rule,
      });
      if (ending.value === "UNKNOWN" && ending.condition !== messages.rules.selector_reason) {
        trace.leaveOpen(numbers.get(ending.to), ending.guard, step.source, copy.about);
      }
    } else if (outcome === "UNDETERMINED")
      trace.leaveOpen(numbers.get(ending.server), ending.condition, step.source, copy.about);
    else if (outcome !== "LOOP")
      trace.noted({
        rule: step.rule,
        message: `${ending.told}: ${step.text}`,
        source: step.source,
      });
    trace.branches[branches[at]].ending = ending;
  });
  return copies;
}
