// write_points
// What: points of one batch, at their servers (which are written before); one that is there already stays as it is.
// Parameters: publish, shapes [[network, system, kind, zone, zone_type]], rows [[n, key, server number, shape]]
// Needs: Neo4j 5.7
// (:Point)-[:AT]->(:Server)
UNWIND $rows AS row
WITH row, $shapes[row[3]] AS shape
WITH row, shape, shape[0] + '/' + shape[1] + '/' AS graph
MATCH (s:Server {publish: $publish, number: graph + row[2]})
MERGE (p:Point {publish: $publish, key: graph + row[0]})
ON CREATE SET p.network = shape[0], p.system = shape[1], p.n = row[0], p.name = row[1], p.kind = shape[2], p.server = s.name,
  p.server_n = row[2], p.zone = shape[3], p.zone_type = shape[4]
MERGE (p)-[:AT]->(s)
