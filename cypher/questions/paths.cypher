// paths
// What: the permitted paths from one server to another, shortest first, one for the same servers and links; more than one only on a network that is
//   not legal. Per route into the other server the 50 shortest walks are looked at.
// Ask: topograph cypher paths --param network=NAME --param from=SERVER --param to=SERVER
// Parameters: network, from, to
// Returns: hops, path (servers, first to last), links (the name of each, empty where it has none), zones (of each hop), conditions (of each hop),
//   certain (false: over a server that is not loaded, or a route that may not come up, or later), later (messages wait on it, as before a
//   suspended route)
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS]->(:Point {ends})-[:AT]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
MATCH (b:Server {publish: s.publish, network: $network})
WHERE b.name IN [$to, split($to, ':')[-1]] AND $to IN [b.name, b.system + ':' + b.name]
CALL (a, b) {
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a <> b AND a.system = b.system
  MATCH p = (start) (()-[:FORWARDS]->(y:Point WHERE NOT y.down OR y.open IS NOT NULL))+ (last:Point)
  WITH b, start, last, min(length(p)) AS hops
  WHERE last.ends AND last.server_n = b.n
  RETURN start, last
}
MATCH p = SHORTEST 50 (start) (()-[:FORWARDS]->(x:Point WHERE NOT x.down OR x.open IS NOT NULL))+ (last)
WITH p
WHERE COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p))
CALL (p) {
  UNWIND range(0, length(p) - 1) AS i
  WITH i, nodes(p)[i] AS x, nodes(p)[i + 1] AS y, relationships(p)[i] AS f
  MATCH (x)-[:AT]->(sx:Server), (y)-[:AT]->(sy:Server)
  OPTIONAL MATCH (sx)-[r:ROUTE]->(sy) WHERE r.file = f.file AND r.line = f.line
  WITH i, coalesce(min(r.name), '') AS link
  ORDER BY i
  RETURN collect(link) AS links
}
WITH length(p) AS hops, [y IN nodes(p) | y.server] AS path, links, [y IN tail(nodes(p)) | y.zone] AS zones,
  [y IN tail(nodes(p)) | y.condition] AS conditions,
  all(y IN nodes(p) WHERE y.loaded AND y.open IS NULL) AS sure, any(y IN nodes(p) WHERE y.waits) AS waits
WITH hops, path, links, zones, conditions, sure AND NOT waits AS certain, sure AND waits AS later
ORDER BY certain DESC, later DESC, conditions
WITH hops, path, links, zones, collect([conditions, certain, later])[0] AS first
RETURN hops, path, links, zones, first[0] AS conditions, first[1] AS certain, first[2] AS later
ORDER BY hops, path, links, zones
