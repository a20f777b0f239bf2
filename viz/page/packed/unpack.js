// Unpacks what the picture needs, and the scripts, which do so with the rest (``unpacked.js``).
// Where a browser cannot, the report stays as its markup has it.

import { inflated, unpackData } from "./inflate.js";

// A question in the link is answered at once, which takes all the data.
const FIRST = location.hash.startsWith("#ask?") ? "" : ":is(#data, .code)";

// Data first, as JSON; then the scripts, in their order, each allowed by its hash as if it stood
// here.
async function unpackReport() {
  if (!("DecompressionStream" in window)) return;
  const holders = [...document.querySelectorAll(`script[type='application/zlib']${FIRST}`)];
  const codes = holders.filter((holder) => holder.classList.contains("code"));
  const data = holders.filter((holder) => !holder.classList.contains("code"));
  const [texts] = await Promise.all([
    Promise.all(codes.map(inflated)),
    Promise.all(data.map(unpackData)),
  ]);
  codes.forEach((holder, index) => {
    const script = document.createElement("script");
    script.textContent = texts[index];
    holder.replaceWith(script);
  });
}

unpackReport();
