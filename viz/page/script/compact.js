// Tables and messages as ``viz/page/compact.py`` writes them.

/**
 * The rows of a table. @param {any} table @returns {any} as of JSON: their values are of any type
 */
export function rowsOf(table) {
  const columns = table.columns.map((column) => {
    if (Array.isArray(column)) return (row) => column[row];
    if ("all" in column) return () => column.all;
    const numbers = sumsOf(column.steps);
    return (row) => numbers[row];
  });
  return Array.from({ length: table.rows }, (_, row) => columns.map((valueAt) => valueAt(row)));
}

/** Numbers of which it is said how much each is more than the one before. */
export function sumsOf(steps) {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** A message with the names that marks in it stand for. */
export function withNames(text, names) {
  if (text.startsWith("\u0000")) return text.slice(1);
  return text.replace(/[\u0001-\u0004]/g, (mark) => names[mark.charCodeAt(0) - 1]);
}

// The first folder of a path.
export function folderOf(file) {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "";
}
