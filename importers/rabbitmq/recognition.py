"""Which files are definitions of RabbitMQ, and of which cluster: by content, whatever the name
(rabbitmq.md 1.1, 1.2).
"""

from __future__ import annotations

import json
import re

from topograph.importers import lexical
from topograph.importers.first_look import may_be_of
from topograph.importers.rabbitmq.node_files import recognise_node_file
from topograph.importers.reading import Recognised, Role, Use

SYSTEM = "rabbitmq"

DEFINITIONS = Role("rabbitmq-definitions", Use.MAIN, SYSTEM)
"""What ``rabbitmqctl export_definitions``, ``rabbitmqadmin export`` or the management API wrote."""

_LISTS = tuple(re.compile(rf'"{name}"\s*+:\s*+\[') for name in ("exchanges", "queues", "bindings"))
_OTHERS = re.compile(r'"(?:vhosts|permissions|policies|parameters)"\s*+:\s*+\[')
_VHOSTS = re.compile(r'"vhosts"\s*+:\s*+\[')
_OF_A_VHOST = '"vhost"'
_MARKS = ('"rabbit_version"', '"rabbitmq_version"', '"rabbitmq_definition_format"')
_OBJECT = re.compile(r"\s*+\{")
_NAME = re.compile(r'"name"\s*+:\s*+"cluster_name"')
_ORIGINAL = re.compile(r'"original_cluster_name"\s*+:\s*+("(?:[^"\\]++|\\.)*+")')
_VALUE = re.compile(r'"value"\s*+:\s*+("(?:[^"\\]++|\\.)*+")')
_VHOST = re.compile(r'"original_vhost_name"\s*+:\s*+("(?:[^"\\]++|\\.)*+")')
_DATE = re.compile(r"[._ -]?(?:definitions|export|rabbitmq|rabbit)\b|[._ -]\d{4}-?\d\d-?\d\d\S*")


def recognise(path: str, data: bytes) -> Recognised | None:
    """A JSON object that ``_is_definitions``, or a file of a node. Never raises; linear.

    >>> found = recognise("a/north.json", b'{"queues": [], "exchanges": [], "bindings": []}')
    >>> found.server, found.unnamed
    ('north', True)
    """
    if not may_be_of(SYSTEM, data):
        return None
    decoded = lexical.decode(data)
    if decoded is None:
        return None
    text = decoded.text.removeprefix("\ufeff")
    if not _OBJECT.match(text):
        return recognise_node_file(path, text)
    if not _is_definitions(text):
        return None
    name = cluster_name(text)
    return Recognised(path, DEFINITIONS, server=name or called(path), unnamed=not name)


def _is_definitions(text: str) -> bool:
    """Whether an object has lists of exchanges, queues and bindings; or some of the lists of
    definitions with the version of RabbitMQ, or with ``vhosts`` and entries of a ``vhost``, or two
    of the three with such entries. Brokers take definitions without the other lists. Linear."""
    lists = sum(one.search(text) is not None for one in _LISTS)
    if lists == len(_LISTS):
        return True
    if any(one in text for one in _MARKS):
        return lists > 0 or _OTHERS.search(text) is not None
    return _OF_A_VHOST in text and (lists > 1 or _VHOSTS.search(text) is not None)


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
    >>> called("a/north/definitions.json.quorum")
    'north'
    """
    folder, _, name = path.rpartition("/")
    own = name.partition(".json")[0] if ".json" in name else name.rsplit(".", 1)[0]
    left = _DATE.sub("", own).strip("._- ")
    return left or folder.rpartition("/")[2] or own


def _string(text: str) -> str:
    """The value of a JSON string; empty if it is none."""
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        return ""
    return str(value).encode("utf-8", "replace").decode("utf-8")
