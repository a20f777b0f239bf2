// why-not
// What: the routes at which messages from one server end on their way to another that they do not reach, and why; no guard applied.
//   All such routes, also those that do not lead on towards that server.
//   On a network that is not legal the shortest walks are looked at.
// Ask: topograph cypher why-not --param network=NAME --param from=SERVER --param to=SERVER
// Parameters: network, from, to
// Returns: server, to (the end of the route not taken), zone, why, file, line. One row that says so where nothing stops a message
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {not_onward})   (:Server)-[:ROUTE {condition}]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
MATCH (b:Server {publish: s.publish, network: $network})
WHERE b.name IN [$to, split($to, ':')[-1]] AND $to IN [b.name, b.system + ':' + b.name]
CALL (a) {
  // Every server that is reached, with the point that a message arrives at first.
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.loaded
  MATCH p = (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down))+ (last:Point)
  WITH last, min(length(p)) AS hops
  ORDER BY hops, last.n
  WITH last.server_n AS n, collect(last)[0] AS last
  RETURN collect({n: n, last: last}) AS reached
}
WITH a, b, reached, [each IN reached | each.n] + [a.n] AS numbers
CALL (a, b, reached, numbers) {
  WITH a, b, reached, numbers
  WHERE a.system <> b.system
  RETURN a.name AS server, b.name AS to, '' AS zone, 'they are of different systems, and no route leads from one to the other' AS why, '' AS file, 0 AS line
  UNION ALL
  WITH a, b, reached, numbers
  WHERE a.system = b.system AND b.n IN numbers
  RETURN a.name AS server, b.name AS to, '' AS zone, 'nothing: a message gets there (topograph cypher hops)' AS why, '' AS file, 0 AS line
  UNION ALL
  WITH a, b, reached, numbers
  WHERE a.system = b.system AND NOT b.n IN numbers
  UNWIND reached + [{n: a.n, last: null}] AS each
  MATCH (here:Server {publish: a.publish, number: a.network + '/' + a.system + '/' + each.n})-[r:ROUTE]->(there:Server)
  WHERE NOT there.n IN numbers AND there.loaded
  RETURN here.name AS server, there.name AS to, r.zone AS zone, CASE
    WHEN r.down THEN r.condition
    WHEN each.last.zone = r.zone AND each.last.zone_type = '1hop' THEN 'it came over 1hop zone ' + r.zone + ': ' + each.last.not_onward
    ELSE 'not decided by zones' END AS why, r.file AS file, r.line AS line
}
RETURN server, to, zone, why, file, line
ORDER BY server, to, zone
