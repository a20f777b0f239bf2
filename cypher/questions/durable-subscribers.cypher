// durable-subscribers
// What: who subscribes durably to a topic, by its name or by a pattern that fits it.
// Ask: topograph cypher durable-subscribers --param network=NAME --param topic=TOPIC
// Parameters: network, topic
// Returns: server, system, name, subscribed (topic or pattern), client_id, user, selector, delivers_to, known (configured, observed or declared), file, line
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Subscription {topic, pattern, durable})
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[:DEFINES]->(b:Subscription {durable: true})
WHERE $topic + b.separator =~ b.pattern
RETURN a.name AS server, a.system AS system, b.name AS name, b.topic AS subscribed, b.client_id AS client_id, b.user AS user, b.selector AS selector,
  coalesce(b.delivers_to, '') AS delivers_to, b.known AS known, b.file AS file, b.line AS line
ORDER BY server, system, name, subscribed, client_id, file, line
