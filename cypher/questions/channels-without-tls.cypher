// channels-without-tls
// What: the channels that no CipherSpec protects, and those of which the files do not show whether one does.
// Ask: topograph cypher channels-without-tls --param network=NAME
// Parameters: network
// Returns: server, system, channel, type, address, leads_to (servers), tls ('none', or 'not shown'), file, line
// Needs: Neo4j 5.7
// (:Channel {tls})
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[:DEFINES]->(c:Channel)
WHERE coalesce(c.tls, '') = ''
RETURN a.name AS server, a.system AS system, c.name AS channel, c.type AS type, coalesce(c.connection_name, '') AS address,
  COLLECT { MATCH (c)-[:CONNECTS_TO]->(b:Server) RETURN b.name AS name ORDER BY name } AS leads_to,
  CASE WHEN c.tls IS NULL THEN 'not shown' ELSE 'none' END AS tls, c.file AS file, c.line AS line
ORDER BY server, system, channel, type, file, line
