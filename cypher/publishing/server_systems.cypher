// server_systems
// What: the systems that the servers of one network of a snapshot run.
// Parameters: publish, network
// Needs: Neo4j 5.7
MATCH (s:Server {publish: $publish, network: $network})
WHERE s.name IS NOT NULL
RETURN DISTINCT s.system AS system ORDER BY system
