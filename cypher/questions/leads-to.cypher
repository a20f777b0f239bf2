// leads-to
// What: where messages to a destination go on to by definitions (aliases, remote queues, routed queues, bridges, routing paths), step by step, and where they end.
// Ask: topograph cypher leads-to --param network=NAME --param server=SERVER --param destination=DESTINATION
// Parameters: network, server, destination (its name)
// Returns: server, type, name, steps, path (NAME@SERVER, first to last), by (alias, remote queue, bridge ... of each step), end (whether nothing leads on
//   from there), beyond (where its definition leads that no loaded file defines)
// Needs: Neo4j 5.23
// (:Destination)-[:LEADS_TO {by}]->(:Destination)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})-[:DEFINES]->(d:Destination {name: $destination})
WHERE a.name IN [$server, split($server, ':')[-1]] AND $server IN [a.name, a.system + ':' + a.name]
CALL (d) {
  RETURN d AS e, 0 AS steps, [d.name + '@' + d.server] AS path, [] AS by
  UNION ALL
  MATCH p = SHORTEST 1 (d) (()-[:LEADS_TO]->())+ (e:Destination)
  WHERE e <> d
  RETURN e, length(p) AS steps, [x IN nodes(p) | x.name + '@' + x.server] AS path, [l IN relationships(p) | l.by] AS by
}
WITH e, steps, path, by, EXISTS { (e)-[:LEADS_TO]->() } AS onward
RETURN e.server AS server, e.type AS type, e.name AS name, steps, path, by, NOT onward AND coalesce(e.leads_to, []) = [] AS end,
  CASE WHEN onward THEN [] ELSE coalesce(e.leads_to, []) END AS beyond
ORDER BY steps, server, type, name
