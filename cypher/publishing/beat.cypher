// beat
// What: says that a publishing run is alive; no row if it was given up or swept.
// Parameters: publish
// Needs: Neo4j 5.7
MATCH (s:Snapshot {publish: $publish, state: 'publishing'})
SET s.beat = timestamp()
RETURN s.publish AS publish
