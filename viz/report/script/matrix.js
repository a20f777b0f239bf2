// The matrix of hops: a cell asks for its example. One cell is a tab stop, arrows go from cell to
// cell.

import { askFrom } from "../../page/asking/ask.js";
import { element } from "../../page/script/document.js";
import { whenIdle } from "../../page/script/idle.js";
import { ARROWS } from "../../page/script/keyboard.js";

function listenToMatrix() {
  const table = document.querySelector("#matrix table.matrix");
  if (!table) return;
  for (const cell of table.querySelectorAll("td[data-from][data-to]")) {
    const { from, to, fromZone, toZone } = cell.dataset;
    const unseen = element(
      "span",
      { class: "unseen" },
      ` from ${fromZone} to ${toZone}: show the path from ${from} to ${to}`,
    );
    const [first] = cell.childNodes;
    const button = element("button", { type: "button", class: "cell", tabindex: "-1" });
    first.replaceWith(button);
    button.append(first, unseen);
    button.addEventListener("click", () => askFrom({ kind: "reach", from, to }));
  }
  const buttons = () => [...table.querySelectorAll("button.cell")];
  const [first] = buttons();
  if (first) first.tabIndex = 0;
  table.addEventListener("keydown", (event) => {
    const towards = ARROWS[event.key];
    const cell = event.target instanceof Element ? event.target.closest("td") : null;
    if (!towards || !cell) return;
    const next = cellTowards(table, cell, towards);
    if (next) {
      for (const button of buttons()) button.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
    event.preventDefault();
  });
}

// The next cell with a path in a direction; cells without one are passed over.
function cellTowards(table, cell, [across, down]) {
  let row = cell.parentElement.rowIndex,
    column = cell.cellIndex;
  for (;;) {
    row += down;
    column += across;
    const there = table.rows[row] && table.rows[row].cells[column];
    if (!there) return null;
    const button = there.querySelector("button.cell");
    if (button) return button;
  }
}

whenIdle(listenToMatrix);
