// assumptions
// What: what the files leave open and answers rest on, with the servers that it leaves open: those from which messages go on to others if it does not hold.
// Ask: topograph cypher assumptions --param network=NAME
// Parameters: network
// Returns: rule, confidence, text, alternative (what would hold otherwise), used (whether links rest on it; else only that servers are not reached does),
//   servers (that it leaves open), because (why), system (of the graph), file, line
// Needs: Neo4j 5.7
// (:Assumption {rule, text, alternative})-[:ABOUT]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (x:Assumption {publish: s.publish, network: $network})
RETURN x.rule AS rule, x.confidence AS confidence, x.text AS text, x.alternative AS alternative, x.used AS used,
  COLLECT { MATCH (x)-[:ABOUT]->(a:Server) RETURN a.name AS name ORDER BY name } AS servers, x.because AS because, x.system AS system,
  x.file AS file, x.line AS line
ORDER BY rule, text, system
