// without-consumers
// What: the destinations from which nothing takes messages, as far as files, listings and topograph.yaml show: no subscription of their name or of a pattern that
//   fits it, no bridge, alias or path that leads on, no channel that reads them. Programs that read a queue are in no configuration file.
// Ask: topograph cypher without-consumers --param network=NAME
// Parameters: network
// Returns: server, system, type, name, details, file, line
// Needs: Neo4j 5.7
// (:Destination)<-[:SUBSCRIBES_TO]-(:Subscription)   (:Destination)-[:LEADS_TO]->(:Destination)   (:Destination)<-[:READS]-(:Channel)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
WITH s, COLLECT { MATCH (b:Subscription {publish: s.publish, network: $network}) WHERE b.pattern IS NOT NULL AND b.system = 'ems'
  RETURN DISTINCT b.pattern AS pattern } AS patterns
MATCH (s)<-[:IN]-(a:Server {network: $network})-[:DEFINES]->(d:Destination)
WHERE d.defined AND NOT d.type IN ['listener', 'connector'] AND coalesce(d.leads_to, []) = [] AND NOT (d)-[:LEADS_TO|MEDIATED_BY]->()
  AND NOT (d)<-[:SUBSCRIBES_TO|READS]-() AND (d.system <> 'ems' OR d.type <> 'topic' OR none(pattern IN patterns WHERE d.name + '.' =~ pattern))
RETURN a.name AS server, a.system AS system, d.type AS type, d.name AS name, coalesce(d.details, '') AS details, d.file AS file, d.line AS line
ORDER BY server, system, type, name
