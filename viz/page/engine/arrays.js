// Columns as Python packs them (topograph/portable/arrays.py).

/**
 * The numbers of a packed column.
 * @param {string} packed - `TYPE:COUNT:BASE64`, with a `d` before the type the differences from one to the next; `=:COUNT:NUMBER` where all are equal.
 * @returns {Int32Array}
 */
function unpacked(packed) {
  const [type, count, body] = packed.split(":");
  const numbers = new Int32Array(Number(count));
  if (type === "=") return numbers.fill(Number(body));
  const bytes = atob(body);
  const [differences, signed, width] = [type.startsWith("d"), type.includes("i"), Number(type.slice(-1))];
  const unused = 32 - width * 8;
  for (let at = 0, byte = 0; at < numbers.length; at++) {
    let number = 0;
    for (let shift = 0; shift < width * 8; shift += 8) number |= bytes.charCodeAt(byte++) << shift;
    if (signed) number = (number << unused) >> unused;
    numbers[at] = differences && at ? numbers[at - 1] + number : number;
  }
  return numbers;
}

/**
 * Where each row of a table begins, one entry more than there are rows.
 * @param {Int32Array} sizes
 * @returns {Int32Array}
 */
function bounds(sizes) {
  const starts = new Int32Array(sizes.length + 1);
  for (let row = 0; row < sizes.length; row++) starts[row + 1] = starts[row] + sizes[row];
  return starts;
}
