// queues
// What: the queues of each server with their homes, and whether a direct route leads there: a queue is routed one hop to its home and one from it.
// Ask: topograph cypher queues --param network=NAME
// Parameters: network
// Returns: queue, home, server, route (home, direct, down, none, or unknown where the loaded files may not show it, or it may not come up), defined_at_home (true or false,
//   empty where the home is not loaded), global_at_home, file, line
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Queue {home})   (:Server)-[:ROUTE]-(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)<-[:IN]-(a:Server {network: $network})-[:DEFINES]->(d:Queue)
WHERE d.home IS NOT NULL AND d.defined
OPTIONAL MATCH (s)<-[:IN]-(b:Server {network: $network, name: d.home, system: a.system})
OPTIONAL MATCH (b)-[:DEFINES]->(h:Queue {name: d.name, home: d.home})
WITH a, d, b, h, [(a)-[r:ROUTE]-(b) | coalesce(r.down, false)] AS routes, [(a)-[r:ROUTE]-(b) WHERE r.open IS NOT NULL | r.open] AS unsure
RETURN d.name AS queue, d.home AS home, a.name AS server,
  CASE
    WHEN d.home = a.name THEN 'home'
    WHEN b IS NULL THEN 'unknown'
    WHEN false IN routes THEN 'direct'
    WHEN size(unsure) > 0 THEN 'unknown'
    WHEN size(routes) > 0 THEN 'down'
    WHEN a.cut_off OR b.cut_off THEN 'none'
    WHEN coalesce(a.doubt, '') <> '' OR coalesce(b.doubt, '') <> '' OR NOT b.loaded THEN 'unknown'
    ELSE 'none'
  END AS route,
  CASE WHEN coalesce(b.loaded, false) THEN h IS NOT NULL END AS defined_at_home, h.global AS global_at_home, d.file AS file, d.line AS line
ORDER BY queue, home, server
