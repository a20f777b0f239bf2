// sweep_objects
// What: deletes a batch of a publishing run's objects with the relationships they still have.
// Parameters: publish, limit
// Needs: Neo4j 5.7
MATCH (n:Object)
WHERE n.publish = $publish AND n.key >= ''
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
