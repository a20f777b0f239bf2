// Text of unknown origin as a reader is to see it, the same as ``topograph.words.visible``; and numbers.

// Made once: ``toLocaleString`` makes one at each call, which takes longer than an answer of
// thousands of servers.
const THOUSANDS = new Intl.NumberFormat("en-US");

export function inThousands(number) {
  // Most numbers are small, and the format takes its time.
  if (Number.isInteger(number) && number >= 0 && number < 1000) return String(number);
  return THOUSANDS.format(number);
}

const CODES = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]|\p{Cc}|\p{Cs}/gu;
const FROM_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
const PUNCTUATION = ",.:;!?()[]{}<>'\"/";

// Controls, direction overrides and halves of characters as their codes.
export function visibleText(text) {
  return String(text).replace(CODES, (character) => {
    const code = character.charCodeAt(0);
    const known = { 9: "\\t", 10: "\\n", 13: "\\r" }[code];
    return (
      known ||
      (code < 256
        ? `\\x${code.toString(16).padStart(2, "0")}`
        : `\\u${code.toString(16).padStart(4, "0")}`)
    );
  });
}

// What runs from right to left stands apart, so that it moves neither the numbers nor the
// punctuation beside it.
export function apartText(text) {
  if (!FROM_RIGHT.test(text)) return text;
  let found = "",
    apart = false;
  text.split(" ").forEach((word, number) => {
    let first = 0,
      last = word.length;
    while (first < last && PUNCTUATION.includes(word[first])) first += 1;
    while (last > first && PUNCTUATION.includes(word[last - 1])) last -= 1;
    const core = word.slice(first, last),
      turned = FROM_RIGHT.test(core);
    const before = word.slice(0, first),
      after = word.slice(last);
    const follows = apart && turned && !before;
    if (apart && !follows) found += "\u2069";
    if (number) found += " ";
    if (!turned) found += word;
    else found += `${follows ? "" : `${before}\u2068`}${core}${after ? `\u2069${after}` : ""}`;
    apart = turned && !after;
  });
  return apart ? `${found}\u2069` : found;
}

export function readableText(text) {
  return apartText(visibleText(text));
}

// A name in as many characters as there is room for, cut in its middle: names differ at either end.
export function shortened(text, most = 44) {
  const characters = Array.from(visibleText(text));
  if (characters.length <= most) return apartText(characters.join(""));
  const behind = Math.floor((most - 1) / 2);
  return apartText(
    `${characters.slice(0, most - 1 - behind).join("")}…${characters.slice(characters.length - behind).join("")}`,
  );
}

// What a field shows of names with controls, back to the names: a field has no way to isolate what
// turns its text.
/** @type {Map<string, string>} */
const fieldNames = new Map();

export function fieldText(name) {
  const shown = visibleText(name);
  if (shown !== name) fieldNames.set(shown, name);
  return shown;
}

export function nameInField(text) {
  return fieldNames.get(text) || text;
}
