"""Names of servers as they are asked about: a name, a host, a pattern, or several of them."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from topograph.errors import UnknownServer
from topograph.questions.model import Model, Place
from topograph.words.did_you_mean import did_you_mean

WILDCARDS = "*?["
"""What makes a name a pattern, unless a server is called so."""


def is_pattern(text: str) -> bool:
    """Whether a text may stand for several servers."""
    return any(sign in text for sign in (*WILDCARDS, ","))


def matching(model: Model, text: str) -> tuple[str, ...]:
    """The labels of the servers that ``text`` stands for, each once: the one that is called so;
    else those that its parts between commas stand for, in their order. A part is a name, a host
    that topograph.yaml maps to a server, or a pattern of either (``*``, ``?``, ``[...]``).

    Raises UnknownServer for a part that no server fits. Linear in servers times parts."""
    labels = frozenset(model.server_names())
    if text in labels or not is_pattern(text):
        return (model.label(model.locate(text).server),)
    found: dict[str, None] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        found |= dict.fromkeys(_fitting(model, part))
    if not found:
        raise UnknownServer(f"{text!r} names no server.")
    return tuple(found)


def _fitting(model: Model, part: str) -> list[str]:
    labels = model.server_names()
    if part in labels or not any(sign in part for sign in WILDCARDS):
        return [model.label(model.locate(part).server)]
    found = [
        model.label(place.server)
        for place in model.places()
        if any(fnmatchcase(name, part) for name in _names(model, place))
    ]
    if not found:
        bare = part.translate(dict.fromkeys(map(ord, "*?[]")))
        hint = did_you_mean(bare, labels) or " `topograph show servers` lists them."
        raise UnknownServer(f"No server fits {part!r} in network {model.network}.{hint}")
    return found


def _names(model: Model, place: Place) -> Iterator[str]:
    """What a server can be called."""
    yield place.name
    yield f"{place.system}:{place.name}"
    yield from model.hosts_of(place)
