// mark_deleting
// What: marks a published snapshot for deletion, so that no question begins with it, and takes CURRENT from it.
// Parameters: id
// Needs: Neo4j 5.7
MATCH (s:Snapshot {id: $id, state: 'published'})
SET s.state = 'deleting', s.ended = timestamp()
WITH s
OPTIONAL MATCH (n:Network)-[current:CURRENT]->(s)
WITH s, collect(n.name) AS networks, collect(current) AS currents
FOREACH (current IN currents | DELETE current)
RETURN s.publish AS publish, networks
