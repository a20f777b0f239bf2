// dead-letters
// What: where messages go that cannot be delivered: the dead-letter queues of queue managers, the exception destinations of destinations of buses, as far as
//   loaded files define them.
// Ask: topograph cypher dead-letters --param network=NAME
// Parameters: network
// Returns: server, system, destination (null: of the whole server), dead_letters_to, file, line (where that is defined)
// Needs: Neo4j 5.7
// (:Server)-[:DEAD_LETTERS_TO]->(:Queue)   (:Destination)-[:DEAD_LETTERS_TO]->(:Destination)
MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)<-[:IN]-(a:Server {network: $network})
MATCH (a) (()-[:DEFINES]->()){0,1} (x)-[:DEAD_LETTERS_TO]->(d:Destination)
RETURN a.name AS server, a.system AS system, CASE WHEN x = a THEN null ELSE x.name END AS destination, d.name AS dead_letters_to, d.file AS file, d.line AS line
ORDER BY server, system, destination, dead_letters_to
