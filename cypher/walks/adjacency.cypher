// adjacency
// What: the open forwards between given points: a row a point that has any, its successors in ascending order.
// Parameters: publish, frontier (keys of the points), among (their numbers), guards, holding, servers, points (numbers)
// Needs: Neo4j 5.9
// (:Point)-[:FORWARDS]->(:Point)
UNWIND $frontier AS key
MATCH (x:Point {publish: $publish, key: key})-[f:FORWARDS WHERE none(g IN f.guards WHERE (g IN $guards) <> $holding)]->
  (y:Point WHERE NOT y.server_n IN $servers AND NOT y.n IN $points)
WHERE y.n IN $among
WITH x, y ORDER BY y.n
RETURN x.n AS n, collect(y.n) AS successors
