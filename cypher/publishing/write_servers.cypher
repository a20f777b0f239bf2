// write_servers
// What: servers of one batch.
// Parameters: publish, rows [{network, system (of the graph), n, name, runs (its system), loaded, incomplete, open_ended, file, line, column}]
// Needs: Neo4j 5.7
// (:Server)-[:IN]->(:Snapshot)
MATCH (snapshot:Snapshot {publish: $publish})
UNWIND $rows AS row
WITH snapshot, row, CASE WHEN row.runs = row.system THEN row.name ELSE row.runs + ':' + row.name END AS name
MERGE (s:Server {publish: $publish, key: row.network + '/' + row.system + '/server/' + name})
ON CREATE SET s.number = row.network + '/' + row.system + '/' + row.n, s.network = row.network, s.system = row.runs, s.n = row.n,
  s.name = row.name, s.loaded = row.loaded, s.incomplete = row.incomplete, s.open_ended = row.open_ended,
  s.file = row.file, s.line = row.line
MERGE (s)-[:IN]->(snapshot)
