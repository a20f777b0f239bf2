// The messaging data of one part, indexed: the entries and subscribers of its servers, and why a
// server refuses a message.

import { unpacked } from "./arrays.js";
import { Declined } from "./declined.js";
import { filled, isWildcard } from "./guards.js";
import { didYouMean, foldsByLowerCase } from "./near.js";

/** What one part says of messages, read once. */
export function toldOf(part, section, read) {
  const source = (row) => (row ? read.sourceAt(row, 0) : null);
  const columns = ["point", "guard", "file", "line", "column"].map((name) =>
    unpacked(section.places[name]),
  );
  const [point, guard, file, line, column] = columns;
  const places = new Map();
  for (let at = 0; at < point.length; at++) {
    places.set(point[at] * section.guards.length + guard[at], {
      file: read.texts[file[at]],
      line: line[at],
      column: column[at],
    });
  }
  const entriesAt = (server) => {
    const [list, own] = section.servers[server];
    return section.entries[list].map(([pattern, secure, at, in_, other]) => ({
      pattern,
      secure: Boolean(secure),
      source: { file: read.texts[other === undefined ? own : other], line: at, column: in_ },
    }));
  };
  const doubtsOf = (rows) =>
    new Map(rows.map(([server, because, row]) => [server, { because, source: source(row) }]));
  const subscribers = section.subscribers.map((one, number) => ({
    ...one,
    key: `#${number}`,
    pattern: section.patterns[one.pattern],
    number: one.pattern,
    source: source(one.source),
  }));
  return {
    part,
    messages: section,
    places,
    source,
    subscribers,
    unseenTakers: doubtsOf(section.unseenTakers),
    unseenCopies: doubtsOf(section.unseenCopies),
    onward: new Map(section.onward.map(([server, name, way]) => [`${server} ${name}`, way])),
    somewhere: unpacked(section.somewhere),
    waits: new Map(
      section.guards.flatMap((one, number) => (one.waits ? [[number, source(one.waits)]] : [])),
    ),
    // Of each set of guards those about the ends of a link, that of the sending end first.
    endGuards: part.guardSets.map((set) => set.filter((guard) => section.guards[guard].atEnd)),
    entriesAt,
    /**
     * The entry of a server that is most specific about the destination (`secure`: of those that
     * ask for a permission), else what is cited instead.
     */
    entryPlace(server, asking, secure) {
      const holding = entriesAt(server).filter(
        (one) => (!secure || one.secure) && asking.matches(one.pattern),
      );
      const [, , main, fallback] = section.servers[server];
      if (!holding.length) return source(secure ? main : fallback);
      const weight = ({ pattern }) => {
        const text = section.patterns[pattern];
        return [isWildcard(text) ? 0 : 1, text.split(".").length - (text.endsWith(">") ? 1 : 0)];
      };
      return holding.reduce((best, one) => {
        const [a, b] = [weight(one), weight(best)];
        return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]) ? one : best;
      }).source;
    },
  };
}

/** Whether the file was not found that says which destinations a server has. */
export function misses(told, server) {
  const [, , main, , complete] = told.messages.servers[server];
  return Boolean(main) && !complete;
}

/** Why a server does not take a message that is sent there; null where it does. */
export function refusalOf(told, server, asking, user) {
  const { texts, rules, patterns, servers } = told.messages;
  const [, , main, , complete, publishes] = servers[server];
  if (!main || !complete) return null;
  const name = told.part.servers.name[server];
  const entries = told.entriesAt(server);
  const allowing = entries.filter((one) => asking.matches(one.pattern));
  if (!allowing.length) {
    const names = entries
      .map((one) => patterns[one.pattern])
      .filter((pattern) => !isWildcard(pattern));
    if (![asking.name, ...names].every(foldsByLowerCase)) {
      throw new Declined(
        `${name} has no entry for ${asking.name}, and what is near that name is not told in this page.`,
      );
    }
    const near = didYouMean(asking.name, names);
    const text = filled(texts.no_entry, {
      server: name,
      topic: asking.name,
      near: near && `.${near}`,
    });
    return { reason: rules.no_entry_reason, text, source: told.source(main), rule: rules.no_entry };
  }
  const secure = allowing.find((one) => one.secure);
  if (!user || !secure || !publishes || asking.verdict(publishes).truth === "TRUE") return null;
  const text = filled(texts.no_permission, { topic: asking.name, server: name, user });
  return {
    reason: rules.no_permission_reason,
    text,
    source: secure.source,
    rule: rules.no_permission,
  };
}
