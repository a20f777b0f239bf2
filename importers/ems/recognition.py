"""What a file is, by its content: main files may have any name (DESIGN section 2.4, ems.md 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, parse_endpoint, split_urls
from topograph.findings import Source
from topograph.importers import lexical
from topograph.importers.ems import show, show_server
from topograph.importers.ems.destinations import PROPERTIES
from topograph.importers.ems.durables import PROPERTIES as DURABLE_KEYS
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.json_file import looks_like_ems, read_json
from topograph.importers.ems.kinds import PARTS
from topograph.importers.ems.main_file import MainFile, read_main
from topograph.importers.ems.parameters import SUB_FILES, TELLING
from topograph.importers.ems.properties import scan
from topograph.importers.ems.roles import (
    EMS_JSON,
    EMS_MAIN,
    EMS_SHOW,
    EMS_SHOW_ROUTES,
    EMS_SUB_FILE,
)
from topograph.importers.reading import Recognised, Reference, Role
from topograph.importers.templates import SUFFIX, has_placeholder, is_marked, named_as_template
from topograph.records import record

_PARAMETER = re.compile(r"[ \t]*([A-Za-z][\w.]*)[ \t\u00a0]*=")
_HEADING = re.compile(r"[ \t]*\[[^\]]*\]")
_BRIDGE = re.compile(r"[ \t]*\[[ \t]*(topic|queue)[ \t]*:[^\]]+\]", re.IGNORECASE)
_ROUTE_KEY = re.compile(
    r"[ \t]*(zone_name|zone_type|topic_prefetch|incoming_topic|outgoing_topic)\b", re.IGNORECASE
)
_URL_KEY = re.compile(r"[ \t]*url[ \t]*=[ \t]*\"?(tcp|ssl|tls)://", re.IGNORECASE)
_ACL = re.compile(
    r"[ \t]*((TOPIC|QUEUE)[ \t]*=|ADMIN\b).*\b(USER|GROUP)[ \t]*=.*\bPERM[ \t]*=", re.IGNORECASE
)
_USER = re.compile(r"[ \t]*[^\s:=\"]+:[^:\"]*(:\".*\")[ \t]*$")
_GROUP = re.compile(r"[ \t]*[^\s:=\"]+:\".*\"[ \t]*$")
_DESTINATION = re.compile(r"[ \t]*+(\[[^\]]*+\])?[ \t]*+([^\s=:\"{}]++)([ \t]++(\S.*))?$")
_TYPED_KEY = re.compile(
    r"[ \t]*(type[ \t]*=[ \t]*(mstore|dbstore|tibrv|tibrvcm|tibss|(xa)?(generic|topic|"
    r"queue))[ \t]*$"
    r"|file_minimum\b|rv_tport\b|topic_import_dm\b|queue_import_dm\b)",
    re.IGNORECASE,
)
_SHOW = re.compile(r"^[ \t]*\S+>[ \t]*(show[ \t]+[a-z]+)\b", re.IGNORECASE | re.MULTILINE)
_BANNER = re.compile(r"^[ \t]*Server:?[ \t]+\S+[ \t]*\(version:", re.IGNORECASE | re.MULTILINE)
_KEY_END = re.compile(r"[=,\s]")

_WANTED = re.compile(
    rf"[ \t\f\v\u00a0]*+(?:server|{'|'.join(SUB_FILES)})[ \t\f\v\u00a0]*+=", re.IGNORECASE
)
"""How the lines of a main file begin that recognition needs: its server and its sub-files."""

_LISTEN = re.compile(r"[ \t]*+listen[ \t]*+=[ \t]*+(\S.*)", re.IGNORECASE)
_MOST_LISTENS = 100

_HEAD = 2**20
"""Characters of a text that recognition looks at; only the names of sub-files are looked for in
all of a main file.
"""
_LOOK = 400
"""Lines with content that recognition of a sub-file looks at."""
_WIDTH = 2000
"""Characters of a line that recognition looks at; keeps its patterns linear on hostile lines."""


def recognise(path: str, data: bytes) -> Recognised | None:
    """What the file at ``path`` with content ``data`` is to EMS, or None if nothing. The name
    counts only where the content says nothing either way: a file of comments, or bare names, under
    a usual sub-file name. Looks at the head of a large text. Never raises; linear.
    """
    look = _look_again if len(data) <= _SMALL else _look
    seen = look(path.rpartition("/")[2], data)
    if isinstance(seen, _SubFile):
        return Recognised(path, EMS_SUB_FILE, note=f"looks like {seen.kind}")
    if isinstance(seen, _Main):
        return _main(path, seen)
    if isinstance(seen, _Json):
        return _json(path, seen.text)
    if isinstance(seen, _Output):
        return _output(path, seen.text, seen.tables)
    return Recognised(path, Role.OTHER, note=seen) if seen else None


@record
class _SubFile:
    """A file that looks like a sub-file of a kind."""

    kind: str


@record
class _Main:
    """A text that looks like a tibemsd.conf, and its lines with content."""

    text: str
    shown: tuple[str, ...]


@record
class _Json:
    """A text that may be a tibemsd.json."""

    text: str


@record
class _Output:
    """Output of ``show`` commands, with the tables in it."""

    text: str
    tables: frozenset[str]


def _look(name: str, data: bytes) -> _SubFile | _Main | _Json | _Output | str:
    """What a file of a name looks like; a note where it is not to be read, empty where nothing is
    known of it. Linear."""
    decoded = lexical.decode(data)
    if decoded is None:
        return ""
    text = decoded.text
    if text.lstrip().startswith(("{", "[{", "[ {")):
        return _Json(text)
    head = text if len(text) <= _HEAD else text[: text.rfind("\n", 0, _HEAD) + 1] or text[:_HEAD]
    if tables := show.tables_of(head):
        return _Output(text, frozenset(tables))
    shown = [line[:_WIDTH].rstrip() for line in lexical.contents(head)]
    if _is_main(shown):
        return _Main(text, tuple(shown))
    if command := _tool_output(head, shown):
        return f"recognised as `{command}` output"
    kind = _sub_file(SUFFIX.sub("", name), shown[:_LOOK])
    if kind and named_as_template(name):
        return _template_note(kind)
    return _SubFile(kind) if kind else ""


_look_again = lru_cache(maxsize=1024)(_look)
"""The same, remembered: most sub-files of a network have one of a few contents."""

_SMALL = 2048
"""Bytes of a file of which it is remembered what it looks like."""


def _main(path: str, seen: _Main) -> Recognised:
    """A tibemsd.conf, or the template of one."""
    main = read_main(EmsFileReading(path, "", path), seen.text, only=_WANTED)
    if named_as_template(path) or has_placeholder(main.server) or any(map(is_marked, seen.shown)):
        return _template(path, "tibemsd.conf")
    return Recognised(
        path,
        EMS_MAIN,
        main.server,
        (*main.references.values(), *_usual(main, path)),
        named_by=_named_by(main),
        listens=_listens(seen.shown),
    )


_USUAL = tuple((name, kind) for name, kind in PARTS.items() if kind in SUB_FILES)


def _usual(main: MainFile, path: str) -> Iterator[Reference]:
    """The usual names of the sub-files that a main file does not name (ems.md 1.1)."""
    place = Source(path)
    for name, kind in _USUAL:
        if kind not in main.references and kind not in main.incomplete:
            yield Reference(kind, name, place, unstated=True)


def _json(path: str, text: str) -> Recognised | None:
    if not looks_like_ems(text):
        return None
    reading = EmsFileReading(path, "", path)
    main = read_json(reading, text)
    if named_as_template(path) or has_placeholder(main.server):
        return _template(path, "tibemsd.json")
    named_by = "its server object names it" if main.server else ""
    return Recognised(
        path, EMS_JSON, main.server, named_by=named_by, listens=_addresses(main.listen)
    )


def _listens(shown: Iterable[str]) -> tuple[str, ...]:
    """The addresses at which a main file says that its server listens, the first of them."""
    values = (match[1].strip('" \t') for line in shown if (match := _LISTEN.match(line)))
    return _addresses(url for value in islice(values, _MOST_LISTENS) for url in split_urls(value))


def _named_by(main: MainFile) -> str:
    line = main.server_line
    return f"its parameter server (line {line.number})" if line is not None else ""


def _output(path: str, text: str, tables: frozenset[str]) -> Recognised:
    """Output of ``show`` commands: of the server that it names, and of one server alone."""
    server, url = show.said_by(text)
    if server is None:
        note = (
            "recognised as the output of several servers, not read: save that of each server "
            "in a separate file"
        )
        return Recognised(path, Role.OTHER, note=note)
    at = next(iter(_addresses(split_urls(url))), "")
    return Recognised(path, EMS_SHOW_ROUTES if tables == {"routes"} else EMS_SHOW, server, at=at)


def _addresses(urls: Iterable[str]) -> tuple[str, ...]:
    """The addresses of URLs that mean the same on every machine, as HOST:PORT in small letters."""
    found = (parse_endpoint(url) for url in urls)
    return tuple(
        f"{one.host.lower()}:{one.port or DEFAULT_PORT}"
        for one in found
        if one is not None and one.host is not None and one.host.lower() not in LOOPBACK
    )


def _template(path: str, kind: str) -> Recognised:
    return Recognised(path, Role.OTHER, note=_template_note(kind))


def _template_note(kind: str) -> str:
    return f"recognised as a template of {kind}, not read: import the file that is made from it"


def _is_main(shown: list[str]) -> bool:
    """Whether most lines are ``name = value``, none opens a section, and the names are those of
    a tibemsd.conf.
    """
    if not shown or any(_HEADING.match(line) or line.endswith("{") for line in shown):
        return False
    names = [match[1].lower() for line in shown if (match := _PARAMETER.match(line))]
    if 2 * len(names) <= len(shown):
        return False
    telling = len(TELLING.intersection(names))
    return ("server" in names and (telling >= 1 or len(set(names)) == 1)) or telling >= 3


def _tool_output(text: str, shown: list[str]) -> str:
    """The command of the administration tool whose output this is, by its prompt or its look; an
    empty string if none.
    """
    if ">" in text and (match := _SHOW.search(text)):
        return " ".join(match[1].lower().split())
    if "(" in text and _BANNER.search(text):
        return "show server"
    return "show config" if show_server.is_config(shown) else ""


def _sub_file(path: str, shown: list[str]) -> str:
    """The usual name of the sub-file that these lines look like, or an empty string."""
    usual = path.rpartition("/")[2].lower()
    usual = usual if usual in PARTS and PARTS[usual] != "main" else ""
    if not shown:
        return usual
    if any(line.endswith(("{", "}")) for line in shown):
        return ""
    if _HEADING.match(shown[0]) and any(_HEADING.fullmatch(line) for line in shown):
        return _sections(shown, usual)
    for name, shape in (("acl.conf", _ACL), ("groups.conf", _GROUP), ("users.conf", _USER)):
        if usual in ("", name) and shape.match(shown[0]):
            return name
    if usual in ("", "durables.conf") and _are_durables(shown):
        return "durables.conf"
    matches = [_DESTINATION.match(line) for line in shown]
    if not all(matches):
        return usual if usual == "users.conf" and all(":" in line for line in shown) else ""
    properties = [match[4] for match in matches if match and match[4]]
    words = {_KEY_END.split(rest.strip(), 1)[0].lower() for rest in properties}
    if words and words <= PROPERTIES:
        return usual if usual in ("topics.conf", "queues.conf") else "topics.conf or queues.conf"
    if not words and (usual or shown == [">"]):
        return usual or "topics.conf or queues.conf"
    return usual if usual in ("durables.conf", "tibrvcm.conf") else ""


def _are_durables(shown: list[str]) -> bool:
    """Whether every line is a topic, a name and properties of durables, at least one line with a
    property.
    """
    some = False
    for line in shown:
        words = line.split(None, 2)
        rest = words[2] if len(words) > 2 else ""
        keys = {prop.key.lower() for prop in scan(rest, 0, DURABLE_KEYS, commas=True)}
        if len(words) < 2 or not keys <= DURABLE_KEYS:
            return False
        some = some or bool(keys)
    return some


def _sections(shown: list[str], usual: str) -> str:
    if any(_BRIDGE.match(line) for line in shown):
        return "bridges.conf"
    if any(_ROUTE_KEY.match(line) for line in shown):
        return "routes.conf"
    if any(_URL_KEY.match(line) for line in shown):
        return (
            usual if usual in ("routes.conf", "factories.conf") else "routes.conf or factories.conf"
        )
    if any(_TYPED_KEY.match(line) for line in shown):
        return usual or "stores.conf, channels.conf, transports.conf or factories.conf"
    return usual
