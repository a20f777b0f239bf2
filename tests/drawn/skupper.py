"""Networks of Skupper drawn from a number, written in each form in which people have them, and what
is right about them, worked out from their sites and links alone."""

from __future__ import annotations

import json
import random
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import networkx as nx
import yaml

WORDS = ("mill", "yard", "depot", "quay", "forge", "barn", "kiln", "weir", "loom", "silo")
KEYS = ("stock", "orders", "ledger", "prices")
PORTS = {"inter-router": 55671, "edge": 45671}
Document = dict[str, object]


@dataclass(frozen=True)
class DrawnLink:
    """A link from a site to an interior one."""

    name: str
    of: str
    to: str
    cost: int


@dataclass(frozen=True)
class DrawnNetwork:
    """``sites`` with whether each is an edge; ``listeners`` and ``connectors`` are (site, key)."""

    sites: dict[str, bool]
    links: tuple[DrawnLink, ...]
    listeners: frozenset[tuple[str, str]]
    connectors: frozenset[tuple[str, str]]

    def costs(self, start: str) -> dict[str, int]:
        """The cost to each other site that is reached: edges pass nothing on, and their links
        count nothing (amq_interconnect.md E-2)."""
        graph = nx.Graph()
        graph.add_nodes_from(site for site, edge in self.sites.items() if not edge)
        home = {}
        for link in self.links:
            if self.sites[link.of]:
                home[link.of] = link.to
            elif not graph.has_edge(link.of, link.to):
                graph.add_edge(link.of, link.to, weight=link.cost)
        at = home.get(start, start)
        found = nx.single_source_dijkstra_path_length(graph, at) if at in graph else {}
        for edge, there in home.items():
            if there in found:
                found[edge] = found[there]
        return {site: cost for site, cost in found.items() if site != start}

    def served(self, site: str, key: str) -> set[str]:
        """The sites whose connectors a listener reaches."""
        known = {*self.costs(site), site}
        return {there for there, own in self.connectors if own == key and there in known}

    def uid(self, site: str) -> str:
        return f"0000-{site}"

    def host(self, site: str) -> str:
        return f"{site}.example.net"


def drawn(number: int, *, links: int = 2) -> DrawnNetwork:
    """A network of three to seven sites: interior ones joined as far as chance wants, edges with
    one link each."""
    at = random.Random(number)
    names = at.sample(WORDS, at.randint(3, 7))
    inside = max(2, len(names) - at.randint(0, 2))
    sites = {name: place >= inside for place, name in enumerate(names)}
    found: dict[tuple[str, str], DrawnLink] = {}
    for place, name in enumerate(names[1:inside], 1):
        if at.random() < 0.85:
            other = names[at.randrange(place)]
            found[name, other] = DrawnLink(f"to-{other}", name, other, at.randint(1, 9))
    for _ in range(at.randint(0, links)):
        one, other = at.sample(names[:inside], 2)
        if (one, other) not in found and (other, one) not in found:
            found[one, other] = DrawnLink(f"to-{other}", one, other, at.randint(1, 9))
    for name in names[inside:]:
        other = at.choice(names[:inside])
        found[name, other] = DrawnLink(f"to-{other}", name, other, 1)
    pairs = [(name, key) for name in names for key in KEYS]
    return DrawnNetwork(
        sites,
        tuple(found.values()),
        frozenset(at.sample(pairs, at.randint(2, 6))),
        frozenset(at.sample(pairs, at.randint(2, 6))),
    )


def resource(kind: str, name: str, namespace: str, spec: Document, **more: object) -> Document:
    meta = {"name": name, **({"namespace": namespace} if namespace else {})}
    meta |= {"uid": more.pop("uid")} if "uid" in more else {}
    return {
        "apiVersion": "skupper.io/v2alpha1",
        "kind": kind,
        "metadata": meta,
        "spec": spec,
        **more,
    }


def endpoints(host: str) -> list[Document]:
    return [{"name": role, "host": host, "port": str(port)} for role, port in PORTS.items()]


def services(network: DrawnNetwork, site: str, namespace: str) -> Iterator[Document]:
    for own, key in sorted(network.listeners):
        if own == site:
            spec: Document = {"routingKey": key, "host": key, "port": 8080}
            yield resource("Listener", key, namespace, spec)
    for own, key in sorted(network.connectors):
        if own == site:
            yield resource(
                "Connector",
                key,
                namespace,
                {"routingKey": key, "selector": f"app={key}", "port": 80},
            )


def of_site(
    network: DrawnNetwork, site: str, namespace: str, how: str = "endpoints"
) -> list[Document]:
    """The resources of a site of version 2. ``how`` says by what it is known where links lead."""
    edge = network.sites[site]
    spec: Document = {"edge": True} if edge else {"linkAccess": "default"}
    status: Document = (
        {} if edge or how != "endpoints" else {"endpoints": endpoints(network.host(site))}
    )
    found = [resource("Site", site, namespace, spec, status=status, uid=network.uid(site))]
    if how == "grants" and not edge:
        url = f"https://grants.example.net:9090/{site}"
        found.append(
            resource("AccessGrant", site, namespace, {}, status={"url": url, "code": "tiger"})
        )
    if how == "names" and not edge:
        roles = [{"name": role} for role in PORTS]
        found.append(
            resource(
                "RouterAccess",
                "gate",
                namespace,
                {"roles": roles, "subjectAlternativeNames": [network.host(site), "10.0.0.1"]},
            )
        )
    for link in network.links:
        if link.of != site:
            continue
        host = f"{link.to}.lb.example.com" if how == "status" else network.host(link.to)
        host = f"skupper-router.{link.to}.svc.cluster.local" if how == "cluster" else host
        if how == "grants":
            url = f"https://grants.example.net:9090/{link.to}"
            spec = {"url": url, "code": "tiger", "ca": "lion", "linkCost": link.cost}
            found.append(resource("AccessToken", link.name, namespace, spec))
            continue
        remote = {"remoteSiteId": network.uid(link.to)} if how == "status" else {}
        spec = {"endpoints": endpoints(host), "cost": link.cost, "tlsCredentials": link.name}
        found.append(resource("Link", link.name, namespace, spec, status=remote))
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": link.name}}
        found.append(secret | {"data": {"tls.key": "dGlnZXI="}})
    return [*found, *services(network, site, namespace)]


def _yaml(documents: list[Document]) -> str:
    return yaml.safe_dump_all(documents, sort_keys=False)


def _list(documents: list[Document]) -> Document:
    return {"apiVersion": "v1", "kind": "List", "items": documents}


def file_a_site(network: DrawnNetwork, folder: Path) -> None:
    for site in network.sites:
        (folder / f"{site}.yaml").write_text(_yaml(of_site(network, site, site)), "utf-8")


def one_file(network: DrawnNetwork, folder: Path) -> None:
    found = [one for site in network.sites for one in of_site(network, site, site)]
    (folder / "all.yaml").write_text(_yaml(found), "utf-8")


def folder_a_site(network: DrawnNetwork, folder: Path) -> None:
    """Files without namespaces, one a resource."""
    for site in network.sites:
        (folder / site).mkdir()
        for number, one in enumerate(of_site(network, site, "")):
            (folder / site / f"{number}.yaml").write_text(_yaml([one]), "utf-8")


def one_namespace_name(network: DrawnNetwork, folder: Path) -> None:
    """Clusters that each have the namespace ``default``."""
    for site in network.sites:
        (folder / site).mkdir()
        text = _yaml(of_site(network, site, "default"))
        (folder / site / "resources.yaml").write_text(text, "utf-8")


def json_lists(network: DrawnNetwork, folder: Path) -> None:
    for site in network.sites:
        text = json.dumps(_list(of_site(network, site, site)), indent=1)
        (folder / f"{site}.json").write_text(text, "utf-8")


def known_by(how: str) -> Callable[[DrawnNetwork, Path], None]:
    def write(network: DrawnNetwork, folder: Path) -> None:
        for site in network.sites:
            text = _yaml(of_site(network, site, site, how))
            (folder / f"{site}.yaml").write_text(text, "utf-8")

    return write


def version_one(network: DrawnNetwork, folder: Path) -> None:
    """skupper-site, skupper-services and Secrets; every site listens for every service of the
    network, so that the listeners drawn are those of all."""
    for site, edge in network.sites.items():
        meta = {"name": "skupper-site", "namespace": site, "uid": network.uid(site)}
        found: list[Document] = [
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": meta,
                "data": {"name": site, "edge": str(edge).lower()},
            }
        ]
        data = {}
        for key in KEYS:
            if (site, key) in network.listeners | network.connectors:
                targets = [{"name": key, "selector": f"app={key}"}]
                data[key] = json.dumps(
                    {
                        "address": key,
                        "protocol": "tcp",
                        "ports": [8080],
                        "targets": targets if (site, key) in network.connectors else [],
                    }
                )
        meta = {"name": "skupper-services", "namespace": site}
        found.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data})
        for link in network.links:
            if link.of == site:
                notes = {"skupper.io/generated-by": network.uid(link.to)}
                notes["skupper.io/cost"] = str(link.cost)
                for role, port in PORTS.items():
                    notes |= {f"{role}-host": network.host(link.to), f"{role}-port": str(port)}
                found.append(
                    {
                        "apiVersion": "v1",
                        "kind": "Secret",
                        "metadata": {
                            "name": link.name,
                            "namespace": site,
                            "labels": {"skupper.io/type": "connection-token"},
                            "annotations": notes,
                        },
                        "data": {"tls.key": "dGlnZXI="},
                    }
                )
        (folder / f"{site}.yaml").write_text(_yaml(found), "utf-8")


def router_id(site: str) -> str:
    return f"{site}-skupper-router-7d5f8c4b9-{site[:3]}x1"


def status_of(network: DrawnNetwork, version: int) -> Document:
    """What a network of version 1 or 2 says of itself."""
    found = []
    for site, edge in network.sites.items():
        links: list[Document] = []
        for link in network.links:
            mode = "edge" if network.sites[link.of] else "interior"
            if version == 2 and link.of == site:
                role = "edge" if edge else "inter-router"
                links.append(
                    {
                        "name": link.name,
                        "linkCost": link.cost,
                        "status": "up",
                        "role": role,
                        "peer": f"access-{link.to}",
                    }
                )
            if version == 1 and site in (link.of, link.to):
                other, way = (link.to, "outgoing") if site == link.of else (link.of, "incoming")
                links.append(
                    {
                        "mode": mode,
                        "name": router_id(other),
                        "linkCost": link.cost,
                        "direction": way,
                    }
                )
        router: Document = {"name": f"0/{router_id(site)}", "namespace": site}
        router |= {"mode": "edge" if edge else "interior"} if version == 2 else {}
        found.append(
            {
                "site": {"identity": network.uid(site), "name": site, "namespace": site},
                "routerStatus": [
                    {
                        "router": router,
                        "links": links or None,
                        "routerAccess": [{"identity": f"access-{site}"}] if version == 2 else [],
                        "listeners": [
                            {"name": key, "destHost": "0.0.0.0", "destPort": "1024", "address": key}
                            for own, key in sorted(network.listeners)
                            if own == site
                        ],
                        "connectors": [
                            {"destHost": "10.1.2.3", "destPort": "80", "address": key}
                            for own, key in sorted(network.connectors)
                            if own == site
                        ],
                    }
                ],
            }
        )
    return {"addresses": [], "siteStatus": found}


def _status_map(network: DrawnNetwork, version: int) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "skupper-network-status", "namespace": next(iter(network.sites))},
        "data": {"NetworkStatus": json.dumps(status_of(network, version))},
    }


def status(version: int) -> Callable[[DrawnNetwork, Path], None]:
    def write(network: DrawnNetwork, folder: Path) -> None:
        (folder / "status.yaml").write_text(_yaml([_status_map(network, version)]), "utf-8")

    return write


def bare_status(network: DrawnNetwork, folder: Path) -> None:
    """The JSON alone, as ``-o jsonpath`` prints it."""
    (folder / "status.json").write_text(json.dumps(status_of(network, 2)), "utf-8")


def debug_dumps(network: DrawnNetwork, folder: Path) -> None:
    """An archive a site: its resources and what it knows of the network, each member twice and
    under a name that begins with a slash."""
    for site in network.sites:
        with tarfile.open(folder / f"skupper-dump-{site}.tar.gz", "w:gz") as archive:
            for number, one in enumerate([*of_site(network, site, site), _status_map(network, 2)]):
                for end in (".yaml", ".yaml.txt"):
                    data = _yaml([one]).encode()
                    member = tarfile.TarInfo(
                        f"/site-namespace/resources/{one['kind']}-{number}{end}"
                    )
                    member.size = len(data)
                    archive.addfile(member, BytesIO(data))


FORMS: dict[str, Callable[[DrawnNetwork, Path], None]] = {
    "a file a site": file_a_site,
    "one file": one_file,
    "a folder a site": folder_a_site,
    "one namespace name": one_namespace_name,
    "json lists": json_lists,
    "the status of links": known_by("status"),
    "names within a cluster": known_by("cluster"),
    "names of certificates": known_by("names"),
    "tokens and grants": known_by("grants"),
    "version 1": version_one,
    "status of version 1": status(1),
    "status of version 2": status(2),
    "status alone": bare_status,
    "debug dumps": debug_dumps,
}
