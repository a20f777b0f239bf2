// is_published
// What: a row if the publishing run is still published: asked after the last statement of a walk.
// Parameters: publish
// Needs: Neo4j 5.7
MATCH (s:Snapshot {publish: $publish, state: 'published'})
RETURN s.publish AS publish
