// lock_networks
// What: takes the locks of the networks whose CURRENT is to be moved. Always the first statement of its transaction: the write makes
//   all that move the same network wait here, before they read which snapshot is current. (Match, delete, create alone leaves two.)
// Parameters: publish, networks (sorted, so that two transactions lock in the same order)
// Needs: Neo4j 5.7
UNWIND $networks AS name
MERGE (n:Network {name: name})
SET n.locked_by = $publish
