// multi-path-cycles
// What: the servers that would hold the name of another over two or more neighbours, all configured routes taken as up.
//   One walk a server: 3 s at 1,000 servers, 3 minutes at 10,000. An empty table: the routes are legal.
// Ask: topograph cypher multi-path-cycles --param network=NAME
// Parameters: network
// Returns: server, owner (of the name), via (neighbours), paths (from owner to server, one a neighbour), verdict: 'doubled', or 'undecided' where
//   the shortest walk to a neighbour's route comes round to itself (topograph cycles decides it)
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS]->(:Point)-[:FORWARDS]->(:Point {ends})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IS NOT NULL
CALL (a) {
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  MATCH (start) (()-[:FORWARDS]->(:Point))+ (last:Point)
  WITH DISTINCT a, start, last
  WHERE last.ends AND last.server_n <> a.n
  WITH start, last.server AS server, collect(last) AS lasts
  WHERE size(lasts) > 1
  UNWIND lasts AS last
  MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
  WHERE all(f IN relationships(p) WHERE endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n])
  WITH server, last, p, COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p)) AS simple
  ORDER BY last.came_from
  WITH server, count(*) AS arrivals, collect(CASE WHEN simple THEN {via: last.came_from, path: [y IN nodes(p) | y.server]} END) AS ways
  WHERE arrivals > 1
  RETURN server, ways
}
RETURN server, a.name AS owner, [way IN ways | way.via] AS via, [way IN ways | way.path] AS paths,
  CASE WHEN size(ways) > 1 THEN 'doubled' ELSE 'undecided' END AS verdict
ORDER BY server, owner
