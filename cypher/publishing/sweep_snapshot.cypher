// sweep_snapshot
// What: deletes what is left of a swept publishing run: its own node. A dead one stays a while as a sign to writers that still live.
// Parameters: publish, state
// Needs: Neo4j 5.7
MATCH (s:Snapshot {publish: $publish, state: $state})
DETACH DELETE s
