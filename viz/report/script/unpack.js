// What the report brings is packed: zlib's streams as base85, which browsers unpack themselves.
// Where one cannot, the report stays as its markup has it.

const DIGITS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%/()*+-;,=.?@^_`{|}~";

/** The bytes of a text in base85: five digits are four bytes; the last ones may be fewer. */
function bytesOf(text) {
  const values = new Uint8Array(128);
  for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value;
  const groups = Math.ceil(text.length / 5);
  const missing = groups * 5 - text.length;
  const bytes = new DataView(new ArrayBuffer(groups * 4));
  for (let group = 0; group < groups; group++) {
    let number = 0;
    for (let digit = group * 5; digit < group * 5 + 5; digit++) {
      number = number * 85 + (digit < text.length ? values[text.charCodeAt(digit)] : 84);
    }
    bytes.setUint32(group * 4, number);
  }
  return bytes.buffer.slice(0, groups * 4 - missing);
}

/** The text of a packed script element. */
async function inflated(holder) {
  const stream = new Blob([bytesOf(holder.textContent)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

// Data first, as JSON; then the scripts, in their order, each allowed by its hash as if it stood
// here.
async function unpackReport() {
  if (!("DecompressionStream" in window)) return;
  const holders = [...document.querySelectorAll("script[type='application/zlib']")];
  const texts = await Promise.all(holders.map(inflated));
  holders.forEach((holder, index) => {
    if (holder.classList.contains("code")) return;
    holder.textContent = texts[index];
    holder.type = "application/json";
  });
  holders.forEach((holder, index) => {
    if (!holder.classList.contains("code")) return;
    const script = document.createElement("script");
    script.textContent = texts[index];
    holder.replaceWith(script);
  });
}

unpackReport();
