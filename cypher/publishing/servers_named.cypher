// servers_named
// What: the servers of a network that a name may stand for, SYSTEM:NAME included; all servers for null.
// Parameters: publish, network, name
// Needs: Neo4j 5.7
MATCH (s:Server {publish: $publish, network: $network})
WHERE s.name IS NOT NULL AND ($name IS NULL OR s.name IN [$name, split($name, ':')[-1]])
RETURN s.name AS name, s.system AS system
ORDER BY name, system
