// servers
// What: the servers of a network.
// Ask: topograph cypher servers --param network=NAME
// Parameters: network
// Returns: server, system, loaded, incomplete (what is missing), doubt (what that leaves open), file, line
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)<-[:IN]-(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(s:Server {network: $network})
RETURN s.name AS server, s.system AS system, s.loaded AS loaded, s.incomplete AS incomplete, s.doubt AS doubt, s.file AS file, s.line AS line
ORDER BY server, system
