// single-points-of-failure
// What: per server and per route, how many ordered pairs of other servers lose their only path with it, any message, all routes up; worst first.
//   A path in a legal network is the only one of its ends, and nothing is routed round a failure: these are not the cuts of an undirected graph.
//   Two walks a server and one a point, up to 1,000 servers.
// Ask: topograph cypher single-points-of-failure --param network=NAME
// Parameters: network
// Returns: kind (server, route; network for the one row of a network that is not counted), failed, pairs (empty there), note (why it is not counted)
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS]->(:Point {ends})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
CALL (s) {
  MATCH (a:Server {publish: s.publish, network: $network})
  WHERE a.loaded AND EXISTS { (a)<-[:AT]-(x:Point {starts: true})-[:FORWARDS]->(y:Point) WHERE y.zone <> '' }
  RETURN collect(a) AS servers
}
CALL (servers) {
  UNWIND CASE WHEN size(servers) > 1000 THEN [] ELSE servers END AS a
  CALL (a) {
    MATCH (a)<-[:AT]-(start:Point {starts: true})
    MATCH (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down AND y.zone <> ''))+ (last:Point)
    WITH DISTINCT a, last
    WITH a, last.server_n AS n, count(*) AS arrivals
    WHERE arrivals > 1 OR n = a.n
    RETURN count(*) AS doubled
  }
  RETURN sum(doubled) AS doubled
}
CALL (servers, doubled) {
  UNWIND CASE
    WHEN size(servers) > 1000 THEN ['more than 1,000 servers: use topograph impact --sweep']
    WHEN doubled > 0 THEN ['the routes are not legal, so that some servers are reached over several paths: topograph cycles lists them']
    ELSE []
  END AS note
  RETURN 'network' AS kind, $network AS failed, null AS pairs, note
  UNION ALL
  // A path goes over a point if it begins with one that gets there and goes on with one that leads away.
  UNWIND CASE WHEN size(servers) > 1000 OR doubled > 0 THEN [] ELSE servers END AS a
  CALL (a) {
    MATCH (a)<-[:AT]-(start:Point {starts: true})
    MATCH (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down AND y.zone <> ''))+ (last:Point)
    RETURN DISTINCT last
  }
  WITH last, count(*) AS origins
  CALL (last) {
    MATCH (last) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down AND y.zone <> ''))+ (next:Point)
    RETURN count(DISTINCT next) AS beyond
  }
  UNWIND [
    {kind: 'server', failed: last.server, pairs: origins * beyond},
    {kind: 'route', pairs: origins * (beyond + 1),
      failed: CASE WHEN last.server < last.came_from THEN last.server + '-' + last.came_from ELSE last.came_from + '-' + last.server END}
  ] AS each
  WITH each.kind AS kind, each.failed AS failed, sum(each.pairs) AS pairs
  WHERE pairs > 0
  RETURN kind, failed, pairs, null AS note
}
RETURN kind, failed, pairs, note
ORDER BY pairs DESC, kind, failed
