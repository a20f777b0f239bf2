// findings-by-file
// What: how many findings there are in each file, by severity, most errors first, and the first of the worst.
// Ask: topograph cypher findings-by-file --param network=NAME
// Parameters: network
// Returns: file, errors, warnings, infos, first (the message of the first of the worst), line (of that), servers (that its findings are about)
// Needs: Neo4j 5.7
// (:Snapshot)-[:HAS_FINDING]->(:Finding {file, severity})-[:ABOUT]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)-[:HAS_FINDING]->(f:Finding {network: $network})
OPTIONAL MATCH (f)-[:ABOUT]->(a:Server)
WITH f, collect(a.name) AS names
ORDER BY CASE f.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, f.line, f.kind, f.message
WITH f.file AS file, collect(f) AS found, collect(names) AS names
RETURN file, size([f IN found WHERE f.severity = 'error']) AS errors, size([f IN found WHERE f.severity = 'warning']) AS warnings,
  size([f IN found WHERE f.severity = 'info']) AS infos, found[0].message AS first, found[0].line AS line,
  COLLECT { UNWIND names AS some UNWIND some AS name RETURN DISTINCT name ORDER BY name } AS servers
ORDER BY errors DESC, warnings DESC, infos DESC, file
