// find_snapshot
// What: the publishing run that holds a published snapshot, with the schema it was written with (1: by a version that did not say).
// Parameters: id
// Needs: Neo4j 5.7
MATCH (s:Snapshot {id: $id, state: 'published'})
RETURN s.publish AS publish, s.networks AS networks, s.name AS name, s.redaction AS redaction, coalesce(s.schema, 1) AS schema
ORDER BY s.published, s.publish
