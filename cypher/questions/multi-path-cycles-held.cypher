// multi-path-cycles-held
// What: the servers that hold a name over two or more neighbours: the definition itself, on the names that are stored. Routes that are
//   down bring no name. An empty table: no server does.
// Ask: topograph cypher multi-path-cycles-held --param network=NAME
// Parameters: network
// Returns: server, name, via (neighbours), note (why the table is not complete, if it is not)
// Needs: Neo4j 5.23
// (:Server)-[:HOLDS {via}]->(:Interest {name})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
CALL (s) {
  MATCH (b:Server {publish: s.publish, network: $network})
  WHERE b.name IS NOT NULL
  MATCH (b)-[h:HOLDS {observed: false}]->(i:Interest)
  WITH b, i, h.via AS via ORDER BY via
  WITH b, i, collect(via) AS via
  WHERE size(via) > 1
  RETURN b.name AS server, i.name AS name, via, '' AS note
  UNION ALL
  MATCH (b:Server {publish: s.publish, network: $network})
  WHERE b.name IS NOT NULL AND b.names <> 'complete'
  WITH b.names AS names, count(*) AS servers
  RETURN null AS server, null AS name, [] AS via, 'the names that ' + servers + ' servers hold are ' + names + ': run multi-path-cycles' AS note
}
RETURN server, name, via, note
ORDER BY server, name
