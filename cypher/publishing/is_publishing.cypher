// is_publishing
// What: a row if the publishing run may still write.
// Parameters: publish
// Needs: Neo4j 5.7
MATCH (s:Snapshot {publish: $publish, state: 'publishing'})
RETURN s.publish AS publish
