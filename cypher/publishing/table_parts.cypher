// table_parts
// What: the parts of one table of a snapshot, in order.
// Parameters: publish, network, system, name
// Needs: Neo4j 5.7
MATCH (:Snapshot {publish: $publish})-[:HAS]->(t:Table {network: $network, system: $system, name: $name})
RETURN t.partition AS partition, t.arrow AS arrow
ORDER BY t.partition, t.part
