// usable_indexes
// What: the names of the indexes that can be used; a constraint of uniqueness is named after its index.
// Needs: Neo4j 5.7
SHOW INDEXES YIELD name, state WHERE state = 'ONLINE'
RETURN collect(name) AS names
