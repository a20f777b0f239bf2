"""The second pass: the one place where hosts, users and client ids of a network are replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from topograph.digits import is_digits
from topograph.facts import Fact
from topograph.findings import Finding, Source
from topograph.importers.declarations import messages_words, well_known_users
from topograph.importers.holds import Holds
from topograph.redaction.finder import Finder
from topograph.redaction.key import Key
from topograph.redaction.tokens import SET, Tokens, is_address
from topograph.redaction.treatment import treated
from topograph.redaction.values import Values, collect
from topograph.redaction.vocabulary import WORD, vocabulary, words
from topograph.rules.unnumbered import REDACTION_WORD_STAYS
from topograph.side_inputs import SideInputs
from topograph.store.identity import NetworkInputs

Record = TypeVar("Record")
Parts = list[tuple[str, bool]]
"""A text in parts; True says that a part stands as it is."""

_AT_FILE = "router at "
"""How a router without an id is called: by the path of its file."""

_ENDPOINT_NAME = re.compile(
    r"(?P<type>(?:listener|connector|connection|tcpListener|tcpConnector|httpListener|"
    r"httpConnector)/)(?P<address>.*)\Z"
)
"""Names that routers make of type, host and port."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+")
_ADDRESS = re.compile(
    r"(?<![\w.:])(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|(?:[0-9A-Fa-f]{0,4}:){2,"
    r"7}[0-9A-Fa-f]{0,4})(?![\w:])"
)
_NUMBER = re.compile(r"C?[0-9][0-9A-Fa-f]*(?:[KMG]?B)?")


class Redactor:
    """Replaces what ``values`` found in one network, with one key. Plain data, so that it travels
    to workers.

    ``paths`` are all paths of the import, each of which keeps a path of its own. The same values,
    paths and key give the same redactor in whatever process. Building takes linear time in the
    names of the network; redacting in the text.
    """

    def __init__(self, key: Key, values: Values, paths: Iterable[str] = ()) -> None:
        paths = sorted(set(paths))
        self._key = key
        self._tokens = Tokens(key)
        self._servers = frozenset(values.servers)
        self._kept_users = self._servers | well_known_users()
        ours = self._ours = vocabulary() | messages_words()
        self._public = {word for name in values.public for word in words(name)}
        self._values = dict(self._replacements(values))
        self._ambiguous = self._found_in_names(values.public) | {
            text for text in self._values if _is_common(text, ours | self._public)
        }
        self._finder = Finder(
            {text: token for text, token in self._values.items() if text not in self._ambiguous}
        )
        self._paths = self._unique(paths)
        shown = [*map(self._name, values.made), *map(self.path, paths)]
        self._known = frozenset(
            ours | self._public | {word for text in shown for word in words(text)}
        )
        self._kept = {
            kind: sum(
                1
                for each, value in values.sensitive
                if each == kind and value.lower() in self._ambiguous
            )
            for kind in ("host", "user", "client")
        }

    @property
    def fingerprint(self) -> str:
        """What tells this key from others."""
        return self._key.fingerprint

    def record(self, record: Record) -> Record:
        """A fact, finding, file report or side input with its hosts, users and client ids
        replaced.
        """
        return treated(record, self.treat)

    def treat(self, holds: Holds, text: str) -> str:
        """What stands in place of a text that holds something."""
        match holds:
            case Holds.PUBLIC:
                return text
            case Holds.WORD:
                ours = all(word in self._ours or is_digits(word) for word in words(text))
                return text if ours else self._tokens.opaque(text)
            case Holds.SERVER:
                return (
                    _AT_FILE + self.path(text.removeprefix(_AT_FILE))
                    if text.startswith(_AT_FILE)
                    else text
                )
            case Holds.NAME:
                return self._name(text)
            case Holds.HOSTS:
                return self._tokens.hosts(text)
            case Holds.URLS:
                return self._tokens.urls(text)
            case Holds.USER:
                return self.user(text)
            case Holds.USERS:
                return ",".join(self.user(part.strip()) for part in text.split(","))
            case Holds.CLIENT:
                return self.client(text)
            case Holds.SECRET:
                return SET if text else text
            case Holds.PATH:
                return self.path(text)
            case Holds.MESSAGE:
                return self.message(text)
            case Holds.DROPPED:
                return ""
            case _:
                return self._tokens.opaque(text)

    def user(self, text: str) -> str:
        """A user; the name of a server (R49: a neighbour is a user) and the product's own users
        stay.
        """
        return text if text in self._kept_users else self._tokens.user(text)

    def client(self, text: str) -> str:
        """A client id; the name of a server stays, for routers are clients of each other."""
        return text if text in self._servers else self._tokens.client(text)

    def path(self, text: str) -> str:
        """A path in which the values of the network are replaced where they stand as whole
        words; a different one for each path.
        """
        found = self._paths.get(text)
        return self._finder.replaced(text) if found is None else found

    def message(self, text: str) -> str:
        """A sentence: values become their tokens, and so does every word that is neither ours
        nor a name that stays.
        """
        parts: Parts = [(text, False)]
        for split in (self._urls, self._addresses, self._finder.parts):
            parts = [piece for part in parts for piece in ([part] if part[1] else split(part[0]))]
        return "".join(part if final else WORD.sub(self._word, part) for part, final in parts)

    def inputs(self, inputs: NetworkInputs) -> NetworkInputs:
        """What the id of a snapshot follows from: with redacted paths and side inputs, and keyed
        digests, so that nobody can try contents.
        """
        return NetworkInputs(
            {
                self.path(path): self._key.digest("file", sha256)
                for path, sha256 in inputs.files.items()
            },
            {self.path(path): kind for path, kind in inputs.skipped.items()},
            self.record(inputs.side_inputs),
        )

    def findings(self) -> Iterator[Finding]:
        """What has to be said of the redaction: how many values are also names that stay, and
        may so be read in paths and messages.
        """
        counted = [
            f"{count} {noun}"
            for (kind, count) in self._kept.items()
            for noun in [{"host": "hosts", "user": "users", "client": "client ids"}[kind]]
            if count
        ]
        if counted:
            message = (
                "Redacted everywhere as hosts, users and client ids; but "
                f"{', '.join(counted)} are also ordinary words, or names of servers, "
                "destinations or the like, and as such they stay in paths and messages."
            )
            yield REDACTION_WORD_STAYS.at(Source("."), message)

    def _name(self, text: str) -> str:
        made = _ENDPOINT_NAME.match(text)
        if made is not None:
            return made["type"] + self._tokens.hosts(made["address"])
        return self._finder.replaced(text)

    def _word(self, match: re.Match[str]) -> str:
        word = match.group()
        return (
            word
            if word.lower() in self._known or _NUMBER.fullmatch(word)
            else self._tokens.opaque(word)
        )

    def _urls(self, text: str) -> Iterator[tuple[str, bool]]:
        def url(text: str) -> str:
            end = len(text.rstrip(".,;:)"))
            return self._tokens.urls(text[:end]) + text[end:]

        return _matches(text, _URL, url)

    def _addresses(self, text: str) -> Iterator[tuple[str, bool]]:
        return _matches(
            text, _ADDRESS, lambda found: self._tokens.host(found) if is_address(found) else found
        )

    def _replacements(self, values: Values) -> Iterator[tuple[str, str]]:
        """Every text to look for, in lower case, with its token: users and client ids, hosts
        with their first labels and their domains.
        """
        order = {
            "client": 0,
            "user": 1,
            "host": 2,
        }  # where one text is several of them, the last one counts
        for kind, value in sorted(values.sensitive, key=lambda one: (order[one[0]], one[1])):
            if kind == "client" and value not in self._servers:
                yield value.lower(), self._tokens.client(value)
            elif kind == "user" and value not in self._kept_users:
                yield value.lower(), self._tokens.user(value)
            elif kind == "host":
                labels = value.split(".") if not is_address(value) else []
                for start in range(1, len(labels) - 1):
                    domain = ".".join(labels[start:])
                    yield domain, self._tokens.host(domain)
                if len(labels) > 1:
                    yield labels[0], self._tokens.host(labels[0])
                yield value, self._tokens.host(value)

    def _found_in_names(self, names: Iterable[str]) -> set[str]:
        """The values that stand in a name that stays: replaced elsewhere, they would be given
        away by comparison.
        """
        finder = Finder(self._values)
        return {found for name in names for found in finder.found(name)}

    def _unique(self, paths: Iterable[str]) -> Mapping[str, str]:
        """The paths whose redacted form another path has already, with one of their own."""
        taken: set[str] = set()
        changed: dict[str, str] = {}
        for path in paths:
            plain = made = self._finder.replaced(path)
            number = 1
            while made in taken:
                number += 1
                made = f"{plain}~{number}"
            taken.add(made)
            if made != plain:
                changed[path] = made
        return changed


def redactor_of(
    key: Key, facts: Iterable[Fact], side_inputs: SideInputs, paths: Iterable[str]
) -> Redactor:
    """The redactor of a network whose facts are all at hand."""
    values = Values()
    collect(facts, values)
    collect([side_inputs], values)
    return Redactor(key, values, paths)


def of_no_network(key: Key) -> Redactor:
    """The redactor that knows no names: of a message it leaves the words that are ours."""
    return Redactor(key, Values())


def _matches(
    text: str, pattern: re.Pattern[str], replace: Callable[[str], str]
) -> Iterator[tuple[str, bool]]:
    """The text in parts: (what stands for a match, True), (what stands between, False)."""
    at = 0
    for match in pattern.finditer(text):
        yield text[at : match.start()], False
        yield replace(match.group()), True
        at = match.end()
    yield text[at:], False


def _is_common(text: str, known: frozenset[str] | set[str]) -> bool:
    """Whether a value cannot be told from other words of a text: a single letter, a number, a
    word of ours or of a name that stays.
    """
    found = list(words(text))
    return (
        len(text) < 2
        or is_digits(text)
        or (len(found) == 1 and found[0] in known and found[0] == text)
    )
