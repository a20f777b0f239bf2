// Columns as Python packs them (topograph/portable/arrays.py).

// The value of a hexadecimal digit, by its character code.
const HEX = new Uint8Array(128);
[..."0123456789abcdef"].forEach((digit, value) => (HEX[digit.charCodeAt(0)] = value));

/**
 * The numbers of a packed column.
 * @param {string} packed - `TYPE:COUNT:HEX`, the differences from one to the next, of all the
 *   lowest byte first; `=:COUNT:NUMBER` where all are equal.
 * @returns {Int32Array}
 */
export function unpacked(packed) {
  const [type, count, body] = packed.split(":");
  const numbers = new Int32Array(Number(count));
  if (type === "=") return numbers.fill(Number(body));
  const width = Number(type[1]);
  for (let plane = 0, digit = 0; plane < width; plane++) {
    for (let at = 0; at < numbers.length; at++, digit += 2) {
      numbers[at] |=
        ((HEX[body.charCodeAt(digit)] << 4) | HEX[body.charCodeAt(digit + 1)]) << (plane * 8);
    }
  }
  const mask = width === 4 ? -1 : (1 << (width * 8)) - 1;
  for (let at = 1; at < numbers.length; at++) numbers[at] = (numbers[at] + numbers[at - 1]) & mask;
  return numbers;
}

/**
 * Where each row of a table begins, one entry more than there are rows.
 * @param {Int32Array} sizes
 * @returns {Int32Array}
 */
export function bounds(sizes) {
  const starts = new Int32Array(sizes.length + 1);
  for (let row = 0; row < sizes.length; row++) starts[row + 1] = starts[row] + sizes[row];
  return starts;
}
