// subscriptions
// What: who wants what comes to topics and queues, as far as files, listings of running servers and topograph.yaml say.
// Ask: topograph cypher subscriptions --param network=NAME
// Parameters: network
// Returns: server, system, type, name, destination (topic:NAME or queue:NAME), durable, known (configured, observed or declared), client_id, user, selector,
//   delivers_to (the queue that gets the messages), file, line
// Needs: Neo4j 5.7
// (:Server)-[:DEFINES]->(:Subscription)-[:SUBSCRIBES_TO]->(:Destination)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})-[:DEFINES]->(b:Subscription)
RETURN a.name AS server, a.system AS system, b.type AS type, b.name AS name, b.destination AS destination, b.durable AS durable, b.known AS known,
  b.client_id AS client_id, b.user AS user, b.selector AS selector, coalesce(b.delivers_to, '') AS delivers_to, b.file AS file, b.line AS line
ORDER BY server, system, destination, name, client_id, file, line
