// The properties of a message: as a question gives them, checked, and as an answer repeats them.

import { Declined } from "./declined.js";
import { propertiesOf } from "./selectors.js";

const LONG_BITS = 64;

/**
 * By type of a property whether a value of a question is written as one. @type {Record<string,
 * (value: any) => boolean>}
 */
const WRITTEN = {
  boolean: (value) => typeof value === "boolean",
  long: (value) =>
    typeof value === "bigint" || Number.isSafeInteger(value) || /^-?\d+$/.test(String(value)),
  double: (value) => typeof value === "number" || /^(-?Infinity|NaN)$/.test(value),
  string: (value) => typeof value === "string",
  null: (value) => value === null || value === undefined,
};

/**
 * The properties of a message, as they were given and as values; what no message can have is
 * thrown.
 */
export function checkedProperties(asked) {
  const typed = asked.properties || {};
  for (const [property, { type: kind, value }] of Object.entries(typed)) {
    if (!Object.hasOwn(WRITTEN, kind) || !WRITTEN[kind](value))
      throw new Declined(`${property} has no value of type ${kind}.`);
  }
  const properties = propertiesOf(typed);
  for (const [property, value] of properties) {
    const fault = propertyFault(property, value);
    if (fault) throw new Declined(fault);
  }
  return { typed, properties };
}

/**
 * Why a message cannot have this value; empty if it can. Header fields have values of their own.
 */
function propertyFault(name, value) {
  if (typeof value === "bigint" && BigInt.asIntN(LONG_BITS, value) !== value)
    return `${value} does not fit a 64-bit integer.`;
  const text = value === null || typeof value === "string";
  switch (name) {
    case "JMSPriority":
      return typeof value === "bigint" && value >= 0n && value <= 9n
        ? ""
        : "JMSPriority is a number from 0 to 9.";
    case "JMSDeliveryMode":
      return value === "PERSISTENT" || value === "NON_PERSISTENT"
        ? ""
        : "JMSDeliveryMode is PERSISTENT or NON_PERSISTENT.";
    case "JMSTimestamp":
      return value === null || typeof value === "bigint"
        ? ""
        : "JMSTimestamp is a number of milliseconds, or null.";
    case "JMSMessageID":
    case "JMSCorrelationID":
    case "JMSType":
      return text ? "" : `${name} is a text, or null.`;
  }
  return "";
}

/**
 * The properties as the answer echoes them: exact numbers as numbers where those hold all their
 * digits.
 */
export function echoed(typed, properties) {
  const shown = (value) =>
    typeof value === "bigint" &&
    BigInt(Number(value)) === value &&
    Number.isSafeInteger(Number(value))
      ? Number(value)
      : value;
  return Object.fromEntries(
    Object.entries(typed).map(([name, { type }]) => [
      name,
      { type, value: shown(properties.get(name)) },
    ]),
  );
}
