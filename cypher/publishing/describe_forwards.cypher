// describe_forwards
// What: the channels of forwards of one batch, which are written before; written again they stay the same.
// Parameters: publish, rows [{key, channel}]
// Needs: Neo4j 5.7
// (:Point)-[:FORWARDS {channel}]->(:Point)
UNWIND $rows AS row
MATCH (:Point)-[f:FORWARDS {publish: $publish, key: row.key}]->(:Point)
SET f.channel = row.channel
