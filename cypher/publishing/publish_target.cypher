// publish_target
// What: the publishing run that is to become current: the one of the same snapshot that is published already, else $publish itself.
// Parameters: publish
// Needs: Neo4j 5.7
MATCH (own:Snapshot {publish: $publish})
WHERE own.state IN ['publishing', 'published']
OPTIONAL MATCH (other:Snapshot {id: own.id, schema: own.schema, state: 'published'})
WHERE other.publish <> $publish
WITH own, other ORDER BY other.published, other.publish LIMIT 1
RETURN coalesce(other.publish, own.publish) AS target
