// describe_servers
// What: the words on servers of one batch, which are written before: whether the names they hold are stored, why "not reached" is in doubt,
//   whether no message enters or leaves them over a link, whatever the files say that are not loaded, and whether their network has routes of
//   which a finding leaves open whether they come up, and routes before which messages wait.
// Parameters: publish, rows [{network, system, server (its name, SYSTEM:NAME in a graph of several systems), names ('complete' | 'incomplete' | 'not stored'), doubt,
//   cut_off, open_routes, waiting_routes}]
// Needs: Neo4j 5.7
// (:Server {names, doubt, cut_off, open_routes, waiting_routes})
UNWIND $rows AS row
MATCH (s:Server {publish: $publish, key: row.network + '/' + row.system + '/server/' + row.server})
SET s.names = row.names, s.doubt = row.doubt, s.cut_off = row.cut_off, s.open_routes = row.open_routes,
  s.waiting_routes = row.waiting_routes
