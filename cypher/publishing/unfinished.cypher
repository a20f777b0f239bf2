// unfinished
// What: publishing runs that are not published: running, dead, or being deleted; and how old their signs of life are.
// Needs: Neo4j 5.7
MATCH (s:Snapshot)
WHERE s.state <> 'published'
RETURN s.publish AS publish, s.state AS state, s.owner AS owner, timestamp() - s.beat AS silent_ms,
  timestamp() - coalesce(s.ended, timestamp()) AS ended_ms
ORDER BY s.publish
