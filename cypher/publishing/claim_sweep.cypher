// claim_sweep
// What: takes the sweeping of a dead publishing run for one sweeper, for a minute at a time; no row if another has it.
// Parameters: publish, sweeper
// Needs: Neo4j 5.7
MATCH (s:Snapshot {publish: $publish})
WHERE s.state IN ['dead', 'deleting']
SET s.locked_by = $sweeper
WITH s
WHERE s.sweeper IS NULL OR s.sweeper = $sweeper OR s.swept < timestamp() - 60000
SET s.sweeper = $sweeper, s.swept = timestamp()
RETURN s.publish AS publish
