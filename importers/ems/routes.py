"""routes.conf: one section a remote server (ems.md 1.2, 3.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from topograph.facts.ems import EmsRoute, RouteFault, RouteSelector
from topograph.facts.ems_names import server_name_fault, wildcard_fault
from topograph.facts.ems_urls import MAX_URL, SECURE_SCHEMES, parse_endpoint, split_urls
from topograph.findings import Severity, Source
from topograph.importers import lexical
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading, Problem
from topograph.importers.ems.properties import LineProperty, scan
from topograph.importers.ems.sections import sections
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import (
    DUPLICATE_ROUTE,
    DUPLICATE_SELECTOR,
    INVALID_URL,
    MISSING_SELECTOR,
    MISSING_TOPIC,
    MISSING_URL,
    MISSING_VALUE,
    NO_LINE_END,
    NOT_A_WILDCARD,
    ROUTE_WITHOUT_TLS,
    SECTION_1_1,
    SECTION_1_2,
    SECTION_3_1,
    SECTION_3_2,
    SERVER_NAME,
    TEXT_AFTER_QUOTE,
    TL_07,
    TL_13,
    TL_14,
    TL_19,
    TOO_MANY_PROPERTIES,
    TRAILING_COMMENT,
    UNTERMINATED_QUOTE,
    URL_TOO_LONG,
    ZONE_CONFLICT,
    ZONE_TYPE,
)
from topograph.rules.unnumbered import CUT_OFF, DUPLICATE_PARAMETER

DEFAULT_ZONE = "default_mhop_zone"
ZONE_TYPES = ("mhop", "1hop")
DIRECTIONS = {"incoming_topic": "incoming", "outgoing_topic": "outgoing"}
"""The property before a selector, and the direction that it is for."""
ROUTE_KEYS = frozenset({"url", "zone_name", "zone_type", "topic_prefetch", "selector", *DIRECTIONS})
"""The properties of a route that are read."""


_PLAIN = re.compile(
    r"[ \t]*+(url|zone_name|zone_type|topic_prefetch)[ \t]*+=[ \t]*+([^\s\"]++)[ \t]*+"
)
"""The only property of a line, with a value of one word: nearly all lines of large files."""

_ENDS_LINE = frozenset({TEXT_AFTER_QUOTE, UNTERMINATED_QUOTE, TOO_MANY_PROPERTIES})
"""Problems after which the rest of a line is not read."""


@dataclass(slots=True)
class RouteDraft:
    """A route while its properties are read, from either format; ``first`` is where the section
    begins. ``faults`` say why name, zone or type are not certain."""

    name: str
    first: Line
    column: int
    values: dict[str, str] = field(default_factory=dict)
    selectors: list[RouteSelector] = field(default_factory=list)
    faults: list[RouteFault] = field(default_factory=list)
    torn: bool = False
    touched: bool = False

    def doubt(self, why: str, source: Source) -> None:
        """Note why name, zone or type are not certain."""
        self.faults.append(RouteFault(why, source))


@dataclass(slots=True)
class _Mentions:
    """What a line has said of selectors so far: a topic that its selector must follow, topics
    with their selectors, and properties that may be selectors, with the reason."""

    topic: LineProperty | None = None
    selectors: list[tuple[LineProperty, LineProperty]] = field(default_factory=list)
    stray: list[tuple[str, LineProperty]] = field(default_factory=list)


def read_routes(reading: EmsFileReading, text: str) -> None:
    """The routes of a routes.conf. A route of which a part is not understood is kept, and that
    part counts as UNKNOWN: without the route, or without one of its selectors, it would seem
    that less or more passes than does. ``reading.incomplete`` says that there are more routes
    than facts. Linear."""
    taken: dict[str, int] = {}
    for section in sections(reading, text):
        draft = RouteDraft(section.name, section.line, section.column)
        if not section.usable and section.name:
            draft.doubt(
                "the name of the route is not understood",
                reading.source(section.line.number, section.column),
            )
        for line in section.lines:
            read_line(reading, draft, line)
        if draft.torn or (section.last and not draft.touched):
            reading.lost()
            message = (
                f"the file breaks off inside the route to {draft.name}; what comes before "
                "it is kept"
            )
            reading.error(CUT_OFF, message, section.lines[-1] if section.lines else section.line)
        else:
            finish(reading, draft, taken)
    report_routes_without_tls(reading)
    _check_end(reading, text)


def _check_end(reading: EmsFileReading, text: str) -> None:
    """A file that ends within a line may have been cut off there: nobody can tell."""
    if text and not text.endswith(("\n", "\r")) and not reading.incomplete:
        *_, last = lexical.lines(text)
        message = (
            "the last line has no line end: if the file was cut off there, it has more "
            "routes, or more of the last one, than is known"
        )
        reading.report(
            Severity.INFO,
            NO_LINE_END,
            message,
            reading.source(last.number, len(last.text)),
            rule=SECTION_3_1,
        )


def read_line(reading: EmsFileReading, draft: RouteDraft, line: Line, begin: int = 0) -> None:
    """The properties of one line from offset ``begin`` on, of which a section may have several
    on a line.
    """
    text = line.text
    if not line.last and text.isascii() and (plain := _PLAIN.fullmatch(text, begin)):
        draft.touched = True
        columns = plain.start(1) + 1, plain.start(2) + 1
        set_value(reading, draft, plain[1], plain[2], line, *columns)
        return
    found = scan(text, begin, ROUTE_KEYS)
    mentions = _Mentions()
    problems: list[Problem] = []
    for at, prop in enumerate(found):
        if prop.value is None and prop.key.startswith("#") and _is_comment(reading, line, prop):
            if reading.strict:
                problems.append(
                    Problem(TRAILING_COMMENT, "a comment follows on the line", prop.column)
                )
            break
        if line.last and at == len(found) - 1 and _is_torn(prop, prop.key.lower()):
            draft.torn = True
            return
        accepted = reading.accepts(line, prop.problems, f"in the route to {draft.name}: ")
        problems += prop.problems
        draft.touched = True
        _read_property(reading, draft, line, prop, mentions, accepted=accepted)
        if not accepted and (rest := _rest(prop)):
            mentions.stray += [
                ("what comes before it is not understood", each)
                for each in _mentioned(line.text, rest)
            ]
            break
    if mentions.topic is not None:
        if line.last:
            draft.torn = True
            return
        _no_selector(reading, draft, line, mentions.topic)
    fault = reading.fault(problems)
    for topic, selector in mentions.selectors:
        _add_selector(reading, draft, line, topic, selector, fault)
    for why, prop in mentions.stray:
        _add_unknown(reading, draft, line, prop, why)


def _read_property(
    reading: EmsFileReading,
    draft: RouteDraft,
    line: Line,
    prop: LineProperty,
    mentions: _Mentions,
    *,
    accepted: bool,
) -> None:
    """One property of a line; what it says of selectors goes to ``mentions``, since only the
    whole line tells whether they are understood."""
    key = prop.key.lower()
    if key in DIRECTIONS and prop.value is not None:
        if mentions.topic is not None:
            _no_selector(reading, draft, line, mentions.topic)
        mentions.topic = prop
    elif key == "selector" and prop.value is not None:
        if mentions.topic is None:
            mentions.stray.append(("no topic comes before it", prop))
            message = (
                f"in the route to {draft.name}: no incoming_topic or outgoing_topic "
                "comes before the selector"
            )
            reading.error(MISSING_TOPIC, message, line, prop.column, SECTION_3_2)
        else:
            mentions.selectors.append((mentions.topic, prop))
        mentions.topic = None
    elif prop.value is not None and (key in ROUTE_KEYS or key.startswith(("ssl_", "tls_"))):
        set_value(reading, draft, key, prop.value, line, prop.column, prop.value_column)
        if not accepted and key in ("zone_name", "zone_type"):
            draft.doubt(f"{key} is not understood", reading.source(line.number, prop.column))
    elif key in ROUTE_KEYS:
        message = f"in the route to {draft.name}: {key} has no value"
        reading.error(MISSING_VALUE, message, line, prop.column, SECTION_3_2)
        if key in DIRECTIONS or key == "selector":
            mentions.stray.append((f"{key} has no value", prop))
        elif key.startswith("zone_"):
            draft.doubt(f"{key} has no value", reading.source(line.number, prop.column))
    else:
        shown = keys.shown_word(line.text, prop.column - 1, prop.key)
        reading.unknown_property(line, prop.column, shown, ROUTE_KEYS)


def _rest(prop: LineProperty) -> int:
    """The offset from which on a line is not read after a property; 0 if it is read."""
    return max(
        (problem.column for problem in prop.problems if problem.kind in _ENDS_LINE), default=0
    )


def _mentioned(text: str, begin: int) -> list[LineProperty]:
    """The directions that the unread rest of a line mentions: a selector may stand there."""
    rest = text[begin:].lower()
    return [
        LineProperty(key, None, begin + rest.index(key) + 1) for key in DIRECTIONS if key in rest
    ]


def _is_comment(reading: EmsFileReading, line: Line, prop: LineProperty) -> bool:
    if reading.strict:
        message = "a comment after an entry is not known to be accepted by the server"
        reading.error(TRAILING_COMMENT, message, line, prop.column, SECTION_3_1)
    return True


def _is_torn(prop: LineProperty, key: str) -> bool:
    """Whether the last property of a file without a final line end looks cut off."""
    torn_quote = any(problem.kind == UNTERMINATED_QUOTE for problem in prop.problems)
    return (
        torn_quote
        or (prop.value == "" and not prop.quoted)
        or (prop.value is None and any(known.startswith(key) for known in ROUTE_KEYS))
    )


def _no_selector(
    reading: EmsFileReading, draft: RouteDraft, line: Line, topic: LineProperty
) -> None:
    message = (
        f"in the route to {draft.name}: {topic.key} must be followed by its selector on the "
        "same line"
    )
    reading.error(MISSING_SELECTOR, message, line, topic.column, SECTION_3_2)
    source = reading.source(line.number, topic.column)
    without = RouteSelector(
        DIRECTIONS[topic.key.lower()], topic.value or ">", "", source, "it has no selector"
    )
    add_selector(reading, draft, without, line)


def _add_unknown(
    reading: EmsFileReading, draft: RouteDraft, line: Line, prop: LineProperty, why: str
) -> None:
    """Something that may be a selector on any topic, in one direction or in both."""
    directions = (
        [DIRECTIONS[prop.key.lower()]]
        if prop.key.lower() in DIRECTIONS
        else list(DIRECTIONS.values())
    )
    text = keys.excerpt(line.text[prop.column - 1 :])
    source = reading.source(line.number, prop.column)
    draft.selectors += [
        RouteSelector(direction, ">", "", source, why, text) for direction in directions
    ]


def _add_selector(
    reading: EmsFileReading,
    draft: RouteDraft,
    line: Line,
    topic: LineProperty,
    selector: LineProperty,
    fault: str,
) -> None:
    """A selector line; one with a ``fault`` is kept with its text as it stands."""
    direction = DIRECTIONS[topic.key.lower()]
    source = reading.source(line.number, topic.column)
    if fault:
        text = keys.selector_excerpt(line.text[selector.value_column - 1 - selector.quoted :])
        read = RouteSelector(direction, topic.value or ">", "", source, fault, text)
    else:
        read = RouteSelector(direction, topic.value or "", selector.value or "", source)
    add_selector(reading, draft, read, line)


def add_selector(
    reading: EmsFileReading, draft: RouteDraft, selector: RouteSelector, line: Line
) -> None:
    """Add a selector of either format to a route; a second one for the same topic and direction
    applies too (R70).
    """
    column = selector.source.column
    for other in draft.selectors:
        if (other.direction, other.topic) == (selector.direction, selector.topic):
            message = (
                f"a second {selector.direction} selector for {selector.topic} (the "
                f"other: line {other.source.line}): in a file both"
                " apply, joined by AND; the administration interface would replace the "
                "first by the second"
            )
            reading.warning(DUPLICATE_SELECTOR, message, line, column, TL_07)
            break
    if fault := wildcard_fault(selector.topic):
        reading.warning(NOT_A_WILDCARD, fault, line, column, TL_14)
    draft.selectors.append(selector)


def set_value(
    reading: EmsFileReading,
    draft: RouteDraft,
    key: str,
    value: str,
    line: Line,
    column: int,
    value_column: int,
) -> None:
    """Set a property of a route; given twice, the last value counts."""
    if key in draft.values:
        reading.warning(
            DUPLICATE_PARAMETER,
            f"{key} is given twice in this route; the last value counts",
            line,
            column,
        )
    if key == "zone_type" and value:
        value = value.lower()
        if value not in ZONE_TYPES:
            message = (
                f"in the route to {draft.name}: zone_type is 1hop or mhop, not "
                f"{keys.excerpt(value)!r}"
            )
            reading.error(ZONE_TYPE, message, line, value_column, SECTION_1_2)
            draft.doubt(
                "zone_type is neither 1hop nor mhop", reading.source(line.number, value_column)
            )
            return
    if value:
        draft.values[key] = keys.kept(key, value)
    else:
        reading.ignored += 1


def finish(reading: EmsFileReading, draft: RouteDraft, taken: dict[str, int]) -> None:
    """Check a route that is read and keep it. ``taken`` holds the lines of the routes before it,
    by name.
    """
    if not draft.name:
        reading.lost()
        return
    if draft.name in taken:
        message = (
            f"a second route to {draft.name} (the first: line {taken[draft.name]}); the "
            "first is kept"
        )
        reading.error(DUPLICATE_ROUTE, message, draft.first, draft.column, SECTION_1_2)
        _says_otherwise(reading, route_of(reading, draft))
        return
    taken[draft.name] = draft.first.number
    route = route_of(reading, draft)
    reading.keep(route)
    _check(reading, draft, route)


def _says_otherwise(reading: EmsFileReading, second: EmsRoute) -> None:
    """Note on the route that is kept where a second section says something else: which of the two
    counts is not documented. Linear in the facts, for what is an error."""
    why = "a second section of the route says otherwise"
    for place, first in enumerate(reading.facts):
        if not isinstance(first, EmsRoute) or first.name != second.name:
            continue
        zones = [(one.zone_name, one.zone_type) for one in (first, second)]
        faults = () if zones[0] == zones[1] else (RouteFault(why, second.source),)
        lines = [
            {(line.direction, line.topic, line.selector): line for line in one.selectors}
            for one in (first, second)
        ]
        others = [
            replace(lines[side][key], selector="", fault=why, unread=lines[side][key].selector)
            for side in (0, 1)
            for key in lines[side]
            if key not in lines[1 - side] and not lines[side][key].fault
        ]
        reading.facts[place] = replace(
            first,
            faults=(*first.faults, *faults),
            selectors=(*first.selectors, *others),
            url=first.url or second.url,
        )
        return


def route_of(reading: EmsFileReading, draft: RouteDraft) -> EmsRoute:
    """A route as far as its properties are read."""
    values = dict(draft.values)
    urls = split_urls(values.pop("url", ""))
    stated = tuple(name for name in ("name", "type") if f"zone_{name}" in values)
    return EmsRoute(
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
        faults=tuple(draft.faults),
    )


def _check(reading: EmsFileReading, draft: RouteDraft, route: EmsRoute) -> None:
    line, column = draft.first, draft.column
    if fault := server_name_fault(route.name):
        reading.error(
            SERVER_NAME,
            f"a route is named after its remote server (R2), and {fault}",
            line,
            column,
            SECTION_1_1,
        )
    if not route.url:
        reading.error(
            MISSING_URL, f"the route to {route.name} has no url", line, column, SECTION_1_2
        )
    for url in route.url:
        if len(url) > MAX_URL:
            reading.warning(
                URL_TOO_LONG, f"a URL may have {MAX_URL} characters", line, column, SECTION_3_1
            )
        if parse_endpoint(url) is None:
            message = (
                f"the url of the route to {route.name} is not a connection URL: {keys.excerpt(url)}"
            )
            reading.warning(INVALID_URL, message, line, column, SECTION_3_1)
    if route.zone_type == "1hop" and route.zone_name == DEFAULT_ZONE:
        message = (
            f"the route to {route.name} is 1hop, but its zone {DEFAULT_ZONE} is the default "
            "zone, which is mhop (A9)"
        )
        reading.error(ZONE_CONFLICT, message, line, column, TL_13)


def report_routes_without_tls(reading: EmsFileReading) -> None:
    """TL-19, once a file: the routes that have a URL without TLS, at the first of them."""
    routes = [fact for fact in reading.facts if isinstance(fact, EmsRoute)]
    plain = [route for route in routes if not _uses_tls(route)]
    if plain:
        more = f" and {len(plain) - 1} more" if len(plain) > 1 else ""
        message = (
            f"The only route, {plain[0].name}, does not use TLS"
            if len(routes) == 1
            else f"{len(plain)} of {len(routes)} routes {'do' if more else 'does'} not use TLS: "
            f"{plain[0].name}{more}"
        )
        reading.report(Severity.INFO, ROUTE_WITHOUT_TLS, message, plain[0].source, rule=TL_19)


def _uses_tls(route: EmsRoute) -> bool:
    endpoints = [endpoint for url in route.url if (endpoint := parse_endpoint(url)) is not None]
    return all(endpoint.scheme in SECURE_SCHEMES for endpoint in endpoints)
