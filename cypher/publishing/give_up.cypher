// give_up
// What: marks a publishing run as dead; its rows are swept.
// Parameters: publish
// Needs: Neo4j 5.7
MATCH (s:Snapshot {publish: $publish, state: 'publishing'})
SET s.state = 'dead', s.ended = timestamp()
