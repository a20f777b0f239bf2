// sweep_forwards
// What: deletes a batch of a publishing run's forwards (relationships first, then their ends).
// Parameters: publish, limit
// Needs: Neo4j 5.7
MATCH ()-[f:FORWARDS]->()
WHERE f.publish = $publish AND f.key >= ''
WITH f LIMIT $limit
DELETE f
RETURN count(*) AS deleted
