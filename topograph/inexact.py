"""The one record of why an answer is not exact: more may hold than it lists."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from topograph.findings import Source
from topograph.records import record


class Cause(StrEnum):
    """What keeps an answer from being exact."""

    BUDGET = "budget"
    """The search ended before everything was looked at."""
    ILLEGAL_NETWORK = "illegal-network"
    """More than one path leads to a server, so that every path has to be searched; stands beside
    ``BUDGET``.
    """
    UNRESOLVED_LINK = "unresolved-link"
    """It is not known where a link leads, or whether it carries anything."""
    NOT_LOADED = "not-loaded"
    """A server may have links that the loaded files do not show."""
    LIMIT = "limit"
    """There is more than an answer lists."""
    SIDE_INPUTS = "side-inputs"
    """An entry of topograph.yaml that could decide the answer is left out because of a mistake."""
    SEVERAL_ESTATES = "several-estates"
    """Folders describe a server differently: what was read is not one estate."""
    COPIES = "copies"
    """Another file describes a server otherwise than the one that is read: by its name a copy, by
    its date an older state."""
    NAMES = "names"
    """The name of a server was made of a file's name, and may be another that files use."""
    RULE = "rule"
    """A rule of the system leaves it open, whatever is loaded."""


class Doubt(NamedTuple):
    """What keeps an answer about a whole network from being exact, where that stands, and the
    rule that leaves it open: ``not-loaded`` where the loaded files do not show it.
    """

    because: str
    source: Source
    rule: str = Cause.NOT_LOADED


@record
class Inexact:
    """One cause, in words that go on from "Not certain:"."""

    cause: Cause
    """The kind of cause."""
    message: str
    """What it is."""


@record
class LeftOut:
    """Messages of one kind that were not looked at because there are too many, and that no other
    message stands for; ``kind`` in words that go on from a number. ``count`` is 0 where nobody
    counted them."""

    kind: str
    count: int

    @property
    def message(self) -> str:
        """What was not looked at, as a sentence.

        >>> LeftOut("messages to cluster queues", 1_200).message
        '1,200 messages to cluster queues were not followed before and after: they are too many'
        """
        which = f"{self.count:,} {self.kind}" if self.count else f"some {self.kind}"
        return f"{which} were not followed before and after: they are too many"


SEARCHED = Inexact(
    Cause.ILLEGAL_NETWORK,
    (
        "more than one path leads to a server (an illegal network), so that every path has "
        "to be searched"
    ),
)


def budget_ended(ended: str, *, doubled: bool = False) -> tuple[Inexact, ...]:
    """That the budget ended (``Budget.ended``); ``doubled``: in a network where more than one
    path leads to a server.
    """
    return (Inexact(Cause.BUDGET, f"{ended} (--budget)"), *((SEARCHED,) if doubled else ()))


def links_unresolved(number: int, noun: str) -> Inexact:
    """That it is not known where some links lead.

    >>> links_unresolved(1, "connector").message, links_unresolved(3, "connector").message
    ('where 1 connector leads is not known', 'where 3 connectors lead is not known')
    """
    one = number == 1
    return Inexact(
        Cause.UNRESOLVED_LINK,
        f"where {number:,} {noun}{'' if one else 's'} {'leads' if one else 'lead'} is not known",
    )


def left_out(places: Sequence[str]) -> Inexact:
    """What a mistake in topograph.yaml leaves out, by its places.

    >>> left_out(["topograph.yaml:3:5"]).message
    'an entry of topograph.yaml is left out because of a mistake (topograph.yaml:3:5)'
    """
    more = f" and {len(places) - 1:,} more" if len(places) > 1 else ""
    entry = "entries" if more else "an entry"
    are = "are" if more else "is"
    text = f"{entry} of topograph.yaml {are} left out because of a mistake ({places[0]}{more})"
    return Inexact(Cause.SIDE_INPUTS, text)


def links_open(number: int, noun: str) -> Inexact:
    """That findings leave open whether some links come up.

    >>> links_open(1, "route").message
    'whether 1 route comes up is not known'
    """
    links = f"1 {noun} comes" if number == 1 else f"{number:,} {noun}s come"
    return Inexact(Cause.UNRESOLVED_LINK, f"whether {links} up is not known")


def not_loaded(because: Sequence[str], cause: Cause = Cause.NOT_LOADED) -> Inexact:
    """What the loaded files do not show: the first reason, and how many more there are."""
    more = f", and the same holds for {len(because) - 1:,} more" if len(because) > 1 else ""
    return Inexact(cause, f"{because[0]}{more}")


def copies(number: int, first: str, read: str, ask: str) -> Inexact:
    """That files are not read because others take their place: how many, the first of them and the
    one that is read, and what leaves it out for good.

    >>> print(copies(1, "a.conf.bak", "a.conf", "--exclude a.conf.bak").message)
    a.conf is read, and a.conf.bak, which differs, is not (if that is right: --exclude a.conf.bak)
    """
    more = f"; so are {number - 1:,} more" if number > 1 else ""
    text = f"{read} is read, and {first}, which differs, is not (if that is right: {ask}{more})"
    return Inexact(Cause.COPIES, text)


def guessed_name(file: str, name: str, other: str, entry: str) -> Inexact:
    """That the name of a server is a guess, and files name one that may be the same: the file, the
    name that was made of its own, the other one, and the entry of topograph.yaml that settles it.

    >>> print(guessed_name("hub.mqsc", "hub", "QM_HUB", "servers: {QM_HUB: hub.mqsc}").message)
    hub.mqsc does not name its server: it is taken for hub, and may be QM_HUB, which other files \
name (topograph.yaml: servers: {QM_HUB: hub.mqsc})
    """
    text = (
        f"{file} does not name its server: it is taken for {name}, and may be {other}, which other "
        f"files name (topograph.yaml: {entry})"
    )
    return Inexact(Cause.NAMES, text)


def estates(
    folders: Sequence[str], servers: Sequence[str], ask: Sequence[str], how: str = "differently"
) -> Inexact:
    """That what was read is not one estate: the folders, the servers that all of them describe, how
    (``differently`` or ``alike``), and what names one of them.

    >>> estates(["DEV", "PROD"], ["HQ", "A"], ["-s DEV", "-s PROD"]).message
    'this folder holds 2 estates: DEV and PROD describe HQ (and 1 more) differently; ask one of \
them: -s DEV or -s PROD'
    """
    more = f" (and {len(servers) - 1:,} more)" if len(servers) > 1 else ""
    text = (
        f"this folder holds {len(folders):,} estates: {_listed(folders, 'and')} describe "
        f"{servers[0]}{more} {how}; ask one of them: {_listed(ask, 'or')}"
    )
    return Inexact(Cause.SEVERAL_ESTATES, text)


_FOLDERS = 4
"""Folders that a sentence lists."""


def _listed(texts: Sequence[str], word: str) -> str:
    if len(texts) > _FOLDERS:
        return f"{', '.join(texts[:_FOLDERS])} {word} {len(texts) - _FOLDERS:,} more"
    return f" {word} ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))
