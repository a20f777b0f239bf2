// routes
// What: the routes of a network, one a direction, with the file and line that configures each.
// Ask: topograph cypher routes --param network=NAME
// Parameters: network
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)<-[:IN]-(:Server)-[:ROUTE]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[r:ROUTE]->(b:Server)
RETURN a.name AS server, b.name AS to, r.zone AS zone, r.zone_type AS zone_type, r.configured_by AS configured_by, r.file AS file,
  r.line AS line
ORDER BY server, to, zone
