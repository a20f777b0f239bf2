// guards
// What: the conditions that routes set for messages, with how many forwards each stands on and where it is set, the most used first.
// Ask: topograph cypher guards --param network=NAME
// Parameters: network
// Returns: kind, text, forwards, places (server file:line), system, file, line
// Needs: Neo4j 5.7
// (:Point)-[:FORWARDS {guards}]->(:Point)   (:Server)-[:SETS]->(:Guard {n})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (p:Point {network: $network})-[f:FORWARDS]->()
WHERE p.publish = s.publish AND p.key >= ''
UNWIND f.guards AS n
WITH s, p.system AS system, n, count(*) AS forwards
MATCH (g:Guard {publish: s.publish, key: $network + '/' + system + '/guard/' + n})
RETURN g.kind AS kind, g.text AS text, forwards,
  COLLECT { MATCH (a:Server)-[p:SETS]->(g) RETURN a.name + ' ' + p.file + ':' + p.line AS place ORDER BY place } AS places, system,
  g.file AS file, g.line AS line
ORDER BY forwards DESC, kind, text
