"""The rows of the tables that ``show`` commands print, read by the words between blanks: columns
grow with the names in them.

Each function keeps what a row says and returns True, or returns False for a row that does not fit
its titles. All are linear in the row.
"""

from __future__ import annotations

from topograph.digits import digits, is_digits
from topograph.facts.ems_observed import (
    EmsObservedBridges,
    EmsObservedDestination,
    EmsObservedSubscription,
)
from topograph.importers.ems.destinations import owned_queue
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.lexical import Line
from topograph.records import record

ROUTE_DURABLE = "$sys.route."
"""How the name of the durable begins that a server holds for another one:
``$sys.route.SERVER:TOPIC`` (ems.md 1.6).
"""

_FLAGS = frozenset("-+*")
_PROPERTIES = {"S": "secure", "G": "global", "X": "exclusive"}
"""The letters of a title whose columns are properties of destinations, those that rules ask for."""
_CLIENTS = frozenset("TDQ")
"""Types of consumers that clients create: subscribers, durable ones, receivers. Others are the
server's own.
"""


@record
class Titles:
    """The titles of a table, in lower case."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, line: str) -> Titles:
        """The titles in a line."""
        return cls(tuple(line.lower().split()))

    def flags(self, start: str) -> str:
        """The title of a column of flags, by how it begins; empty if there is none."""
        return next((word for word in self.words if word.startswith(start)), "")

    def place(self, *titles: str) -> int:
        """Which column comes first of those with a title."""
        return next((number for number, word in enumerate(self.words) if word in titles), -1)


def _are_flags(word: str, title: str) -> bool:
    return bool(title) and len(word) == len(title) and set(word) <= _FLAGS


def _starred(words: list[str], mark: bool) -> tuple[bool, list[str]]:
    """Whether a row is marked as dynamic, and its words without the mark: ``*`` as a word of its
    own (``mark`` says whether the first one may be it), or before a name that would be none with
    it (R81)."""
    if mark and words[:1] == ["*"]:
        return True, words[1:]
    if words and words[0].startswith("*") and words[0][1:2] not in ("", "."):
        return True, [words[0][1:], *words[1:]]
    return False, words


def topic(reading: EmsFileReading, line: Line, titles: Titles) -> bool:
    """A row of ``show topics``: name, flags, numbers of subscribers and durables."""
    return _destination(reading, line, titles, "topic")


def queue(reading: EmsFileReading, line: Line, titles: Titles) -> bool:
    """A row of ``show queues``: name, flags, prefetch, number of receivers."""
    return _destination(reading, line, titles, "queue")


def _destination(reading: EmsFileReading, line: Line, titles: Titles, kind: str) -> bool:
    words, title = line.text.split(), titles.flags("snfg")
    dynamic, words = _starred(words, not (len(words) > 1 and _are_flags(words[1], title)))
    if len(words) < 4 or not _are_flags(words[1], title):
        return False
    name, owner = owned_queue(words[0]) if kind == "queue" else (words[0], "")
    set_ = (
        _PROPERTIES.get(letter.upper(), "")
        for letter, flag in zip(title, words[1], strict=True)
        if flag != "-"
    )
    reading.keep(
        EmsObservedDestination(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, _column(line)),
            type=kind,
            name=name,
            owner=owner,
            dynamic=dynamic,
            properties=tuple(sorted(filter(None, set_))),
        )
    )
    return True


def durable(reading: EmsFileReading, line: Line, titles: Titles) -> bool:
    """A row of ``show durables``: topic, the durable's full name, whether it is shared (from 8.0
    on), user, messages and their size with its unit.
    """
    words, shared = line.text.split(), "shared" in titles.words
    expected = 7 if shared else 6
    dynamic, words = _starred(words, len(words) > expected)
    if (
        len(words) != expected
        or (shared and words[2].upper() not in ("Y", "N"))
        or not is_digits(words[-3])
    ):
        return False
    user = words[3 if shared else 2].removeprefix("*").strip("<>")
    user = "" if user in ("offline", "shared") else user
    _subscription(reading, line, "durables", words[0], words[1], user=user, dynamic=dynamic)
    return True


def subscription(reading: EmsFileReading, line: Line, titles: Titles) -> bool:
    """A row of ``show subscriptions``: id, type, topic, the name if it has one, flags of which
    the first is for a selector.
    """
    words = line.text.split()
    title = titles.flags("ss")
    if len(words) < 4 or not is_digits(words[0]) or words[1] not in ("T", "D"):
        return False
    named = not _are_flags(words[3], title)
    if named and (len(words) < 5 or not _are_flags(words[4], title)):
        return False
    selector = "yes" if words[4 if named else 3][0] != "-" else "no"
    _subscription(
        reading, line, "subscriptions", words[2], words[3] if named else "", selector=selector
    )
    return True


def consumer(reading: EmsFileReading, line: Line, titles: Titles) -> bool:
    """A row of ``show consumers``: id, connection and what else comes before the type; the
    destination; later flags of which the first is for a selector.
    """
    words = line.text.split()
    kind, place, user = titles.place("t"), titles.place("topic", "queue"), titles.place("user")
    if (
        place < 0
        or len(words) <= max(kind, place)
        or not is_digits(words[0])
        or not (len(words[kind]) == 1 and words[kind].isupper())
    ):
        return False
    title = titles.flags("sas")
    flags = next((word for word in words[place + 1 :] if _are_flags(word, title)), "")
    if title and not flags:
        return False
    _subscription(
        reading,
        line,
        "consumers",
        words[place],
        "",
        type_=titles.words[place],
        user=words[user] if 0 <= user < place else "",
        selector="" if not flags else "yes" if flags[0] != "-" else "no",
        client=words[kind] in _CLIENTS,
    )
    return True


def counted_consumer(reading: EmsFileReading, line: Line, titles: Titles) -> bool:  # noqa: ARG001
    """A row of ``show stat consumers``: user, connection, type, destination, numbers."""
    words = line.text.split()
    if len(words) < 6 or not is_digits(words[1]) or not (len(words[2]) == 1 and words[2].isupper()):
        return False
    type_ = "queue" if words[2] == "Q" else "topic"
    _subscription(
        reading,
        line,
        "stat consumers",
        words[3],
        "",
        type_=type_,
        user=words[0],
        client=words[2] in _CLIENTS,
    )
    return True


def bridges(reading: EmsFileReading, line: Line, titles: Titles) -> bool:  # noqa: ARG001
    """A row of ``show bridges``: type and name of the source, how many queues and topics it is
    bridged to.
    """
    words = line.text.split()
    if len(words) != 4 or words[0] not in ("Q", "T"):
        return False
    queues, topics = (digits(word, most=9) for word in words[2:])
    if queues is None or topics is None:
        return False
    reading.keep(
        EmsObservedBridges(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, _column(line)),
            type="queue" if words[0] == "Q" else "topic",
            name=words[1],
            queues=queues,
            topics=topics,
        )
    )
    return True


def _subscription(
    reading: EmsFileReading,
    line: Line,
    listing: str,
    destination: str,
    durable_name: str,
    *,
    type_: str = "topic",
    user: str = "",
    selector: str = "",
    client: bool = True,
    dynamic: bool = False,
) -> None:
    """Keep a subscription. A durable's full name is that of a route's own durable, or may have
    the client id before it.
    """
    route = client_id = ""
    if durable_name.startswith(ROUTE_DURABLE):
        route, client = durable_name[len(ROUTE_DURABLE) :].partition(":")[0], False
    elif ":" in durable_name:
        client_id, _, durable_name = durable_name.partition(":")
    reading.keep(
        EmsObservedSubscription(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, _column(line)),
            listing=listing,
            type=type_,
            name=destination,
            durable=durable_name,
            client_id=client_id,
            user=user,
            selector=selector,
            client=client,
            route=route,
            dynamic=dynamic,
        )
    )


def _column(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip()) + 1
