// interests
// What: the names of temporary destinations that a server holds, with the neighbour each was learned from.
// Ask: topograph cypher interests --param network=NAME --param server=SERVER
// Parameters: network, server
// Returns: server, name, via, hops, certain (true, or 'unknown' where files that are not loaded may change it), note (why the table is not
//   complete, if it is not)
// Needs: Neo4j 5.23
// (:Server)-[:HOLDS {via, hops}]->(:Interest {name})
MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)
MATCH (a:Server {publish: s.publish, network: $network})
WHERE a.name IN [$server, split($server, ':')[-1]] AND $server IN [a.name, a.system + ':' + a.name]
CALL (a) {
  MATCH (a)-[h:HOLDS {observed: false}]->(i:Interest)
  RETURN i.name AS name, h.via AS via, h.hops AS hops, '' AS note
  UNION ALL
  WITH a
  WHERE a.names <> 'complete'
  RETURN null AS name, null AS via, null AS hops, 'the names it holds are ' + a.names + ': ask topograph interests' AS note
}
// A server that is not loaded, or whose routes are not all known, may have a route to any other.
RETURN a.name AS server, name, via, hops, CASE
    WHEN coalesce(a.cut_off, false) OR (a.loaded AND NOT EXISTS {
      MATCH (b:Server {publish: a.publish, network: a.network, system: a.system}) WHERE b.name IS NOT NULL AND b.open_ended
    }) THEN true
    ELSE 'unknown' END AS certain, note
ORDER BY name, via
