// write_tables
// What: parts of the snapshot's own tables: what -s neo4j:ID is answered from.
// Parameters: publish, rows [{network, system, name, partition, part, arrow}]
// Needs: Neo4j 5.7
// (:Snapshot)-[:HAS]->(:Table {network, system, name, partition, part, arrow})
MATCH (s:Snapshot {publish: $publish})
UNWIND $rows AS row
MERGE (t:Table {publish: $publish, key: row.network + '/' + row.system + '/' + row.name + '/' + row.partition + '/' + row.part})
ON CREATE SET t.network = row.network, t.system = row.system, t.name = row.name, t.partition = row.partition, t.part = row.part,
  t.arrow = row.arrow
MERGE (s)-[:HAS]->(t)
