// What the report brings is packed: zlib's streams as base85, which browsers unpack themselves.

const DIGITS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%/()*+-;,=.?@^_`{|}~";

/** The bytes of a text in base85: five digits are four bytes; the last ones may be fewer. */
function bytesOf(text) {
  const values = new Uint8Array(128);
  for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value;
  const missing = (5 - (text.length % 5)) % 5;
  const digits = new TextEncoder().encode(text + DIGITS[84].repeat(missing));
  const bytes = new Uint8Array((digits.length / 5) * 4);
  for (let from = 0, to = 0; from < digits.length; from += 5, to += 4) {
    let number = values[digits[from]];
    for (let digit = from + 1; digit < from + 5; digit++)
      number = (Math.imul(number, 85) + values[digits[digit]]) | 0;
    bytes[to] = number >>> 24;
    bytes[to + 1] = number >>> 16;
    bytes[to + 2] = number >>> 8;
    bytes[to + 3] = number;
  }
  return bytes.subarray(0, bytes.length - missing);
}

/** The text of a packed script element. */
export async function inflated(holder) {
  const unpacking = new DecompressionStream("deflate");
  const packed = unpacking.writable.getWriter();
  packed.write(bytesOf(holder.textContent));
  packed.close();
  return new Response(unpacking.readable).text();
}

/** Data is then JSON in its element. */
export async function unpackData(holder) {
  holder.textContent = await inflated(holder);
  holder.type = "application/json";
}
