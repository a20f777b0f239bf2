export function distinct(names) {
  return [...new Set(names)];
}
