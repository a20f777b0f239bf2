// write_relations
// What: how servers, destinations and objects of one batch hang together; all are written before.
// Parameters: publish, rows [{type, from, to (keys), own (tells several between the same ends apart), values (properties)}]
// Needs: Neo4j 5.23
// (:Destination)-[:LEADS_TO]->(:Destination)   (:File)-[:CONFIGURES]->(:Server|Destination|Object)   (:Owner)-[:OWNS]->(:Server)   ...
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Object {publish: $publish, key: row.from}) RETURN n AS a
  UNION ALL
  MATCH (n:Destination {publish: $publish, key: row.from}) RETURN n AS a
  UNION ALL
  MATCH (n:Server {publish: $publish, key: row.from}) RETURN n AS a
}
CALL (row) {
  MATCH (n:Destination {publish: $publish, key: row.to}) RETURN n AS b
  UNION ALL
  MATCH (n:Object {publish: $publish, key: row.to}) RETURN n AS b
  UNION ALL
  MATCH (n:Server {publish: $publish, key: row.to}) RETURN n AS b
}
FOREACH (_ IN CASE row.type WHEN 'ABOUT' THEN [1] ELSE [] END |
  MERGE (a)-[r:ABOUT {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'CONNECTS_TO' THEN [1] ELSE [] END |
  MERGE (a)-[r:CONNECTS_TO {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'CONFIGURES' THEN [1] ELSE [] END |
  MERGE (a)-[r:CONFIGURES {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'DEAD_LETTERS_TO' THEN [1] ELSE [] END |
  MERGE (a)-[r:DEAD_LETTERS_TO {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'DELIVERS_TO' THEN [1] ELSE [] END |
  MERGE (a)-[r:DELIVERS_TO {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'LEADS_TO' THEN [1] ELSE [] END |
  MERGE (a)-[r:LEADS_TO {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'MEDIATED_BY' THEN [1] ELSE [] END |
  MERGE (a)-[r:MEDIATED_BY {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'MEMBER_OF' THEN [1] ELSE [] END |
  MERGE (a)-[r:MEMBER_OF {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'OF_CLUSTER' THEN [1] ELSE [] END |
  MERGE (a)-[r:OF_CLUSTER {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'OWNS' THEN [1] ELSE [] END |
  MERGE (a)-[r:OWNS {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'READS' THEN [1] ELSE [] END |
  MERGE (a)-[r:READS {publish: $publish, own: row.own}]->(b) SET r += row.values)
FOREACH (_ IN CASE row.type WHEN 'SUBSCRIBES_TO' THEN [1] ELSE [] END |
  MERGE (a)-[r:SUBSCRIBES_TO {publish: $publish, own: row.own}]->(b) SET r += row.values)
