// move_current
// What: makes a publishing run visible: the second half of the transaction that lock_networks begins.
// Parameters: target, networks
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)
MATCH (s:Snapshot {publish: $target})
SET s.networks = CASE s.state WHEN 'published' THEN s.networks ELSE $networks END
SET s.state = 'published', s.published = coalesce(s.published, timestamp())
WITH s
UNWIND $networks AS name
MATCH (n:Network {name: name})
OPTIONAL MATCH (n)-[old:CURRENT]->()
WITH s, n, collect(old) AS olds
FOREACH (old IN olds | DELETE old)
CREATE (n)-[:CURRENT]->(s)
