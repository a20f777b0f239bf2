// walk_back
// What: the points from which one point can be reached over open forwards, with the least number of hops; points whose own guards are
//   closed may be among them. One row a hop count. A guard is closed if it is in $guards, or, where $holding, if it is not.
//   Whether the publishing run is still published is looked up after everything else was read.
// Parameters: publish, start (key of the point), guards, holding, servers, points (numbers)
// Needs: Neo4j 5.9 (quantified path patterns)
// (:Point)<-[:FORWARDS]-(:Point)<-[:FORWARDS]-(:Point)
MATCH p = (:Point {publish: $publish, key: $start})
  ((x)<-[f:FORWARDS WHERE none(g IN f.guards WHERE (g IN $guards) <> $holding)]-
   (y WHERE NOT y.server_n IN $servers AND NOT y.n IN $points))+ (b)
WITH b, min(length(p)) AS hops
WITH hops, collect(b.n) AS points
RETURN hops, points, EXISTS { MATCH (:Snapshot {publish: $publish, state: 'published'}) } AS published
