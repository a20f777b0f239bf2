// hops
// What: how many routes a message from one server to another crosses, any message (no guard applied), and over which servers and zones.
// Ask: topograph cypher hops --param network=NAME --param from=SERVER --param to=SERVER
// Parameters: network, from, to
// Returns: from, to, reached (true; 'later' where messages wait on every way, as before a suspended route; false; or 'unknown' where the
//   loaded files, or the walks of a network that is not legal, do not decide it), hops, path (servers, first to last), zones (of each hop),
//   cost. A way on which messages wait counts only where there is no other. Always one row
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS]->(:Point {ends})-[:AT]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
MATCH (b:Server {publish: s.publish, network: $network})
WHERE b.name IN [$to, split($to, ':')[-1]] AND $to IN [b.name, b.system + ':' + b.name]
CALL (a, b) {
  // The arrivals at the other server that a walk over loaded servers and routes that are not down gets to.
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.loaded AND a <> b AND a.system = b.system
  MATCH p = (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down))+ (last:Point)
  WITH b, start, last, min(length(p)) AS hops
  WHERE last.ends AND last.server_n = b.n
  // The shortest walk to each that enters the two ends once counts, where it enters no server twice.
  MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
  WHERE all(f IN relationships(p) WHERE endNode(f).loaded AND NOT endNode(f).down
      AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
  WITH last, length(p) AS hops, p, COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p)) AS simple
  ORDER BY hops, last.n
  WITH collect(CASE WHEN simple THEN {hops: hops, path: [y IN nodes(p) | y.server], zones: [y IN tail(nodes(p)) | y.zone],
    cost: reduce(cost = 0, f IN relationships(p) | cost + f.cost)} END) AS ways, min(CASE WHEN simple THEN null ELSE hops END) AS round
  RETURN ways[0] AS shortest, round
}
CALL (a, b) {
  // The same over routes before which nothing waits.
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.loaded AND a.waiting_routes AND a <> b AND a.system = b.system
  MATCH (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down AND NOT y.waits))+ (last:Point)
  WHERE last.ends AND last.server_n = b.n
  WITH DISTINCT start, last
  MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
  WHERE all(f IN relationships(p) WHERE endNode(f).loaded AND NOT endNode(f).down AND NOT endNode(f).waits
      AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
  WITH last, length(p) AS hops, p, COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p)) AS simple
  ORDER BY hops, last.n
  WITH collect(CASE WHEN simple THEN {hops: hops, path: [y IN nodes(p) | y.server], zones: [y IN tail(nodes(p)) | y.zone],
    cost: reduce(cost = 0, f IN relationships(p) | cost + f.cost)} END) AS ways, min(CASE WHEN simple THEN null ELSE hops END) AS round_now
  RETURN ways[0] AS now, round_now
}
CALL (a, b) {
  // Whether a route of which a finding leaves open whether it comes up could lead there.
  OPTIONAL MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.loaded AND a.open_routes AND a <> b AND a.system = b.system
  OPTIONAL MATCH (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND (NOT y.down OR y.open IS NOT NULL)))+ (last:Point)
  WHERE last.ends AND last.server_n = b.n
  RETURN count(last) > 0 AS perhaps
}
WITH a, b, CASE WHEN a = b THEN {hops: 0, path: [a.name], zones: [], cost: 0} ELSE coalesce(now, shortest) END AS way,
  CASE WHEN now IS NULL THEN round ELSE round_now END AS round, a.waiting_routes AND a <> b AND now IS NULL AS waits,
  perhaps OR NOT coalesce(a.cut_off OR b.cut_off, false) AND (NOT a.loaded OR NOT b.loaded OR a.doubt <> '' OR b.doubt <> '')
    AND (NOT a.loaded OR EXISTS { (a)<-[:AT]-(x:Point) WHERE x.starts OR x.ends })
    AND (NOT b.loaded OR EXISTS { (b)<-[:AT]-(x:Point) WHERE x.starts OR x.ends }) AS doubt
RETURN a.name AS from, b.name AS to, CASE WHEN way IS NOT NULL THEN CASE WHEN waits THEN 'later' ELSE true END WHEN round IS NOT NULL OR doubt THEN 'unknown' ELSE false END AS reached,
  CASE WHEN round < way.hops THEN null ELSE way.hops END AS hops, way.path AS path, way.zones AS zones, way.cost AS cost
