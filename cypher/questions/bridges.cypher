// bridges
// What: the bridges between destinations of one server.
// Ask: topograph cypher bridges --param network=NAME
// Parameters: network
// Returns: server, source, target, selector, file, line
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Destination)-[:BRIDGES_TO {selector}]->(:Destination)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (d:Destination {publish: s.publish, network: $network})-[r:BRIDGES_TO]->(e:Destination)
WHERE d.key IS NOT NULL
RETURN d.server AS server, d.type + ':' + d.name AS source, e.type + ':' + e.name AS target, r.selector AS selector, r.file AS file, r.line AS line
ORDER BY server, source, target, selector
