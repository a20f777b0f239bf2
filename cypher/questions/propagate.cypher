// propagate
// What: the servers that get one message, and in how many hops; copies that bridges make for other destinations are not told. Which guards it fails is worked out before:
//   topograph cypher propagate evaluates them, and with --print writes this statement with its parameters, to be pasted into the Browser.
// Ask: topograph cypher propagate --param network=NAME --param from=SERVER --destination topic:NAME --set NAME=VALUE
// Parameters: snapshot (id), network, from, closed (numbers of guards that fail), undecided (of those that the loaded files do not decide), confined (names of servers that no route takes it from or to), subscribers (names; null: every server)
// Returns: server, hops, received (true; 'later' where it waits on the way, as before a suspended route; or 'unknown' where the loaded files,
//   or the walks of a network that is not legal, do not decide it). A server that certainly does not get it has no row. One row that says so where the snapshot is not in the database any more
// Needs: Neo4j 5.23
// (:Server)<-[:AT]-(:Point {starts})-[:FORWARDS {guards}]->(:Point {ends})
OPTIONAL MATCH (found:Snapshot {id: $snapshot, state: 'published', schema: 302})
WITH found ORDER BY found.published, found.publish LIMIT 1
CALL (found) {
  WITH found
  WHERE found IS NULL
  RETURN 'The snapshot ' + $snapshot + ' is not in this database, or another version of topograph wrote it: import or publish it again.' AS server,
    null AS hops, null AS received
  UNION ALL
  WITH found AS s
  WHERE s IS NOT NULL
  MATCH (a:Server {publish: s.publish, network: $network})
  WHERE a.name IN [$from, split($from, ':')[-1]] AND $from IN [a.name, a.system + ':' + a.name]
  CALL (s, a) {
    RETURN a.n AS n, 0 AS hops, true AS sure
    UNION ALL
    // Certain: over forwards none of whose guards fails.
    MATCH (a)<-[:AT]-(start:Point {starts: true})
    MATCH p = (start) (()-[f:FORWARDS WHERE none(g IN f.guards WHERE g IN $closed OR g IN $undecided)]->(:Point))+ (last:Point)
    WITH a, start, last, min(length(p)) AS hops
    WHERE last.ends
    WITH a, last.server_n AS n, collect({start: start, last: last, hops: hops}) AS ways
    WITH a, collect({n: n, ways: ways}) AS servers, max(size(ways)) > 1 OR max(CASE n WHEN a.n THEN 1 ELSE 0 END) = 1 AS twice
    CALL (a, servers, twice) {
      // Nothing is entered twice: every walk is a path.
      UNWIND CASE WHEN twice THEN [] ELSE servers END AS each
      RETURN each.n AS n, each.ways[0].hops AS hops, true AS sure
      UNION ALL
      // Else the shortest walk to each point that enters the two ends once counts, where it enters no server twice.
      UNWIND CASE WHEN twice THEN servers ELSE [] END AS each
      UNWIND each.ways AS way
      WITH a, each, way, way.start AS start, way.last AS last
      WHERE each.n <> a.n
      MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
      WHERE all(f IN relationships(p) WHERE none(g IN f.guards WHERE g IN $closed OR g IN $undecided)
        AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
      WITH each.n AS n, length(p) AS hops, COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p)) AS simple
      WITH n, min(CASE WHEN simple THEN hops END) AS hops, min(CASE WHEN simple THEN null ELSE hops END) AS round
      RETURN n, CASE WHEN round < hops THEN null ELSE hops END AS hops, hops IS NOT NULL AS sure
    }
    RETURN n, hops, sure
    UNION ALL
    // Possible: what is not decided may turn out to let it pass.
    MATCH (a)<-[:AT]-(start:Point {starts: true})
    WHERE size($undecided) > 0
    MATCH (start) (()-[f:FORWARDS WHERE none(g IN f.guards WHERE g IN $closed AND NOT g IN $undecided)]->(:Point))+ (last:Point)
    WITH DISTINCT last.server_n AS n, last.ends AS ends
    WHERE ends
    RETURN n, null AS hops, false AS sure
    UNION ALL
    // In doubt: over a route of its own that a server may have, where no way is shown (a second one would be refused).
    MATCH (open:Server {publish: s.publish, network: a.network, system: a.system})
    WHERE open.name IS NOT NULL AND open.open_ended AND NOT open.name IN $confined
    WITH s, a, collect(open) AS opens
    WHERE size(opens) > 0 AND NOT a.name IN $confined
    CALL (a) {
      RETURN a.n AS n
      UNION
      MATCH (a)<-[:AT]-(start:Point {starts: true})
      MATCH (start) (()-[:FORWARDS]->(y:Point WHERE NOT y.down OR y.open IS NOT NULL))+ (last:Point)
      RETURN DISTINCT last.server_n AS n
    }
    WITH s, a, opens, collect(n) AS shown
    CALL (a) {
      RETURN a.n AS n
      UNION
      MATCH (a)<-[:AT]-(start:Point {starts: true})
      MATCH (start) (()-[f:FORWARDS WHERE none(g IN f.guards WHERE g IN $closed AND NOT g IN $undecided)]->(:Point))+ (last:Point)
      RETURN DISTINCT last.server_n AS n
    }
    WITH s, a, opens, shown, collect(n) AS reached
    CALL (opens) {
      UNWIND opens AS open
      RETURN open.n AS n
      UNION
      UNWIND opens AS open
      MATCH (open)<-[:AT]-(start:Point {starts: true})
      MATCH (start) (()-[f:FORWARDS WHERE none(g IN f.guards WHERE g IN $closed AND NOT g IN $undecided)]->(:Point))+ (last:Point)
      RETURN DISTINCT last.server_n AS n
    }
    WITH s, a, opens, shown, reached, collect(DISTINCT n) AS onward
    CALL (opens, shown) {
      // What is joined with each such server that is not joined with the first: two routes of its own may join others with that.
      UNWIND [open IN opens WHERE NOT open.n IN shown] AS open
      OPTIONAL MATCH (open)<-[:AT]-(start:Point {starts: true})
      OPTIONAL MATCH (start) (()-[:FORWARDS]->(y:Point WHERE NOT y.down OR y.open IS NOT NULL))+ (last:Point)
      WITH open, collect(DISTINCT last.server_n) AS joined
      RETURN collect([open.n] + joined) AS apart
    }
    MATCH (b:Server {publish: s.publish, network: a.network, system: a.system})
    WHERE b.name IS NOT NULL AND NOT b.name IN $confined AND NOT b.n IN shown
      AND (any(open IN opens WHERE open.n IN reached) OR b.n IN onward OR any(joined IN apart WHERE NOT b.n IN joined))
    RETURN b.n AS n, null AS hops, false AS sure
  }
  WITH s, a, n, min(hops) AS hops, max(CASE WHEN sure THEN 1 ELSE 0 END) AS sure
  WITH s, a, collect({n: n, hops: hops, sure: sure}) AS servers
  CALL (a) {
    // At once: over routes before which nothing waits, on a walk that enters no server twice.
    MATCH (a)<-[:AT]-(start:Point {starts: true})
    WHERE a.waiting_routes
    MATCH (start) (()-[f:FORWARDS WHERE none(g IN f.guards WHERE g IN $closed OR g IN $undecided)]->(y:Point WHERE NOT y.waits))+ (last:Point)
    WHERE last.ends AND last.server_n <> a.n
    WITH DISTINCT start, last
    MATCH p = shortestPath((start)-[:FORWARDS*..100000]->(last))
    WHERE all(f IN relationships(p) WHERE none(g IN f.guards WHERE g IN $closed OR g IN $undecided) AND NOT endNode(f).waits
      AND (endNode(f) = last OR NOT endNode(f).server_n IN [start.server_n, last.server_n]))
    WITH last, p
    WHERE COUNT { UNWIND nodes(p) AS y RETURN DISTINCT y.server_n } = size(nodes(p))
    WITH last.server_n AS n, min(length(p)) AS hops
    RETURN collect({n: n, hops: hops}) AS now
  }
  UNWIND servers AS each
  WITH s, a, each, [one IN now WHERE one.n = each.n | one.hops] AS now
  WITH s, a, each.n AS n, coalesce(now[0], each.hops) AS hops, each.sure AS sure, a.waiting_routes AND each.n <> a.n AND size(now) = 0 AS waits
  MATCH (b:Server {publish: s.publish, number: a.network + '/' + a.system + '/' + n})
  WHERE $subscribers IS NULL OR b.name IN $subscribers
  RETURN b.name AS server, hops, CASE WHEN sure = 0 THEN 'unknown' WHEN waits THEN 'later' ELSE true END AS received
}
RETURN server, hops, received
ORDER BY hops, server
