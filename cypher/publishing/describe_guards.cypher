// describe_guards
// What: the words on guards of one batch, which are written before; written again they stay the same.
// Parameters: publish, rows [{network, system, n, topic, selector, stops_interest, places (how many there are)}]
// Needs: Neo4j 5.7
// (:Guard {topic, selector, stops_interest, places})
UNWIND $rows AS row
MATCH (g:Guard {publish: $publish, key: row.network + '/' + row.system + '/guard/' + row.n})
SET g.topic = row.topic, g.selector = row.selector, g.stops_interest = row.stops_interest, g.places = row.places
