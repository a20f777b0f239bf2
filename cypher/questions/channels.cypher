// channels
// What: the channels of a network with where they lead, the queue that they read, and their TLS.
// Ask: topograph cypher channels --param network=NAME
// Parameters: network
// Returns: server, system, name, type, queue (that it reads), address (where it connects to), leads_to (servers), clusters, tls (the CipherSpec; empty:
//   none; null: not shown), observed (states), file, line
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Channel)-[:CONNECTS_TO]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[:DEFINES]->(c:Channel)
RETURN a.name AS server, a.system AS system, c.name AS name, c.type AS type, coalesce(c.transmission_queue, '') AS queue,
  coalesce(c.connection_name, '') AS address, COLLECT { MATCH (c)-[:CONNECTS_TO]->(b:Server) RETURN b.name AS name ORDER BY name } AS leads_to,
  coalesce(c.clusters, []) AS clusters, c.tls AS tls, coalesce(c.observed, '') AS observed, c.file AS file, c.line AS line
ORDER BY server, system, name, type, file, line
