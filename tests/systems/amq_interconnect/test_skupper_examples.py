"""Estates laid out like Skupper's published examples, asked what their READMEs show
[skupper-example-hello-world, skupper-example-yaml, skupper-example-patient-portal,
skupper-example-mongodb-replica-set, postgresql-attached-connector]."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from drawn.skupper import endpoints, resource

import topograph


def network_of(folder: Path, files: dict[str, list[dict[str, object]]]) -> topograph.Network:
    for name, documents in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump_all(documents, sort_keys=False), "utf-8")
    return topograph.read(folder)


def taken(network: topograph.Network, start: str, key: str) -> set[str]:
    answer = network.propagate(start, f"address:{key}")
    return {one.server for one in answer.deliveries if one.subscriber != "assumed"}


def judged(network: topograph.Network) -> list[str]:
    """Whether each listener is served."""
    return [one.judgement for row in network.services().services for one in row.listeners]


def accepting(name: str, host: str) -> dict[str, object]:
    status = {"endpoints": endpoints(host)}
    return resource("Site", name, name, {"linkAccess": "default"}, status=status)


def link(of: str, host: str, **more: object) -> dict[str, object]:
    spec = {"endpoints": endpoints(host), "tlsCredentials": "link", **more}
    return resource("Link", "link", of, spec)


def listener(of: str, key: str, port: int) -> dict[str, object]:
    return resource("Listener", key, of, {"routingKey": key, "host": key, "port": port})


def connector(of: str, key: str, port: int) -> dict[str, object]:
    spec = {"routingKey": key, "selector": f"app={key}", "port": port}
    return resource("Connector", key, of, spec)


@pytest.mark.parametrize("linked", [True, False])
def test_hello_world(tmp_path: Path, linked: bool) -> None:
    """The frontend in west reaches the backend in east, over the link alone."""
    east = [resource("Site", "east", "east", {}), connector("east", "backend", 8080)]
    files = {
        "west/site.yaml": [accepting("west", "203.0.113.7")],
        "west/listener.yaml": [listener("west", "backend", 8080)],
        "east/all.yaml": [*east, link("east", "203.0.113.7")] if linked else east,
    }
    network = network_of(tmp_path, files)
    assert taken(network, "west", "backend") == ({"east"} if linked else set())
    assert [one.server for one in network.reach("west").servers] == (["east"] if linked else [])
    assert judged(network) == ["yes" if linked else "no"]
    if linked:
        lost = network.impact(fail=["route:east-west"])
        assert {(one.from_, one.to) for one in lost.lost} == {("east", "west"), ("west", "east")}
        assert [one.destination for one in lost.changed] == ["address:backend"]


def test_patient_portal_with_a_private_site_behind_an_edge(tmp_path: Path) -> None:
    """The frontend is public; the database and the payments are at private sites that only
    connect out."""
    files = {
        "public.yaml": [
            accepting("public", "portal.example.net"),
            listener("public", "database", 5432),
            listener("public", "payment-processor", 8080),
        ],
        "database.yaml": [
            resource("Site", "vm", "vm", {"edge": True}),
            resource(
                "Connector",
                "database",
                "vm",
                {"routingKey": "database", "host": "localhost", "port": 5432},
            ),
            link("vm", "portal.example.net"),
        ],
        "private.yaml": [
            resource("Site", "private", "private", {}),
            connector("private", "payment-processor", 8080),
            link("private", "portal.example.net", cost=2),
        ],
    }
    network = network_of(tmp_path, files)
    assert taken(network, "public", "database") == {"vm"}
    assert taken(network, "public", "payment-processor") == {"private"}
    assert network.hops("private", "vm").reachable is True


def test_a_replica_set_over_an_edge_and_two_public_sites(tmp_path: Path) -> None:
    """Every member reaches every other; an edge with two links uses one of them."""

    def old(site: str, edge: bool, member: str, to: tuple[str, ...]) -> list[dict[str, object]]:
        found: list[dict[str, object]] = [
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": "skupper-site", "namespace": site, "uid": f"id-{site}"},
                "data": {"name": site, "edge": "true" if edge else "false"},
            },
            {
                "apiVersion": "v1",
                "kind": "Service",
                "metadata": {
                    "name": member,
                    "namespace": site,
                    "annotations": {"skupper.io/proxy": "tcp"},
                },
                "spec": {"ports": [{"port": 27017}], "selector": {"app": member}},
            },
        ]
        for other in to:
            notes = {"skupper.io/generated-by": f"id-{other}"}
            for role, port in (("inter-router", "55671"), ("edge", "45671")):
                notes |= {f"{role}-host": f"{other}.example.net", f"{role}-port": port}
            meta = {"name": f"to-{other}", "namespace": site, "annotations": notes}
            meta |= {"labels": {"skupper.io/type": "connection-token"}}
            found.append({"apiVersion": "v1", "kind": "Secret", "metadata": meta})
        return found

    files = {
        "public1.yaml": old("public1", False, "mongo-b", ()),
        "public2.yaml": old("public2", False, "mongo-c", ("public1",)),
        "private1.yaml": old("private1", True, "mongo-a", ("public1", "public2")),
    }
    network = network_of(tmp_path, files)
    members = {"mongo-a": "private1", "mongo-b": "public1", "mongo-c": "public2"}
    for key, site in members.items():
        for start in members.values():
            assert taken(network, start, f"{key}:27017") == {site}, (start, key)
    assert set(judged(network)) == {"yes"}


@pytest.mark.parametrize("case", ["bound", "no binding", "not loaded", "another site"])
def test_an_attached_connector_needs_its_binding(tmp_path: Path, case: str) -> None:
    spec = {"siteNamespace": "yard", "selector": "app=stock", "port": 5432}
    spec |= {"siteNamespace": "depot"} if case == "another site" else {}
    attached = resource("AttachedConnector", "stock", "stores", spec)
    binding = resource(
        "AttachedConnectorBinding",
        "stock",
        "yard",
        {"connectorNamespace": "stores", "routingKey": "stock"},
    )
    yard = [resource("Site", "yard", "yard", {}), link("yard", "depot.example.net")]
    files = {
        "depot.yaml": [accepting("depot", "depot.example.net"), listener("depot", "stock", 5432)],
        "yard.yaml": yard if case == "no binding" else [*yard, binding],
        **({} if case == "not loaded" else {"stores.yaml": [attached]}),
    }
    network = network_of(tmp_path, files)
    kinds = {one["kind"] for one in network.check().findings}
    assert taken(network, "depot", "stock") == ({"yard"} if case == "bound" else set())
    if case == "bound":
        assert not kinds & {"without-effect", "site-not-loaded", "connector-not-loaded"}
    elif case == "not loaded":
        assert "connector-not-loaded" in kinds
        answer = network.propagate("depot", "address:stock")
        assert answer.exact is False
        assert "AttachedConnector stock of stores is not loaded" in str(answer.to_dict())
    else:
        assert kinds & {"without-effect", "site-not-loaded"}
