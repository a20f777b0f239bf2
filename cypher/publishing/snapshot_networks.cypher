// snapshot_networks
// What: the networks of a published snapshot.
// Parameters: id
// Needs: Neo4j 5.7
MATCH (s:Snapshot {id: $id, state: 'published'})
UNWIND s.networks AS network
RETURN DISTINCT network ORDER BY network
