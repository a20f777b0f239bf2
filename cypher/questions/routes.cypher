// routes
// What: the routes of a network, one a direction, with what a message needs to cross it and the file and line that configures it.
// Ask: topograph cypher routes --param network=NAME
// Parameters: network
// Returns: server, to, system, zone, zone_type, cost, configured_by, name, role (channel, bus link ...), condition, file, line
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)<-[:IN]-(:Server)-[:ROUTE]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[r:ROUTE]->(b:Server)
RETURN a.name AS server, b.name AS to, a.system AS system, r.zone AS zone, r.zone_type AS zone_type, r.cost AS cost,
  r.configured_by AS configured_by, r.name AS name, r.role AS role, r.condition AS condition, r.file AS file, r.line AS line
ORDER BY server, to, zone, name, file, line
