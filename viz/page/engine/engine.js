// The entry: an engine of one network, made of its data. No document, no network, no clock: it runs
// in node as in a page.

import { commandFor } from "./commands.js";
import { Declined } from "./declined.js";
import { networkOf } from "./network.js";
import { byRule, questions } from "./questions.js";

/** @typedef {{answered: true, answer: any} | {answered: false, why: string, command: string}} Answered */

/**
 * @param {object} data - what `topograph.portable.engine_data` gives.
 * @returns {{ask: (asked: any) => Answered, command: (asked: any) => string}}
 *   `ask` takes `{question, from, to, ...}`, named as the command's JSON names them, and answers
 * what is certain to be what the command answers; of everything else it says why it does not, and
 * which command does. `command` is the command line that asks the same.
 */
export function topographEngine(data) {
  const network = networkOf(data);
  /** @returns {Answered} */
  const ask = (asked) => {
    const question = Object.hasOwn(questions, asked.question) ? questions[asked.question] : null;
    try {
      if (!question) throw new Declined(`‘${asked.question}’ is not answered in this page.`);
      return { answered: true, answer: withLeftOut(network, question(network, asked)) };
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      return { answered: false, why: error.message, command: commandFor(data.about.where, asked) };
    }
  };
  return { ask, command: (asked) => commandFor(data.about.where, asked) };
}

/**
 * An answer that says so where a mistake in topograph.yaml could have decided it, and that it rests
 * on what stands there of new servers.
 */
function withLeftOut(network, found) {
  const said = network.leftOut.get(found.question);
  const answer = said ? restingOn(found, said.assumptions) : found;
  // One that the command worked out beforehand says so already.
  const causes = new Set(answer.inexact_because.map((one) => one.cause));
  if (!said || said.inexact.every((one) => causes.has(one.cause))) return answer;
  return {
    ...answer,
    exact: false,
    warnings: [...answer.warnings, ...said.warnings],
    inexact_because: [...answer.inexact_because, ...said.inexact],
  };
}

/** An answer that states some assumptions too, each once. */
function restingOn(answer, assumptions) {
  const known = new Set(answer.assumptions.map((one) => one.text));
  const more = assumptions.filter((one) => !known.has(one.text));
  return more.length
    ? { ...answer, assumptions: byRule([...answer.assumptions, ...more]) }
    : answer;
}
