// snapshots
// What: the snapshots of the database, the newest first, and the networks that each is current for.
// Ask: topograph cypher snapshots
// Returns: id, state, schema, networks, current, name, time, publish
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)
MATCH (s:Snapshot)
OPTIONAL MATCH (n:Network)-[:CURRENT]->(s)
WITH s, n ORDER BY n.name
WITH s, collect(n.name) AS current
RETURN s.id AS id, s.state AS state, coalesce(s.schema, 1) AS schema, s.networks AS networks, current, s.name AS name,
  toString(datetime({epochMillis: coalesce(s.published, s.started)})) AS time, s.publish AS publish
ORDER BY time DESC, id
