// walks
// What: the points reachable over open forwards from each of many points alone, with the least number of hops: a walk a start, many starts
//   a statement. One row a start and hop count. A guard is closed if it is in $guards, or, where $holding, if it is not.
// Parameters: publish, starts (keys of points), guards, holding, servers, points (numbers)
// Needs: Neo4j 5.23
// (:Point)-[:FORWARDS]->(:Point)-[:FORWARDS]->(:Point)
UNWIND $starts AS key
MATCH (a:Point {publish: $publish, key: key})
CALL (a) {
  MATCH p = (a) ((x)-[f:FORWARDS WHERE none(g IN f.guards WHERE (g IN $guards) <> $holding)]->
    (y WHERE NOT y.server_n IN $servers AND NOT y.n IN $points))+ (b)
  WITH b, min(length(p)) AS hops
  RETURN hops, collect(b.n) AS points
}
RETURN a.n AS start, hops, points
