// sweep_places
// What: deletes a batch of the places of a publishing run's guards.
// Parameters: publish, limit
// Needs: Neo4j 5.7
MATCH ()-[p:SETS]->()
WHERE p.publish = $publish AND p.key >= ''
WITH p LIMIT $limit
DELETE p
RETURN count(*) AS deleted
