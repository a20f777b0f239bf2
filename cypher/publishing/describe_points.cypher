// describe_points
// What: the words on points of one batch, which are written before; written again they stay the same.
// Parameters: publish, shapes [[network, system, starts, ends, down, loaded, open, waits]], rows [[n, condition, not_onward, came_from, shape]]
// Needs: Neo4j 5.7
// (:Point {condition, not_onward, came_from, starts, ends, down, loaded, open, waits})
UNWIND $rows AS row
WITH row, $shapes[row[4]] AS shape
MATCH (p:Point {publish: $publish, key: shape[0] + '/' + shape[1] + '/' + row[0]})
SET p.condition = row[1], p.not_onward = row[2], p.came_from = row[3], p.starts = shape[2], p.ends = shape[3], p.down = shape[4],
  p.loaded = shape[5], p.open = shape[6], p.waits = shape[7]
