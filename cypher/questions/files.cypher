// files
// What: the files that configure a server, and those that define something there.
// Ask: topograph cypher files --param network=NAME --param server=SERVER
// Parameters: network, server
// Returns: path, role (of the file; empty where it only defines something there), status, defined (how many destinations, channels, ...), read, ignored, unsupported,
//   note
// Needs: Neo4j 5.23
// (:File)-[:CONFIGURES {role}]->(:Server)   (:File)-[:CONFIGURES {line}]->(:Destination|Object)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$server, split($server, ':')[-1]] AND $server IN [a.name, a.system + ':' + a.name]
CALL (a) {
  MATCH (f:File)-[c:CONFIGURES]->(a)
  RETURN f, c.role AS role, 0 AS one
  UNION ALL
  MATCH (f:File)-[:CONFIGURES]->(x)<-[:DEFINES]-(a)
  RETURN f, null AS role, 1 AS one
}
WITH f, collect(DISTINCT role) AS roles, sum(one) AS defined
RETURN f.path AS path, reduce(all = '', role IN roles | CASE WHEN all = '' THEN role ELSE all + ', ' + role END) AS role, f.status AS status, defined,
  f.read AS read, f.ignored AS ignored, f.unsupported AS unsupported, f.note AS note
ORDER BY path
