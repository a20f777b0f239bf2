"""Which files are definitions of RabbitMQ, and of which cluster: by content, whatever the name
(rabbitmq.md 1.1, 1.2).
"""

from __future__ import annotations

import json
import re

from topograph.importers import lexical
from topograph.importers.reading import Recognised, Role, Use

SYSTEM = "rabbitmq"

DEFINITIONS = Role("rabbitmq-definitions", Use.MAIN, SYSTEM)
"""What ``rabbitmqctl export_definitions``, ``rabbitmqadmin export`` or the management API wrote."""

_LISTS = ('"exchanges"', '"queues"', '"bindings"')
_MARKS = ('"rabbit_version"', '"rabbitmq_version"', '"rabbitmq_definition_format"')
_OBJECT = re.compile(r"\s*+\{")
_NAME = re.compile(r'"name"\s*+:\s*+"cluster_name"')
_ORIGINAL = re.compile(r'"original_cluster_name"\s*+:\s*+("(?:[^"\\]++|\\.)*+")')
_VALUE = re.compile(r'"value"\s*+:\s*+("(?:[^"\\]++|\\.)*+")')
_VHOST = re.compile(r'"original_vhost_name"\s*+:\s*+("(?:[^"\\]++|\\.)*+")')
_DATE = re.compile(r"[._ -]?(?:definitions|export|rabbitmq|rabbit)\b|[._ -]\d{4}-?\d\d-?\d\d\S*")


def recognise(path: str, data: bytes) -> Recognised | None:
    """A JSON object that has lists of exchanges, queues and bindings, or the version of RabbitMQ
    and one of them. Never raises; linear.

    >>> found = recognise("a/north.json", b'{"queues": [], "exchanges": [], "bindings": []}')
    >>> found.server, found.unnamed
    ('north', True)
    """
    if b'"exchanges"' not in data and b'"queues"' not in data:
        return None
    decoded = lexical.decode(data)
    if decoded is None:
        return None
    text = decoded.text.removeprefix("\ufeff")
    lists = sum(one in text for one in _LISTS)
    marked = any(one in text for one in _MARKS)
    if not _OBJECT.match(text) or not (lists == len(_LISTS) or (lists and marked)):
        return None
    name = cluster_name(text)
    return Recognised(path, DEFINITIONS, server=name or called(path), unnamed=not name)


def cluster_name(text: str) -> str:
    """The name of the cluster that definitions state; empty if they state none. Linear."""
    original = _ORIGINAL.search(text)
    if original is not None:
        return _string(original[1])
    stated = _NAME.search(text)
    if stated is None:
        return ""
    begin, end = text.rfind("{", 0, stated.start()), text.find("}", stated.end())
    value = _VALUE.search(text, max(begin, 0), len(text) if end < 0 else end)
    return "" if value is None else _string(value[1])


def original_vhost(text: str) -> str | None:
    """The virtual host that an export of a single one states; None if it states none."""
    stated = _VHOST.search(text)
    return None if stated is None else _string(stated[1])


def called(path: str) -> str:
    """A cluster that its file does not name is called like the file, or like the folder of a file
    that has no name of its own.

    >>> called("a/north.json"), called("a/north/definitions.json"), called("south_export.json")
    ('north', 'north', 'south')
    """
    folder, _, name = path.rpartition("/")
    own = name.rsplit(".", 1)[0]
    left = _DATE.sub("", own).strip("._- ")
    return left or folder.rpartition("/")[2] or own


def _string(text: str) -> str:
    """The value of a JSON string; empty if it is none."""
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        return ""
    return str(value).encode("utf-8", "replace").decode("utf-8")
