// begin_publish
// What: announces a publishing run. Nothing of it is visible to questions until its state is 'published'.
// Parameters: publish, id (of the snapshot), name, redaction (fingerprint of the key, empty), schema, networks, owner
// Needs: Neo4j 5.7
// (:Snapshot {publish, id, name, redaction, schema, networks, state, owner, beat})
MERGE (s:Snapshot {publish: $publish})
ON CREATE SET s.id = $id, s.name = $name, s.redaction = $redaction, s.schema = $schema, s.networks = $networks, s.state = 'publishing',
  s.owner = $owner, s.started = timestamp(), s.beat = timestamp()
