// zones
// What: the zones of a network, with the servers in each.
// Ask: topograph cypher zones --param network=NAME
// Parameters: network
// Returns: zone, type, system, servers
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)<-[:IN]-(:Server)-[:IN_ZONE]->(:Zone)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[:IN_ZONE]->(z:Zone)
WITH z, a.name AS server ORDER BY server
RETURN z.name AS zone, z.type AS type, z.system AS system, collect(server) AS servers
ORDER BY zone, system
