// write_bridges
// What: bridges of one batch, between destinations that are written before.
// Parameters: publish, rows [{network, system, server, source_type, source_name, target_type, target_name, selector, file, line}]
// Needs: Neo4j 5.7
// (:Destination)-[:BRIDGES_TO {selector}]->(:Destination)
UNWIND $rows AS row
WITH row, row.network + '/' + row.system + '/' AS graph
MATCH (a:Destination {publish: $publish, key: graph + row.source_type + '/' + row.server + '/' + row.source_name})
MATCH (b:Destination {publish: $publish, key: graph + row.target_type + '/' + row.server + '/' + row.target_name})
MERGE (a)-[r:BRIDGES_TO {publish: $publish, selector: row.selector}]->(b)
ON CREATE SET r.file = row.file, r.line = row.line
