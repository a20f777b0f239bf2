// write_routes
// What: routes of one batch, one a direction.
// Parameters: publish, rows [{network, system, from, to (server numbers), link, cost, zone, zone_type, configured_by, name, role, url,
//   condition, down, open, file, line}]; link is the number of the link in the table of links
// Needs: Neo4j 5.7
// (:Server)-[:ROUTE {zone, zone_type, configured_by, name, role, url, condition, down, open, file, line}]->(:Server)
UNWIND $rows AS row
WITH row, row.network + '/' + row.system + '/' AS graph
MATCH (a:Server {publish: $publish, number: graph + row.from})
MATCH (b:Server {publish: $publish, number: graph + row.to})
MERGE (a)-[r:ROUTE {publish: $publish, link: row.link}]->(b)
ON CREATE SET r.cost = row.cost, r.zone = row.zone, r.zone_type = row.zone_type, r.configured_by = row.configured_by,
  r.name = row.name, r.role = row.role, r.url = row.url,
  r.condition = row.condition, r.down = row.down, r.open = row.open, r.file = row.file, r.line = row.line
