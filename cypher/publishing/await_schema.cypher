// await_schema
// What: waits until the indexes behind the constraints can be used.
// Needs: Neo4j 5.7
CALL db.awaitIndexes(300)
