// Tables whose columns sort: a button in the heading, and ``aria-sort`` says how the rows stand.

import { say } from "../../page/script/document.js";

export const inOrder = new Intl.Collator("en", { numeric: true });

/**
 * The direction that a heading's button turns to; the other columns lose theirs. @returns {1 | -1}
 */
export function turnSorting(heading) {
  const ascending = heading.getAttribute("aria-sort") !== "ascending";
  for (const other of heading.closest("tr").querySelectorAll("th[aria-sort]"))
    other.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  return ascending ? 1 : -1;
}

function sortTable(table, heading) {
  const column = [...heading.parentElement.children].indexOf(heading);
  const way = turnSorting(heading);
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [row.cells[column].textContent.trim(), row]);
  keyed.sort(([one], [other]) => way * compareCells(one, other));
  body.replaceChildren(...keyed.map(([, row]) => row));
  say(`Sorted by ${heading.textContent.trim()}, ${heading.getAttribute("aria-sort")}`);
}

// Empty cells stand last, whichever way the column is sorted first.
export function compareCells(one, other) {
  if (!one || !other) return one ? -1 : other ? 1 : 0;
  return inOrder.compare(one, other);
}

function listenToTables() {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest(".sortable thead th button") : null;
    if (!button || button.closest("#findings")) return;
    sortTable(button.closest("table"), button.closest("th"));
  });
}

listenToTables();
