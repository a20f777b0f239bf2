// The trace of one message and of the copies that are made of it: branches, steps, endings, and
// what the whole answer says.

import { filled } from "./guards.js";

/** Puts the trace together, and gathers what an answer says of it. */
export class MessageTrace {
  constructor(told, start) {
    this.told = told;
    this.start = start;
    /** @type {{id: number, of: number, kind: string, last: number, ending: Record<string, any> | null, choice: string, pick: number, condition: string}[]} */
    this.branches = [];
    /** @type {Record<string, any>[]} */
    this.steps = [];
    /** Why the trace is not exact, by cause and message. */
    this.inexact = new Map();
    /** @type {Record<string, any>[]} */
    this.found = [];
    /** @type {Set<number>} */
    this.visited = new Set();
    this.positions = new Map();
    this.defaults = new Set();
    this.notes = new Map();
    this.open = new Map();
    this.received = new Map();
  }

  branch(of, kind, { choice = "", pick = 0, condition = "" } = {}) {
    this.branches.push({
      id: this.branches.length,
      of,
      kind,
      last: of < 0 ? -1 : this.branches[of].last,
      ending: null,
      choice,
      pick,
      condition,
    });
    return this.branches.length - 1;
  }

  step(branch, fields) {
    this.steps.push({ after: this.branches[branch].last, to: "", ...fields });
    this.branches[branch].last = this.steps.length - 1;
  }

  /** Let a branch go on as another trace tells; the branches here, by their numbers there. */
  graft(at, way) {
    /** @type {number[]} */
    const numbers = [];
    for (const branch of way.branches)
      numbers.push(branch.of < 0 ? at : this.branch(numbers[branch.of], branch.kind, branch));
    const before = this.branches[at].last;
    const first = this.steps.length;
    for (const { after, source, ...fields } of way.steps) {
      this.steps.push({
        ...fields,
        after: after < 0 ? before : first + after,
        source: this.told.source(source),
      });
    }
    way.branches.forEach(({ last }, branch) => {
      if (last >= 0) this.branches[numbers[branch]].last = first + last;
    });
    return numbers;
  }

  /** A copy comes to where the same topic was bridged before: nobody new gets it. */
  goesRound(copy, server) {
    const { texts, rules } = this.told.messages;
    const destination = copy.about;
    this.step(copy.branch, {
      at: server,
      rule: rules.copies_received,
      source: { file: "", line: 0, column: 0 },
      text: filled(texts.goes_round, { destination }),
    });
    const told = filled(texts.loop_ending, { destination, server });
    this.branches[copy.branch].ending = { outcome: "LOOP", told };
  }

  leaveOut(cause, message) {
    this.inexact.set(`${cause} ${message}`, { cause, message });
  }

  position(one) {
    this.positions.set(JSON.stringify([one.rule, one.confidence, one.text, one.alternative]), one);
  }

  note(name, fields, source) {
    const { texts, rules } = this.told.messages;
    this.noted({ rule: rules[name], message: filled(texts[name], fields), source });
  }

  noted(one) {
    const key = JSON.stringify([one.rule, one.message, one.source]);
    if (!this.notes.has(key)) this.notes.set(key, one);
  }

  leaveOpen(server, because, source, destination, path = [], decided = undefined, needed = []) {
    const key = `${server} ${because}`;
    if (this.open.has(key)) return;
    this.open.set(key, { server, because, source, path, decided, needed, destination });
  }

  /** What is assumed about subscribers. */
  assumed(wanting) {
    const { positions, seen } = this.told.messages;
    if (wanting.some((one) => one.known === "assumed")) {
      const known = [
        ...new Set(
          wanting.filter((one) => one.delivers && one.known !== "assumed").map((one) => one.known),
        ),
      ].sort();
      const one = known.length ? positions.assumed_beside : positions.assumed;
      this.position({
        ...one,
        text: filled(one.text, { known: known.join(this.told.messages.texts.joined_names) }),
      });
    }
    for (const one of seen) this.position(one);
  }

  /** The subscribers that get several copies. */
  duplicates() {
    const { texts } = this.told.messages;
    for (const { one, type, copies } of this.received.values()) {
      if (copies.length < 2) continue;
      const total = copies.reduce((sum, times) => sum + times, 0);
      const server = this.told.part.servers.name[one.server];
      const known = texts[`subscriber_${one.known}`];
      const subscriber = !one.called
        ? known
        : one.known === "configured"
          ? one.called
          : `${one.called}, ${known}`;
      this.note(
        "copies_received",
        { subscriber, destination: `${type}:${one.pattern}`, server, copies: total },
        one.source,
      );
    }
  }
}
