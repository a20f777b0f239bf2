// find_snapshot
// What: the publishing run that holds a published snapshot.
// Parameters: id
// Needs: Neo4j 5.7
MATCH (s:Snapshot {id: $id, state: 'published'})
RETURN s.publish AS publish, s.networks AS networks, s.name AS name, s.redaction AS redaction
ORDER BY s.published, s.publish LIMIT 1
