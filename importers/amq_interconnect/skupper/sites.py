"""The routers of sites of Skupper 2, made as its controller makes them [skupperproject/skupper
internal/site/link.go, routeraccess.go, listener.go, connector.go, multikeylistener.go,
internal/kube/site/site.go, attached_connector.go, main branch at commit 80b1ba6d]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.digits import digits
from topograph.findings import Source
from topograph.importers.amq_interconnect.skupper import fields
from topograph.importers.amq_interconnect.skupper.resources import Resource
from topograph.importers.amq_interconnect.skupper.routers import PORTS, LinkEnd, SiteRouter
from topograph.importers.positions.yaml_text import member, members, place, scalar
from topograph.rules.amq_interconnect_findings import (
    CONNECTOR_NOT_LOADED,
    NOT_READY,
    SITE_ASSUMED,
    UNKNOWN_FIELD,
)


def make(router: SiteRouter, attached: Sequence[Resource]) -> None:
    """Fill in the router of a site. ``attached`` are the AttachedConnectors of all namespaces.
    Linear in its resources, times the connectors attached under one name."""
    site = router.site
    router.edge = site.flag("spec", "edge")
    message = f"{router.id} is the router of the {site.label}, under the name of the site"
    if site.flag("spec", "ha"):
        message += "; it has two (ha), which are taken as one"
        router.assumed.append(f"the two routers of {router.id} (ha) are taken as one")
    router.note(SITE_ASSUMED, message, site.source)
    if router.edge and site.flag("spec", "ha"):
        router.without_effect(site, "an edge site cannot have ha, so that Skupper refuses it")
    router.listeners += _listeners(router)
    for resource in (site, *router.made_of):
        _check(router, resource)
    for resource in router.made_of:
        if not fields.missing(resource):
            _MAKERS.get(resource.kind, _nothing)(router, resource)
    for binding in router.made_of:
        if binding.kind == "AttachedConnectorBinding" and not fields.missing(binding):
            _attach(router, binding, attached)


def _check(router: SiteRouter, resource: Resource) -> None:
    """Note fields that are not known or missing, and what its status says."""
    for name, source in fields.unknown(resource):
        message = f"{resource.kind} has no field {name}: it is not read"
        router.note(UNKNOWN_FIELD, message, source)
    if missing := fields.missing(resource):
        router.without_effect(resource, f"it has no {' and no '.join(missing)}")
    status = resource.text("status", "status")
    if status == "Error" or (resource.kind == "Link" and resource.state("Operational") == "False"):
        said = "Error" if status == "Error" else "that the link is not operational"
        message = f"The status of {resource.label} says {said}; answers follow its spec"
        router.note(NOT_READY, message, resource.at("status"))


def _nothing(router: SiteRouter, resource: Resource) -> None:
    """Kinds of which the controller makes nothing in the router by themselves."""


def _endpoints(resource: Resource, *path: str) -> Iterator[tuple[str, str, str, Source]]:
    """(role, host, port, place) of a list of endpoints."""
    for item in resource.list(*path):
        values = [scalar(member(item, name)) or "" for name in ("name", "host", "port")]
        if all(values):
            yield values[0], values[1], values[2], Source(resource.file, *place(item))


def _listeners(router: SiteRouter) -> Iterator[LinkEnd]:
    """Where a site accepts links: at the endpoints that the status of the Site or of a
    RouterAccess shows or that its certificate is for, else at a port of all hosts."""
    if router.edge:
        return
    seen: set[tuple[str, str, str]] = set()
    accesses = [one for one in router.made_of if one.kind == "RouterAccess"]
    for resource in (router.site, *accesses):
        for role, host, port, source in _endpoints(resource, "status", "endpoints"):
            if role in PORTS and (host, port, role) not in seen:
                seen.add((host, port, role))
                yield LinkEnd(f"{resource.name}-{role}@{host}", host, port, role, source)
    known = {role for _, _, role in seen}
    for access in accesses:
        for role, port, source in _roles(access):
            hosts = [scalar(one) or "" for one in access.list("spec", "subjectAlternativeNames")]
            for host in filter(None, hosts):
                if (host, port, role) not in seen:
                    seen.add((host, port, role))
                    yield LinkEnd(f"{access.name}-{role}@{host}", host, port, role, source)
            if role not in known and not hosts:
                host = access.text("spec", "bindHost")
                yield LinkEnd(f"{access.name}-{role}", host, port, role, source)
    link_access = router.site.text("spec", "linkAccess")
    if link_access not in ("", "none") and not any(
        one.name == "skupper-router" for one in accesses
    ):
        for role, port in PORTS.items():
            if role not in known:
                source = router.site.at("spec", "linkAccess")
                yield LinkEnd(f"skupper-router-{role}", "", port, role, source)


def _roles(access: Resource) -> Iterator[tuple[str, str, Source]]:
    for item in access.list("spec", "roles"):
        role = scalar(member(item, "name")) or ""
        if role in PORTS:
            port = scalar(member(item, "port")) or ""
            yield (
                role,
                port if port not in ("", "0") else PORTS[role],
                Source(access.file, *place(item)),
            )


def _link(router: SiteRouter, link: Resource) -> None:
    """The endpoint of the site's own role counts, the first of several; a cost below 1 is 1."""
    found = [one for one in _endpoints(link, "spec", "endpoints") if one[0] == router.role]
    if not found:
        router.without_effect(link, f"none of its endpoints is for the role {router.role}")
        return
    role, host, port, source = found[0]
    known = link.text("status", "remoteSiteId") or link.text("status", "remoteSiteName")
    router.connectors.append(
        LinkEnd(link.name, host, port, role, source, _cost(link, "cost"), known)
    )


def _cost(resource: Resource, name: str) -> str:
    written = resource.text("spec", name)
    return written if digits(written, 0) >= 1 else "1"


def _token(router: SiteRouter, token: Resource) -> None:
    """A token is redeemed for a Link of its name; until then where that leads is in its grant."""
    if any(one.kind == "Link" and one.name == token.name for one in router.made_of):
        return
    router.assumed.append(f"the link of the {token.label} is made: its token is redeemed")
    url = token.text("spec", "url")
    host = url.partition("://")[2].partition("/")[0].rpartition(":")[0].strip("[]")
    end = LinkEnd(
        token.name,
        host or "unknown",
        PORTS[router.role],
        router.role,
        token.at("spec", "url"),
        _cost(token, "linkCost"),
        grant=url,
    )
    router.connectors.append(end)


def _is_tcp(router: SiteRouter, resource: Resource) -> bool:
    kind = resource.text("spec", "type")
    if kind not in ("", "tcp"):
        router.without_effect(resource, f"its type {kind} is not one that Skupper has (tcp)")
    return kind in ("", "tcp")


def _listener(router: SiteRouter, listener: Resource) -> None:
    if _is_tcp(router, listener):
        values = [(name, listener.text("spec", name)) for name in ("host", "port")]
        values += [
            ("name", f"listener/{listener.name}"),
            ("address", listener.text("spec", "routingKey")),
        ]
        router.section("tcpListener", listener.source, values)


def _connector(router: SiteRouter, connector: Resource) -> None:
    if _is_tcp(router, connector):
        _connect(router, connector, connector, connector.text("spec", "host"))


def _connect(router: SiteRouter, connector: Resource, keyed: Resource, host: str) -> None:
    """The TCP connectors of a Connector, or of an AttachedConnector with the binding (``keyed``)
    that gives its key. Which pods a selector takes is only in a status."""
    key, port = keyed.text("spec", "routingKey"), connector.text("spec", "port")
    selector = connector.text("spec", "selector")
    pods = [
        (scalar(member(pod, "name")) or "", scalar(member(pod, "ip")) or "")
        for pod in connector.list("status", "selectedPods")
    ]
    if not host and not selector:
        router.without_effect(connector, "it has neither host nor selector")
        return
    if not host and not pods and connector.state("Configured") == "False":
        router.without_effect(connector, "its status shows no pod that its selector takes")
        return
    targets = [(host, key)] if host else [(selector, key)]
    if keyed.flag("spec", "exposePodsByName") and not host:
        targets += [(ip or name, f"{key}.{name}") for name, ip in pods if name]
        if not pods:
            router.unseen.append(
                f"the {keyed.label} makes a connector for each of its pods, which no status shows"
            )
    for target, address in targets:
        suffix = "" if address == key else address.removeprefix(key)
        values = (
            ("name", f"connector/{keyed.name}{suffix}@{target}"),
            ("host", target),
            ("port", port),
            ("address", address),
        )
        router.section("tcpConnector", connector.source, values)


def _attach(router: SiteRouter, binding: Resource, attached: Sequence[Resource]) -> None:
    """The AttachedConnector of the binding's name in the namespace that the binding names, which
    names the site's namespace in turn."""
    namespace = binding.text("spec", "connectorNamespace")
    own = [one for one in attached if one.name == binding.name and one.namespace == namespace]
    matching = [
        one
        for one in own
        if not fields.missing(one)
        and one.text("spec", "siteNamespace")
        == (router.site.namespace or one.text("spec", "siteNamespace"))
    ]
    if matching:
        _check(router, matching[0])
        _connect(router, matching[0], binding, "")
    elif own:
        router.without_effect(binding, f"the AttachedConnector of {namespace} names another site")
    else:
        because = (
            f"the AttachedConnector {binding.name} of {namespace} is not loaded, so that whether "
            f"{router.id} serves {binding.text('spec', 'routingKey')} is not known"
        )
        router.unseen.append(because)
        message = f"{binding.label}: {because}. Load it (kubectl get -n {namespace} -o yaml)"
        router.note(CONNECTOR_NOT_LOADED, message, binding.source)


def _several_keys(router: SiteRouter, listener: Resource) -> None:
    """A listener with several addresses (S-7): the first key of a priority has the greatest
    value."""
    keys = [
        scalar(one) or "" for one in listener.list("spec", "strategy", "priority", "routingKeys")
    ]
    keys = [key for key in keys if key]
    shares = [(key, str(len(keys) - 1 - place_)) for place_, key in enumerate(keys)]
    strategy = "priority"
    if not shares:
        strategy = "weighted"
        weights = member(listener.node, "spec", "strategy", "weighted", "routingKeys")
        shares = [(scalar(key) or "", scalar(value) or "") for key, value in members(weights)]
    if not shares:
        router.without_effect(listener, "its strategy names no routing key")
        return
    name = f"multiAddress/{listener.name}"
    values = [(one, listener.text("spec", one)) for one in ("host", "port")]
    values += [("name", name), ("multiAddressStrategy", strategy)]
    router.section("tcpListener", listener.source, values)
    for key, value in shares:
        router.section(
            "listenerAddress",
            listener.at("spec", "strategy"),
            (
                ("name", f"{listener.name}/{key}"),
                ("address", key),
                ("value", value),
                ("listener", name),
            ),
        )


_MAKERS = {
    "Link": _link,
    "AccessToken": _token,
    "Listener": _listener,
    "Connector": _connector,
    "MultiKeyListener": _several_keys,
}
