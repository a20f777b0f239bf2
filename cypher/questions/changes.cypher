// changes
// What: what differs between two snapshots of a network: servers, destinations, routes, channels and all else, joined by their keys. Where only lines
//   moved nothing differs.
// Ask: topograph cypher changes --param network=NAME --param before=ID --param after=ID
// Parameters: network, before (id of a snapshot), after (id of a snapshot)
// Returns: change (added, removed or changed), label, server, name, what (the properties that differ, each as NAME: BEFORE -> AFTER), file, line (after the
//   change, of what is removed before it)
// Needs: Neo4j 5.23
// (:Server|Destination|Object {key})   (:Server)-[:ROUTE]->(:Server)
MATCH (one:Snapshot {id: $before, state: 'published'}), (two:Snapshot {id: $after, state: 'published'})
WITH one, two ORDER BY one.published, two.published LIMIT 1
CALL (one, two) {
  MATCH (n:Server|Destination|Object {network: $network})
  WHERE n.publish IN [one.publish, two.publish]
  WITH one, two, [word IN labels(n) WHERE NOT word IN ['Object', 'Topic', 'Queue', 'Address']][0] AS label, n.key AS key,
    properties(n) AS own, coalesce(n.server, '') AS server, n.name AS name
  RETURN label, key, server, name, own
  UNION ALL
  MATCH (x:Server {network: $network})-[r:ROUTE]->(y:Server)
  WHERE r.publish IN [one.publish, two.publish]
  RETURN 'ROUTE' AS label, x.key + '>' + y.key + '/' + r.zone + '/' + r.name AS key, x.name AS server, y.name AS name, properties(r) AS own
}
WITH one.publish AS earlier, two.publish AS later, label, key, server, name, collect(own) AS found
WITH label, key, server, name, [own IN found WHERE own.publish = earlier] AS was, [own IN found WHERE own.publish = later] AS now
WITH label, key, server, name, was[0] AS was, now[0] AS now, size(was) <> size(now) AND size(was) > 0 AND size(now) > 0 AS uneven
WITH label, key, server, name, was, now, uneven, [word IN keys(coalesce(now, was)) + [w IN keys(coalesce(was, now)) WHERE NOT w IN keys(coalesce(now, was))]
  WHERE NOT word IN ['publish', 'key', 'n', 'number', 'link', 'file', 'line', 'names', 'read', 'ignored', 'unsupported']
    AND was IS NOT NULL AND now IS NOT NULL AND coalesce(was[word] <> now[word], (was[word] IS NULL) <> (now[word] IS NULL))] AS words
WHERE was IS NULL OR now IS NULL OR uneven OR size(words) > 0
RETURN CASE WHEN was IS NULL THEN 'added' WHEN now IS NULL THEN 'removed' ELSE 'changed' END AS change, label, server, name,
  [word IN words | word + ': ' + reduce(all = '', each IN CASE WHEN was[word] IS NULL THEN [] WHEN valueType(was[word]) STARTS WITH 'LIST' THEN was[word] ELSE [was[word]] END |
      all + CASE WHEN all = '' THEN '' ELSE ', ' END + toString(each))
    + ' -> ' + reduce(all = '', each IN CASE WHEN now[word] IS NULL THEN [] WHEN valueType(now[word]) STARTS WITH 'LIST' THEN now[word] ELSE [now[word]] END |
      all + CASE WHEN all = '' THEN '' ELSE ', ' END + toString(each))] AS what,
  coalesce(now, was).file AS file, coalesce(now, was).line AS line
ORDER BY label, server, name, change
