// message-reach
// What: the servers that messages from any queue or destination of a server can get to, with hops, and whether that is certain or hangs on a choice
//   at run time or on what no loaded file decides. A server without a row is not reached, as far as the loaded files show.
// Ask: topograph cypher message-reach --param network=NAME --param from=SERVER
// Parameters: network, from
// Returns: server, system, hops (the fewest, of a certain way where there is one), certain (false: only by a choice at run time, later, or if what no file decides is so)
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS {guards}]->(:Point)   (:Guard {kind, n})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
MATCH (a)<-[:AT]-(start:Point {starts: true})
WITH s, a, start, COLLECT {
  MATCH (g:Guard {publish: s.publish, network: $network}) WHERE g.kind IN ['one_of', 'opaque', 'later', 'undecided'] AND g.system = start.system RETURN g.n
} AS chosen
CALL (start, chosen) {
  MATCH p = (start) (()-[f:FORWARDS WHERE none(g IN coalesce(f.guards, []) WHERE g IN chosen)]->())+ (last:Point)
  RETURN last.server_n AS n, min(length(p)) AS hops, true AS certain
  UNION ALL
  MATCH p = (start) (()-[:FORWARDS]->())+ (last:Point)
  RETURN last.server_n AS n, min(length(p)) AS hops, false AS certain
}
WITH s, a, start, n, collect({hops: hops, certain: certain}) AS ways
WITH s, a, start, n, ways, [way IN ways WHERE way.certain | way.hops] AS sure
MATCH (b:Server {publish: s.publish, number: $network + '/' + start.system + '/' + n})
WHERE b <> a
RETURN b.name AS server, b.system AS system, coalesce(sure[0], ways[0].hops) AS hops, size(sure) > 0 AS certain
ORDER BY hops, server, system
