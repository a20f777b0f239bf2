"""What the fields of facts hold: names that stay, or hosts, users, client ids and secrets that
redaction has to replace.

Each importer declares it in its module ``holds``, beside the code that reads the fields
(``Declarations``). What is not declared counts as ``OPAQUE``, so that something new is hidden
rather than shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol


class Holds(StrEnum):
    """What a text (or each text of a tuple) holds."""

    PUBLIC = "public"
    """A word of the configuration language, or the name of a server, zone, destination, durable,
    group: stays.
    """
    WORD = "word"
    """A word that means something to the product, or a number: stays if topograph knows it, else
    hidden.
    """
    SERVER = "server"
    """The name of a server as facts carry it: stays, but for the path in a name that was made of
    one.
    """
    NAME = "name"
    """A name that people make up of other names (of a connector, a store): stays, but for the
    hosts, users and client ids in it.
    """
    ITS_NAME = "its name"
    """The record's own name: what its setting ``name`` holds."""
    ITS_SETTING = "its setting"
    """The value of the setting that the record's field ``name`` names."""
    HOSTS = "hosts"
    """Hosts, each with a port or without (``:1414`` or ``(1414)``), in a list or alone."""
    URLS = "urls"
    """URLs, in a list or alone."""
    USERS = "users"
    """Users, in a list separated by commas or alone."""
    USER = "user"
    """One user, whatever characters the name has."""
    PRINCIPAL = "principal"
    """A user or a group, as the fact's ``principal_type`` says."""
    CLIENT = "client id"
    SECRET = "secret"  # noqa: S105
    """A password, key or token: never kept, only that it is set."""
    PATH = "path"
    """A path of an imported file, or of one that a configuration names."""
    PLACE = "place"
    """A ``Source``: its file is a path."""
    MESSAGE = "message"
    """A sentence of ours, with words of the files in it."""
    SETTINGS = "settings"
    """Pairs of key and value: ``setting`` of the importer says what each holds."""
    MAP = "map"
    """A JSON object or array as text: its members are settings."""
    NESTED = "nested"
    """Records with fields of their own."""
    OPAQUE = "opaque"
    """Anything else people write (descriptions, paths on servers, unknown settings): hidden as a
    whole.
    """
    DROPPED = "dropped"
    """Text of a file as it stands there: left out."""


Fields = dict[str, Holds]
"""Field name to what it holds, for every field of a record."""


def public(*names: str) -> Fields:
    """Fields that stay."""
    return dict.fromkeys(names, Holds.PUBLIC)


FACT: Fields = {"bundle": Holds.PATH, "server": Holds.SERVER, "source": Holds.PLACE}
"""The fields that all facts have."""


class Declarations(Protocol):
    """What an importer declares; a module is one."""

    FIELDS: Mapping[type, Fields]
    """For every kind of fact, what each field holds."""
    WELL_KNOWN_USERS: frozenset[str]
    """Names of users that say nothing."""
    WORDS: frozenset[str]
    """Words of the servers' own messages, in which hosts, users and client ids stand."""

    def setting(self, fact: Any, key: str, /) -> Holds | None:
        """What the value of a key of the ordered mappings of a fact (or of a record inside one)
        holds; None where nobody has said it.
        """
        ...


_HINTS = (
    (re.compile(r"client_?id|container_?id", re.IGNORECASE), Holds.CLIENT),
    (
        re.compile(
            r"host|url|listen|daemon|interface|\baddress\b|server_names?|\bip\b", re.IGNORECASE
        ),
        Holds.HOSTS,
    ),
    (re.compile(r"user|principal|login|owner|creator|account|\bdn\b", re.IGNORECASE), Holds.USERS),
)


def by_its_name(key: str) -> Holds:
    """What a setting that nobody declared holds, judging by its key alone: hosts, users, client
    ids, else OPAQUE.

    >>> (by_its_name("ldap_user_base").value, by_its_name("proxyHost").value,
    ...  by_its_name("jre_option").value)
    ('users', 'hosts', 'opaque')
    """
    return next((holds for pattern, holds in _HINTS if pattern.search(key)), Holds.OPAQUE)
