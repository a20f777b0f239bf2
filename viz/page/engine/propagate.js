// `propagate FROM --destination DEST`: who gets a message, who does not, and which predicate
// decides it.

import { Declined } from "./declined.js";
import { assumptionsOf, commonOf, incompleteServers, pathBook } from "./described.js";
import { byCodePoint, filled, isWildcard } from "./guards.js";
import { followMessage } from "./messages.js";
import { checkedProperties, echoed } from "./properties.js";
import { judgementsOf } from "./judgements.js";
import { decidedIf } from "./reached.js";
import { selectorValue } from "./selectors.js";
import { workedOutAnswer } from "./worked_out.js";

/**
 * Of a redacted network users are known by tokens, which only the key makes: a name of a person
 * would pass for nobody's.
 */
function checkedUser(network, user) {
  const known = !network.about.redaction || /^(?:user|client)-[0-9a-f]{12}$/.test(user);
  if (!known && !network.places.some((place) => place.name === user)) {
    throw new Declined(`This page is redacted: the user ${user} is known in it by a token only.`);
  }
}

/** The type of a destination: empty for `NAME@PLACE`. */
const typeOf = (destination) => (/^[a-z]+(?=:)/.exec(destination) || [""])[0];

/**
 * Why nothing can be sent to a destination, or with a property; thrown as what the page declines.
 */
function checkedMessage(told, asked) {
  const destination = String(asked.destination);
  const type = typeOf(destination);
  const name = destination.slice(type.length + 1);
  if (!name) throw new Declined(`No message can be published to ${destination}.`);
  if (isWildcard(name))
    throw new Declined(`${name} is a wildcard; a message is published to one destination.`);
  const barred = told.messages.declined.find(([prefix]) => name.startsWith(prefix));
  if (barred)
    throw new Declined(
      `${barred[1]}: what becomes of a message to ${name} is not decided in this page.`,
    );
  const elements = name.split(".");
  if (
    elements.length > told.messages.limits.elements ||
    elements.some((one) => !one || Array.from(one).length > told.messages.limits.element)
  ) {
    throw new Declined(`No message can be published to ${destination}.`);
  }
  if (Array.from(name).length > told.messages.limits.name)
    throw new Declined(`No message can be published to ${destination}.`);
  return { type, name, destination, ...checkedProperties(asked) };
}

/**
 * `propagate`. `destination` is `TYPE:NAME`, `properties` `{name: {type, value}}` with type
 * boolean, long, double, string or null (a long as text, a number or a BigInt), `user` who sends.
 * Exact numbers beyond 2^53 are BigInts in the answer's `message`.
 */
export function askPropagate(network, asked) {
  const unknown = Object.keys(asked).filter(
    (name) => !["question", "from", "destination", "properties", "user"].includes(name),
  );
  if (unknown.length)
    throw new Declined(`What ${unknown.join(" and ")} changes is not decided in this page.`);
  const start = network.locate(asked.from);
  const user = asked.user || "";
  if (user) checkedUser(network, user);
  const told = network.told(start.part);
  const kind = typeOf(String(asked.destination));
  if (start.part.form !== "once" || !told || !told.messages.types.includes(kind)) {
    return workedOutAnswer(network, start, asked, kind);
  }
  const { type, name, destination, typed, properties } = checkedMessage(told, asked);
  const trace = followMessage(told, start.number, { type, name, properties, user });
  const { part } = told;
  const { rank } = part.servers;
  const visited = [...trace.visited]
    .filter((server) => server !== start.number)
    .sort((a, b) => rank[a] - rank[b]);
  const { texts, rules } = told.messages;
  const sent = [...trace.defaults].sort(byCodePoint).map((field) => {
    const value = selectorValue(told.messages.defaults[field], new Map());
    const fields = { name: field, value };
    return {
      rule: rules.default,
      confidence: "M",
      text: filled(texts.default, fields),
      alternative: filled(texts.default_otherwise, fields),
    };
  });
  const judged = judgementsOf(trace.branches);
  const lacking = (ending) =>
    ending.value === "UNKNOWN" && ending.reason === told.messages.rules.selector_reason
      ? (ending.asks || [])
          .filter((name) => !properties.has(name) && !(name in told.messages.defaults))
          .sort(byCodePoint)
      : [];
  const book = pathBook(part, false);
  const open = [...trace.open.values()].sort(
    (a, b) => a.server - b.server || byCodePoint(a.because, b.because),
  );
  return commonOf(network, "propagate", {
    exact: !trace.inexact.size,
    inexact_because: [...trace.inexact.values()],
    assumptions: [
      ...trace.positions.values(),
      ...sent,
      ...assumptionsOf(
        part,
        trace.found.flatMap((found) => [...found.paths.values()].flat()),
      ),
    ],
    warnings: [
      ...network.warnings,
      ...incompleteServers(part, [start.number, ...visited]),
      ...trace.notes.values(),
    ],
    from: start.name,
    message: { destination, properties: echoed(typed, properties), user },
    deliveries: deliveriesOf(trace, part.system, judged),
    stopped: trace.branches
      .filter((branch) => branch.ending && branch.ending.outcome === "NOT_FORWARDED")
      .map(({ ending, last }) => ({
        at: ending.at,
        to: ending.to,
        reason: ending.reason,
        guard: ending.guard,
        value: ending.value,
        source: ending.source,
        rule: ending.rule,
        system: part.system,
        destination: ending.destination,
        ...wayOf(trace, last, part.system),
        lacking: lacking(ending),
      })),
    received: visited.map((server) => part.servers.name[server]),
    undetermined: open.map(({ server, because, source, path, decided, needed, destination }) => ({
      server: part.servers.name[server],
      because,
      source,
      system: part.system,
      path: path.length ? book(path).servers : [],
      steps: path.length ? book(path).steps : [],
      decided_if: decidedIf(decided),
      would_need: needed,
      destination,
    })),
    sender: null,
    alternatives: [],
    system: start.system,
    ends: endsOf(trace, part.system, judged),
  });
}

const ALREADY_SEEN = "already-seen";

/** Every ending that is no delivery and no stop. */
function endsOf(trace, system, judged) {
  const decidedAt = decidedAtOf(trace);
  const ends = trace.branches.filter(
    ({ ending }) =>
      ending &&
      !["DELIVERED", "NOT_FORWARDED"].includes(ending.outcome) &&
      ending.reason !== ALREADY_SEEN,
  );
  return unique(
    ends.map(({ id, last, ending }) => {
      const step = trace.steps[last];
      const decides = decidedAt[id] < 0 ? null : trace.branches[decidedAt[id]];
      const { judgement, conditions } = judged(ending);
      const here = step.to || step.at;
      return {
        outcome: ending.outcome,
        server: ending.outcome === "EXTERNAL" ? here : ending.server || here,
        destination: ending.queue || ending.destination || step.object || "",
        ending: ending.told,
        because: step.text,
        rule: step.rule,
        source: step.source,
        choice: decides ? decides.kind : conditions.length ? judgement : "always",
        system,
        path: wayOf(trace, last, system).path,
        goes_on: false,
        judgement,
        conditions,
        when: decides ? decides.condition : "",
      };
    }),
  );
}

/** Per branch the nearest on its way that is not taken for certain, -1 for none. */
function decidedAtOf(trace) {
  const found = [];
  for (const { id, of, kind } of trace.branches)
    found.push(UNCERTAIN.includes(kind) ? id : of < 0 ? -1 : found[of]);
  return found;
}

/** Kinds of branches that are not taken for certain. */
const UNCERTAIN = ["one_of", "opaque", "later"];

/** One entry for each server and destination, by hops, then server. */
function deliveriesOf(trace, system, judged) {
  const decidedAt = decidedAtOf(trace);
  const groups = new Map();
  for (const branch of trace.branches) {
    if (!branch.ending || branch.ending.outcome !== "DELIVERED") continue;
    const key = JSON.stringify([
      decidedAt[branch.id],
      branch.ending.server,
      branch.ending.destination,
    ]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(arrivalOf(trace, branch));
  }
  const made = new Map();
  for (const arrivals of groups.values()) {
    const one = deliveryOf(
      arrivals,
      decidedAt[arrivals[0].branch.id] < 0
        ? "always"
        : trace.branches[decidedAt[arrivals[0].branch.id]].kind,
      system,
      judged(arrivals[0].branch.ending),
    );
    const key = JSON.stringify([
      one.choice,
      one.server,
      one.destination,
      one.copies,
      one.path,
      one.paths,
    ]);
    const known = made.get(key);
    if (!known) made.set(key, one);
    else known.decisions = unique([...known.decisions, ...one.decisions]);
  }
  const rank = new Map(
    trace.told.part.servers.name.map((name, number) => [
      name,
      trace.told.part.servers.rank[number],
    ]),
  );
  return [...made.values()].sort(
    (a, b) => a.hops - b.hops || rank.get(a.server) - rank.get(b.server),
  );
}

const unique = (entries) => [...new Map(entries.map((one) => [JSON.stringify(one), one])).values()];

/** A step from server to server as an entry of an answer. */
const hopOf = (step, system) => ({
  from: step.at,
  to: step.to,
  zone: step.zone,
  rule: step.rule,
  confidence: step.confidence,
  guards: step.guards,
  source: step.source,
  cost: null,
  system,
});

/** The steps that lead to a step, it included. */
function stepsTo(trace, step) {
  const steps = [];
  for (let at = step; at >= 0; at = trace.steps[at].after) steps.push(trace.steps[at]);
  return steps.reverse();
}

/** The servers that a message passed, and its hops, up to a step. */
function wayOf(trace, step, system) {
  const hops = stepsTo(trace, step).filter((one) => one.to);
  const path = hops.length ? [hops[0].at, ...hops.map((one) => one.to)] : [trace.steps[step].at];
  return { path, steps: hops.map((one) => hopOf(one, system)) };
}

/** The way of a branch in which somebody takes the message. */
function arrivalOf(trace, branch) {
  const steps = stepsTo(trace, branch.last);
  const hops = steps.filter((step) => step.to);
  const path = hops.length ? [hops[0].at, ...hops.map((step) => step.to)] : [branch.ending.server];
  const decisions =
    steps.length === hops.length + 1 ? [] : steps.slice(0, -1).filter((step) => !step.to);
  return { branch, hops, path, decisions, source: steps[steps.length - 1].source };
}

/** The copies that one server gets on one destination: over the shortest path first. */
function deliveryOf(arrivals, choice, system, judged) {
  const ordered = [...arrivals].sort(
    (a, b) => a.path.length - b.path.length || comparePaths(a.path, b.path),
  );
  const [first] = ordered;
  const samePath = ordered.filter((one) => comparePaths(one.path, first.path) === 0);
  return {
    server: first.branch.ending.server,
    destination: first.branch.ending.destination,
    outcome: "DELIVERED",
    hops: first.hops.length,
    path: first.path,
    copies: ordered.reduce((sum, one) => sum + one.branch.ending.copies, 0),
    subscriber: first.branch.ending.subscriber,
    steps: first.hops.map((step) => hopOf(step, system)),
    receiver: "",
    choice,
    paths: ordered.length > 1 ? ordered.map((one) => one.path) : [],
    decisions: unique(
      samePath.flatMap((one) =>
        one.decisions.map((step) => ({
          at: step.at,
          text: step.text,
          rule: step.rule,
          source: step.source,
        })),
      ),
    ),
    source: first.source,
    system,
    delivered_to: unique(ordered.flatMap((one) => one.branch.ending.takers || [])),
    ...judged,
  };
}

function comparePaths(a, b) {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const order = byCodePoint(a[at], b[at]);
    if (order) return order;
  }
  return a.length - b.length;
}
