"""Stores: input listing, snapshots in Parquet, the Neo4j driver, schema and publishing, the managed local server.

``database`` is the only writer to Neo4j. May import the vocabulary, forwarding and cypher."""
