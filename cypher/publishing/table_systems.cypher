// table_systems
// What: the systems of one network of a snapshot.
// Parameters: publish, network
// Needs: Neo4j 5.7
MATCH (:Snapshot {publish: $publish})-[:HAS]->(t:Table {network: $network, name: 'servers'})
RETURN DISTINCT t.system AS system ORDER BY system
