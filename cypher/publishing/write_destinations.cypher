// write_destinations
// What: destinations of one batch, with the label of their type, at the servers that define them.
// Parameters: publish, rows [{network, system, server (its name), type (topic|queue|address), name, defined, global, secure, file,
//   line}]
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Destination:Topic|Queue|Address)
UNWIND $rows AS row
MATCH (s:Server {publish: $publish, key: row.network + '/' + row.system + '/server/' + row.server})
MERGE (d:Destination {publish: $publish, key: row.network + '/' + row.system + '/' + row.type + '/' + row.server + '/' + row.name})
ON CREATE SET d.network = row.network, d.system = row.system, d.server = row.server, d.type = row.type, d.name = row.name,
  d.defined = row.defined, d.global = row.global, d.secure = row.secure, d.file = row.file, d.line = row.line
FOREACH (_ IN CASE row.type WHEN 'topic' THEN [1] ELSE [] END | SET d:Topic)
FOREACH (_ IN CASE row.type WHEN 'queue' THEN [1] ELSE [] END | SET d:Queue)
FOREACH (_ IN CASE row.type WHEN 'address' THEN [1] ELSE [] END | SET d:Address)
MERGE (s)-[:DEFINES]->(d)
