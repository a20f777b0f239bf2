// channel-down
// What: the pairs of servers whose messages all go over one channel (or connection, bus link) at some hop: what one sends to the other stays behind while it is
//   down. It follows the steps that messages take now: topograph impact --fail channel:NAME works out which others they take then, and for which
//   destinations none is left. One walk a server.
// Ask: topograph cypher channel-down --param network=NAME --param channel=CHANNEL
// Parameters: network, channel
// Returns: from, system, to, to_system
// Needs: Neo4j 5.23
// (:Point)-[:FORWARDS {channel}]->(:Point)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)<-[:IN]-(a:Server {network: $network})<-[:AT]-(start:Point {starts: true, system: 'stepping'})
CALL (start) {
  MATCH (start) (()-[:FORWARDS]->())+ (last:Point)
  RETURN collect(DISTINCT last.server_n) AS before
}
CALL (start) {
  OPTIONAL MATCH (start) (()-[f:FORWARDS WHERE coalesce(f.channel, '') <> $channel]->())+ (last:Point)
  RETURN collect(DISTINCT last.server_n) AS after
}
WITH s, a, [n IN before WHERE NOT n IN after] AS lost
UNWIND lost AS n
MATCH (b:Server {publish: s.publish, number: $network + '/stepping/' + n})
WHERE b <> a
RETURN DISTINCT a.name AS from, a.system AS system, b.name AS to, b.system AS to_system
ORDER BY from, to, system, to_system
