// current_snapshots
// What: every network that has a current snapshot, with its publishing run, schema (1: by a version that did not say) and servers.
// Needs: Neo4j 5.7
MATCH (n:Network)-[:CURRENT]->(s:Snapshot)
RETURN n.name AS network, s.id AS id, s.publish AS publish, coalesce(s.schema, 1) AS schema,
  COUNT { (s)<-[:IN]-(:Server {network: n.name}) } AS servers
ORDER BY network
