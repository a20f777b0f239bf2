// How an answer stands: the sign and the colour before its first sentence. ``viz/scene/standing.py``
// decides the same of all answers.

const GOT = ["delivered", "stored", "one-of"];
const ENDED = ["rejected", "aside", "circulates"];

/** @type {[string, string][]} */
const OF_A_SERVER = [
  ["undetermined", "unsure"],
  ["one-of", "warning"],
  ["later", "warning"],
  ["unreachable", "bad"],
];

/**
 * How an answer to reach, hops, paths or propagate stands: good, bad, warning, unsure or "".
 * @param {{question: string, exact: boolean, servers: Map<string, {mark: string, here?: string}>}} said
 * @returns {string}
 */
export function standingOf(said) {
  const marks = new Set();
  for (const { mark, here } of said.servers.values()) marks.add(mark).add(here || "");
  if (said.question === "propagate") return ofMessage(marks, said.exact);
  if (!["reach", "hops", "paths"].includes(said.question)) return "";
  if (marks.has("target")) return "good";
  if (said.question === "reach" && marks.has("reached")) return "";
  const found = OF_A_SERVER.find(([mark]) => marks.has(mark));
  return found ? found[1] : "";
}

function ofMessage(marks, exact) {
  const ended = ENDED.some((mark) => marks.has(mark));
  if (GOT.some((mark) => marks.has(mark))) {
    if (ended || marks.has("may-end")) return "warning";
    return marks.has("undetermined") ? "unsure" : "good";
  }
  if (marks.has("undetermined") || marks.has("would-deliver")) return "unsure";
  if (marks.has("later") || marks.has("held")) return "warning";
  return ended || exact ? "bad" : "";
}
