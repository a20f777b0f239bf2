"""From the bytes of a file of definitions to facts and findings. Never raises, and drops nothing
without a word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from rabbitmq import facts as f
from topograph.facts import Fact
from topograph.files import FileReport
from topograph.findings import Finding, Severity
from topograph.importers.positions.json_text import Cursor, Node, NotJson, parse
from topograph.importers.positions.places import Places, Placing
from topograph.importers.reading import Bundle, Options, Reading, Recognised, Role

LISTS = frozenset({"exchanges", "queues", "bindings"})
"""What every file of definitions has."""

NOT_READ = frozenset(
    {
        *("users", "permissions", "topic_permissions", "global_parameters", "vhosts"),
        *("vhost-limits", "operator_policy"),
    }
)
"""Lists, and components of parameters, that say nothing of where messages go."""

Object = dict[str, Any]


def recognise(path: str, data: bytes) -> Recognised | None:
    """A file holds definitions if it is a JSON object with lists of exchanges, queues and
    bindings, whatever its name. The broker is called like its cluster, else like the file.
    """
    if not all(f'"{name}"'.encode() in data for name in LISTS):
        return None
    root = parse(data.decode("utf-8", errors="replace")).root
    if root is None or not root.members.keys() >= LISTS:
        return None
    name = _cluster(root)
    own = path.rpartition("/")[2].removesuffix(".json")
    return Recognised(path, Role.MAIN, server=name or own, unnamed=not name)


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    """The facts of one broker. ``bundle.server`` is the name that ``recognise`` found."""
    files = [_File(bundle, file.path, contents[file.path]) for file in bundle.files]
    return Reading(
        tuple(fact for file in files for fact in file.facts),
        tuple(finding for file in files for finding in file.findings),
        tuple(file.report() for file in files),
    )


class _File:
    """What one file says: each entry is a fact, of a list that is ``NOT_READ``, or a finding."""

    def __init__(self, bundle: Bundle, path: str, data: bytes) -> None:
        self.bundle, self.path = bundle, path
        self.text = data.decode("utf-8", errors="replace")
        self.places = Places(self.text, Placing(path))
        self.facts: list[Fact] = []
        self.findings: list[Finding] = []
        self.ignored = 0
        document = parse(self.text)
        root = document.root or Node({}, 0)
        for name, listed in root.members.items():
            for entry in listed.items:
                self._entry(name, entry.offset)
        if document.error:
            self._say(
                "cut-off", f"{document.error}: what follows is not read", document.error_offset
            )
        for name, offset in document.duplicates:
            self._say("given-twice", f"{name} is given twice: the later one counts", offset)
        host = _cluster(root).partition("@")[2]
        left_out = len(self.findings)
        self.facts.append(f.Broker(host=host, left_out=left_out, **self._common(root.offset)))

    def report(self) -> FileReport:
        """The row of ``show files``: what became of every entry."""
        return FileReport(
            self.path,
            "partly-read" if self.findings else "read",
            "main",
            self.bundle.system,
            self.bundle.server,
            len(self.facts),
            self.ignored,
            len(self.findings),
        )

    def _entry(self, name: str, offset: int) -> None:
        try:
            entry: Any = Cursor(self.text, offset).decode()
            json.dumps(entry, ensure_ascii=False).encode()  # half a surrogate pair raises
            kind = entry["component"] if name == "parameters" else name
            if kind in NOT_READ:
                self.ignored += 1
            elif isinstance(entry, dict):
                make = _MAKERS[kind]
                self.facts.append(make(entry, self._common(offset)))
            else:
                raise TypeError("not an object")
        except (NotJson, LookupError, TypeError, ValueError, AttributeError, re.error) as error:
            why = f"This entry of {name} is not understood ({error}); it is left out"
            self._say("not-understood", why, offset)

    def _common(self, offset: int) -> Object:
        source = self.places.source(offset)
        return {"bundle": self.bundle.id, "server": self.bundle.server, "source": source}

    def _say(self, kind: str, message: str, offset: int) -> None:
        source, server = self.places.source(offset), self.bundle.server
        self.findings.append(Finding(kind, Severity.WARNING, f"{message}.", source, server=server))


def _cluster(root: Node) -> str:
    """The name of the cluster; empty if the file does not say it."""
    listed = root.members.get("global_parameters", Node([], 0)).items
    texts = ({key: node.text or "" for key, node in one.members.items()} for one in listed)
    return next((one.get("value", "") for one in texts if one.get("name") == "cluster_name"), "")


def _text(entry: Object, name: str, default: str | None = None) -> str:
    """A member that is a text. Raises KeyError or TypeError."""
    value = entry[name] if default is None else entry.get(name, default)
    if not isinstance(value, str):
        raise TypeError(f"{name} is not a text")
    return value


def _pairs(entry: Object, name: str) -> f.Pairs:
    """A member that is an object: its members, values as JSON text."""
    return tuple((key, json.dumps(value)) for key, value in entry.get(name, {}).items())


def _address(entry: Object, name: str) -> f.Address:
    """Where a URI, or one of several of a cluster, leads; without a path to the virtual host
    ``/``.
    """
    given = entry[name]
    uris = [
        urlsplit(_text({name: uri}, name))
        for uri in (given if isinstance(given, list) else [given])
    ]
    hosts = tuple(uri.hostname for uri in uris if uri.hostname)
    return f.Address(hosts, unquote(uris[0].path[1:]) if uris[0].path else "/")


def _named(entry: Object) -> Object:
    """The virtual host and the name of an entry."""
    return {"vhost": _text(entry, "vhost"), "name": _text(entry, "name")}


def _exchange(entry: Object, common: Object) -> Fact:
    internal, arguments = entry.get("internal") is True, _pairs(entry, "arguments")
    type_ = _text(entry, "type")
    return f.Exchange(**common, **_named(entry), type=type_, internal=internal, arguments=arguments)


def _queue(entry: Object, common: Object) -> Fact:
    return f.Queue(**common, **_named(entry), arguments=_pairs(entry, "arguments"))


def _binding(entry: Object, common: Object) -> Fact:
    return f.Binding(
        **common,
        vhost=_text(entry, "vhost"),
        name=_text(entry, "source"),
        to_type=_text(entry, "destination_type"),
        to=_text(entry, "destination"),
        key=_text(entry, "routing_key", ""),
        arguments=_pairs(entry, "arguments"),
    )


def _policy(entry: Object, common: Object) -> Fact:
    re.compile(_text(entry, "pattern"))
    return f.Policy(
        **common,
        **_named(entry),
        pattern=entry["pattern"],
        apply_to=_text(entry, "apply-to", "all"),
        priority=int(entry.get("priority", 0)),
        definition=_pairs(entry, "definition"),
    )


def _upstream(entry: Object, common: Object) -> Fact:
    value = entry["value"]
    return f.Upstream(
        **common,
        **_named(entry),
        at=_address(value, "uri"),
        exchange=_text(value, "exchange", ""),
        queue=_text(value, "queue", ""),
        max_hops=int(value.get("max-hops", 1)),
    )


def _upstream_set(entry: Object, common: Object) -> Fact:
    upstreams = tuple(_text(one, "upstream") for one in entry["value"])
    if any(len(one) > 1 for one in entry["value"]):
        raise ValueError("a set that overrides its upstreams")
    return f.UpstreamSet(**common, **_named(entry), upstreams=upstreams)


def _shovel(entry: Object, common: Object) -> Fact:
    value = entry["value"]
    if {value.get("src-protocol", "amqp091"), value.get("dest-protocol", "amqp091")} != {"amqp091"}:
        raise ValueError("a shovel of another protocol than AMQP 0-9-1")
    from_type = "queue" if "src-queue" in value else "exchange"
    to_type = "queue" if "dest-queue" in value else "exchange"
    return f.Shovel(
        **common,
        **_named(entry),
        taken_at=_address(value, "src-uri"),
        from_type=from_type,
        from_=_text(value, f"src-{from_type}"),
        from_key=_text(value, "src-exchange-key", ""),
        put_at=_address(value, "dest-uri"),
        to_type=to_type,
        to=_text(value, f"dest-{to_type}"),
        key=(value["dest-exchange-key"],) if "dest-exchange-key" in value else (),
    )


_MAKERS: Mapping[str, Callable[[Object, Object], Fact]] = {
    "exchanges": _exchange,
    "queues": _queue,
    "bindings": _binding,
    "policies": _policy,
    "federation-upstream": _upstream,
    "federation-upstream-set": _upstream_set,
    "shovel": _shovel,
}
