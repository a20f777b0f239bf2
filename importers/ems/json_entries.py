"""The entries of a tibemsd.json, one function a top-level array (ems.md 3.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from topograph.facts.ems import EmsUser, RouteSelector
from topograph.findings import Severity
from topograph.importers.ems import bridges, destinations, durables, keys, routes
from topograph.importers.ems.access import keep_grant, keep_group
from topograph.importers.ems.entries import keep_entry, keep_factory
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.properties import hazard
from topograph.importers.lexical import Line
from topograph.importers.positions.json_text import Node, strings
from topograph.importers.positions.places import Places
from topograph.rules import FindingKind, Rule
from topograph.rules.ems_findings import (
    MISSING_KEY,
    MISSING_SELECTOR,
    SECTION_3_6,
    TL_08,
    UNKNOWN_SELECTOR,
)
from topograph.rules.unnumbered import UNKNOWN_DIRECTIVE

SILENT = frozenset({"displayName", "emsca"})
"""Keys that the administration console of EMS 10 writes for itself, at any place."""


@dataclass(slots=True)
class JsonReading:
    """A file's reading with the places of its JSON values, and what must be unique across an
    array.
    """

    reading: EmsFileReading
    places: Places
    routes: dict[str, int] = field(default_factory=dict)
    bridges: bridges.Taken = field(default_factory=dict)
    durables: durables.Kept = field(default_factory=dict)

    def place(self, path: str, offset: int) -> tuple[Line, int]:
        """Line and column of ``offset``; the text of the line is the JSON path, so that excerpts
        show no value.
        """
        line, column = self.places.line_and_column(offset)
        return Line(line, path), column

    def warning(
        self,
        kind: FindingKind,
        message: str,
        path: str,
        offset: int,
        rule: Rule | None = SECTION_3_6,
    ) -> None:
        """Note a warning about the value at ``path``."""
        source = self.reading.source(*self.places.line_and_column(offset))
        self.reading.report(Severity.WARNING, kind, message, source, rule=rule, text=path)

    def unknown(self, path: str, offset: int) -> None:
        """Note a key that is not understood; one that is known and says nothing about messages
        is counted only.
        """
        if path.rpartition(".")[2] in SILENT:
            self.reading.ignored += 1
            return
        self.reading.unknown(*self.place(path, offset), path)

    def lost(self, kind: FindingKind, message: str, path: str, offset: int) -> None:
        """Note an entry that cannot be read and is not kept."""
        self.reading.lost()
        self.reading.error(kind, message, *self.place(path, offset), SECTION_3_6)

    def text(self, path: str, node: Node, key: str) -> str | None:
        """The scalar member ``key`` as text; where it is missing or empty the entry is lost."""
        member = node.members.get(key)
        value = member.text if member is not None else None
        if not value:
            self.lost(MISSING_KEY, f"{path} has no {key}", path, node.offset)
            return None
        return value

    def read_selector(self, path: str, node: Node | None, about: str) -> tuple[str, str]:
        """A selector in ASCII, and why it is not understood: in strict mode typographic quotes.
        ``about`` names in the error what it is of.
        """
        if node is None or not node.text:
            return "", ""
        line, column = self.place(path, node.offset)
        value, problems = hazard(node.text, column, "'", TL_08)
        if self.reading.accepts(line, problems, about):
            return value, ""
        return node.text, self.reading.fault(problems)


def _route(to: JsonReading, path: str, node: Node) -> None:
    reading = to.reading
    name = to.text(path, node, "name")
    if name is None:
        return
    line, column = to.place(path, node.offset)
    draft = routes.RouteDraft(name, line, column)
    for key, member in node.members.items():
        below = f"{path}.{key}"
        at, at_column = to.place(below, member.offset)
        if key == "name":
            continue
        if key in ("url", "zone_name", "zone_type", "topic_prefetch"):
            value = (
                ",".join(item.text or "" for item in member.items) if member.items else member.text
            )
            routes.set_value(reading, draft, key, value or "", at, at_column, at_column)
            if not value and _says_something(member) and key.startswith("zone"):
                _unknown_zone(to, draft, below, member)
        elif key == "selectors":
            _route_selectors(to, draft, below, member)
        elif key in ("incoming_topic", "outgoing_topic"):
            for place, item in enumerate(member.items or [member]):
                _route_selector(to, draft, f"{below}[{place}]", item, key.removesuffix("_topic"))
        elif key.startswith(("ssl", "tls")):
            for full, scalar in strings(Node({key: member}, member.offset)):
                draft.values[full] = keys.kept(full, scalar.text or "")
        elif "selector" in key or _mentions(member, "selector"):
            # a selector under a name that nobody has confirmed: without it the route would pass
            # more than it does
            message = (
                f"in the route to {draft.name}: {below} may be a selector, in a form that is "
                "not known"
            )
            reading.error(UNKNOWN_SELECTOR, message, at, at_column, SECTION_3_6)
            _unknown_selector(to, draft, below, member, "its key is not known", "")
        elif "zone" in key.lower() or _mentions(member, "zone_name", "zone_type"):
            _unknown_zone(to, draft, below, member)
        else:
            to.unknown(below, member.offset)
    routes.finish(reading, draft, to.routes)


def _mentions(node: Node, *keys: str) -> bool:
    return not node.members.keys().isdisjoint(keys) or any(
        _mentions(child, *keys) for child in (*node.items, *node.members.values())
    )


def _says_something(node: Node) -> bool:
    """Whether a value is there: not null, an empty text, list or object."""
    return bool(node.text or node.items or node.members)


_DIRECTIONS = {
    **routes.DIRECTIONS,
    **{direction: direction for direction in routes.DIRECTIONS.values()},
}
"""The keys that say a direction: ``outgoing_topic``, ``outgoing``."""


def _route_selectors(to: JsonReading, draft: routes.RouteDraft, path: str, node: Node) -> None:
    """The selectors of a route, as a list, or as an object by direction. What is neither is not
    passed over: it may be a selector on any topic.
    """
    for place, item in enumerate(node.items):
        said = item.members.get("direction", item.members.get("type", Node("", 0))).text or ""
        _route_selector(to, draft, f"{path}[{place}]", item, said.lower())
    for key, member in node.members.items():
        below, direction = f"{path}.{key}", _DIRECTIONS.get(key.lower(), "")
        for place, item in enumerate(member.items or [member]):
            _route_selector(to, draft, f"{below}[{place}]", item, direction)
    if not node.items and not node.members and node.text:
        _route_selector(to, draft, path, node, "")


def _unknown_zone(to: JsonReading, draft: routes.RouteDraft, path: str, node: Node) -> None:
    """Something that may say in which zone a route is, in a form that is not known."""
    message = f"in the route to {draft.name}: {path} may say its zone, in a form that is not known"
    to.reading.unsupported += 1
    to.warning(UNKNOWN_DIRECTIVE, message, path, node.offset, None)
    place = to.reading.source(*to.places.line_and_column(node.offset))
    draft.doubt(f"{path} may say its zone and is not understood", place)


def _route_selector(
    to: JsonReading, draft: routes.RouteDraft, path: str, node: Node, direction: str
) -> None:
    topic = node.members.get("topic", node.members.get("name"))
    about = f"in the route to {draft.name}: "
    selector, fault = to.read_selector(path, node.members.get("selector"), about)
    line, column = to.place(path, node.offset)
    if direction not in ("incoming", "outgoing") or topic is None or not topic.text:
        message = f"{about}{path} has no direction or no topic"
        to.reading.error(MISSING_SELECTOR, message, line, column, SECTION_3_6)
        _unknown_selector(to, draft, path, node, "it has no direction or no topic", direction)
        return
    for key, member in node.members.items():
        if key not in ("direction", "type", "topic", "name", "selector"):
            to.unknown(f"{path}.{key}", member.offset)
    source = to.reading.source(line.number, column)
    read = RouteSelector(
        direction, topic.text, *(("", source, fault, selector) if fault else (selector, source))
    )
    routes.add_selector(to.reading, draft, read, line)


def _unknown_selector(
    to: JsonReading, draft: routes.RouteDraft, path: str, node: Node, why: str, direction: str
) -> None:
    """Something that may be a selector on any topic, in one direction or in both."""
    source = to.reading.source(*to.places.line_and_column(node.offset))
    directions = [direction] if direction in ("incoming", "outgoing") else ["incoming", "outgoing"]
    draft.selectors += [RouteSelector(each, ">", "", source, why, path) for each in directions]


def _destination(to: JsonReading, path: str, node: Node, kind: str) -> None:
    name = to.text(path, node, "name")
    if name is None:
        return
    values: dict[str, str] = {}
    jndi: tuple[str, ...] = ()
    for key, member in node.members.items():
        if key == "name":
            continue
        if key == "jndinames":
            jndi = _names(member)
            continue
        if key.lower() not in destinations.PROPERTIES:
            to.unknown(f"{path}.{key}", member.offset)
            if key in SILENT:
                continue
            if member.items or member.members:  # it may hold properties
                to.reading.incomplete = True
        if member.value is False and key.lower() in destinations.PROPERTIES:
            continue
        text = ",".join(_names(member)) if isinstance(member.value, list) else member.text
        if text is not None:
            destinations.set_property(values, key, text)
    line, column = to.place(path, node.offset)
    destinations.keep_destination(to.reading, kind, name, tuple(values.items()), jndi, line, column)


def _names(node: Node) -> tuple[str, ...]:
    """The names in an array of strings or of objects with ``name``."""
    found = (
        item.members["name"].text if "name" in item.members else item.text for item in node.items
    )
    return tuple(name for name in found if name)


def _bridge(to: JsonReading, path: str, node: Node) -> None:
    source = _end(to, f"{path}.source", node.members.get("source"), node)
    targets = node.members.get("targets")
    if source is None:
        return
    if targets is None or not targets.items:
        to.lost(MISSING_KEY, f"{path} has no targets", path, node.offset)
        return
    for key, member in node.members.items():
        if key not in ("source", "targets"):
            to.unknown(f"{path}.{key}", member.offset)
    bridges.check_source(to.reading, source[1], *to.place(path, node.offset))
    for place, item in enumerate(targets.items):
        below = f"{path}.targets[{place}]"
        target = _end(to, below, item, item)
        if target is None:
            continue
        about = f"in the bridge from {':'.join(source)} to {':'.join(target)}: "
        selector = to.read_selector(f"{below}.selector", item.members.get("selector"), about)
        for key, member in item.members.items():
            if key not in ("type", "name", "selector"):
                to.unknown(f"{below}.{key}", member.offset)
                if "selector" in key.lower() and _says_something(member):
                    selector = (member.text or "", f"{below}.{key} is not understood")
        line, column = to.place(below, item.offset)
        bridges.keep_bridge(to.reading, source, target, selector, line, column, to.bridges)


def _end(to: JsonReading, path: str, node: Node | None, around: Node) -> tuple[str, str] | None:
    """Type and name of one end of a bridge."""
    members = node.members if node is not None else {}
    kind = (members["type"].text or "").lower() if "type" in members else ""
    name = members["name"].text if "name" in members else None
    if kind not in bridges.TYPES or not name:
        to.lost(
            MISSING_KEY,
            f"{path} is not an object with type (topic or queue) and name",
            path,
            around.offset,
        )
        return None
    return kind, name


def _durable(to: JsonReading, path: str, node: Node) -> None:
    topic, name = to.text(path, node, "topic"), to.text(path, node, "name")
    if topic is None or name is None:
        return
    selector, fault = to.read_selector(
        f"{path}.selector", node.members.get("selector"), f"in the durable {name}: "
    )
    values = {"selector": selector} if selector else {}
    for key, member in node.members.items():
        lower = key.lower()
        if lower == "clientid":
            values |= {lower: member.text} if member.text else {}
        elif lower in ("nolocal", "route"):
            values |= {lower: ""} if member.value is True else {}
        elif lower not in ("topic", "name", "selector"):
            to.unknown(f"{path}.{key}", member.offset)
    line, column = to.place(path, node.offset)
    durables.keep_durable(
        to.reading,
        topic,
        name,
        values,
        line,
        column,
        to.durables,
        unread=(fault, selector if fault else ""),
    )


def _grant(to: JsonReading, path: str, node: Node) -> None:
    members = {key.lower(): member for key, member in node.members.items()}
    scope = ((members["type"].text or "") if "type" in members else "").lower()
    named = next(
        (members[key].text for key in ("name", "topic", "queue", "destination") if key in members),
        None,
    )
    principal = next(
        ((key, members[key].text) for key in ("user", "group") if key in members), None
    )
    if (
        scope not in ("topic", "queue", "admin")
        or principal is None
        or not principal[1]
        or (not named and scope != "admin")
    ):
        to.lost(MISSING_KEY, f"{path} has no type, name, or user or group", path, node.offset)
        return
    permissions: list[str] = []
    for key, member in members.items():
        if key in ("perm", "permissions"):
            permissions += [
                word.strip().lower()
                for word in (member.text or ",".join(_names(member))).split(",")
                if word.strip()
            ]
        elif member.value is True:
            permissions.append(key)
        elif member.value is not False and key not in (
            "type",
            "name",
            "topic",
            "queue",
            "destination",
            "user",
            "group",
        ):
            to.unknown(f"{path}.{key}", member.offset)
    line, column = to.place(path, node.offset)
    keep_grant(
        to.reading,
        scope,
        named or "",
        (principal[0], principal[1]),
        tuple(permissions),
        line,
        column,
    )


def _user(to: JsonReading, path: str, node: Node) -> None:
    name = to.text(path, node, "name")
    if name is None:
        return
    for key, member in node.members.items():
        if key not in ("name", "description", "password"):
            to.unknown(f"{path}.{key}", member.offset)
    reading = to.reading
    password = node.members.get("password")
    description = node.members.get("description")
    reading.keep(
        EmsUser(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(*to.places.line_and_column(node.offset)),
            name=name,
            description=(description.text or "") if description is not None else "",
            password_set=password is not None and bool(password.text),
        )
    )


def _group(to: JsonReading, path: str, node: Node) -> None:
    name = to.text(path, node, "name")
    if name is None:
        return
    for key, member in node.members.items():
        if key not in ("name", "description", "members"):
            to.unknown(f"{path}.{key}", member.offset)
    members, description = node.members.get("members"), node.members.get("description")
    keep_group(
        to.reading,
        name,
        (description.text or "") if description is not None else "",
        _names(members) if members is not None else (),
        to.reading.source(*to.places.line_and_column(node.offset)),
    )


def _factory(to: JsonReading, path: str, node: Node) -> None:
    name = to.text(path, node, "name")
    if name is not None:
        line, column = to.place(path, node.offset)
        keep_factory(to.reading, name, _scalars(node), line, column)


def _entry(to: JsonReading, path: str, node: Node, kind: str) -> None:
    name = node.members.get("name", node.members.get("transport"))
    line, column = to.place(path, node.offset)
    text = (name.text or "") if name is not None else ""
    keep_entry(to.reading, kind, text, tuple(_scalars(node).items()), line, column)


def _scalars(node: Node) -> dict[str, str]:
    """Every scalar below an entry but its name, by dotted name, secrets without their value."""
    return {
        name: keys.kept(name, child.text)
        for name, child in strings(node)
        if name != "name" and child.text
    }


READERS: Mapping[str, Callable[[JsonReading, str, Node], None]] = {
    "routes": _route,
    "topics": partial(_destination, kind="topic"),
    "queues": partial(_destination, kind="queue"),
    "bridges": _bridge,
    "durables": _durable,
    "acls": _grant,
    "users": _user,
    "groups": _group,
    "factories": _factory,
    "stores": partial(_entry, kind="stores"),
    "channels": partial(_entry, kind="channels"),
    "transports": partial(_entry, kind="transports"),
    "tibrvcm": partial(_entry, kind="tibrvcm"),
}
"""By the name of the top-level array."""
