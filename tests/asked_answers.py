"""Tables of small estates and how the answers to many questions about each begin.

Each line of an entry (``answer_tables``) is a question and the first line of its answer, which is
the verdict. Few estates stand here; the tests of the rules say why an answer is what it is. The
questions are those that ``./dev same`` asks too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from answer_tables import Case

import topograph
from topograph.errors import TopographError, UsageError
from topograph.network import Network
from topograph.questions.text import text

FOLDER = Path(__file__).parent / "systems"
TABLES = sorted(FOLDER.glob("*/asked_answers.txt"))

Question = tuple[str, tuple[Any, ...], Mapping[str, Any]]
"""A method of ``Network``, its positional and its named parameters."""

MOST = 5
"""Servers that are asked from, and destinations that are asked about."""

_SHOWN = (
    *("servers", "routes", "links", "zones", "destinations", "queues", "channels", "connections"),
    *("bridges", "durables", "subscribers", "selectors", "access", "routing-paths"),
)


def answers(case: Case) -> tuple[str, ...]:
    """A line for each question."""
    with TemporaryDirectory() as folder:
        for name, content in case.files:
            path = Path(folder, "estate", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        try:
            network = topograph.read(Path(folder, "estate"))
        except TopographError as error:
            said = " ".join(str(error).replace(folder, "").split())
            return (f"{type(error).__name__} {said}",)
    return tuple(_asked(network))


def _asked(network: Network) -> Iterator[str]:
    for method, words, options in questions(network):
        question = " ".join([method, *(word for word in words if isinstance(word, str))])
        try:
            answer = getattr(network, method)(*words, **options)
        except TopographError as error:
            if not isinstance(error, UsageError):
                yield f"{question}: {type(error).__name__} {' '.join(str(error).split())}"
            continue
        said = text(answer).partition("\n")[0]
        if said.endswith(": none loaded."):
            continue
        yield f"{question}: {said}"


def questions(network: Network) -> Iterator[Question]:
    """The questions about any estate, from some servers and about some destinations that it
    lists.
    """
    servers = [name for name in network.server_names() if " " not in name][:MOST]
    yield from ((method, (), {}) for method in ("check", "cycles", "interests", "hops_matrix"))
    yield from (("show", (what,), {}) for what in _SHOWN)
    yield from (("reach", (server,), {}) for server in servers)
    if len(servers) > 1:
        for method in ("reach", "paths", "hops"):
            yield method, (servers[0], servers[-1]), {}
            yield method, (servers[-1], servers[0]), {}
    yield "impact", (), {"sweep": True}
    yield from (("impact", ([f"server:{server}"],), {}) for server in servers[:2])
    for destination in destinations(network):
        for server in dict.fromkeys(servers[:1] + servers[-1:]):
            yield "propagate", (server, destination), {}
            yield "trace", (server, destination), {}
        for server in servers[:1]:
            yield "trace", (server, destination), {"persistent": True}


def destinations(network: Network) -> list[str]:
    """Some of the destinations that an estate lists, as an option would name them."""
    found: dict[str, None] = {}
    for what in ("destinations", "queues"):
        try:
            rows = network.show(what).rows
        except TopographError:
            continue
        for row in rows:
            kind, name = str(row.get("type", "queue")), str(row.get("name", ""))
            kind = kind if kind in {"topic", "queue", "address"} else "queue"
            if name and not set(name) & set(" *>#"):
                found.setdefault(f"{kind}:{name}")
    return list(found)[:MOST]
