"""Facts without the secrets of commands, addresses and sentences that people write into
configuration: the one place that all facts pass on their way out of an importer.

Readers leave out what they know to be a secret. What stands in a text that may be anything (the
arguments of a program, data of an exit, a description, an address) is judged here, by what the
importer declares that a field holds (``holds``): nobody has to think of it attribute by attribute.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter, is_
from typing import Any, NamedTuple, TypeVar

from topograph.credentials import (
    may_hold_secret,
    name_without_secret,
    without_arguments,
    without_credentials,
    without_keys,
    without_user_info,
)
from topograph.errors import UsageError
from topograph.facts.command import Command
from topograph.importers.declarations import fields_of, setting
from topograph.importers.holds import Holds

Record = TypeVar("Record")
Ordered = TypeVar("Ordered", bound=Command)

_ADDRESSES = frozenset({Holds.HOSTS, Holds.URLS, Holds.OPAQUE, Holds.WORD})
"""Where an ``@`` is that of an address, and what stands before it with a colon or slash a user with
a password.
"""
_KEYED = frozenset({Holds.SETTINGS, Holds.ITS_SETTING, Holds.MAP})
_NAMES = frozenset(
    {
        Holds.PUBLIC, Holds.SERVER, Holds.NAME, Holds.ITS_NAME, Holds.USERS, Holds.USER,
        Holds.PRINCIPAL, Holds.CLIENT,
    }
)  # fmt: skip
"""Words and names. They are compared: another stands in place of one that has the form of a
credential."""
_SELECTORS = frozenset({"selector", "discriminator"})
"""Fields of expressions: what looks like an option or an assignment there compares names."""
_LOOKED_AT = _ADDRESSES | _KEYED | _NAMES | {Holds.MESSAGE, Holds.NESTED}
_MARK = re.compile(r"[-@=:$]")
_MAY_HOLD = re.compile(r"[-@=:$]|(?i:bearer|authorization)")
"""What every text with credentials has; most have none of it."""
_KEPT = 1 << 14
"""Settings of which it is kept that they are clean: a large file has the same many times."""


def _is_clean(text: str) -> bool:
    """Whether a text has nothing that every text with credentials has."""
    if not text.isascii():
        return _MAY_HOLD.search(text) is None
    if _MARK.search(text) is not None:
        return False
    lowered = text.lower()
    return "bearer" not in lowered and "authorization" not in lowered


def _stays(value: tuple[Any, ...], holds: Holds) -> bool:
    """Whether settings are clean, or others are texts which stay as they are whatever they should
    hold."""
    try:
        if holds is Holds.SETTINGS:
            return all(map(_is_clean_pair, value))
        return type(value[0]) is str and (
            _are_plain_texts(value) or (holds in _ADDRESSES and _are_clean_addresses(value))
        )
    except TypeError:  # a record from outside may hold what has no hash
        return False


@lru_cache(_KEPT)
def _are_plain_texts(texts: tuple[object, ...]) -> bool:
    return all(type(text) is str and " " not in text and _is_clean(text) for text in texts)


@lru_cache(_KEPT)
def _are_clean_addresses(texts: tuple[object, ...]) -> bool:
    """Whether all are texts that stay as they are where addresses should be."""
    return all(type(text) is str and _address(text) is text for text in texts)


def _address(text: str) -> str:
    return text if _is_clean(text) else without_arguments(without_user_info(text))


@lru_cache(_KEPT)
def _is_clean_pair(pair: object) -> bool:
    """Whether a setting is a key and a text that are both clean."""
    return type(pair) is tuple and all(type(text) is str and _is_clean(text) for text in pair)


def without_secrets(record: Record) -> Record:
    """A fact, or a record inside one, without credentials in what is no name, word or path of the
    configuration. Linear; most records stay as they are."""
    kind: Any = type(record)
    looked = _looked_at(kind)
    changed: dict[str, Any] = {}
    for name, holds in looked.others if looked.are_harmless(record) else looked.every:
        value = getattr(record, name)
        if type(value) is tuple and not value:
            continue
        after = _field(record, name, holds, value)
        if after is not value:
            changed[name] = after
    return dataclasses.replace(record, **changed) if changed else record  # type: ignore[type-var]


_TOGETHER, _FEW = 64, 8
"""Records of one kind that are looked at together, at most and at least."""


def all_without_secrets(records: Sequence[Record]) -> tuple[Record, ...]:
    """Each of some records ``without_secrets``: many of one kind are looked at together, and one by
    one only where something in them is as in texts with credentials. Linear."""
    kinds: dict[type, list[int]] = {}
    for number, one in enumerate(records):
        kinds.setdefault(type(one), []).append(number)
    found = [*records]
    for own in kinds.values():
        for first in range(0, len(own), _TOGETHER):
            part = own[first : first + _TOGETHER]
            if len(part) < _FEW or not _stay([found[number] for number in part]):
                for number in part:
                    found[number] = without_secrets(found[number])
    return tuple(found)


def _stay(records: Sequence[Any]) -> bool:
    """Whether some records of one kind are known to stay as they are. Their texts are searched as
    one, between which no mark of credentials can stand."""
    kind: Any = type(records[0])
    looked = _looked_at(kind)
    try:
        names = "\n".join(chain.from_iterable(map(looked.names, records)))
        texts = "\n".join(chain.from_iterable(map(looked.texts, records)))
    except TypeError:  # a record from outside may hold anything
        return False
    if may_hold_secret(names) or not _is_clean(texts):
        return False
    return all(_stays_in(records, name, holds) for name, holds in looked.others)


def _stays_in(records: Sequence[Any], name: str, holds: Holds) -> bool:
    """Whether a field that is not one text each stays in some records."""
    held = [(one, value) for one in records if (value := getattr(one, name)) != ()]
    if holds is Holds.NESTED and name not in _SELECTORS:
        values = [value for _, value in held]
        inside = [*chain.from_iterable(values)] if {*map(type, values)} == {tuple} else []
        kinds: set[Any] = {*map(type, inside)}
        if len(kinds) == 1 and all(map(_is_record, kinds)):
            return _stay(inside)
    return all(_field(one, name, holds, value) is value for one, value in held)


def _field(record: Any, name: str, holds: Holds, value: Any) -> Any:
    """What a field holds without credentials."""
    return _selector(value) if name in _SELECTORS else _value(record, holds, value)


_SAID = frozenset({"text", "connected", "fault", "doubt", "doubtful", "unknown"})
"""Fields of commands that are sentences or hold no secrets as it is."""


def command_without_secrets(command: Ordered) -> Ordered:
    """A command whose names are those of the facts that it is about, and whose own facts are as
    an importer gives them. Linear; most commands stay as they are."""
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(command):
        value = getattr(command, field.name)
        if field.name in _SAID:
            continue
        after = _ordered(value)
        if after is not value:
            changed[field.name] = after
    return dataclasses.replace(command, **changed) if changed else command


def _ordered(value: Any) -> Any:
    """A value of a command: a name, a fact or an attribute, or several of these."""
    if type(value) is str:
        return name_without_secret(value)
    if isinstance(value, tuple):
        after = tuple(map(_ordered, value))
        return value if all(map(is_, after, value)) else after
    kind: Any = type(value)
    return without_secrets(value) if _is_record(kind) else value


class _LookedAt(NamedTuple):
    """The fields of a kind of record that may hold a secret: ``every`` one, and those that are
    ``others`` than one text each. ``names`` and ``texts`` give those together."""

    every: tuple[tuple[str, Holds], ...]
    others: tuple[tuple[str, Holds], ...]
    names: Callable[[Any], tuple[Any, ...]]
    texts: Callable[[Any], tuple[Any, ...]]

    def are_harmless(self, record: object) -> bool:
        """Whether the fields that should be names are, and those of other texts have nothing that
        credentials have: they stay as they are."""
        try:
            names, texts = "\n".join(self.names(record)), "\n".join(self.texts(record))
        except TypeError:  # a record from outside may hold anything
            return False
        return not may_hold_secret(names) and _is_clean(texts)


@cache
def _looked_at(kind: type) -> _LookedAt:
    """The fields of a kind of record that may hold a secret. Of one that its importer does not
    declare each is a sentence.
    """
    try:
        declared = fields_of(kind)
    except UsageError:
        declared = {}
    types = {field.name: field.type for field in dataclasses.fields(kind)}
    held = [(name, declared.get(name, Holds.MESSAGE)) for name in types]
    every = tuple((name, holds) for name, holds in held if holds in _LOOKED_AT)
    single = [
        (name, holds)
        for name, holds in every
        if types[name] in ("str", str) and name not in _SELECTORS
    ]
    names = _together(name for name, holds in single if holds in _NAMES)
    texts = _together(name for name, holds in single if holds not in _NAMES)
    numbers = ("int", int, "bool", bool)
    others = [one for one in every if one not in single and types[one[0]] not in numbers]
    return _LookedAt(every, tuple(others), names, texts)


def _together(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the fields of these names at once."""
    fields = tuple(names)
    if len(fields) > 1:
        return attrgetter(*fields)
    return lambda record: tuple(getattr(record, name) for name in fields)


@cache
def _is_record(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind)


def _value(record: Any, holds: Holds, value: Any) -> Any:
    kind: Any = type(value)
    if kind is str:
        return _text(record, holds, value)
    if holds is Holds.NESTED and _is_record(kind):
        return without_secrets(value)
    if not isinstance(value, tuple) or not value:
        return value
    if _stays(value, holds):
        return value
    if holds is Holds.SETTINGS:
        after: tuple[Any, ...] = tuple(_pair(record, pair) for pair in value)
    else:
        after = tuple(_value(record, holds, item) for item in value)
    return value if all(map(is_, after, value)) else after


_AS_WRITTEN = frozenset({"properties", "include", "exclude", "file", "files"})
"""Keys of our own files below which texts are compared as they are: properties of a message that a
policy sends, and patterns of files."""

_TOLD = frozenset({"because", "contact", "new", "owner", "reason"})
"""Keys of sentences and of what a new server begins with. Anything else names something."""


def without_secrets_of_own(keys: Iterable[object], text: str) -> str:
    """A text of one of our own files (``topograph.yaml``, a policy, a table of clients) without
    credentials; ``keys`` lead to it. Most are names (``name_without_secret``). Linear.

    >>> without_secrets_of_own(("waivers", 0, "reason"), "mended by deploy -p t1ger")
    'mended by deploy -p (set)'
    >>> without_secrets_of_own(("clients", 0, "selector"), "password=x")
    'password=x'
    """
    held = {str(key) for key in keys}
    if held & _SELECTORS:
        kept: str = _selector(text)
        return kept
    if held & _AS_WRITTEN:
        return text
    return without_arguments(text) if held & _TOLD else name_without_secret(text)


def _selector(text: Any) -> Any:
    """An expression without private keys, and without user and password of URLs."""
    if type(text) is not str:
        return text
    text = without_keys(text)
    return without_user_info(text, urls_only=True) if "://" in text else text


def _pair(record: Any, pair: tuple[str, str]) -> tuple[str, str]:
    """A setting: its key is a name, and where a file is damaged whatever stood there."""
    key, text = pair
    after = _text(record, Holds.NAME, key), _setting(record, key, text)
    return pair if after[0] is key and after[1] is text else after


def _text(record: Any, holds: Holds, text: str) -> str:
    if holds in _NAMES:
        return name_without_secret(text)
    if _is_clean(text):
        return text
    if holds is Holds.ITS_SETTING:
        return _setting(record, record.name, text)
    if holds is Holds.MAP:
        return _map(record, text)
    if holds in _ADDRESSES:
        return _address(text)
    return without_credentials(text) if holds is Holds.MESSAGE else text


def _setting(record: Any, key: str, text: str) -> str:
    if type(text) is not str or _is_clean(text):
        return text
    declared = setting(record, key) or Holds.OPAQUE
    return (
        text if declared in (Holds.ITS_SETTING, Holds.SETTINGS) else _text(record, declared, text)
    )


def _map(record: Any, text: str) -> str:
    """A JSON text with the same done to every member; of what is none, to the whole."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _text(record, Holds.OPAQUE, text)
    after = _member(record, "", value)
    if after == value:
        return text
    return json.dumps(after, separators=(",", ":"), ensure_ascii=False)


def _member(record: Any, key: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {
            _text(record, Holds.NAME, name): _member(record, name, item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_member(record, key, item) for item in value]
    return _setting(record, key, value) if isinstance(value, str) else value
