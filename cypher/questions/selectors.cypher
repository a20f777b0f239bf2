// selectors
// What: the selectors of routes, one a line that sets one.
// Ask: topograph cypher selectors --param network=NAME
// Parameters: network
// Returns: server, direction (from the server's own side), neighbour, topic, selector, file, line
// Needs: Neo4j 5.7
// (:Server)-[:SETS {direction, neighbour, file, line}]->(:Guard {topic, selector})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (g:Guard {publish: s.publish, network: $network, kind: 'selector'})<-[p:SETS]-(a:Server)
WHERE g.key IS NOT NULL
RETURN a.name AS server, p.direction AS direction, p.neighbour AS neighbour, g.topic AS topic, g.selector AS selector, p.file AS file, p.line AS line
ORDER BY server, neighbour, direction, topic, line
