// What pictures say of a message that somebody gets, or that ends: notes and signs, as
// ``viz/scene/marks.py`` words them.

import { markOfFate } from "./judged.js";
import { isPublished, placeText } from "./sentences.js";

const SUBSCRIBERS = {
  configured: "configured subscriber",
  observed: "observed subscriber",
  declared: "declared subscriber",
  assumed: "assumed subscriber",
};
const CONSUMERS = { observed: "observed consumer", declared: "declared consumer" };

export const CHOSEN = ", if that is chosen at run time";

// What a server's note says of a message that ends there.
export function endNote({ ending, when, conditions, because }) {
  const told = when ? `, ${when}` : conditions.map((one) => CONDITIONS[one]).join("");
  return `${ending}${told}: ${because}`;
}

// The sign beside the server where a message ends.
export function endBlock({ server, when, because, ending, outcome, judgement, source }) {
  const certain = judgement === "yes";
  return {
    at: server,
    to: server,
    link: "",
    reason: when ? `${when}: ${because}` : because,
    guard: certain ? ending : "",
    value: certain ? "" : "UNKNOWN",
    source: placeText(source),
    certain,
    predicate: false,
    way: [],
    repeats: -1,
    waits: certain && markOfFate({ outcome, judgement }) === "held",
  };
}

// The path of a delivery from the sender on: what a container lets out again begins anew there, and
// has been stored before.
export function fromTheSender(sender, delivery, stored) {
  const [first, ...others] = delivery.path;
  if (first === sender) return { path: delivery.path, steps: delivery.steps, outOf: "" };
  const before = stored.get(first);
  if (!before) {
    const outOf = `, from ${first} on, where a container lets it out`;
    return { path: delivery.path, steps: delivery.steps, outOf };
  }
  const steps = [...before.steps, ...delivery.steps];
  return { path: [...before.path, ...others], steps, outOf: `, stored at ${first} in between` };
}

// When somebody gets the message, where that is not certain; who is assumed is said otherwise.
const CONDITIONS = { one_of: CHOSEN, later: ", later", if: "" };
const OPAQUE = ", if code that no file shows decides so";

// What a server's note says of one delivery: who gets it, how often, and whether that is only one
// of the choices.
export function deliveryNote(delivery, told, destination, sender) {
  const anew = delivery.path.length && delivery.path[0] !== sender;
  const hops =
    anew && delivery.outcome !== "DEPOSITED"
      ? `${told} from ${delivery.path[0]} on, where a container lets it out,`
      : told;
  const copies = delivery.copies !== 1 ? `, ${delivery.copies} copies` : "";
  const chosen =
    delivery.judgement === "unknown"
      ? OPAQUE
      : delivery.conditions.map((one) => CONDITIONS[one]).join("");
  if (delivery.outcome === "DEPOSITED") {
    return `stored ${hops} by the container ${delivery.receiver}${copies}${chosen}`;
  }
  const outcome = delivery.outcome === "DELIVERED" ? "" : `, ${delivery.outcome}`;
  const to = delivery.receiver ? ` to ${delivery.receiver}` : "";
  if (delivery.receiver && delivery.subscriber === "assumed") {
    return `would be delivered ${hops}${to}, if there were one${copies}${chosen}`;
  }
  if (delivery.subscriber === "assumed" && delivery.outcome === "DELIVERED") {
    return `would be delivered ${hops}, if anybody subscribes; nobody is known here${copies}${chosen}`;
  }
  const taker = takenBy(delivery, destination);
  return `delivered ${hops}${to}${taker ? ": " : ""}${taker}${copies}${outcome}${chosen}`;
}

// What kind of subscriber a delivery is for, or that a bridge puts it on a queue; "" where the
// destination takes the message.
function takenBy(delivery, destination) {
  if (delivery.destination.startsWith("queue:") && isPublished(destination))
    return CONSUMERS[delivery.subscriber] || "queue behind a bridge";
  if (isPublished(destination) || isPublished(delivery.destination))
    return SUBSCRIBERS[delivery.subscriber] || delivery.subscriber;
  return CONSUMERS[delivery.subscriber] || "";
}
