"""One run of a tool for RabbitMQ: its options and arguments, and what of them nobody knows."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from topograph.credentials import SET, without_arguments
from topograph.digits import is_digits
from topograph.facts import Fact
from topograph.facts.rabbit_commands import HERE
from topograph.findings import Source
from topograph.importers.rabbitmq.entries import Common, Object, Unclear, fact_of
from topograph.importers.shell import Call, Line, Said, Stream

_EXPANSION = re.compile(r"\$(?:\{[^{}]*+\}|\w++|[@*#?!$-])")
_OPTION_NAME = re.compile(r"--?[a-z][a-z0-9-]{0,40}\Z")
_HIDDEN = re.compile(r"passw|password_hash|secret|token|credential", re.IGNORECASE)
"""Names of members of JSON whose values are never shown."""
_BRACES = re.compile(r"\{[^{}\s]*+\}")
"""What a shell may make several words of."""

Fields = dict[str, Any]
"""What a command says: fields of a ``RabbitCommand``."""


class NotMeant(Exception):
    """Why a command cannot be meant: the tool or the broker refuses it as it stands."""


class NotKnown(Exception):
    """Why nobody can know what a command does."""


class Quoted(str):
    """A word in quotes, as a shell takes it. What stands before a secret is, so that the words can
    be read again: what looks for secrets takes quotes for a part of them."""

    __slots__ = ()


@dataclass
class Given:
    """One run of a tool, whose words are divided. ``options`` are by their long names; a flag has
    an empty value. ``shown`` are the words as they may be shown."""

    call: Call
    source: Source
    options: dict[str, str] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    connected: str = HERE
    places: list[int] = field(default_factory=list)
    """Where each argument stands in ``shown``."""
    understood: bool = True
    """Whether it is known what its words are."""

    @property
    def beginning(self) -> str:
        """What may be shown of a command line whose words are not understood."""
        word = next(iter(self.arguments), "")
        return f"{self.call.program} {word}" if word.isidentifier() else self.call.program

    @property
    def text(self) -> str:
        """The command line as it may be shown."""
        words = [self.call.program, *self.shown]
        return " ".join(one if isinstance(one, Quoted) else shlex.quote(one) for one in words)

    @property
    def vhost(self) -> str:
        """The virtual host that the options name."""
        return self.options.get("--vhost") or "/"

    def divide(
        self,
        words: Sequence[str],
        valued: Collection[str],
        short: Mapping[str, str],
        secret: Collection[str] = (),
        flags: Collection[str] = (),
    ) -> None:
        """Divide words into options and arguments. ``valued`` are the options that take a value,
        ``flags`` those that take none, ``short`` the long names of others, ``secret`` those whose
        values are never shown; of options that are not known nothing else is. Linear."""
        known = {*valued, *short.values(), *flags}
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "--":
                for one in words[at:]:
                    self._argument(one)
                return
            if not word.startswith("-") or word == "-" or is_digits(word[1:2]):
                self._argument(word)
                continue
            name, value = _option(word, short)
            takes = name in valued
            if takes and value is None:
                value = words[at] if at < len(words) else ""
                at += 1
            self.options[name] = value or ""
            hidden = name in secret or name not in known or without_arguments(word) != word
            shown = name if name in known else _unknown_option(name)
            self.shown.append(Quoted(f"'{shown}'") if hidden else shown)
            if takes or value:
                self.shown.append(SET if hidden else shown_json(value or ""))

    def _argument(self, word: str) -> None:
        self.places.append(len(self.shown))
        self.arguments.append(word)
        self.shown.append(shown_json(word))

    def hide(self, number: int) -> None:
        """Do not show an argument: it is a secret."""
        if number < len(self.places):
            self.shown[self.places[number]] = SET

    def number(self, *names: str, at_most: int | None = None) -> list[str]:
        """The arguments, as many as ``names``. Raises NotMeant."""
        most = len(names) if at_most is None else at_most
        if len(self.arguments) < len(names):
            raise NotMeant(f"{names[len(self.arguments)]} is missing")
        if len(self.arguments) > most:
            raise NotMeant("it has more arguments than it takes")
        return self.arguments

    def fact(self, section: str, entry: Object, vhost: str | None = None) -> Fact | None:
        """The fact of an entry of definitions. Raises NotMeant."""
        return made(section, entry, self.source, self.vhost if vhost is None else vhost)

    def unknown(self, *texts: object) -> str:
        """The first part of the words that nobody knows and that some texts or facts hold; empty if
        there is none."""
        found = set()
        for at, part in self.call.unknown:
            word = self.call.words[at] if at < len(self.call.words) else part
            found |= {part, *_EXPANSION.findall(word)}
        for line in _lines(self.call):
            if line.unknown:
                found |= {line.unknown, *_EXPANSION.findall(line.text)}
        if not found:
            return ""
        held = "\n".join(text for one in texts for text in _texts(one)).casefold()
        return min((one for one in found if one and one.casefold() in held), default="")

    def json(self, text: str, what: str) -> Any:
        """A JSON text. Raises NotMeant, or NotKnown where a part of it is not known."""
        try:
            return _decoded(text)
        except ValueError:
            if part := self.unknown(text):
                raise NotKnown(not_known(part)) from None
            raise NotMeant(f"{what} is not JSON") from None

    def object(self, text: str, what: str) -> Object:
        """A JSON object. Raises NotMeant, NotKnown."""
        value = self.json(text, what) if text.strip() else {}
        if not isinstance(value, dict):
            raise NotMeant(f"{what} is not a JSON object")
        return value

    def file(self, name: str) -> tuple[Line, ...]:
        """The lines of a file that the script has written. Raises NotKnown for another."""
        stream = dict(self.call.files).get(name)
        return lines_in(stream, f"it reads {name or 'a file'}, which is not in this script")

    def input(self) -> tuple[Line, ...]:
        """The lines that the tool reads. Raises NotKnown."""
        return lines_in(self.call.input, "it reads what the script does not hold")


def lines_in(stream: Stream | None, why: str) -> tuple[Line, ...]:
    """The lines of a stream. Raises NotKnown where not all of it stands in the script."""
    if not stream or not all(isinstance(part, Said) for part in stream):
        raise NotKnown(why)
    return tuple(line for part in stream if isinstance(part, Said) for line in part.lines)


def made(section: str, entry: Object, source: Source, vhost: str) -> Fact | None:
    """The fact of an entry of definitions. Raises NotMeant."""
    common = Common({"bundle": "", "server": "", "source": source}, vhost)
    try:
        return fact_of(section, entry, common)
    except Unclear as error:
        raise NotMeant(str(error)) from None


def not_known(part: str) -> str:
    """That nobody knows what a part of a command stands for."""
    return f"what {part} stands for is known only when the script runs"


def several(name: str) -> str:
    """Why a name is more than one to a shell; empty if it is not."""
    found = any("," in one or ".." in one for one in _BRACES.findall(name))
    return "the shell makes several words of one in braces" if found else ""


def shown_json(text: str) -> str:
    """A word as it may be shown: without credentials, JSON without the values of passwords."""
    text = without_arguments(text)
    if not text.lstrip().startswith(("{", "[")) or not _HIDDEN.search(text):
        return text
    try:
        value = _decoded(text)
    except ValueError:
        return SET
    return json.dumps(_without(value), ensure_ascii=False)


_DEEPEST = 100
"""How deep lists and objects of JSON may stand in each other."""


def _decoded(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, for one that is nested too deep too."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError from None
    level = [found]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    if level:
        raise ValueError
    return found


def _without(value: object) -> object:
    if isinstance(value, dict):
        return {
            name: SET if _HIDDEN.search(name) and isinstance(one, str) and one else _without(one)
            for name, one in value.items()
        }
    return [_without(one) for one in value] if isinstance(value, list) else value


def is_true(value: object, name: str) -> bool:
    """A truth value as the management API takes it. Raises NotMeant."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise NotMeant(f"{name} is neither true nor false")


def _unknown_option(name: str) -> str:
    return name if _OPTION_NAME.match(name) else SET


def _option(word: str, short: Mapping[str, str]) -> tuple[str, str | None]:
    """The long name of an option and the value that is attached to it."""
    if word.startswith("--"):
        name, equals, value = word.partition("=")
        return short.get(name, name), value if equals else None
    name = short.get(word[:2], word[:2])
    return name, word[2:].removeprefix("=") or None


def _lines(call: Call) -> Iterator[Line]:
    streams = [call.input, *(stream for _, stream in call.files)]
    for stream in streams:
        for part in stream:
            if isinstance(part, Said):
                yield from part.lines


def _texts(value: object) -> Iterator[str]:
    """All texts in a value, in records inside of it too. Linear."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _texts(one)
    elif is_dataclass(value) and not isinstance(value, Source):
        for one in fields(value):
            yield from _texts(getattr(value, one.name))
