// guards
// What: the guards of a network and how many forwards each stands on, the most used first.
// Ask: topograph cypher guards --param network=NAME
// Parameters: network
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)   (:Guard {n})   (:Point)-[:FORWARDS {guards}]->(:Point)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (p:Point {network: $network})-[f:FORWARDS]->()
WHERE p.publish = s.publish AND p.key >= ''
UNWIND f.guards AS n
WITH s, p.system AS system, n, count(*) AS forwards
MATCH (g:Guard {publish: s.publish, key: $network + '/' + system + '/guard/' + n})
RETURN g.kind AS kind, g.text AS text, forwards, g.file AS file, g.line AS line
ORDER BY forwards DESC, kind, text
