"""routes.conf: one section a remote server (ems.md 1.2, 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from topograph.facts.ems import EmsRoute, RouteSelector
from topograph.facts.ems_names import server_name_fault, wildcard_fault
from topograph.findings import Severity
from topograph.importers import lexical
from topograph.importers.ems.file_reading import FileReading
from topograph.importers.ems.properties import Property, scan
from topograph.importers.ems.sections import sections
from topograph.importers.ems.urls import MAX_URL, SECURE_SCHEMES, parse_endpoint, split_urls
from topograph.importers.lexical import Line

DEFAULT_ZONE = "default_mhop_zone"
ZONE_TYPES = ("mhop", "1hop")
_DIRECTIONS = {"incoming_topic": "incoming", "outgoing_topic": "outgoing"}
_KEYS = frozenset({"url", "zone_name", "zone_type", "topic_prefetch", "selector", *_DIRECTIONS})


@dataclass(slots=True)
class RouteDraft:
    """A route while its properties are read, from either format; ``first`` is where the section begins."""

    name: str
    first: Line
    column: int = 1
    values: dict[str, str] = field(default_factory=dict)
    selectors: list[RouteSelector] = field(default_factory=list)
    usable: bool = True
    torn: bool = False
    touched: bool = False


def read_routes(reading: FileReading, text: str) -> None:
    """The routes of a routes.conf. A route of which anything cannot be read is not kept, since without one of its selectors it
    would pass more than it does; ``reading.incomplete`` then says that there are more routes than facts. Linear."""
    taken: dict[str, int] = {}
    for section in sections(reading, text):
        draft = RouteDraft(section.name, section.line, section.column, usable=section.usable)
        for line in section.lines:
            _read_line(reading, draft, line)
        if draft.torn or (section.last and not draft.touched):
            reading.lost()
            message = f"the file breaks off inside the route to {draft.name}; what stands before it is kept"
            reading.error("cut-off", message, section.lines[-1] if section.lines else section.line)
        else:
            finish(reading, draft, taken)
    report_routes_without_tls(reading)


def _read_line(reading: FileReading, draft: RouteDraft, line: Line) -> None:
    """The properties of one line, of which a section may have several on a line."""
    found = scan(line.text, 0, _KEYS)
    topic: Property | None = None
    for at, prop in enumerate(found):
        if prop.value is None and prop.key.startswith("#") and _is_comment(reading, line, prop):
            draft.usable = draft.usable and not reading.strict
            break
        key = prop.key.lower()
        last = at == len(found) - 1
        if line.last and last and _is_torn(prop, key):
            draft.torn = True
            return
        if not reading.accepts(line, prop.problems):
            draft.usable = False
        draft.touched = True
        if key in _DIRECTIONS and prop.value is not None:
            if topic is not None:
                _no_selector(reading, draft, line, topic)
            topic = prop
        elif key == "selector" and prop.value is not None and topic is not None:
            _add_selector(reading, draft, line, topic, prop.value)
            topic = None
        elif prop.value is not None and (key in _KEYS - {"selector"} or key.startswith(("ssl_", "tls_"))):
            set_value(reading, draft, key, prop.value, line, prop.column, prop.value_column)
        else:
            reading.unknown(line, prop.column, lexical.shown_word(line.text, prop.column - 1, prop.key))
            if key in _KEYS:
                draft.usable = False
    if topic is not None:
        if line.last:
            draft.torn = True
        else:
            _no_selector(reading, draft, line, topic)


def _is_comment(reading: FileReading, line: Line, prop: Property) -> bool:
    if reading.strict:
        message = "a comment after an entry is not known to be accepted by the server"
        reading.error("trailing-comment", message, line, prop.column, "3.1")
    return True


def _is_torn(prop: Property, key: str) -> bool:
    """Whether the last property of a file without a final line end looks cut off."""
    torn_quote = any(problem.kind == "unterminated-quote" for problem in prop.problems)
    return (
        torn_quote
        or (prop.value == "" and not prop.quoted)
        or (prop.value is None and any(known.startswith(key) for known in _KEYS))
    )


def _no_selector(reading: FileReading, draft: RouteDraft, line: Line, topic: Property) -> None:
    draft.usable = False
    message = f"{topic.key} must be followed by its selector on the same line"
    reading.error("missing-selector", message, line, topic.column, "3.2")


def _add_selector(reading: FileReading, draft: RouteDraft, line: Line, topic: Property, selector: str) -> None:
    direction = _DIRECTIONS[topic.key.lower()]
    name = topic.value or ""
    add_selector(
        reading, draft, RouteSelector(direction, name, selector, reading.source(line.number, topic.column)), line
    )


def add_selector(reading: FileReading, draft: RouteDraft, selector: RouteSelector, line: Line) -> None:
    """Add a selector of either format to a route; a second one for the same topic and direction applies too (R70)."""
    column = selector.source.column
    for other in draft.selectors:
        if (other.direction, other.topic) == (selector.direction, selector.topic):
            message = (
                f"a second {selector.direction} selector for {selector.topic} (the other: line {other.source.line}): in a file both"
                " apply, joined by AND; the administration interface would replace the first by the second"
            )
            reading.warning("duplicate-selector", message, line, column, "TL-07")
            break
    if fault := wildcard_fault(selector.topic):
        reading.warning("not-a-wildcard", fault, line, column, "TL-14")
    draft.selectors.append(selector)


def set_value(
    reading: FileReading, draft: RouteDraft, key: str, value: str, line: Line, column: int, value_column: int
) -> None:
    """Set a property of a route; given twice, the last value counts."""
    if key in draft.values:
        reading.warning(
            "duplicate-parameter", f"{key} is given twice in this route; the last value counts", line, column
        )
    if key == "zone_type" and value:
        value = value.lower()
        if value not in ZONE_TYPES:
            draft.usable = False
            reading.error("zone-type", f"zone_type is 1hop or mhop, not {value!r}", line, value_column, "1.2")
    if value:
        draft.values[key] = lexical.kept(key, value)
    else:
        reading.ignored += 1


def finish(reading: FileReading, draft: RouteDraft, taken: dict[str, int]) -> None:
    """Check a route that is read and keep it. ``taken`` holds the lines of the routes before it, by name."""
    if not draft.usable:
        reading.lost()
        return
    if draft.name in taken:
        message = f"a second route to {draft.name} (the first: line {taken[draft.name]}); the first is kept"
        reading.error("duplicate-route", message, draft.first, draft.column, "1.2")
        return
    taken[draft.name] = draft.first.number
    values = dict(draft.values)
    urls = split_urls(values.pop("url", ""))
    stated = tuple(name for name in ("name", "type") if f"zone_{name}" in values)
    route = EmsRoute(
        bundle=reading.bundle,
        server=reading.server,
        source=reading.source(draft.first.number, draft.column),
        name=draft.name,
        url=urls,
        zone_name=values.pop("zone_name", DEFAULT_ZONE),
        zone_type=values.pop("zone_type", ZONE_TYPES[0]),
        zone_stated=stated,
        topic_prefetch=values.pop("topic_prefetch", ""),
        selectors=tuple(draft.selectors),
        properties=tuple(values.items()),
    )
    reading.keep(route)
    _check(reading, draft, route)


def _check(reading: FileReading, draft: RouteDraft, route: EmsRoute) -> None:
    line, column = draft.first, draft.column
    if fault := server_name_fault(route.name):
        reading.error("server-name", f"a route is named after its remote server (R2), and {fault}", line, column, "1.1")
    if not route.url:
        reading.error("missing-url", f"the route to {route.name} has no url", line, column, "1.2")
    for url in route.url:
        if len(url) > MAX_URL:
            reading.warning("url-too-long", f"a URL may have {MAX_URL} characters", line, column, "3.1")
        if parse_endpoint(url) is None:
            message = f"the url of the route to {route.name} is not a connection URL: {lexical.excerpt(url)}"
            reading.warning("invalid-url", message, line, column, "3.1")
    if route.zone_type == "1hop" and route.zone_name == DEFAULT_ZONE:
        message = (
            f"the route to {route.name} is 1hop, but its zone {DEFAULT_ZONE} is the default zone, which is mhop (A9)"
        )
        reading.error("zone-conflict", message, line, column, "TL-13")


def report_routes_without_tls(reading: FileReading) -> None:
    """TL-19, once a file: the routes that have a URL without TLS, at the first of them."""
    routes = [fact for fact in reading.facts if isinstance(fact, EmsRoute)]
    plain = [route for route in routes if not _uses_tls(route)]
    if plain:
        more = f" and {len(plain) - 1} more" if len(plain) > 1 else ""
        message = f"{len(plain)} of {len(routes)} routes do not use TLS: {plain[0].name}{more}"
        reading.report(Severity.INFO, "route-without-tls", message, plain[0].source, rule="TL-19")


def _uses_tls(route: EmsRoute) -> bool:
    endpoints = [endpoint for url in route.url if (endpoint := parse_endpoint(url)) is not None]
    return all(endpoint.scheme in SECURE_SCHEMES for endpoint in endpoints)
