"""What a running router shows of its configuration, and what it logs about it, as topograph's
reading of the file predicts it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from golden.fields import Fields, leaves
from golden.router_network import Running

from topograph.facts.amq_interconnect import Entity
from topograph.findings import Finding
from topograph.importers.amq_interconnect import parse_text
from topograph.importers.amq_interconnect.names import kept
from topograph.importers.amq_interconnect.schema import TYPES, ValueType, short_name
from topograph.systems.amq_interconnect.messages.model import MessageNetwork
from topograph.systems.amq_interconnect.messages.status import operational_status

PREFIX = "org.apache.qpid.dispatch."
OLD_NAMES = {"address": "addr", "direction": "dir", "externalAddress": "externalAddr"}


def configured_rows(
    entities: Sequence[Entity],
    type_: str,
    network: MessageNetwork,
    router: str,
    ports: Collection[str],
) -> dict[str, dict[str, Any]]:
    """Per name the rows of a type as a dump shows them (D-2), by the file's entities in effect.
    ``ports`` are those at which anybody listens."""
    short = short_name(type_)
    made = {}
    for entity in entities:
        if entity.type == short:
            row: dict[str, Any] = {"type": PREFIX + type_}
            for name, value in entity.attributes:
                if name != "linkCapacity" or name in entity.stated:  # the default is not shown
                    row |= _shown(short, name, value)
            row |= RUNNING[short](entity, network, router) if short in RUNNING else {}
            if short == "connector":
                row |= _connector(entity, ports)
            made[entity.name] = {
                name: value for name, value in row.items() if value is not None and name != "name"
            }
    return made


def _shown(type_: str, name: str, value: str) -> dict[str, Any]:
    """An attribute as the value of its type in the schema."""
    if value == "":
        return {}
    attributes = TYPES[type_].attributes if type_ in TYPES else None
    kind = attributes[name].kind if attributes and name in attributes else ValueType.TEXT
    shown: Any = value
    if kind is ValueType.BOOLEAN:
        shown = value == "true"
    elif kind is ValueType.INTEGER:
        shown = int(value)
    elif kind is ValueType.MAP:
        shown = json.loads(value)
    if type_ in ("linkRoute", "autoLink") and name in OLD_NAMES:
        return {name: shown, OLD_NAMES[name]: shown}
    return {name: shown}


def _address(entity: Entity, network: MessageNetwork, router: str) -> dict[str, Any]:
    entry = next(one for one in network.routers[router].table.entries if one.name == entity.name)
    unavailable = entry.distribution.value == "unavailable"
    return {
        "distribution": None if unavailable else entry.distribution.value,
        # what a router shows, whatever else makes phases differ (agent_config_address.c)
        "waypoint": (entry.ingress_phase, entry.egress_phase) == (0, 1),
        "ingressPhase": entry.ingress_phase,
        "egressPhase": entry.egress_phase,
        "priority": -1 if entry.priority is None else entry.priority,
        "fallback": entry.fallback,
        "enableFallback": None,
        **{name: entity.get(name).strip("./") or None for name in ("prefix", "pattern")},
    }


def _link_route(entity: Entity, network: MessageNetwork, router: str) -> dict[str, Any]:
    one = next(one for one in network.routers[router].link_routes if one.name == entity.name)
    return {
        "operStatus": operational_status(network, router, one),
        "distribution": "linkBalanced",
        **{name: entity.get(name).strip("./") or None for name in ("prefix", "pattern")},
    }


def _auto_link(entity: Entity, network: MessageNetwork, router: str) -> dict[str, Any]:
    one = next(one for one in network.routers[router].auto_links if one.name == entity.name)
    phase = int(one.phase) if one.phase.isdigit() else 0
    return {
        "operStatus": operational_status(network, router, one),
        "phase": phase,
        "fallback": one.phase == "F",
    }


def _connector(entity: Entity, ports: Collection[str]) -> dict[str, Any]:
    return {
        "failoverUrls": f"amqp://{entity.get('host')}:{entity.get('port')}",
        "connectionStatus": "SUCCESS" if entity.get("port") in ports else "CONNECTING",
    }


def _router(entity: Entity, network: MessageNetwork, router: str) -> dict[str, Any]:
    shown = ("id", "mode", "area", "workerThreads")
    hidden = {name: None for name, _ in entity.attributes if name not in shown}
    return {**hidden, "name": entity.get("id"), "version": network.routers[router].version}


RUNNING = {
    "address": _address,
    "linkRoute": _link_route,
    "autoLink": _auto_link,
    "router": _router,
}

RUN_TIME = frozenset({"lastError", "linkRef", "connectionMsg", "identity"})
"""Attributes of configuration entities whose text only the running router knows."""


def known_type(type_: str) -> bool:
    """Whether rows of a type can be predicted whole."""
    return short_name(type_) in {*RUNNING, "connector", "listener"}


@dataclass
class Rows:
    """Compares what steps recorded of configuration entities."""

    running: Running
    fields: Fields

    def config(self, where: str, step: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        for key, types in seen["config"].items():
            for type_ in [*types, *(one for one in step.get("types", ()) if one not in types)]:
                self._compare_type(f"{where} {key} {type_}", key, type_, types.get(type_, ()))
        for key in set(step.get("routers", ())) - seen["config"].keys():
            self.fields.leave_out(f"configuration of {key}, which is not recorded")

    def _compare_type(
        self, where: str, key: str, type_: str, rows: Sequence[Mapping[str, Any]]
    ) -> None:
        running = self.running
        entities = running.entities_of(key)
        predicted = configured_rows(
            entities, type_, running.now, running.name(key), running.open_ports()
        )
        for row in rows:
            name = row.get("name", "")
            counters = [
                one
                for one in row
                if one.endswith("Count") or "eliveries" in one or one == "linksBlocked"
            ]
            self.fields.set_aside("counters of the running router", len(counters))
            recorded = {one: row[one] for one in row if one not in ("name", *counters)}
            if "openProperties" in recorded:  # of members that nobody knows the values are not kept
                recorded["openProperties"] = kept("openProperties", recorded["openProperties"])
            self._compare_row(f"{where} {name}", type_, recorded, predicted.pop(name, None))
        for name, row in predicted.items():
            if known_type(type_):
                self.fields.compare(f"{where} {name}", "no such row", row)
            else:
                self.fields.leave_out(f"rows of {type_} that are not shown")

    def _compare_row(
        self, where: str, type_: str, recorded: dict[str, Any], predicted: Mapping[str, Any] | None
    ) -> None:
        """A row of a type that recorded cases have shown is compared whole; of others, the
        attributes that both have.
        """
        if predicted is None and not known_type(type_):
            self.fields.leave_out(f"rows of {type_} that no file configures", leaves(recorded))
            return
        for name in sorted(recorded.keys() - (predicted or {}).keys()):
            if name in RUN_TIME or not known_type(type_):
                self.fields.leave_out(
                    f"{type_}.{name}, which only the running router has", leaves(recorded.pop(name))
                )
        shown = {
            name: value
            for name, value in (predicted or {}).items()
            if known_type(type_) or name in recorded
        }
        if (
            shown.get("connectionStatus") == "CONNECTING"
            and recorded.get("connectionStatus") == "FAILED"
        ):
            shown["connectionStatus"] = "FAILED"  # the router waits between tries
        self.fields.compare(where, recorded, shown if predicted is not None else None)


LINES: tuple[tuple[str, str, str], ...] = (
    (r"Both '(?P<a>\w+)' and '(?P<b>\w+)' cannot be specified", "both-spellings", ""),
    (r"Missing required attribute '(?P<a>\w+)'", "missing-attribute", ""),
    (r"Unknown attribute '(?P<a>[\w-]+)'", "unknown-attribute|old-attribute", ""),
    (
        r"No such entity type '(?:org\.apache\.qpid\.dispatch\.)?(?P<a>[\w.-]+)'",
        "unknown-section|old-section",
        "",
    ),
    (r"Invalid value for enum.*: '(?P<a>[^']*)'", "invalid-value", "is none of"),
    (r"Invalid Boolean value '+(?P<a>[^']*)'+", "invalid-value", "not a boolean"),
    (
        r"invalid literal for int\(\) with base 10: '(?P<a>[^']*)'",
        "invalid-value",
        "not an integer",
    ),
    (r"duplicates unique attribu", "duplicate-name", ""),
    (r"Adding \S+ singleton", "second-singleton", ""),
    (r"role='(?P<a>[\w-]+)' only allowed", "role-not-allowed", ""),
    (r"role='(?P<a>\w+)' not allowed to connect", "role-not-allowed", ""),
    (r"Router id attribute containing character", "invalid-router-id", ""),
    (
        r"Expecting |Extra data|Invalid control|Unterminated|Invalid .escape",
        ".*",
        "refuses (?:the file|it)",
    ),
    (r"Attribute '(?P<a>\w+)' of entity '\w+' has been deprecated", "deprecated-attribute", ""),
    (r"Duplicate pattern '[^']*' not added", "address-dropped", "the first wins"),
    (r"Must set either 'prefix' or 'pattern'", "address-dropped", "neither prefix nor pattern"),
    (r"Cannot set both 'prefix' and 'pattern'", "address-dropped", "both prefix and pattern"),
    (
        r"Both connection and containerId cannot",
        "(?:autolink|linkroute)-dropped",
        "both connection and containerId",
    ),
    (r"phase must be between 0 and 9", "autolink-dropped", "between 0 and 9"),
    (r"pattern '(?P<a>[^']*)' optimized and re-written to '(?P<b>[^']*)'", "pattern-rewritten", ""),
)
"""What the router writes, the kinds of findings that say the same, and what else their message
holds.
"""

SILENT = re.compile(
    (
        r"without a word in the log|is a comment to the router|never becomes active|no "
        r"router id|is below 1|kept, without effect"
    ),
    re.IGNORECASE,
)
"""Findings about which the router writes nothing (C-4, C-5, C-7)."""


def explained_log(config: Path, lines: Sequence[str]) -> tuple[bool, list[str], list[str], int]:
    """Whether the router starts with this file, the log lines that no finding says, the findings
    that the log should show and does not, and the number of lines that are about something else
    than the file.

    A refused start writes its reason to several places, and stops at the first mistake: then one
    finding has to explain every line, and further findings are no surprise."""
    form = "json" if config.suffix == ".json" else "conf"
    read = parse_text(form, config.read_text(encoding="utf-8"))
    open_ = list(read.findings)
    unexplained = []
    unknown = 0
    for line in lines:
        if not any(re.search(pattern, line) for pattern, _, _ in LINES):
            unknown += 1
            continue
        finding = _said_by(line, open_)
        if finding is None:
            unexplained.append(line)
        elif read.starts:
            open_.remove(finding)
    unsaid = [finding.message for finding in open_ if read.starts and _is_logged(finding)]
    return read.starts, unexplained, unsaid, unknown


def _is_logged(finding: Finding) -> bool:
    """Whether the router writes a line about what a finding says."""
    kinds = any(re.fullmatch(pattern, finding.kind) for _, pattern, _ in LINES if pattern != ".*")
    return kinds and not SILENT.search(finding.message)


def _said_by(line: str, findings: Iterable[Finding]) -> Finding | None:
    for pattern, kinds, text in LINES:
        match = re.search(pattern, line)
        words = [word for word in match.groupdict().values() if word] if match else []
        for finding in findings if match else ():
            said = finding.message + finding.excerpt
            if (
                re.fullmatch(kinds, finding.kind)
                and re.search(text, said)
                and all(word in said for word in words)
            ):
                return finding
    return None
