// Copying a text to the clipboard.

import { say } from "./document.js";

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("The browser does not allow copying here");
  }
}
