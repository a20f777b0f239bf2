// The command that answers a question, as it is typed in a shell.

/** A word of a command line, quoted for a POSIX shell where it has to be. */
function shellWord(word) {
  if (word && /^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/**
 * The command that asks what the page was asked.
 * @param {string[]} where - the words that name the snapshot and its network.
 * @param {object} asked
 */
export function commandFor(where, asked) {
  const named = [asked.from, asked.to]
    .filter((one) => one !== null && one !== undefined)
    .map(String);
  const options = [];
  if (asked.question === "reach" && asked.reply) options.push("--reply");
  if (asked.question === "paths" && asked.maximum !== undefined)
    options.push("--max", String(asked.maximum));
  if (asked.question === "propagate") options.push(...messageOptions(asked));
  const rest = [...options, ...where];
  // A name that begins with a hyphen would be read as an option.
  const words = named.some((one) => one.startsWith("-"))
    ? [...rest, "--", ...named]
    : [...named, ...rest];
  return ["topograph", asked.question, ...words].map(shellWord).join(" ");
}

/** What says the message: its destination, its properties with their types, and who sends it. */
function messageOptions({ destination, properties, user }) {
  const words = ["--destination", String(destination)];
  for (const [name, typed] of Object.entries(properties || {}))
    words.push("--set", `${name}=${settingText(typed)}`);
  if (user) words.push("--user", String(user));
  return words;
}

/** Texts that `--set` does not take for anything else. */
const plainText = (text) =>
  /^[A-Za-z][A-Za-z0-9_ -]*$/.test(text) && !/^(null|true|false)$/i.test(text);

/**
 * A value as `--set` takes it: other text in quotes, so that 7 and '7' stay apart; a decimal number
 * by its point or exponent.
 */
function settingText({ type, value }) {
  if (value === null) return "null";
  if (type === "string" && plainText(value)) return value;
  if (type === "string") return `'${value.replaceAll("'", "''")}'`;
  const text = Object.is(value, -0) ? "-0" : String(value);
  return type === "double" && /^-?\d+$/.test(text) ? `${text}.0` : text;
}
