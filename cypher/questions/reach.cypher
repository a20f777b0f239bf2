// reach
// What: the servers that a message published at a server can get to, any message (guards not applied), with hops.
// Ask: topograph cypher reach --param network=NAME --param from=SERVER
// Parameters: network, from
// Needs: Neo4j 5.9
// (:Network)-[:CURRENT]->(:Snapshot)<-[:IN]-(:Server)<-[:AT]-(:Point)-[:FORWARDS]->(:Point)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(:Server {network: $network, name: $from})<-[:AT]-(a:Point {kind: 'origin'})
MATCH p = (a) ((:Point)-[:FORWARDS]->(:Point))+ (b)
WITH b, min(length(p)) AS hops
RETURN b.server AS server, min(hops) AS hops
ORDER BY hops, server
