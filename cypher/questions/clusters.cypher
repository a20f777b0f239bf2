// clusters
// What: the clusters of queue managers, with their full and partial repositories and how many queues are advertised there.
// Ask: topograph cypher clusters --param network=NAME
// Parameters: network
// Returns: cluster, full (queue managers with a full repository), partial (the other members), queues (names that are advertised)
// Needs: Neo4j 5.7
// (:Server)-[:MEMBER_OF {repository}]->(:Cluster)<-[:OF_CLUSTER]-(:Destination)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (c:Cluster {publish: s.publish, network: $network})
RETURN c.name AS cluster, COLLECT { MATCH (a:Server)-[:MEMBER_OF {repository: 'full'}]->(c) RETURN a.name AS name ORDER BY name } AS full,
  COLLECT { MATCH (a:Server)-[:MEMBER_OF {repository: 'partial'}]->(c) RETURN a.name AS name ORDER BY name } AS partial,
  COLLECT { MATCH (d:Destination)-[:OF_CLUSTER]->(c) RETURN DISTINCT d.name AS name ORDER BY name } AS queues
ORDER BY cluster
