// why-not
// What: the routes at which messages from one server end on their way to another that they do not reach, and why; no guard applied.
//   Of these the routes from which others lead on to that server, past no server that a message gets to.
//   On a network that is not legal the shortest walks are looked at.
// Ask: topograph cypher why-not --param network=NAME --param from=SERVER --param to=SERVER
// Parameters: network, from, to
// Returns: server, to (the end of the route not taken), zone, why, file, line. One row that says so where nothing stops a message, or no route leads on
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
CALL (b, numbers) {
  // Every server from which routes lead on to the other one, whatever crosses them.
  MATCH (b) (()<-[:ROUTE]-(y:Server WHERE NOT y.n IN numbers))* (x:Server)
  RETURN collect(DISTINCT x.n) AS leading
}
CALL (a, b, reached, numbers, leading) {
  WITH a, b, reached, numbers
  WHERE a.system <> b.system
  RETURN a.name AS server, b.name AS to, '' AS zone, 'they are of different systems, and no route leads from one to the other' AS why, '' AS file, 0 AS line
  UNION ALL
  WITH a, b, reached, numbers
  WHERE a.system = b.system AND b.n IN numbers
  RETURN a.name AS server, b.name AS to, '' AS zone, 'nothing: a message gets there (topograph cypher hops)' AS why, '' AS file, 0 AS line
  UNION ALL
  WITH a, b, reached, numbers, leading
  WHERE a.system = b.system AND NOT b.n IN numbers
  CALL (a, reached, numbers, leading) {
    UNWIND reached + [{n: a.n, last: null}] AS each
    MATCH (here:Server {publish: a.publish, number: a.network + '/' + a.system + '/' + each.n})-[r:ROUTE]->(there:Server)
    WHERE NOT there.n IN numbers AND there.n IN leading AND there.loaded
    RETURN collect({here: here, there: there, r: r, last: each.last}) AS ended
  }
  UNWIND CASE ended WHEN [] THEN [null] ELSE ended END AS each
  WITH a, b, each, each.here AS here, each.there AS there, each.r AS r, each.last AS last
  RETURN coalesce(here.name, a.name) AS server, coalesce(there.name, b.name) AS to, coalesce(r.zone, '') AS zone, CASE
    WHEN each IS NULL THEN 'no route leads on to it from the servers that a message gets to'
    WHEN r.down THEN r.condition
    WHEN last.zone = r.zone AND last.zone_type = '1hop' THEN 'it came over 1hop zone ' + r.zone + ': ' + last.not_onward
    ELSE 'not decided by zones' END AS why, coalesce(r.file, '') AS file, coalesce(r.line, 0) AS line
}
RETURN server, to, zone, why, file, line
ORDER BY server, to, zone
