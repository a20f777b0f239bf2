// schema
// What: the uniqueness that makes repeated writes harmless, and the keys by which everything is found.
//   Statements are separated by semicolons; each may be run again at any time.
// Needs: Neo4j 5.7 (uniqueness of relationships)
CREATE CONSTRAINT network_name IF NOT EXISTS FOR (n:Network) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT snapshot_publish IF NOT EXISTS FOR (n:Snapshot) REQUIRE n.publish IS UNIQUE;
CREATE CONSTRAINT server_key IF NOT EXISTS FOR (n:Server) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT server_number IF NOT EXISTS FOR (n:Server) REQUIRE (n.publish, n.number) IS UNIQUE;
CREATE CONSTRAINT zone_key IF NOT EXISTS FOR (n:Zone) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT destination_key IF NOT EXISTS FOR (n:Destination) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT finding_key IF NOT EXISTS FOR (n:Finding) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT interest_key IF NOT EXISTS FOR (n:Interest) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT guard_key IF NOT EXISTS FOR (n:Guard) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT point_key IF NOT EXISTS FOR (n:Point) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT table_key IF NOT EXISTS FOR (n:Table) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT object_key IF NOT EXISTS FOR (n:Object) REQUIRE (n.publish, n.key) IS UNIQUE;
CREATE CONSTRAINT place_key IF NOT EXISTS FOR ()-[r:SETS]-() REQUIRE (r.publish, r.key) IS UNIQUE;
CREATE CONSTRAINT forwards_key IF NOT EXISTS FOR ()-[r:FORWARDS]-() REQUIRE (r.publish, r.key) IS UNIQUE;
CREATE INDEX snapshot_id IF NOT EXISTS FOR (n:Snapshot) ON (n.id);
CREATE INDEX server_name IF NOT EXISTS FOR (n:Server) ON (n.publish, n.name)
