// hop-matrix
// What: the hops between all pairs of servers, any message (no guard applied); one walk a server (4 s at 1,000 servers).
//   On a network that is not legal a server may be reached over a walk that comes round to itself; then its hops are null.
// Ask: topograph cypher hop-matrix --param network=NAME
// Parameters: network
// Returns: from, to, system, hops, later (messages wait on every way, as before a suspended route; else such a way does not count). A pair that
//   is not certainly connected has no row, nor one over a route that may not come up
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS]->(:Point)-[:FORWARDS]->(:Point {ends})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IS NOT NULL AND a.loaded
CALL (a) {
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  MATCH p = (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down))+ (last:Point)
  WITH a, start, last, min(length(p)) AS hops
  WHERE last.ends
  WITH a, last.server AS server, collect({start: start, last: last, hops: hops}) AS ways
  WITH collect({server: server, ways: ways}) AS servers, max(size(ways)) > 1 OR max(CASE server WHEN a.name THEN 1 ELSE 0 END) = 1 AS twice
  CALL (a, servers, twice) {
    // Nothing is entered twice: every walk is a path.
    UNWIND CASE WHEN twice THEN [] ELSE servers END AS each
    RETURN each.server AS to, each.ways[0].hops AS hops
    UNION ALL
    // Else the shortest walk to each point that enters the two ends once counts, where it enters no server twice.
    UNWIND CASE WHEN twice THEN servers ELSE [] END AS each
    UNWIND each.ways AS way
    WITH a, each, way, way.start AS start, way.last AS last
    WHERE each.server <> a.name
    MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
    WHERE all(f IN relationships(p) WHERE endNode(f).loaded AND NOT endNode(f).down
      AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
    WITH each.server AS to, length(p) AS hops, COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p)) AS simple
    WITH to, min(CASE WHEN simple THEN hops END) AS hops, min(CASE WHEN simple THEN null ELSE hops END) AS round
    WHERE hops IS NOT NULL
    RETURN to, CASE WHEN round < hops THEN null ELSE hops END AS hops
  }
  RETURN collect({to: to, hops: hops}) AS found
}
CALL (a) {
  // At once: over routes before which nothing waits, on a walk that enters no server twice.
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.waiting_routes
  MATCH (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down AND NOT y.waits))+ (last:Point)
  WHERE last.ends AND last.server_n <> a.n
  WITH DISTINCT start, last
  MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
  WHERE all(f IN relationships(p) WHERE endNode(f).loaded AND NOT endNode(f).down AND NOT endNode(f).waits
    AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
  WITH last, p
  WHERE COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p))
  WITH last.server AS to, min(length(p)) AS hops
  RETURN collect({to: to, hops: hops}) AS now
}
UNWIND found AS each
WITH a, each.to AS to, each.hops AS shortest, [one IN now WHERE one.to = each.to | one.hops][0] AS at_once
WITH a, to, coalesce(at_once, shortest) AS hops, coalesce(a.waiting_routes, false) AND at_once IS NULL AS later
RETURN a.name AS from, to, a.system AS system, hops, later
ORDER BY from, system, to
