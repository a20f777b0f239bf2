// destinations
// What: the queues and other destinations of a network, with where the definition of each sends its messages on to.
// Ask: topograph cypher destinations --param network=NAME
// Parameters: network
// Returns: server, system, type, name, leads_to (first to last), details, file, line
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Destination {type, name, leads_to, details})
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[:DEFINES]->(d:Destination)
RETURN a.name AS server, a.system AS system, d.type AS type, d.name AS name, d.leads_to AS leads_to, d.details AS details,
  d.file AS file, d.line AS line
ORDER BY server, system, type, name
