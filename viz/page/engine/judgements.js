// How certain it is what becomes of a message: ``topograph/questions/judgements.py``. An ending is
// certain where it comes about whatever is chosen.

const NEVER_TAKEN = ["reading", "opaque", "later"];

/** What an ending says, apart from the way there. */
function claimOf(ending) {
  const { outcome, server = "", destination = "" } = ending;
  if (outcome !== "DELIVERED") return JSON.stringify([ending.told, server, destination]);
  return JSON.stringify([outcome, ending.receiver || server, destination, isAssumed(ending)]);
}

const isAssumed = (ending) => ending.outcome === "DELIVERED" && ending.subscriber === "assumed";

/** @returns {(ending: Record<string, any>) => {judgement: string, conditions: string[]}} */
export function judgementsOf(branches) {
  const deferred = deferredOf(branches);
  /** @type {Set<string>[]} */
  const kinds = [];
  for (const { of, kind, id } of branches) {
    const own = kind === "later" ? (deferred.has(id) ? "later" : "if") : kind;
    const before = of < 0 ? new Set() : kinds[of];
    kinds.push(
      ["one_of", "opaque", "later", "if"].includes(own) ? new Set([...before, own]) : before,
    );
  }
  /** @type {Map<string, Set<string>[]>} */
  const alike = new Map();
  for (const { id, ending } of branches) {
    if (!ending) continue;
    const claim = claimOf(ending);
    alike.set(claim, [...(alike.get(claim) || []), kinds[id]]);
  }
  const plain = kinds.every((one) => !one.size);
  const now = plain ? new Set() : certainOf(branches, new Set());
  const atLast = plain ? new Set() : certainOf(branches, deferred);
  return (ending) => {
    if (ending.outcome === "UNDETERMINED") return { judgement: "unknown", conditions: [] };
    const claim = claimOf(ending);
    const depends = dependsOn(claim, alike.get(claim), now, atLast);
    if (!depends) return { judgement: "unknown", conditions: [] };
    if (isAssumed(ending)) depends.add("if");
    const conditions = ["one_of", "later", "if"].filter((one) => depends.has(one));
    return { judgement: conditions[0] || "yes", conditions };
  };
}

/** What a claim depends on apart from subscribers; null where code decides that no file shows. */
function dependsOn(claim, kinds, now, atLast) {
  if (kinds.every((one) => !one.size) || now.has(claim)) return new Set();
  if (atLast.has(claim)) return new Set(["later"]);
  const shown = kinds.filter((one) => !one.has("opaque"));
  if (!shown.length) return null;
  const found = ["one_of", "later", "if"].filter((kind) => shown.every((one) => one.has(kind)));
  return new Set(found.length ? found : ["one_of"]);
}

/** The branches that are taken once what holds the message goes away, with all that follow. */
function deferredOf(branches) {
  const held = new Set(
    branches
      .filter(({ kind, ending }) => ending?.outcome === "HELD" && kind !== "later")
      .map(({ of }) => of),
  );
  const found = new Set();
  for (const { id, of, kind } of branches)
    if (found.has(of) || (kind === "later" && held.has(of))) found.add(id);
  return found;
}

/** The claims that hold whatever is chosen, once the branches `later` are taken. */
function certainOf(branches, later) {
  /** @type {Set<string>[]} */
  const held = branches.map(() => new Set());
  /** @type {Map<number, Map<string, Map<number, Set<string>>>>} */
  const picked = new Map();
  for (const { id, of, kind, choice, pick, ending } of [...branches].reverse()) {
    for (const options of picked.get(id)?.values() || []) {
      const [first, ...others] = [...options.values()];
      for (const claim of first) if (others.every((one) => one.has(claim))) held[id].add(claim);
    }
    if (ending) held[id].add(claimOf(ending));
    if (of < 0) continue;
    if (kind === "one_of" || (kind === "opaque" && choice)) {
      if (!picked.has(of)) picked.set(of, new Map());
      const choices = picked.get(of);
      if (!choices.has(choice)) choices.set(choice, new Map());
      const options = choices.get(choice);
      options.set(pick, new Set([...(options.get(pick) || []), ...held[id]]));
    } else if (!NEVER_TAKEN.includes(kind) || (kind === "later" && later.has(id))) {
      for (const claim of held[id]) held[of].add(claim);
    }
  }
  return held[0];
}
