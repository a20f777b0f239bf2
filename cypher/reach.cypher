// What: the servers that a message published at a server can get to, any message (guards not applied), with hops.
// Parameters: network, from
// Needs: Neo4j 5.9
// (:Network)-[:CURRENT]->(:Snapshot)<-[:IN]-(:Server)<-[:AT]-(:Point)-[:FORWARDS]->(:Point)-[:AT]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH p = (:Point {publish: s.publish, network: $network, server: $from, kind: 'origin'}) ((:Point)-[:FORWARDS]->(:Point))+ (b)
WITH b, min(length(p)) AS hops
RETURN b.server AS server, min(hops) AS hops
ORDER BY hops, server
