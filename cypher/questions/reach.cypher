// reach
// What: the servers that a message published at a server can get to by routes and zones, any message (no guard applied), with hops.
//   On a network that is not legal a server may be reached over a walk that comes round to itself; then its hops are null.
// Ask: topograph cypher reach --param network=NAME --param from=SERVER
// Parameters: network, from
// Returns: server, system, hops, reached (true; 'later' where messages wait on the way there, as before a suspended route; or 'unknown' where
//   the loaded files, or the walks of a network that is not legal, do not decide it). A server that is certainly not reached has no row
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS]->(:Point)-[:FORWARDS]->(:Point {ends})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
CALL (s, a) {
  // Certain: over loaded servers and routes that are not down.
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.loaded
  MATCH p = (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down))+ (last:Point)
  WITH a, start, last, min(length(p)) AS hops
  WHERE last.ends
  WITH a, last.server_n AS n, collect({start: start, last: last, hops: hops}) AS ways
  WITH collect({n: n, ways: ways}) AS servers, max(size(ways)) > 1 OR max(CASE n WHEN a.n THEN 1 ELSE 0 END) = 1 AS twice
  CALL (a, servers, twice) {
    // Nothing is entered twice: every walk is a path.
    UNWIND CASE WHEN twice THEN [] ELSE servers END AS each
    RETURN each.n AS n, each.ways[0].hops AS hops, true AS sure
    UNION ALL
    // Else the shortest walk to each point that enters the two ends once counts, where it enters no server twice.
    UNWIND CASE WHEN twice THEN servers ELSE [] END AS each
    UNWIND each.ways AS way
    WITH a, each, way, way.start AS start, way.last AS last
    WHERE each.n <> a.n
    MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
    WHERE all(f IN relationships(p) WHERE endNode(f).loaded AND NOT endNode(f).down
      AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
    WITH each.n AS n, length(p) AS hops, COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p)) AS simple
    WITH n, min(CASE WHEN simple THEN hops END) AS hops, min(CASE WHEN simple THEN null ELSE hops END) AS round
    RETURN n, CASE WHEN round < hops THEN null ELSE hops END AS hops, hops IS NOT NULL AS sure
  }
  RETURN n, hops, sure
  UNION ALL
  // In doubt: over a route of which a finding leaves open whether it comes up.
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.loaded AND a.open_routes
  MATCH (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND (NOT y.down OR y.open IS NOT NULL)))+ (last:Point)
  WITH DISTINCT a, last.server_n AS n, last.ends AS ends
  WHERE ends AND n <> a.n
  RETURN n, null AS hops, false AS sure
  UNION ALL
  // In doubt: a server that is not loaded, or in touch with one that may have routes of its own.
  MATCH (b:Server {publish: s.publish, network: a.network, system: a.system})
  WHERE b.name IS NOT NULL AND b <> a AND NOT coalesce(a.cut_off OR b.cut_off, false) AND (NOT a.loaded OR NOT b.loaded OR a.doubt <> '' OR b.doubt <> '')
    AND (NOT a.loaded OR EXISTS { (a)<-[:AT]-(x:Point) WHERE x.starts OR x.ends })
    AND (NOT b.loaded OR EXISTS { (b)<-[:AT]-(x:Point) WHERE x.starts OR x.ends })
  RETURN b.n AS n, null AS hops, false AS sure
}
WITH s, a, n, min(hops) AS hops, max(CASE WHEN sure THEN 1 ELSE 0 END) AS sure
WITH s, a, collect({n: n, hops: hops, sure: sure}) AS found
CALL (a) {
  // At once: over routes before which nothing waits, on a walk that enters no server twice.
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a.loaded AND a.waiting_routes
  MATCH (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down AND NOT y.waits))+ (last:Point)
  WHERE last.ends AND last.server_n <> a.n
  WITH DISTINCT start, last
  MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
  WHERE all(f IN relationships(p) WHERE endNode(f).loaded AND NOT endNode(f).down AND NOT endNode(f).waits
    AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
  WITH last, p
  WHERE COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p))
  WITH last.server_n AS n, min(length(p)) AS hops
  RETURN collect({n: n, hops: hops}) AS now
}
UNWIND found AS each
WITH s, a, each.n AS n, each.sure AS sure, each.hops AS shortest, [one IN now WHERE one.n = each.n | one.hops][0] AS at_once
WITH s, a, n, sure, coalesce(at_once, shortest) AS hops, a.waiting_routes AND at_once IS NULL AS waits
MATCH (b:Server {publish: s.publish, number: a.network + '/' + a.system + '/' + n})
RETURN b.name AS server, b.system AS system, hops, CASE WHEN sure = 0 THEN 'unknown' WHEN waits THEN 'later' ELSE true END AS reached
ORDER BY hops, server
