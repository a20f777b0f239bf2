// Servers without which others would not all be joined.

/**
 * The vertices of an undirected graph whose loss leaves more parts than there were, by index
 * (Hopcroft and Tarjan 1973). Linear in vertices and edges; without recursion, for chains are long.
 * @param {number[][]} near - the neighbours of each vertex
 * @returns {Set<number>}
 */
export function cutVertices(near) {
  const found = new Set();
  const order = new Array(near.length).fill(0),
    low = new Array(near.length).fill(0);
  let count = 0;
  for (let root = 0; root < near.length; root += 1) {
    if (order[root]) continue;
    let branches = 0;
    order[root] = low[root] = count += 1;
    const walked = [{ at: root, from: -1, next: 0 }];
    while (walked.length) {
      const here = walked[walked.length - 1];
      const other = near[here.at][here.next];
      here.next += 1;
      if (other === undefined) {
        walked.pop();
        if (here.from < 0) continue;
        low[here.from] = Math.min(low[here.from], low[here.at]);
        if (here.from === root) branches += 1;
        else if (low[here.at] >= order[here.from]) found.add(here.from);
      } else if (!order[other]) {
        order[other] = low[other] = count += 1;
        walked.push({ at: other, from: here.at, next: 0 });
      } else if (other !== here.from) low[here.at] = Math.min(low[here.at], order[other]);
    }
    if (branches > 1) found.add(root);
  }
  return found;
}
