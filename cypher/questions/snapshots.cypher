// snapshots
// What: the snapshots of the database, the newest first, and the networks that each is current for.
// Ask: topograph cypher snapshots
// Needs: Neo4j 5.7
MATCH (s:Snapshot)
OPTIONAL MATCH (n:Network)-[:CURRENT]->(s)
WITH s, n ORDER BY n.name
WITH s, collect(n.name) AS current
RETURN s.id AS id, s.state AS state, s.networks AS networks, current, s.name AS name,
  toString(datetime({epochMillis: coalesce(s.published, s.started)})) AS time
ORDER BY time DESC, id
