"""Details of Skupper's resources: namespaces, several clusters, status, fields, secrets."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import yaml
from drawn.skupper import FORMS, drawn, endpoints, resource, router_id

import topograph
from topograph.findings import Finding
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.reading import Options
from topograph.side_inputs import SideInputs

Documents = list[dict[str, object]]


def read(folder: Path, **files: Documents) -> topograph.Network:
    for name, documents in files.items():
        text = yaml.safe_dump_all(documents, sort_keys=False)
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return topograph.read(folder)


def kinds(network: topograph.Network) -> list[str]:
    return sorted(one["kind"] for one in network.check().findings if one["severity"] != "info")


def planned_findings(folder: Path) -> list[Finding]:
    """The findings of an import of files that may make no server at all."""
    data = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".yaml", ".json")
    }
    made = plan([recognise(path, text) for path, text in data.items()], SideInputs())
    readings = [read_bundle(bundle, data, Options()) for bundle in made.bundles]
    return [*made.findings, *(one for reading in readings for one in reading.findings)]


def site(name: str, namespace: str = "", **spec: object) -> dict[str, object]:
    return resource("Site", name, namespace, dict(spec))


def test_a_field_that_is_not_known_is_a_finding_with_its_line_and_without_its_value(
    tmp_path: Path,
) -> None:
    network = read(tmp_path, a=[site("yard", "yard", linkAcess="tiger")])
    (found,) = [one for one in network.check().findings if one["kind"] == "unknown-field"]
    assert "linkAcess" in found["message"]
    assert "tiger" not in str(found)
    assert found["source"]["line"] == 7


def test_two_sites_of_one_name_go_by_their_namespaces(tmp_path: Path) -> None:
    network = read(tmp_path, a=[site("my-site", "west")], b=[site("my-site", "east")])
    assert network.server_names() == ("east/my-site", "west/my-site")


def test_resources_of_a_namespace_without_its_site_may_have_any_links(tmp_path: Path) -> None:
    key = resource("Listener", "stock", "west", {"routingKey": "stock", "host": "s", "port": 1})
    network = read(tmp_path, a=[key], b=[site("east", "east", linkAccess="default")])
    assert network.server_names() == ("east", "west")
    answer = network.reach("west")
    assert answer.servers == ()
    assert [one.server for one in answer.undetermined] == ["east"]


def test_a_file_without_namespace_between_two_sites_is_of_neither(tmp_path: Path) -> None:
    key = resource("Listener", "stock", "", {"routingKey": "stock", "host": "s", "port": 1})
    network = read(tmp_path, a=[site("west")], b=[site("east")], c=[key])
    assert "site-not-loaded" in kinds(network)


def test_a_resource_in_two_files_is_read_once_and_the_one_with_a_status_counts(
    tmp_path: Path,
) -> None:
    spec = {"routingKey": "stock", "host": "s", "port": 1}
    running = spec | {"routingKey": "orders"}
    network = read(
        tmp_path,
        a=[site("west", "west"), resource("Listener", "s", "west", spec)],
        b=[resource("Listener", "s", "west", running, status={"status": "Ready"})],
    )
    assert [one.destination for one in network.services().services] == ["address:orders"]
    assert "resource-twice" in {one["kind"] for one in network.check().findings}


def test_a_link_whose_host_nothing_explains_is_undetermined(tmp_path: Path) -> None:
    link = resource("Link", "l", "east", {"endpoints": endpoints("lb.example.net")})
    network = read(
        tmp_path,
        a=[site("west", "west", linkAccess="default")],
        b=[site("yard", "yard", linkAccess="default")],
        c=[site("east", "east"), link],
    )
    answer = network.reach("east")
    assert answer.servers == ()
    assert {one.server for one in answer.undetermined} >= {"west", "yard"}


def test_an_edge_site_needs_the_endpoint_for_edges(tmp_path: Path) -> None:
    link = resource("Link", "l", "east", {"endpoints": endpoints("w.example.net")[:1]})
    west = resource("Site", "west", "west", {}, status={"endpoints": endpoints("w.example.net")})
    network = read(tmp_path, a=[west], b=[site("east", "east", edge=True), link])
    assert network.reach("east").servers == ()
    assert kinds(network) == ["without-effect"]


@pytest.mark.parametrize(("pods", "served"), [(["10.1.0.4"], True), ([], False)])
def test_the_status_of_a_connector_shows_its_pods(
    tmp_path: Path, pods: list[str], served: bool
) -> None:
    status = {
        "selectedPods": [{"name": "stock-1", "ip": ip} for ip in pods],
        "conditions": [{"type": "Configured", "status": "True" if pods else "False"}],
    }
    spec = {"routingKey": "stock", "selector": "app=stock", "port": 80, "exposePodsByName": True}
    network = read(
        tmp_path, a=[site("west", "west"), resource("Connector", "s", "west", spec, status=status)]
    )
    found = {one.destination for one in network.services().services if one.connectors}
    assert found == ({"address:stock", "address:stock.stock-1"} if served else set())


def test_a_listener_of_several_keys_has_a_priority(tmp_path: Path) -> None:
    spec = {"host": "s", "port": 1, "strategy": {"priority": {"routingKeys": ["near", "far"]}}}
    keys: Documents = [
        resource("Connector", key, "west", {"routingKey": key, "host": key, "port": 1})
        for key in ("near", "far")
    ]
    network = read(
        tmp_path, a=[site("west", "west"), resource("MultiKeyListener", "m", "west", spec), *keys]
    )
    rows = {one.destination: one.listeners[0].judgement for one in network.services().services}
    assert set(rows) == {"address:near", "address:far"}
    assert rows["address:near"] == "yes"


def test_the_router_map_of_a_site_is_its_router_and_the_status_names_its_pod(
    tmp_path: Path,
) -> None:
    """As in an archive of ``skupper debug dump``: Site, ConfigMap and status are one router."""
    config = [
        ["router", {"id": "west-${HOSTNAME}", "mode": "interior"}],
        ["tcpListener", {"name": "s", "port": "1024", "address": "stock"}],
    ]
    router = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "skupper-router", "namespace": "west"},
        "data": {"skrouterd.json": json.dumps(config, indent=1)},
    }
    status = {
        "siteStatus": [
            {
                "site": {"identity": "u1", "name": "west", "namespace": "west"},
                "routerStatus": [
                    {"router": {"name": f"0/{router_id('west')}", "mode": "interior"}}
                ],
            }
        ]
    }
    seen = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "skupper-network-status", "namespace": "west"},
        "data": {"NetworkStatus": json.dumps(status)},
    }
    (tmp_path / "1").mkdir()
    network = read(tmp_path / "1", a=[site("west", "west")], b=[router], c=[seen])
    assert network.server_names() == (router_id("west"),)
    (tmp_path / "2").mkdir()
    network = read(tmp_path / "2", a=[site("west", "west")], b=[router])
    assert network.server_names() == ("west-${HOSTNAME}",)


@pytest.mark.parametrize("text", ["{", "[]", '{"siteStatus": [1, {"site": 2}]}', "null", ""])
def test_a_status_that_is_none_is_a_finding(tmp_path: Path, text: str) -> None:
    seen = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "skupper-network-status", "namespace": "west"},
        "data": {"NetworkStatus": text},
    }
    network = read(tmp_path, a=[site("west", "west")], b=[seen])
    assert network.server_names() == ("west",)


def test_a_chart_of_helm_and_definitions_are_no_sites(tmp_path: Path) -> None:
    (tmp_path / "chart.yaml").write_text(
        "apiVersion: skupper.io/v2alpha1\nkind: Site\nmetadata:\n  name: {{ .Values.site }}\n",
        "utf-8",
    )
    (tmp_path / "crd.yaml").write_text(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "metadata:\n  name: sites.skupper.io\nspec:\n  group: skupper.io\n",
        "utf-8",
    )
    network = read(tmp_path, a=[site("west", "west")])
    assert network.server_names() == ("west",)


@pytest.mark.parametrize("number", range(40))
def test_no_bytes_make_the_reader_fail(tmp_path: Path, number: int) -> None:
    at = random.Random(number)
    form = at.choice(sorted(FORMS))
    FORMS[form](drawn(number), tmp_path)
    for path in sorted(tmp_path.rglob("*")):
        if path.suffix not in (".yaml", ".json"):
            continue
        lines = path.read_text("utf-8").split("\n")
        for _ in range(at.randint(1, 6)):
            place = at.randrange(len(lines) + 1)
            spaces = " " * at.randint(0, 6)
            junk = (
                f"{spaces}- [",
                f"{spaces}spec: 7",
                f"{spaces}name: [a, b]",
                "\x00",
                "{}",
                "---",
            )
            lines[place : place + at.randint(0, 2)] = [at.choice(junk)] * at.randint(0, 1)
        path.write_text("\n".join(lines)[: at.choice((10**6, 400, 900))], "utf-8")
    found = planned_findings(tmp_path)
    assert "importer-failed" not in {one.kind for one in found}


def test_two_routers_that_the_status_shows_take_the_place_of_the_one_of_the_site(
    tmp_path: Path,
) -> None:
    routers = [
        {"router": {"name": f"0/west-skupper-router{which}-7d5f8-abcde", "mode": "interior"}}
        for which in ("", "-2")
    ]
    status = {"siteStatus": [{"site": {"identity": "u", "name": "west"}, "routerStatus": routers}]}
    (tmp_path / "status.json").write_text(json.dumps(status), "utf-8")
    network = read(tmp_path, a=[site("west", "west", ha=True)])
    assert network.server_names() == (
        "west-skupper-router-2-7d5f8-abcde",
        "west-skupper-router-7d5f8-abcde",
    )


def test_a_site_outside_kubernetes_has_its_resources_in_several_folders(tmp_path: Path) -> None:
    """``input`` holds what is wanted and ``runtime`` what runs: one site."""
    for name, status in (("input", {}), ("runtime", {"status": "Ready"})):
        folder = tmp_path / "namespaces" / "west" / name / "resources"
        folder.mkdir(parents=True)
        key = {"routingKey": "stock", "host": "0.0.0.0", "port": 1024}
        documents = [
            resource("Site", "west", "west", {}, status=status),
            resource("Listener", "stock", "west", key, status=status),
        ]
        (folder / "all.yaml").write_text(yaml.safe_dump_all(documents), "utf-8")
    network = topograph.read(tmp_path)
    assert network.server_names() == ("west",)
    assert [len(one.listeners) for one in network.services().services] == [1]


def test_sites_that_their_resources_show_whole_are_not_incomplete(tmp_path: Path) -> None:
    depot = resource("Site", "depot", "depot", {}, status={"endpoints": endpoints("d.example.net")})
    link = resource("Link", "l", "yard", {"endpoints": endpoints("d.example.net")})
    network = read(tmp_path, a=[depot], b=[site("yard", "yard"), link])
    answer = network.reach("yard")
    assert [one.server for one in answer.servers] == ["depot"]
    assert answer.warnings == ()


def test_credentials_that_skupper_issues_keep_no_link_from_opening(tmp_path: Path) -> None:
    """The listener of a ConfigMap asks for TLS; the Link at the other end has credentials."""
    config = [
        ["router", {"id": "depot-${HOSTNAME}", "mode": "interior"}],
        ["sslProfile", {"name": "s"}],
        [
            "listener",
            {
                "name": "in",
                "role": "inter-router",
                "port": "55671",
                "sslProfile": "s",
                "saslMechanisms": "EXTERNAL",
                "authenticatePeer": True,
                "requireSsl": True,
            },
        ],
    ]
    router = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "skupper-router", "namespace": "depot"},
        "data": {"skrouterd.json": json.dumps(config)},
    }
    depot = resource("Site", "depot", "depot", {}, status={"endpoints": endpoints("d.example.net")})
    link = resource("Link", "l", "yard", {"endpoints": endpoints("d.example.net")})
    network = read(tmp_path, a=[depot, router], b=[site("yard", "yard"), link])
    assert [one.server for one in network.reach("yard").servers] == ["depot-${HOSTNAME}"]


@pytest.mark.parametrize("kind", ["AccessToken", "Listener"])
def test_resources_without_any_site_say_what_to_load(tmp_path: Path, kind: str) -> None:
    spec = {"url": "https://g:1/x", "code": "tiger", "routingKey": "s", "host": "s", "port": 1}
    network = read(tmp_path, a=[resource(kind, "one", "", spec)])
    assert network.server_names() == ()
    assert len(network.advice) == 1
    assert "skupper-network-status" in network.advice[0]
