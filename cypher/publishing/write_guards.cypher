// write_guards
// What: guards of one batch; a FORWARDS names its guards by n.
// Parameters: publish, rows [{network, system, n, id, kind, text, payload, file, line, column}]
// Needs: Neo4j 5.7
// (:Guard {id, kind, text, n})
UNWIND $rows AS row
MERGE (g:Guard {publish: $publish, key: row.network + '/' + row.system + '/guard/' + row.n})
ON CREATE SET g.network = row.network, g.system = row.system, g.n = row.n, g.id = row.id, g.kind = row.kind, g.text = row.text,
  g.file = row.file, g.line = row.line
