// hop-matrix
// What: the hops between all pairs of servers, any message (no guard applied); one walk a server (4 s at 1,000 servers).
//   On a network that is not legal a server may be reached over a walk that comes round to itself; then its hops are null.
// Ask: topograph cypher hop-matrix --param network=NAME
// Parameters: network
// Returns: from, to, system, hops. A pair that is not certainly connected has no row, nor one over a route that may not come up
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
  RETURN to, hops
}
RETURN a.name AS from, to, a.system AS system, hops
ORDER BY from, system, to
