"""Random networks of routers with costs, edges, addresses, vhost policies, SASL and TLS, and a
second reading of which connections open (T-14), which entry applies to an address (A-7) and who may
attach (position 12). ``router_worlds`` says what follows. Nothing here uses topograph's own code.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

ADDRESSES = ("orders", "orders/eu", "news", "ann/in")
PATTERNS = ("orders", "orders/eu", "orders/*", "orders/#", "*/eu", "*/in", "news", "#")
NAMES = ("orders", "orders*", "orders/*", "orders/eu", "news", "*", "n*", "${user}/in", "ord")
TREATMENTS = ("closest", "balanced", "multicast", "unavailable")
USERS = ("ann", "bob", "anonymous")
MECHANISMS = ("ANONYMOUS", "PLAIN", "EXTERNAL", "SCRAM-SHA-256")
Names = tuple[str, ...]


@dataclass(frozen=True)
class End:
    """What a listener or connector asks of a connection. ``needs`` is an attribute of listeners
    that is set."""

    mechanisms: tuple[str, ...] = ()
    tls: bool = False
    needs: str = ""
    user: bool = False

    def attributes(self) -> dict[str, str]:
        found = {"saslMechanisms": " ".join(self.mechanisms)} if self.mechanisms else {}
        found |= {"sslProfile": "tls"} if self.tls else {}
        found |= {self.needs: "yes"} if self.needs else {}
        return found | ({"saslUsername": "somebody"} if self.user else {})


@dataclass(frozen=True)
class Connection:
    """A connector of ``caller`` and the listener of ``called`` that it leads to."""

    caller: str
    called: str
    port: int
    role: str
    costs: tuple[int, int] = (1, 1)
    connector: End = End()
    listener: End = End()

    @property
    def cost(self) -> int:
        """T-3."""
        return max(self.costs)

    @cached_property
    def opens(self) -> bool | None:
        """T-14; None where the files do not say it."""
        here, there = set(self.connector.mechanisms), set(self.listener.mechanisms)
        both = here & there
        encrypted = self.connector.tls
        if (here and there and not both) or (encrypted and not self.listener.tls):
            return False
        if self.listener.needs == "requireSsl" and not encrypted:
            return False
        left = both if here and there else there
        if left == {"EXTERNAL"} and not encrypted:
            return None
        if self.listener.needs == "authenticatePeer":
            nobody = not (here or encrypted or self.connector.user)
            if nobody or {"ANONYMOUS"} in (here, there, both):
                return None
        if self.listener.needs == "requireEncryption" and not encrypted:
            plain = here and there and both <= {"ANONYMOUS", "PLAIN", "EXTERNAL"}
            return False if plain else None
        return True


@dataclass(frozen=True)
class Entry:
    """An ``address`` section; ``phases`` are those of senders and receivers, None if unset."""

    kind: str
    text: str
    distribution: str
    phases: tuple[int, int] | None = None

    @property
    def tokens(self) -> Names:
        """A-3."""
        return (*self.text.split("/"), *(["#"] if self.kind == "prefix" else []))

    def attributes(self) -> dict[str, Any]:
        found = {self.kind: self.text, "distribution": self.distribution}
        if self.phases is None:
            return found
        return found | dict(zip(("ingressPhase", "egressPhase"), self.phases, strict=True))


@dataclass(frozen=True)
class Group:
    """What a user group allows. ``names`` are ``sources`` and ``targets``, ``patterns`` say of each
    whether it is one of patterns of tokens."""

    users: tuple[str, ...]
    hosts: str
    names: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, bool]
    anonymous: bool

    def attributes(self) -> dict[str, str]:
        found = {"remoteHosts": self.hosts} if self.hosts else {}
        found |= {"users": ", ".join(self.users)} if self.users else {}
        for role, names in self.names.items():
            plain = "Pattern" if self.patterns[role] else "s"
            found[f"{role}{plain}"] = ", ".join(names)
        return found | {"allowAnonymousSender": str(self.anonymous).lower()}

    def allows(self, role: str, address: str, user: str | None, *, anonymous: bool) -> bool | None:
        """Whether a user of the group may attach; ``user`` is None where nobody says who it is."""
        if not self.hosts or (anonymous and not self.anonymous):
            return False
        named = [self._names(one, role, address, user) for one in self.names[role]]
        if True not in named:
            return None if None in named else False
        return True if self.hosts == "*" else None

    def _names(self, name: str, role: str, address: str, user: str | None) -> bool | None:
        if self.patterns[role]:
            tokens = name.replace("${user}", user or "${user}").split("/")
            for_any = ["*" if one == "${user}" else one for one in tokens]
            found = best([tuple(for_any)], address) is not None
        elif name == "*":
            found = True
        else:
            end = ".*" if name.endswith("*") else ""
            text = name.removesuffix("*").split("${user}")
            found = bool(re.fullmatch((user or ".+").join(map(re.escape, text)) + end, address))
        return None if found and user is None and "${user}" in name else found


@dataclass(frozen=True)
class Vhost:
    host: str
    unknown: bool
    default: Group | None
    groups: Mapping[str, Group]

    def possible(self, user: str | None) -> Iterator[Group | None]:
        """The groups that a client of the vhost may be in; None of one that it is not let into."""
        if user is None:
            yield from self.groups.values()
        for one in self.groups.values():
            if user in one.users:
                yield one
                return
        yield self.default if self.unknown else None


@dataclass(frozen=True)
class Client:
    name: str
    router: str
    address: str
    user: str


@dataclass(frozen=True)
class Message:
    """What is sent, and by whom; ``user`` is empty where it is not stated."""

    router: str
    address: str
    user: str = ""
    anonymous: bool = False


@dataclass(frozen=True)
class Estate:
    interior: tuple[str, ...]
    edges: tuple[str, ...]
    connections: tuple[Connection, ...]
    version: str
    defaults: Mapping[str, str]
    entries: Mapping[str, tuple[Entry, ...]]
    vhosts: Mapping[str, tuple[Vhost, ...] | None]
    nameless: frozenset[str]
    """The routers whose listeners for clients take ANONYMOUS alone."""
    receivers: tuple[Client, ...]
    json_form: frozenset[str]

    @property
    def routers(self) -> Names:
        return self.interior + self.edges

    def write(self, root: Path) -> None:
        for name in self.routers:
            sections = list(self._sections(name))
            as_json = name in self.json_form or self.version == "1.12.0"
            text = json.dumps(sections, indent=1) if as_json else "".join(map(conf, sections))
            (root / f"{name}.{'json' if as_json else 'conf'}").write_text(text, encoding="utf-8")
        lines = ["versions:", f'  "*": {self.version}', "clients:"]
        for one in self.receivers:
            lines.append(f"  - server: {one.router}\n    destination: address:{one.address}")
            lines.append(f"    role: receiver\n    client_id: {one.name}")
            lines += [f"    user: {one.user}"] if one.user else []
        (root / "topograph.yaml").write_text("\n".join([*lines, ""]), encoding="utf-8")

    def _sections(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        mode = "edge" if name in self.edges else "interior"
        yield "router", {"id": name, "mode": mode, "defaultDistribution": self.defaults[name]}
        yield "sslProfile", {"name": "tls", "certFile": "/c"}
        alone = {"saslMechanisms": "ANONYMOUS"} if name in self.nameless else {}
        yield "listener", {"host": name.lower(), "port": 5672, **alone}
        for one in self.connections:
            where = {"host": one.called.lower(), "port": one.port, "role": one.role}
            if one.called == name:
                yield "listener", {**where, "cost": one.costs[0], **one.listener.attributes()}
            if one.caller == name:
                yield "connector", {**where, "cost": one.costs[1], **one.connector.attributes()}
        for entry in self.entries[name]:
            yield "address", entry.attributes()
        vhosts = self.vhosts[name]
        if vhosts is None:
            return
        yield "policy", {"enableVhostPolicy": "yes"}
        for vhost in vhosts:
            groups = {group: one.attributes() for group, one in vhost.groups.items()}
            groups |= {"$default": vhost.default.attributes()} if vhost.default else {}
            unknown = "yes" if vhost.unknown else "no"
            yield "vhost", {"hostname": vhost.host, "allowUnknownUser": unknown, "groups": groups}

    def entry(self, router: str, address: str) -> Entry | None:
        """A-7, C-6: the best of those that are no duplicates of earlier ones."""
        own: dict[Names, Entry] = {}
        for one in self.entries[router]:
            own.setdefault(one.tokens, one)
        found = best(list(own), address)
        return None if found is None else own[found]

    def allows(
        self, router: str, role: str, address: str, user: str, *, anonymous: bool = False
    ) -> bool | None:
        """Position 12: whether a client may attach."""
        vhosts = self.vhosts[router]
        if vhosts is None:
            return True
        known = user or ("anonymous" if router in self.nameless else None)
        groups = [one for vhost in vhosts for one in vhost.possible(known)]
        if "$default" not in {one.host for one in vhosts}:
            groups.append(None)
        said = {
            False if one is None else one.allows(role, address, known, anonymous=anonymous)
            for one in groups
        }
        return said.pop() if len(said) == 1 else None


def conf(section: tuple[str, dict[str, Any]]) -> str:
    lines = [f"{section[0]} {{"]
    for key, value in section[1].items():
        if isinstance(value, dict):
            inner = json.dumps(value, indent=4)[1:-1].strip("\n")
            lines += [f"    {key}: {{", *([inner] if inner else []), "    }"]
        else:
            lines.append(f"    {key}: {value}")
    return "\n".join([*lines, "}", ""])


def best(patterns: Sequence[Names], address: str) -> Names | None:
    """A-7: the first complete match, literal tokens before ``*`` before ``#`` from the left."""

    def walk(left: Sequence[tuple[Names, Names]], tokens: Names) -> Names | None:
        ended = next((whole for whole, rest in left if not rest), None)
        if not tokens and ended is not None:
            return ended
        for token in dict.fromkeys((*tokens[:1], "*")) if tokens else ():
            after = [(whole, rest[1:]) for whole, rest in left if rest[:1] == (token,)]
            found = walk(after, tokens[1:]) if after else None
            if found is not None:
                return found
        after = [(whole, rest[1:]) for whole, rest in left if rest[:1] == ("#",)]
        going_on = [(whole, rest) for whole, rest in after if rest]
        for taken in range(len(tokens) + 1):
            found = walk(going_on, tokens[taken:]) if going_on else None
            if found is not None:
                return found
        return next((whole for whole, rest in after if not rest), None)

    return walk([(one, one) for one in patterns], tuple(address.split("/")))


def _ends(draw: st.DrawFn, *, often: float) -> tuple[End, End]:
    """A connector and a listener."""
    if draw(st.floats(0, 1)) > often:
        return End(), End()
    some = st.lists(st.sampled_from(MECHANISMS), max_size=2, unique=True).map(tuple)
    tls = draw(st.booleans())
    needs = ["", "requireEncryption", "authenticatePeer", *(["requireSsl"] if tls else [])]
    listener = End(draw(some), tls, draw(st.sampled_from(needs)))
    own_tls = draw(st.booleans()) if tls or draw(st.booleans()) else False
    return End(draw(some), own_tls, user=draw(st.booleans())), listener


def _connections(
    draw: st.DrawFn, interior: Sequence[str], edges: Sequence[str], often: float
) -> tuple[Connection, ...]:
    found: list[Connection] = []

    def connect(caller: str, called: str, role: str, costs: tuple[int, int]) -> None:
        ends = _ends(draw, often=often)
        found.append(Connection(caller, called, 6000 + len(found), role, costs, *ends))

    for pair in itertools.combinations(interior, 2):
        for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
            caller, called = draw(st.permutations(pair))
            costs = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
            connect(caller, called, "inter-router", costs)
    for edge in edges:
        for home in draw(st.lists(st.sampled_from(interior), max_size=2, unique=True)):
            connect(edge, home, "edge", (1, 1))
    return tuple(found)


def _group(draw: st.DrawFn, users: tuple[str, ...]) -> Group:
    patterns = {role: draw(st.booleans()) for role in ("source", "target")}
    names = {
        role: tuple(
            draw(
                st.lists(
                    st.sampled_from((*PATTERNS, "${user}/in") if as_pattern else NAMES),
                    min_size=1,
                    max_size=3,
                    unique=True,
                )
            )
        )
        for role, as_pattern in patterns.items()
    }
    hosts = draw(st.sampled_from(["*", "*", "*", "*", "10.0.0.1", ""]))
    return Group(users, hosts, names, patterns, draw(st.booleans()))


def _vhosts(draw: st.DrawFn) -> tuple[Vhost, ...] | None:
    if draw(st.booleans()):
        return None
    found = []
    for host in draw(st.sampled_from([("$default",)] * 5 + [("$default", "other"), ("other",)])):
        groups = {}
        for number, user in enumerate(draw(st.sets(st.sampled_from(USERS), max_size=2))):
            groups[f"g{number}"] = _group(draw, (user,))
        default = _group(draw, ()) if draw(st.integers(0, 4)) else None
        found.append(Vhost(host, draw(st.booleans()), default, groups))
    return tuple(found)


def _entry(kind: str, text: str, distribution: str, phases: tuple[int, int] | None) -> Entry:
    """An entry; one with wildcards is a pattern (A-3)."""
    return Entry("pattern" if {"*", "#"} & set(text) else kind, text, distribution, phases)


@st.composite
def router_estates(draw: st.DrawFn) -> Estate:
    interior = tuple("ABCD"[: draw(st.integers(1, 4))])
    edges = tuple("XY"[: draw(st.integers(0 if len(interior) > 1 else 1, 2))])
    routers = interior + edges
    version = draw(st.sampled_from(["1.19.0", "1.19.0", "1.12.0", "3.0.0", "3.1.0"]))
    phases = st.sampled_from([None] * 4 + ([(0, 0), (0, 1)] if version[0] == "1" else []))
    kinds = st.sampled_from(["prefix", "pattern"])
    distributions = st.sampled_from((*TREATMENTS, *TREATMENTS[:3]))
    entry = st.builds(_entry, kinds, st.sampled_from(PATTERNS), distributions, phases)
    everywhere = draw(st.lists(entry, max_size=2))
    entries = {
        one: (*draw(st.lists(entry, max_size=2)), *(everywhere if draw(st.booleans()) else []))
        for one in routers
    }
    default = st.sampled_from(["balanced"] * 4 + list(TREATMENTS))
    receivers = tuple(
        Client(
            f"r{number}",
            draw(st.sampled_from(routers)),
            draw(st.sampled_from(ADDRESSES)),
            draw(st.sampled_from(["", "ann", "bob", "eve"])),
        )
        for number in range(draw(st.integers(1, 6)))
    )
    return Estate(
        interior,
        edges,
        _connections(draw, interior, edges, draw(st.sampled_from([0, 0, 0.3, 0.7]))),
        version,
        {one: draw(default) for one in routers},
        entries,
        {one: _vhosts(draw) for one in routers},
        frozenset(draw(st.sets(st.sampled_from(routers)))),
        receivers,
        frozenset(draw(st.sets(st.sampled_from(routers)))),
    )
