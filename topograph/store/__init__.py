"""Stores: input listing, snapshots in Parquet, the Neo4j driver, schema and publishing, the managed
local server.

``publication`` is the only writer to Neo4j; ``database`` reads. May import the vocabulary,
forwarding and cypher."""
