// write_places
// What: the places where guards stand, of one batch: which line of which server sets one, for which of its links.
// Parameters: publish, rows [{network, system, guard (its number), server (its name), topic, direction, neighbour, file, line, column}]
// Needs: Neo4j 5.7
// (:Server)-[:SETS {topic, direction, neighbour, file, line}]->(:Guard)
UNWIND $rows AS row
WITH row, row.network + '/' + row.system + '/' AS graph
MATCH (s:Server {publish: $publish, key: graph + 'server/' + row.server})
MATCH (g:Guard {publish: $publish, key: graph + 'guard/' + row.guard})
MERGE (s)-[p:SETS {publish: $publish, key: graph + row.guard + '/' + row.server + '/' + row.direction + '/' + row.neighbour + '/' + row.topic
  + '/' + row.file + ':' + row.line + ':' + row.column}]->(g)
ON CREATE SET p.topic = row.topic, p.direction = row.direction, p.neighbour = row.neighbour, p.file = row.file, p.line = row.line
