// What: the guards of a network and how many forwards each stands on, the most used first.
// Parameters: network
// Needs: Neo4j 5.7
// (:Network)-[:CURRENT]->(:Snapshot)   (:Guard {n})   (:Point)-[:FORWARDS {guards}]->(:Point)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (g:Guard {publish: s.publish, network: $network})
OPTIONAL MATCH (a:Point {publish: s.publish, network: $network, system: g.system})-[f:FORWARDS]->() WHERE g.n IN f.guards
RETURN g.kind AS kind, g.text AS text, count(f) AS forwards, g.file AS file, g.line AS line
ORDER BY forwards DESC, kind, text
