// findings
// What: what the import and the lint rules found, worst first, and what each finding is about.
// Ask: topograph cypher findings --param network=NAME
// Parameters: network
// Returns: severity, rule, kind, message, about (servers and destinations), file, line
// Needs: Neo4j 5.7
// (:Finding)-[:ABOUT]->(:Server|Destination)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (f:Finding {publish: s.publish, network: $network})
WHERE f.key IS NOT NULL
RETURN f.severity AS severity, f.rule AS rule, f.kind AS kind, f.message AS message,
  COLLECT { MATCH (f)-[:ABOUT]->(x) RETURN coalesce(x.type + ':', '') + x.name AS name ORDER BY name } AS about, f.file AS file, f.line AS line
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, file, line, kind, message
