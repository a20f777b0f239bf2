"""The routers of sites of Skupper 1: the ConfigMaps skupper-site and skupper-services, Secrets of
links, annotations of what is deployed [skupperproject/skupper branch v1, api/types/types.go,
pkg/network/types.go, pkg/domain/podman/network_status_sample_data.json for ``name:port``]."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from topograph.digits import digits
from topograph.findings import Source
from topograph.importers.amq_interconnect.skupper.resources import Resource, token_type
from topograph.importers.amq_interconnect.skupper.routers import PORTS, LinkEnd, SiteRouter
from topograph.records import record
from topograph.rules.amq_interconnect_findings import SITE_ASSUMED

_BRIDGES = {"tcp": "tcp", "http": "http", "http2": "http"}


@record
class Service:
    """A service of the network: ``targets`` are (name, what it leads to, port) by port, at the site
    that has it."""

    address: str
    protocol: str
    ports: tuple[str, ...]
    targets: tuple[tuple[str, str, dict[str, str]], ...]
    source: Source


def is_site(resource: Resource) -> bool:
    """Whether a resource founds a site of Skupper 1."""
    return resource.kind == "ConfigMap" and resource.name == "skupper-site"


def name_of(site: Resource) -> str:
    """The name of a site: what its ConfigMap says, else its namespace."""
    return site.text("data", "name") or site.namespace or "skupper-site"


def make(router: SiteRouter) -> list[Service]:
    """Fill in the router of a site but for its services, which are the result. Linear in its
    resources."""
    site = router.site
    router.edge = site.flag("data", "edge")
    router.note(
        SITE_ASSUMED,
        f"{router.id} is the router of the {site.label}, under the name of the site",
        site.source,
    )
    if not router.edge:
        router.listeners += [
            LinkEnd(f"{role}-listener", "", port, role, site.source) for role, port in PORTS.items()
        ]
    services: list[Service] = []
    for resource in router.made_of:
        if resource.kind == "Secret":
            _link(router, resource)
        elif resource.kind == "ConfigMap" and resource.name == "skupper-services":
            services += _services(router, resource)
    known = {service.address for service in services}
    for resource in router.made_of:
        found = _annotated(router, resource)
        if found is not None and found.address not in known:
            services.append(found)
    return services


def _link(router: SiteRouter, secret: Resource) -> None:
    def said(name: str) -> str:
        return secret.text("metadata", "annotations", name)

    cost = said("skupper.io/cost")
    cost = cost if digits(cost, 0) >= 1 else "1"
    by = said("skupper.io/generated-by")
    if token_type(secret.node) == "token-claim":
        url = said("skupper.io/url")
        host = url.partition("://")[2].partition("/")[0].rpartition(":")[0].strip("[]")
        router.assumed.append(f"the link of the {secret.label} is made: its claim is redeemed")
        port = PORTS[router.role]
        end = LinkEnd(secret.name, host or "unknown", port, router.role, secret.source, cost, by)
        router.connectors.append(end)
        return
    host, port = said(f"{router.role}-host"), said(f"{router.role}-port")
    if not host or not port:
        router.without_effect(secret, f"it has no host and port for the role {router.role}")
        return
    end = LinkEnd(secret.name, host, port, router.role, secret.source, cost, by)
    router.connectors.append(end)


def _services(router: SiteRouter, resource: Resource) -> Iterator[Service]:
    for key, text, source in resource.pairs("data"):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            router.without_effect(resource, f"what it says of {key} is not JSON")
            continue
        if not isinstance(value, dict):
            router.without_effect(resource, f"what it says of {key} is not a service")
            continue
        ports = value.get("ports") or [value.get("port")]
        targets = value.get("targets") or []
        yield Service(
            str(value.get("address") or key),
            str(value.get("protocol") or "tcp"),
            tuple(str(port) for port in (ports if isinstance(ports, list) else [ports]) if port),
            tuple(
                _target(one)
                for one in (targets if isinstance(targets, list) else [])
                if isinstance(one, dict)
            ),
            source,
        )


def _target(value: dict[str, object]) -> tuple[str, str, dict[str, str]]:
    ports = value.get("targetPorts")
    numbers = {str(key): str(one) for key, one in ports.items()} if isinstance(ports, dict) else {}
    leads_to = value.get("selector") or value.get("service") or value.get("name") or ""
    return str(value.get("name") or leads_to), str(leads_to), numbers


def _annotated(router: SiteRouter, resource: Resource) -> Service | None:
    """The service that annotations of a workload or Service make."""

    def said(name: str) -> str:
        return resource.text("metadata", "annotations", f"skupper.io/{name}")

    protocol = said("proxy")
    if not protocol:
        return None
    pairs = [one.partition(":") for one in said("port").replace(" ", "").split(",") if one]
    ports = {port: target or port for port, _, target in pairs}
    if not ports:
        ports = _own_ports(resource)
    if not ports:
        router.without_effect(resource, "neither its annotations nor its containers name a port")
        return None
    target = (resource.name, said("target") or resource.name, ports)
    address = said("address") or resource.name
    return Service(address, protocol, tuple(ports), (target,), resource.source)


def _own_ports(resource: Resource) -> dict[str, str]:
    """The ports of a Service, or of the containers of a workload."""
    from topograph.importers.positions.yaml_text import items, member, scalar

    nodes = resource.list("spec", "ports")
    for container in resource.list("spec", "template", "spec", "containers"):
        nodes += items(member(container, "ports"))
    found = (
        scalar(member(node, "containerPort")) or scalar(member(node, "port")) or ""
        for node in nodes
    )
    return {port: port for port in found if port}


def serve(routers: Sequence[SiteRouter], of_site: Sequence[Sequence[Service]]) -> None:
    """Write the services into the routers: each has a listener for every service of its own map,
    and where that is not loaded of all sites; connectors are where the targets are."""
    everywhere = {service.address: service for own in of_site for service in own}
    for router, own in zip(routers, of_site, strict=True):
        shown = {service.address for service in own}
        synced = any(one.name == "skupper-services" for one in router.made_of)
        further = [] if synced else [one for key, one in everywhere.items() if key not in shown]
        if further:
            names = ", ".join(service.address for service in further[:5])
            router.assumed.append(
                f"{router.id} listens for services of other sites ({names}): its ConfigMap "
                "skupper-services is not loaded"
            )
        for service in own:
            _write(router, service, targets=True)
        for service in further:
            _write(router, service, targets=False)


def _write(router: SiteRouter, service: Service, *, targets: bool) -> None:
    bridge = _BRIDGES.get(service.protocol)
    if bridge is None:
        router.note(
            SITE_ASSUMED,
            f"{service.address} has the protocol {service.protocol}, which is not followed",
            service.source,
        )
        return
    version = (("protocolVersion", "HTTP2"),) if service.protocol == "http2" else ()
    for port in service.ports:
        address = f"{service.address}:{port}"
        router.section(
            f"{bridge}Listener",
            service.source,
            (
                ("name", f"listener/{address}"),
                ("host", service.address),
                ("port", port),
                ("address", address),
                *version,
            ),
        )
        for name, leads_to, ports in service.targets if targets else ():
            router.section(
                f"{bridge}Connector",
                service.source,
                (
                    ("name", f"connector/{address}@{name}"),
                    ("host", leads_to),
                    ("port", ports.get(port, port)),
                    ("address", address),
                    *version,
                ),
            )
