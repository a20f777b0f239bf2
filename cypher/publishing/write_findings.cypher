// write_findings
// What: findings of one batch, and what they are about: servers, and destinations defined at the finding's own line.
// Parameters: publish, rows [{network, n, kind, severity, rule, message, excerpt, server, file, line, about (keys of servers), in (the key of its file)}]
// Needs: Neo4j 5.23
// (:Snapshot)-[:HAS_FINDING]->(:Finding)-[:ABOUT]->(:Server|Destination)   (:Finding)-[:IN_FILE]->(:File)
MATCH (snapshot:Snapshot {publish: $publish})
UNWIND $rows AS row
MERGE (f:Finding {publish: $publish, key: row.network + '/finding/' + row.n})
ON CREATE SET f.network = row.network, f.kind = row.kind, f.severity = row.severity, f.rule = row.rule, f.message = row.message,
  f.excerpt = row.excerpt, f.server = row.server, f.file = row.file, f.line = row.line
MERGE (snapshot)-[:HAS_FINDING]->(f)
WITH row, f
CALL (row, f) {
  MATCH (file:Object {publish: $publish, key: row.in})
  MERGE (f)-[:IN_FILE]->(file)
}
CALL (row, f) {
  UNWIND row.about AS key
  MATCH (s:Server {publish: $publish, key: key})
  MERGE (f)-[:ABOUT]->(s)
  WITH row, f, s
  OPTIONAL MATCH (s)-[:DEFINES]->(d:Destination {file: row.file, line: row.line})
  FOREACH (_ IN CASE WHEN d IS NULL OR row.line = 0 THEN [] ELSE [1] END | MERGE (f)-[:ABOUT]->(d))
}
