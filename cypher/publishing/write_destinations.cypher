// write_destinations
// What: destinations of one batch, with the label of their type, at the servers that define them.
// Parameters: publish, rows [{network, system, graph (the system of its graph), at (the server's name there), server (its name),
//   type (topic|queue|address), name, own (its name, numbered where several have it), defined, global, secure, leads_to, details, home, file, line}]
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Destination:Topic|Queue|Address)
UNWIND $rows AS row
MATCH (s:Server {publish: $publish, key: row.network + '/' + row.graph + '/server/' + row.at})
MERGE (d:Destination {publish: $publish, key: row.network + '/' + row.system + '/' + row.type + '/' + row.server + '/' + row.own})
ON CREATE SET d.network = row.network, d.system = row.system, d.server = row.server, d.type = row.type, d.name = row.name,
  d.defined = row.defined, d.global = row.global, d.secure = row.secure, d.leads_to = row.leads_to,
  d.details = row.details, d.home = row.home, d.file = row.file, d.line = row.line
FOREACH (_ IN CASE row.type WHEN 'topic' THEN [1] ELSE [] END | SET d:Topic)
FOREACH (_ IN CASE row.type WHEN 'queue' THEN [1] ELSE [] END | SET d:Queue)
FOREACH (_ IN CASE row.type WHEN 'address' THEN [1] ELSE [] END | SET d:Address)
MERGE (s)-[:DEFINES]->(d)
