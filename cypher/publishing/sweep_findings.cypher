// sweep_findings
// What: deletes a batch of a publishing run's findings with the relationships they still have.
// Parameters: publish, limit
// Needs: Neo4j 5.7
MATCH (n:Finding)
WHERE n.publish = $publish AND n.key >= ''
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
