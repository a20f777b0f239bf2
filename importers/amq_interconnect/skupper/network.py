"""From the files with resources of Skupper to the routers of a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from topograph.facts.amq_interconnect import Entity, Shown
from topograph.findings import Finding, Source
from topograph.importers.amq_interconnect.conf import read_conf
from topograph.importers.amq_interconnect.json_form import read_json
from topograph.importers.amq_interconnect.manifests import EmbeddedConfiguration, faults_of
from topograph.importers.amq_interconnect.skupper import fields, network_status, sites, version_one
from topograph.importers.amq_interconnect.skupper.owners import Owners
from topograph.importers.amq_interconnect.skupper.resources import (
    LIMITS,
    PROXIED,
    ROUTER_MAPS,
    Resource,
    resources_of,
)
from topograph.importers.amq_interconnect.skupper.routers import LinkEnd, SiteRouter
from topograph.importers.positions.yaml_text import (
    documents,
    is_list,
    is_mapping,
    items,
    member,
    members,
    scalar,
)
from topograph.rules.amq_interconnect_findings import (
    RESOURCE_TWICE,
    SECTION_3_6,
    SITE_ASSUMED,
    SITE_NOT_LOADED,
)
from topograph.rules.unnumbered import PART_OF_NETWORK, YAML_LIMIT

if TYPE_CHECKING:
    from yaml.nodes import Node

_SERVICES = ("skupper-router", "skupper-internal", "skupper-router-local", "skupper")
"""Names of the Services of routers within a cluster: ``NAME.NAMESPACE.svc``."""
_OF_A_SITE = frozenset(
    {"Link", "Listener", "Connector", "MultiKeyListener", "AttachedConnectorBinding"}
)
"""Kinds of which a namespace has a site, whether that is loaded or not."""


@dataclass
class SkupperNetwork:
    """What the files of a network give: ``configurations`` of routers by file, ``observed`` facts
    by file, findings, and of each file how many resources were read and how many not."""

    configurations: list[tuple[str, EmbeddedConfiguration]] = field(default_factory=list)
    observed: dict[str, list[Entity | Shown]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    read: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    routers: dict[str, str] = field(default_factory=dict)
    """By file and name of a ConfigMap the id that its ``${HOSTNAME}`` stands for."""
    superseded: dict[str, SiteRouter] = field(default_factory=dict)
    """By file and name of a ConfigMap the site whose router starts from it."""
    faulty: set[str] = field(default_factory=set)
    """Files of which faults of form are among the findings."""

    def completed(self, one: EmbeddedConfiguration, path: str) -> EmbeddedConfiguration:
        """A configuration of a router that stands in a file, with what else is known of its site:
        its id in place of ``${HOSTNAME}``, and the hosts at which it accepts links."""
        key = f"{path}\n{one.name.partition('/')[0]}"
        id_, router = self.routers.get(key, ""), self.superseded.get(key)
        if not one.text or (not id_ and router is None):
            return one
        read = read_json if one.form == "json" else read_conf
        document = read(one.text, one.placing)
        sections = list(document.sections)
        for section in sections:
            for entry in section.entries if section.type == "router" and id_ else ():
                if entry.name == "id" and "${" in str(entry.value):
                    at = section.entries.index(entry)
                    section.entries[at] = entry._replace(value=id_)
        if router is not None and not router.edge:
            ends = SiteRouter(router.site, listeners=[end for end in router.listeners if end.host])
            sections += ends.ends()
        return replace(one, text="", document=replace(document, sections=tuple(sections)))


def read_network(texts: Mapping[str, str]) -> SkupperNetwork:
    """The routers of all sites that the files speak of. Never raises; linear in the files, times
    the sites of one namespace."""
    network = SkupperNetwork()
    found: list[Resource] = []
    statuses = []
    for path, text in texts.items():
        if text.lstrip()[:1] == "{" and '"siteStatus"' in text and '"kind"' not in text:
            statuses.append(network_status.read_status(text, Source(path, 1, 1)))
            continue
        own = resources_of(text, path)
        network.others[path] += own.others
        if own.documents is not None:
            faults = list(faults_of(own.documents, len(text), path, LIMITS))
            network.findings += faults
            network.faulty.update([path] if faults else [])
        if own.beyond:
            message = "This file has too much in it: only its first 200,000 values are looked at"
            network.findings.append(YAML_LIMIT.at(Source(path), message))
        found += own.resources
    for one in found:
        if one.kind == "ConfigMap" and one.name == "skupper-network-status":
            text, source = one.text("data", "NetworkStatus"), one.at("data", "NetworkStatus")
            statuses.append(network_status.read_status(text, source))
            network.read[one.file] += 1
    _Assembly(network, found, statuses).assemble()
    return network


class _Assembly:
    def __init__(
        self,
        network: SkupperNetwork,
        found: Sequence[Resource],
        statuses: Sequence[network_status.Status],
    ) -> None:
        self.network = network
        self.resources = list(found)
        self.statuses = statuses
        self.attached = [one for one in found if one.kind == "AttachedConnector"]
        self.grants = [one for one in found if one.kind == "AccessGrant"]

    def assemble(self) -> None:
        founding = _once_each(
            [one for one in self.resources if one.kind == "Site" or version_one.is_site(one)]
        )
        founding += self.of_namespaces(founding)
        self.routers = [SiteRouter(site) for site in founding]
        self.by_site = {id(router.site): router for router in self.routers}
        self.owners = Owners(founding)
        self.name()
        maps = self.distribute()
        services = []
        for router in self.routers:
            if not version_one.is_site(router.site):
                sites.make(router, self.attached)
        old = [router for router in self.routers if version_one.is_site(router.site)]
        services = [version_one.make(router) for router in old]
        version_one.serve(old, services)
        self.bind_attached()
        self.join()
        self.take_status(maps)
        self.note_alone()
        self.write(maps)

    def of_namespaces(self, founding: Sequence[Resource]) -> list[Resource]:
        """A stand-in for the Site of each namespace that has resources and none is loaded of."""
        known = {site.namespace for site in founding}
        if "" in known:
            return []
        made: dict[str, Resource] = {}
        for one in self.resources:
            if one.kind in _OF_A_SITE and one.namespace and one.namespace not in known:
                empty = replace(one, kind="Site", name=one.namespace, uid="", node=_nothing())
                made.setdefault(one.namespace, empty)
        return list(made.values())

    def name(self) -> None:
        """Routers go by the names of their sites; of several sites of one name by the namespace
        too."""
        names = {
            id(router): version_one.name_of(router.site)
            if version_one.is_site(router.site)
            else router.site.name
            for router in self.routers
        }
        count = Counter(names.values())
        for router in self.routers:
            own = names[id(router)]
            several = count[own] > 1 and router.site.namespace
            router.id = f"{router.site.namespace}/{own}" if several else own

    def distribute(self) -> dict[int, list[Resource]]:
        """Give each resource to its site. The result are ConfigMaps of routers, by site."""
        maps: dict[int, list[Resource]] = {}
        own: dict[int, list[Resource]] = {}
        for one in self.resources:
            if one.kind in ("Site", "AttachedConnector") or version_one.is_site(one):
                self.network.read[one.file] += 1
                continue
            if one.kind == "ConfigMap" and one.name == "skupper-network-status":
                continue
            owner = self.owners.owner(one)
            is_map = one.kind == "ConfigMap" and one.name in ROUTER_MAPS
            if isinstance(owner, str):
                if not is_map and one.kind not in fields.WITHOUT_ROUTES and not self.is_plain(one):
                    self.nowhere(one, owner)
                continue
            (maps if is_map else own).setdefault(id(owner), []).append(one)
        for router in self.routers:
            router.made_of = _once_each(own.get(id(router.site), []), router)
            self.network.read.update(one.file for one in router.made_of)
            if router.site.kind == "Site" and not router.site.text("kind"):
                router.incomplete.append(
                    "not all of its configuration is shown: the Site of the namespace "
                    f"{router.site.namespace} is not loaded"
                )
        return maps

    def is_plain(self, one: Resource) -> bool:
        return one.kind not in fields.SPEC and one.kind not in (*PROXIED, "Secret", "ConfigMap")

    def nowhere(self, one: Resource, because: str) -> None:
        message = (
            f"{one.label} is not used: {because}. Load the Site of its namespace (kubectl get site "
            "-n NAMESPACE -o yaml), and give files without metadata.namespace a folder a site"
        )
        self.network.findings.append(SECTION_3_6.at(one.source, message, kind=SITE_NOT_LOADED))

    def bind_attached(self) -> None:
        """Attached connectors without a binding in the namespace that they name do nothing."""
        bound = {
            (one.name, one.text("spec", "connectorNamespace"))
            for router in self.routers
            for one in router.made_of
            if one.kind == "AttachedConnectorBinding"
        }
        for one in self.attached:
            if (one.name, one.namespace) not in bound:
                namespace = one.text("spec", "siteNamespace")
                self.nowhere(one, f"no AttachedConnectorBinding of {namespace} is loaded for it")

    def join(self) -> None:
        """Give each site the hosts that resources show to be its own, though no endpoint of it
        does: what the status of a link, the URL of a token, or a name within the cluster says."""
        taken = {
            (end.host.lower(), end.port, end.role)
            for router in self.routers
            for end in router.listeners
            if end.host
        }
        for router in self.routers:
            for number, end in enumerate(list(router.connectors)):
                if end.grant:
                    self.redeem(router, number, taken)
                    continue
                place = (end.host.lower(), end.port, end.role)
                there = self.reached(end) if place not in taken else None
                if there is None or there.edge or there is router:
                    continue
                taken.add(place)
                name = f"{end.role}@{end.host}"
                there.listeners.append(replace(end, name=name, cost="", site="", grant=""))

    def reached(self, end: LinkEnd) -> SiteRouter | None:
        if end.site:
            by_uid = [one for one in self.routers if end.site == one.site.uid]
            named = [one for one in self.routers if end.site in (one.id, one.site.name)]
            found = by_uid or named
            return found[0] if len(found) == 1 else None
        service, _, rest = end.host.partition(".")
        if service not in _SERVICES or not rest:
            return None
        namespace = rest.partition(".")[0]
        if rest not in (namespace, f"{namespace}.svc", f"{namespace}.svc.cluster.local"):
            return None
        own = [one for one in self.routers if one.site.namespace == namespace]
        return own[0] if len(own) == 1 else None

    def redeem(self, router: SiteRouter, number: int, taken: set[tuple[str, str, str]]) -> None:
        """The link that a token is redeemed for leads to the site of its grant: where that is known
        to listen, else to a host of the site's name. The URL is not where links lead."""
        end = router.connectors[number]
        there = self.granted(end)
        if there is None or there.edge or there is router:
            return
        known = [one for one in there.listeners if one.host and one.role == end.role]
        host, port = (known[0].host, known[0].port) if known else (there.id, end.port)
        router.connectors[number] = replace(end, host=host, port=port)
        if not known and (host.lower(), port, end.role) not in taken:
            taken.add((host.lower(), port, end.role))
            name = f"{end.role}@{host}"
            there.listeners.append(LinkEnd(name, host, port, end.role, end.source))

    def granted(self, end: LinkEnd) -> SiteRouter | None:
        """The site of the AccessGrant that a token is of: its URL, or the uid that ends it."""
        last = end.grant.rstrip("/").rpartition("/")[2]
        for grant in self.grants:
            if end.grant == grant.text("status", "url") or (grant.uid and grant.uid == last):
                owner = self.owners.owner(grant)
                return None if isinstance(owner, str) else self.by_site[id(owner)]
        return None

    def take_status(self, maps: Mapping[int, Sequence[Resource]]) -> None:
        """The observed facts. A router goes by the name of its site if it is the only one of it
        and nothing else that is loaded has its own id; else by that id."""
        seen: set[str] = set()
        for status in self.statuses:
            self.network.findings += status.findings
            count = network_status.site_names(status)
            status.routers = [one for one in status.routers if one.id not in seen]
            seen |= {one.id for one in status.routers}
            names: dict[str, str] = {}
            for one in status.routers:
                router = self.site_of(one)
                own = maps.get(id(router.site), ()) if router is not None else ()
                for config in own:
                    if _is_of(config.name, one, alone=len(own) == 1):
                        self.network.routers[f"{config.file}\n{config.name}"] = one.id
                if own or not one.alone:
                    names[one.id] = one.id
                elif router is not None:
                    names[one.id] = router.id
                else:
                    unique = count[one.site_name] == 1 and one.site_name
                    names[one.id] = one.site_name if unique else one.id
                if router is not None and not one.alone and not own:
                    self.give_way(router, status.source)
            bundle = f"{status.source.file}!/skupper-network-status"
            facts = network_status.entities_of(status, names, bundle)
            self.network.observed.setdefault(status.source.file, []).extend(facts)

    def site_of(self, one: network_status.StatusRouter) -> SiteRouter | None:
        """The loaded site that a router of the status is of."""
        by_uid = [router for router in self.routers if one.site and router.site.uid == one.site]
        named = [
            router
            for router in self.routers
            if one.site_name in (router.id, router.site.name, version_one.name_of(router.site))
            and (not router.site.uid or not one.site or version_one.is_site(router.site))
            and (
                not one.namespace
                or one.namespace == router.site.namespace
                or not router.site.namespace
            )
        ]
        found = by_uid or named
        return found[0] if len(found) == 1 else None

    def give_way(self, router: SiteRouter, source: Source) -> None:
        """The status shows the routers of a site one by one: the one made of its resources is left
        out."""
        if router in self.routers:
            self.routers.remove(router)
            message = (
                f"{source} shows the routers of the site {router.id}, which are read from there"
            )
            router.note(SITE_ASSUMED, message, router.site.source)
            self.network.findings += router.findings

    def note_alone(self) -> None:
        """Note that only one site of a network is loaded, or none."""
        if not self.routers and not self.statuses and self.resources:
            message = (
                "No site of Skupper is loaded, only resources of one. Load the Site of each "
                "namespace too (kubectl get site -o yaml), or the ConfigMap "
                "skupper-network-status of any site, which shows all of them."
            )
            self.network.findings.append(PART_OF_NETWORK.at(self.resources[0].source, message))
        sites_ = [router for router in self.routers if router.site.text("kind")]
        if len(sites_) == 1 and len(self.routers) == 1 and not self.statuses:
            message = (
                f"Only the site {sites_[0].id} of its Skupper network is loaded. Load the "
                "resources of the other sites too, or the ConfigMap skupper-network-status of any "
                "site, which shows all of them."
            )
            note = PART_OF_NETWORK.at(sites_[0].site.source, message, server=sites_[0].id)
            self.network.findings.append(note)

    def write(self, maps: Mapping[int, Sequence[Resource]]) -> None:
        for router in self.routers:
            self.network.findings += router.findings
            own = maps.get(id(router.site), ())
            if own:
                for one in own:
                    self.network.superseded[f"{one.file}\n{one.name}"] = router
                continue
            site = router.site
            name = "/".join(filter(None, ("Site", site.namespace, site.name)))
            self.network.configurations.append(
                (
                    site.file,
                    EmbeddedConfiguration(
                        name,
                        document=router.document(),
                        assumed="; ".join(router.assumed),
                        incomplete="; ".join(router.incomplete),
                        unseen="; ".join(router.unseen),
                        skupper=True,
                    ),
                )
            )


def _is_of(name: str, router: network_status.StatusRouter, *, alone: bool) -> bool:
    """Whether a router starts from the ConfigMap of this name: its id ends with the name of its
    pod, which is that of the Deployment and two words."""
    if router.alone and alone:
        return True
    deployment = "skupper-router" if name == "skupper-internal" else name
    before, _, pod = router.id.rpartition(f"-{deployment}-")
    return bool(before) and pod.count("-") == 1


def _once_each(resources: Sequence[Resource], router: SiteRouter | None = None) -> list[Resource]:
    """Each resource once: of two with one name the one with a status, else the last. Sites are one
    only if they have one uid, or one namespace and folder."""
    kept: dict[tuple[str, ...], Resource] = {}
    for one in resources:
        place = () if router is not None else (one.uid or _home(one.file), one.namespace)
        key = (one.kind, one.name, *place)
        before = kept.get(key)
        if before is None:
            kept[key] = one
            continue
        if _spec(before) != _spec(one) and router is not None:
            message = (
                f"{one.label} is here twice and differs: the one with a status counts, else "
                "the last"
            )
            router.note(RESOURCE_TWICE, message, one.source)
        if not before.text("status", "status") or one.text("status", "status"):
            kept[key] = one
    return list(kept.values())


def _home(file: str) -> str:
    """The folder of a site: that of its file, or the one above ``input``, ``runtime`` and the like,
    in which a site that is not on Kubernetes has its resources [internal/nonkube]."""
    parts = file.split("/")[:-1]
    for name in ("input", "runtime", "internal"):
        if name in parts:
            return "/".join(parts[: parts.index(name)])
    return "/".join(parts)


def _spec(resource: Resource) -> object:
    def plain(node: Node | None, depth: int = 0) -> object:
        if depth > 20:
            return "..."
        if is_mapping(node):
            return {scalar(key): plain(value, depth + 1) for key, value in members(node)}
        if is_list(node):
            return [plain(one, depth + 1) for one in items(node)]
        return scalar(node)

    return plain(member(resource.node, "spec") or member(resource.node, "data"))


def _nothing() -> Node:
    """A resource that says nothing."""
    return documents("{}", LIMITS).roots[0]
