// create_points
// What: points of one batch that nobody wrote before, at their servers; fails as a whole if one is there.
// Parameters: publish, shapes [[network, system, kind, zone, zone_type]], rows [[n, key, server number, shape]]
// Needs: Neo4j 5.7
// (:Point)-[:AT]->(:Server)
UNWIND $rows AS row
WITH row, $shapes[row[3]] AS shape
WITH row, shape, shape[0] + '/' + shape[1] + '/' AS graph
MATCH (s:Server {publish: $publish, number: graph + row[2]})
CREATE (:Point {publish: $publish, key: graph + row[0], network: shape[0], system: shape[1], n: row[0], name: row[1],
  kind: shape[2], server: s.name, server_n: row[2], zone: shape[3], zone_type: shape[4]})-[:AT]->(s)
