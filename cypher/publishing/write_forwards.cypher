// write_forwards
// What: forwards of one batch, between points that are written before; one that is there already stays as it is.
// Parameters: publish, shapes [[network, system, rule, confidence, hop, cost, branch, file]], rows [[start, end, guards, line, shape]]
// Needs: Neo4j 5.7
// (:Point)-[:FORWARDS {guards, hop, cost, branch, rule, file, line}]->(:Point)
UNWIND $rows AS row
WITH row, $shapes[row[4]] AS shape
WITH row, shape, shape[0] + '/' + shape[1] + '/' AS graph
MATCH (a:Point {publish: $publish, key: graph + row[0]})
MATCH (b:Point {publish: $publish, key: graph + row[1]})
MERGE (a)-[f:FORWARDS {publish: $publish, key: graph + row[0] + '>' + row[1]}]->(b)
ON CREATE SET f.guards = row[2], f.line = row[3], f.rule = shape[2], f.confidence = shape[3], f.hop = shape[4],
  f.cost = shape[5], f.branch = shape[6], f.file = shape[7]
