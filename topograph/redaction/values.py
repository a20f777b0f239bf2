"""The first pass: which hosts, users and client ids a network has, and which of its names stay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from topograph.importers.declarations import well_known_users
from topograph.importers.holds import Holds
from topograph.redaction.key import Key
from topograph.redaction.tokens import Tokens
from topograph.redaction.treatment import treated


@dataclass
class Values:
    """What was found in records: ``sensitive`` are (kind, value), ``servers`` and ``public``
    names that stay as they are, ``made`` names that people made up of other names."""

    sensitive: set[tuple[str, str]] = field(default_factory=set)
    servers: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)

    def add(self, other: Values) -> None:
        """Take what another part of the network has."""
        self.sensitive |= other.sensitive
        self.servers |= other.servers
        self.public |= other.public
        self.made |= other.made


def collect(records: Iterable[Any], into: Values) -> None:
    """Add what records hold. Linear."""
    collector = _Collector(into)
    for record in records:
        treated(record, collector.treat)


class _Collector:
    """Treats every text by leaving it and remembering it."""

    def __init__(self, into: Values) -> None:
        self._into = into
        # The tokens are thrown away: what counts is which values pass, in the very splitting that
        # replaces them later.
        self._tokens = Tokens(Key(b""), lambda kind, value: into.sensitive.add((kind, value)))

    def treat(self, holds: Holds, text: str) -> str:
        match holds:
            case Holds.HOSTS:
                self._tokens.hosts(text)
            case Holds.URLS:
                self._tokens.urls(text)
            case Holds.USERS:
                for user in split_users(text):
                    self._tokens.user(user)
            case Holds.USER:
                self._tokens.user(text)
            case Holds.CLIENT:
                self._tokens.client(text)
            case Holds.SERVER:
                self._into.servers.add(text)
                self._into.public.add(text)
            case Holds.PUBLIC:
                self._into.public.add(text)
            case Holds.NAME:
                self._into.made.add(text)
            case _:
                pass
        return text


def split_users(text: str) -> list[str]:
    """The users of a list separated by commas; those that everyone has are left out."""
    return [
        user
        for part in text.split(",")
        if (user := part.strip()) and user not in well_known_users()
    ]
