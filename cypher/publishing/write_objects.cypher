// write_objects
// What: what servers have beside destinations, files, owners and assumptions, of one batch, each with its own label and the label Object.
// Parameters: publish, rows [{key, label, at (the key of the server that has it, null: none), values (its properties)}]
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Object:Channel|Listener|Subscription|...)   (:Object:File)-[:IN]->(:Snapshot)
MATCH (snapshot:Snapshot {publish: $publish})
UNWIND $rows AS row
MERGE (n:Object {publish: $publish, key: row.key})
ON CREATE SET n += row.values
FOREACH (_ IN CASE row.label WHEN 'Subscription' THEN [1] ELSE [] END | SET n:Subscription)
FOREACH (_ IN CASE row.label WHEN 'Cluster' THEN [1] ELSE [] END | SET n:Cluster)
FOREACH (_ IN CASE row.label WHEN 'Channel' THEN [1] ELSE [] END | SET n:Channel)
FOREACH (_ IN CASE row.label WHEN 'Connection' THEN [1] ELSE [] END | SET n:Connection)
FOREACH (_ IN CASE row.label WHEN 'Listener' THEN [1] ELSE [] END | SET n:Listener)
FOREACH (_ IN CASE row.label WHEN 'Connector' THEN [1] ELSE [] END | SET n:Connector)
FOREACH (_ IN CASE row.label WHEN 'AutoLink' THEN [1] ELSE [] END | SET n:AutoLink)
FOREACH (_ IN CASE row.label WHEN 'LinkRoute' THEN [1] ELSE [] END | SET n:LinkRoute)
FOREACH (_ IN CASE row.label WHEN 'Mediation' THEN [1] ELSE [] END | SET n:Mediation)
FOREACH (_ IN CASE row.label WHEN 'File' THEN [1] ELSE [] END | SET n:File)
FOREACH (_ IN CASE row.label WHEN 'Owner' THEN [1] ELSE [] END | SET n:Owner)
FOREACH (_ IN CASE row.label WHEN 'Assumption' THEN [1] ELSE [] END | SET n:Assumption)
FOREACH (_ IN CASE row.label WHEN 'File' THEN [1] ELSE [] END | MERGE (n)-[:IN]->(snapshot))
WITH row, n WHERE row.at IS NOT NULL
MATCH (s:Server {publish: $publish, key: row.at})
MERGE (s)-[:DEFINES]->(n)
