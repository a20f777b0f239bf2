// owners-on-path
// What: who owns what is on a shortest way from one server to another: the servers, the files that configure them, and the files that configure the routes between
//   them; any message (no guard applied). topograph.yaml says who owns what (owners).
// Ask: topograph cypher owners-on-path --param network=NAME --param from=SERVER --param to=SERVER
// Parameters: network, from, to
// Returns: position (from 0), server, owners (of the server), of_files (owners of files that configure it), route (the name of the route to it), of_route (owners of
//   the file that configures the route). No row where no way leads there
// Needs: Neo4j 5.23
// (:Owner)-[:OWNS]->(:Server|Destination|File)   (:File)-[:CONFIGURES]->(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
MATCH (b:Server {publish: s.publish, network: $network})
WHERE b.name IN [$to, split($to, ':')[-1]] AND $to IN [b.name, b.system + ':' + b.name]
CALL (a, b) {
  MATCH (a)<-[:AT]-(start:Point {starts: true})
  MATCH (b)<-[:AT]-(last:Point {ends: true})
  MATCH p = SHORTEST 1 (start) (()-[:FORWARDS]->(y:Point WHERE NOT coalesce(y.down, false) OR y.open IS NOT NULL))+ (last)
  RETURN [y IN nodes(p) | y.server_n] AS way, start.system AS graph
  ORDER BY length(p), last.n LIMIT 1
}
UNWIND range(0, size(way) - 1) AS position
MATCH (x:Server {publish: s.publish, number: $network + '/' + graph + '/' + way[position]})
OPTIONAL MATCH (before:Server {publish: s.publish, number: $network + '/' + graph + '/' + way[position - 1]})-[r:ROUTE]->(x)
WHERE position > 0
WITH s, position, x, collect(DISTINCT r.name) AS names, collect(DISTINCT r.file) AS paths
RETURN position, x.name AS server, COLLECT { MATCH (o:Owner)-[:OWNS]->(x) RETURN DISTINCT o.name AS name ORDER BY name } AS owners,
  COLLECT { MATCH (o:Owner)-[:OWNS]->(:File)-[:CONFIGURES]->(x) RETURN DISTINCT o.name AS name ORDER BY name } AS of_files,
  names AS route, COLLECT { MATCH (o:Owner)-[:OWNS]->(f:File {publish: s.publish, network: $network}) WHERE f.path IN paths RETURN DISTINCT o.name AS name ORDER BY name } AS of_route
ORDER BY position
