// services
// What: which TCP and HTTP listener of a router is joined with which connector of the same address, over which routers and at what cost.
//   Which of several connectors get the connections the router chooses by distribution: `topograph services` says that.
// Ask: topograph cypher services --param network=NAME
// Parameters: network
// Returns: address, server (of the listener), listener, at (the server of the connector; null where no loaded file has one), connector, path
//   (servers, first to last; null where no way there is certain), hops, cost. A listener that output shows as down has no row
// Needs: Neo4j 5.23
// (:Server)-[:DEFINES]->(:Destination {type: 'listener', leads_to})  (:Destination {type: 'connector', leads_to})<-[:DEFINES]-(:Server)
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})-[:DEFINES]->(l:Destination {type: 'listener'})
UNWIND l.leads_to AS address
OPTIONAL MATCH (b:Server {publish: s.publish, network: $network})-[:DEFINES]->(c:Destination {type: 'connector', leads_to: l.leads_to})
CALL (a, b) {
  // A router has one way to another.
  OPTIONAL MATCH (a)<-[:AT]-(start:Point {starts: true})
  WHERE a <> b
  OPTIONAL MATCH p = (start) (()-[:FORWARDS]->(y:Point WHERE y.loaded AND NOT y.down))+ (last:Point {ends: true, server_n: b.n})
  WITH a, b, p
  ORDER BY length(p)
  WITH a, b, [one IN collect(p) | {path: [y IN nodes(one) | y.server], hops: length(one),
    cost: reduce(cost = 0, f IN relationships(one) | cost + f.cost)}][0] AS way
  RETURN CASE WHEN a = b THEN {path: [a.name], hops: 0, cost: 0} ELSE way END AS way
}
RETURN address, a.name AS server, l.name AS listener, b.name AS at, c.name AS connector, way.path AS path, way.hops AS hops, way.cost AS cost
ORDER BY address, server, listener, cost, at, connector
