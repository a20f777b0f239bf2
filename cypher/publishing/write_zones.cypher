// write_zones
// What: which servers lie in which zones, of one batch.
// Parameters: publish, rows [{network, system, server (its number), name, type}]
// Needs: Neo4j 5.7
// (:Server)-[:IN_ZONE]->(:Zone {name, type})
UNWIND $rows AS row
WITH row, row.network + '/' + row.system + '/' AS graph
MATCH (s:Server {publish: $publish, number: graph + row.server})
MERGE (z:Zone {publish: $publish, key: graph + 'zone/' + row.type + '/' + row.name})
ON CREATE SET z.network = row.network, z.system = row.system, z.name = row.name, z.type = row.type
MERGE (s)-[:IN_ZONE]->(z)
