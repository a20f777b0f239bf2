// create_forwards
// What: forwards of one batch that nobody wrote before; fails as a whole if one is there.
// Parameters: publish, shapes [[network, system, rule, confidence, hop, cost, branch, file]], rows [[start, end, guards, line, shape]]
// Needs: Neo4j 5.7
// (:Point)-[:FORWARDS {guards, hop, cost, branch, rule, file, line}]->(:Point)
UNWIND $rows AS row
WITH row, $shapes[row[4]] AS shape
WITH row, shape, shape[0] + '/' + shape[1] + '/' AS graph
MATCH (a:Point {publish: $publish, key: graph + row[0]})
MATCH (b:Point {publish: $publish, key: graph + row[1]})
CREATE (a)-[:FORWARDS {publish: $publish, key: graph + row[0] + '>' + row[1], guards: row[2], line: row[3], rule: shape[2],
  confidence: shape[3], hop: shape[4], cost: shape[5], branch: shape[6], file: shape[7]}]->(b)
