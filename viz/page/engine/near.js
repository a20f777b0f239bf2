// The nearest names to one that is unknown, as topograph/words/did_you_mean.py finds them with difflib.

import { byCodePoint } from "./guards.js";

/**
 * Twice the characters in matching blocks, by all characters: difflib's `SequenceMatcher(None,
 * first, second).ratio()`.
 */
function likeness(first, second) {
  const length = first.length + second.length;
  if (!length) return 1;
  const places = new Map();
  second.forEach((character, at) => {
    if (!places.has(character)) places.set(character, []);
    places.get(character).push(at);
  });
  if (second.length >= 200) {
    // difflib leaves characters aside that are more than one in a hundred of a long text.
    const most = Math.floor(second.length / 100) + 1;
    for (const [character, all] of places) if (all.length > most) places.delete(character);
  }
  let matching = 0;
  const waiting = [[0, first.length, 0, second.length]];
  while (waiting.length) {
    const [alo, ahi, blo, bhi] = waiting.pop();
    const [i, j, size] = longestMatch(first, second, places, alo, ahi, blo, bhi);
    if (!size) continue;
    matching += size;
    if (alo < i && blo < j) waiting.push([alo, i, blo, j]);
    if (i + size < ahi && j + size < bhi) waiting.push([i + size, ahi, j + size, bhi]);
  }
  return (2 * matching) / length;
}

function longestMatch(first, second, places, alo, ahi, blo, bhi) {
  let [besti, bestj, size] = [alo, blo, 0];
  let lengths = new Map();
  for (let i = alo; i < ahi; i++) {
    const next = new Map();
    for (const j of places.get(first[i]) || []) {
      if (j < blo) continue;
      if (j >= bhi) break;
      const k = (lengths.get(j - 1) || 0) + 1;
      next.set(j, k);
      if (k > size) [besti, bestj, size] = [i - k + 1, j - k + 1, k];
    }
    lengths = next;
  }
  while (besti > alo && bestj > blo && first[besti - 1] === second[bestj - 1]) {
    besti--;
    bestj--;
    size++;
  }
  while (besti + size < ahi && bestj + size < bhi && first[besti + size] === second[bestj + size])
    size++;
  return [besti, bestj, size];
}

/**
 * Up to three names, nearest first: the same but for case, or at least half alike.
 * @param {string} name @param {string[]} known @returns {string[]}
 */
function nearestNames(name, known) {
  const folded = (text) => Array.from(text, (character) => character.toLowerCase()).join("");
  const names = [...new Set(known)];
  const same = names.filter((other) => folded(other) === folded(name));
  if (same.length) return same.slice(0, 3);
  const byFolded = new Map();
  for (const other of names) if (!byFolded.has(folded(other))) byFolded.set(folded(other), other);
  const word = Array.from(folded(name));
  const scored = [];
  for (const text of byFolded.keys()) {
    const score = likeness(Array.from(text), word);
    if (score >= 0.5) scored.push([score, text]);
  }
  scored.sort((a, b) => b[0] - a[0] || byCodePoint(b[1], a[1]));
  return scored.slice(0, 3).map(([, text]) => byFolded.get(text));
}

/**
 * Whether lower case is all that tells two spellings of a text apart; else names that are the same
 * but for case are more than this page knows.
 */
export function foldsByLowerCase(text) {
  return Array.from(text).every((character) => {
    const lower = character.toLowerCase();
    return (
      lower === character.toUpperCase().toLowerCase() && !/\p{Script=Cherokee}/u.test(character)
    );
  });
}

/**
 * ` Did you mean A or B?` with a space before it; empty where nothing is near. @param {string} name
 * @param {string[]} known
 */
export function didYouMean(name, known) {
  const near = nearestNames(name, known);
  return near.length ? ` Did you mean ${near.join(" or ")}?` : "";
}
