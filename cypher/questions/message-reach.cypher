// message-reach
// What: the servers that messages from any queue or destination of a server can get to, with hops, and whether that is certain or hangs on a choice
//   at run time or on what no loaded file decides. A server without a row is not reached, as far as the loaded files show.
// Ask: topograph cypher message-reach --param network=NAME --param from=SERVER
// Parameters: network, from
// Returns: server, system, hops (the fewest, of a certain way where there is one, else of one on which messages only wait), certain (false: only by a
//   choice at run time, later, or if what no file decides is so), later (messages wait on the way until something happens)
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS {guards}]->(:Point)   (:Guard {kind, n})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
MATCH (a)<-[:AT]-(start:Point {starts: true})
WITH s, a, start, COLLECT {
  MATCH (g:Guard {publish: s.publish, network: $network}) WHERE g.kind IN ['one_of', 'opaque', 'later', 'undecided'] AND g.system = start.system
  RETURN {n: g.n, waits: g.kind = 'later'}
} AS at_run_time
WITH s, a, start, [g IN at_run_time | g.n] AS chosen, [g IN at_run_time WHERE NOT g.waits | g.n] AS not_waiting
CALL (start, chosen, not_waiting) {
  MATCH p = (start) (()-[f:FORWARDS WHERE none(g IN coalesce(f.guards, []) WHERE g IN chosen)]->())+ (last:Point)
  RETURN last.server_n AS n, min(length(p)) AS hops, 'yes' AS told
  UNION ALL
  MATCH p = (start) (()-[f:FORWARDS WHERE none(g IN coalesce(f.guards, []) WHERE g IN not_waiting)]->())+ (last:Point)
  WHERE chosen <> not_waiting
  RETURN last.server_n AS n, min(length(p)) AS hops, 'later' AS told
  UNION ALL
  MATCH p = (start) (()-[:FORWARDS]->())+ (last:Point)
  RETURN last.server_n AS n, min(length(p)) AS hops, 'perhaps' AS told
}
WITH s, a, start, n, collect({hops: hops, told: told}) AS ways
WITH s, a, start, n, [told IN ['yes', 'later', 'perhaps'] | [way IN ways WHERE way.told = told][0]] AS ways
WITH s, a, start, n, coalesce(ways[0], ways[1], ways[2]) AS way
MATCH (b:Server {publish: s.publish, number: $network + '/' + start.system + '/' + n})
WHERE b <> a
RETURN b.name AS server, b.system AS system, way.hops AS hops, way.told = 'yes' AS certain, way.told = 'later' AS later
ORDER BY hops, server, system
