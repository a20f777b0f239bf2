// step_back
// What: the points that have an open forward into any point of a frontier: one level of a walk back from many targets.
// Parameters: publish, frontier (keys of points), guards, holding, servers, points (numbers)
// Needs: Neo4j 5.9
// (:Point)<-[:FORWARDS]-(:Point)
UNWIND $frontier AS key
MATCH (:Point {publish: $publish, key: key})<-[f:FORWARDS WHERE none(g IN f.guards WHERE (g IN $guards) <> $holding)]-
  (y:Point WHERE NOT y.server_n IN $servers AND NOT y.n IN $points)
WITH DISTINCT y.n AS n
RETURN collect(n) AS points
