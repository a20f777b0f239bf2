// write_interests
// What: names that servers hold, of one batch.
// Parameters: publish, rows [{network, system, server, name, via, hops, observed, kind}]
// Needs: Neo4j 5.7
// (:Server)-[:HOLDS {via, hops, observed}]->(:Interest {name, kind})
UNWIND $rows AS row
MATCH (s:Server {publish: $publish, key: row.network + '/' + row.system + '/server/' + row.server})
MERGE (i:Interest {publish: $publish, key: row.network + '/' + row.system + '/interest/' + row.name})
ON CREATE SET i.network = row.network, i.system = row.system, i.name = row.name, i.kind = row.kind
MERGE (s)-[h:HOLDS {publish: $publish, via: row.via, observed: row.observed}]->(i)
ON CREATE SET h.hops = row.hops
