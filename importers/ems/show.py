"""What the administration tool prints for its ``show`` commands: the state of a running server at one moment (ems.md 3.7).

A text may hold the output of several commands: a session (``tcp://h:7222> show topics``) or what a script printed (``Command: show topics``). Tables
are known by their titles. Each that says what a server has is a listing, and says whether it is whole: a table that its command narrowed
(``show consumers topic=a``), of which a row is not understood, or behind which the text ends, may be a part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from topograph.facts.ems_observed import EmsListing
from topograph.findings import Severity
from topograph.importers import lexical
from topograph.importers.ems import show_rows
from topograph.importers.ems.file_reading import FileReading
from topograph.importers.ems.show_routes import Columns, read_row
from topograph.importers.lexical import Line

_ASKED = re.compile(
    r"[ \t]*+(?:Command:|([^\s>]++)>)[ \t]*+(?:([a-z]++)(?:[ \t]++([^\r\n]*+))?)?[ \t\r]*+$", re.IGNORECASE
)
"""A prompt (which may show the server's name or URL) or the line of a script, with the command and what follows it."""

_TITLES = re.compile(
    r"^[ \t]*+(?:(?:topic|queue|source)[ \t]++name|route[ \t]++t|user[ \t]++conn|id[ \t]++(?:t|conn|sess|user))[ \t]",
    re.IGNORECASE | re.MULTILINE,
)
"""How the titles of a table begin: few other files have such a line."""

_BANNER = re.compile(r"[ \t]*+Server:?[ \t]++(\S++)[ \t]*+\(version:", re.IGNORECASE)
"""The first line of ``show server``."""

_CONNECTED = re.compile(r"[ \t]*+Connected to:[ \t]++(\S++)[ \t\r]*+$", re.IGNORECASE)

_COMMANDS = frozenset(
    {
        "addmember", "addprop", "autocommit", "commit", "compact", "connect", "create", "delete", "disconnect", "echo", "exit", "grant", "help",
        "info", "jaci", "purge", "quit", "remove", "removemember", "removeprop", "resume", "revoke", "rotatelog", "set", "setprop", "show",
        "showacl", "shutdown", "suspend", "time", "timeout", "transaction", "updatecrl", "whoami",
    }
)  # fmt: skip
"""The first words of commands: behind a name and ``>`` they make a line a prompt, where a row could begin with ``orders.>``."""

_HARMLESS = frozenset({"", ">", "full", "wide", "version", "address", "counts"})
"""What a command may have behind it and still list everything; and ``sort=``."""

_WIDTH = 4000
"""Characters of a line that are looked at for a prompt or titles."""

Row = Callable[[FileReading, Line, show_rows.Titles], bool]


def _route(reading: FileReading, line: Line, titles: show_rows.Titles) -> bool:
    columns = Columns.of(" ".join(titles.words))
    return columns is not None and read_row(reading, line, columns)


_READERS: Mapping[str, Row] = {
    "routes": _route,
    "topics": show_rows.topic,
    "queues": show_rows.queue,
    "durables": show_rows.durable,
    "subscriptions": show_rows.subscription,
    "consumers": show_rows.consumer,
    "stat consumers": show_rows.counted_consumer,
    "bridges": show_rows.bridges,
}
"""What reads the rows of a listing, by the command without ``show``."""

_OTHERS = frozenset(
    {
        "acl", "bridge", "channel", "channels", "config", "connections", "consumer", "db", "durable", "factories", "factory", "group", "groups",
        "jndiname", "jndinames", "member", "members", "message", "messages", "parents", "queue", "rvcmlistener", "rvcmlisteners",
        "rvcmtransportledger", "smartsockets", "stat producers", "stat queue", "stat route", "stat topic", "store", "stores", "subscription",
        "topic", "transaction", "transactions", "transport", "transports", "user", "users",
    }
)  # fmt: skip
"""What else can be shown: a finding names it, and no other word, which could be anything."""

_NOT_WHOLE = {
    "stat consumers": "`show stat consumers` lists the consumers that the server keeps statistics of",
}


def server_of(text: str) -> str | None:
    """The server that the text says it is of, by ``show server`` or a prompt with a name; empty if it does not say; None if it is of several. Linear."""
    banners: set[str] = set()
    prompts: set[str] = set()
    urls: set[str] = set()
    for line in lexical.lines(text):
        start = line.text[:_WIDTH]
        if banner := _BANNER.match(start):
            banners.add(banner[1])
        elif connected := _CONNECTED.match(start):
            urls.add(connected[1])
        elif (asked := _asked(start)) and asked.prompt:
            (urls if "://" in asked.prompt else prompts).add(asked.prompt)
    if len(banners) > 1 or len(prompts) > 1 or len(urls) > 1:
        return None
    return next(iter(banners or prompts), "")


def tables_of(text: str) -> set[str]:
    """The tables that a text has the titles of, by their commands without ``show``; ``routes`` for that one. Linear."""
    if not _TITLES.search(text):
        return set()
    found, command = set(), ""
    for line in lexical.lines(text):
        start = line.text[:_WIDTH]
        if asked := _asked(start):
            command = asked.shown
        elif table := _table(start, command):
            found.add(table)
    return found


@dataclass(frozen=True, slots=True)
class _Asked:
    """A line with a prompt: what the prompt shows, the command and its arguments."""

    prompt: str
    command: str
    arguments: tuple[str, ...]

    @property
    def shown(self) -> str:
        """What is to be shown (``topics``, ``stat consumers``); empty for another command."""
        words = [word.lower() for word in self.arguments[:2]] if self.command == "show" else []
        return " ".join(words if words[:1] == ["stat"] else words[:1])


def _asked(line: str) -> _Asked | None:
    match = _ASKED.match(line)
    if match is None:
        return None
    prompt, command, rest = match[1] or "", (match[2] or "").lower(), match[3] or ""
    is_url = "://" in prompt
    if prompt and "." in prompt and not is_url:
        return None  # no server's name (ems.md 1.1), but a row that begins with a wildcard
    if command and command not in _COMMANDS and not is_url:
        return None
    return _Asked(prompt, command, tuple(rest.split()))


def _table(line: str, command: str) -> str:
    """The table whose titles a line has; empty if it has none. ``command`` is the last one asked: two tables have the same titles."""
    if Columns.of(line) is not None:
        return "routes"
    words = line.lower().split()
    if len(words) < 3:
        return ""
    if words[1] == "name" and words[2].startswith("snfg") and "msgs" in words:
        return (
            "topics"
            if words[0] == "topic" and "subs" in words
            else "queues"
            if words[0] == "queue" and "rcvrs" in words
            else ""
        )
    if words[:3] == ["topic", "name", "durable"] and "msgs" in words:
        return "durables"
    if words == ["source", "name", "queue", "targets", "topic", "targets"]:
        return "bridges"
    if words[:4] == ["user", "conn", "t", "destination"]:
        return "stat consumers" if command == "stat consumers" else ""
    if words[0] == "id" and "t" in words and ("topic" in words or "queue" in words):
        return "consumers" if "conn" in words else "subscriptions" if words[1:3] == ["t", "topic"] else ""
    return ""


def read_show(reading: FileReading, text: str) -> None:
    """The tables of the text, each up to a blank line or the next prompt. What stands around them is counted as ignored; a row that is not
    understood is a finding, and the output of a command that is not read. Linear."""
    _Session(reading).read(text)


@dataclass
class _Table:
    name: str
    titles: show_rows.Titles
    line: Line
    cut: str = ""


@dataclass
class _Session:
    """Where the reading of a text is: the command whose output this is, and the table whose rows these are."""

    reading: FileReading
    command: str = ""
    narrowed: str = "the text does not show the command that the table answers"
    table: _Table | None = None
    done: list[_Table] = field(default_factory=list)

    def read(self, text: str) -> None:
        """Read the whole text."""
        for line in lexical.lines(text):
            start = line.text[:_WIDTH]
            if asked := _asked(start):
                self._end(closed=True)
                self._ask(asked, line)
                self.reading.ignored += 1
            elif lexical.is_blank(line.text):
                self._leave()
                self.reading.ignored += 1
            elif name := _table(start, self.command):
                self._leave()
                self.table = _Table(name, show_rows.Titles.of(start), line, self._narrowed(name))
            elif self.table is not None and not set(line.text) <= {"-", " ", "\t"}:
                self._row(self.table, line)
            else:
                self.reading.ignored += 1
        self._end(closed=False)

    def _ask(self, asked: _Asked, line: Line) -> None:
        """Note which listing the next table is, and what of it its command asked for."""
        self.command, self.narrowed = "", "the text does not show the command that the table answers"
        if asked.command != "show" or not asked.arguments:
            return
        self.command = name = asked.shown
        rest = (word.lower() for word in asked.arguments[len(name.split()) :])
        harmless = all(word in _HARMLESS or word.startswith("sort=") for word in rest)
        self.narrowed = "" if harmless else "its command asked for a part"
        if self.command not in _READERS and self.command not in ("routes", "route", "server", "state"):
            self.reading.unsupported += 1
            message = (
                f"recognised as `show {name}` output, not read"
                if name in _OTHERS
                else "output of a `show` command, not read"
            )
            self.reading.report(Severity.INFO, "output-not-read", message, self.reading.source(line.number), rule="3.7")

    def _narrowed(self, name: str) -> str:
        if self.command != name:
            return "the text does not show the command that the table answers"
        return self.narrowed or _NOT_WHOLE.get(name, "")

    def _row(self, table: _Table, line: Line) -> None:
        if not _READERS[table.name](self.reading, line, table.titles):
            table.cut = table.cut or "a row of it is not understood"
            column = len(line.text) - len(line.text.lstrip()) + 1
            self.reading.unknown(line, column, f"a row that does not fit the columns of show {table.name}")

    def _leave(self) -> None:
        """The table ends here; whether the output does shows later."""
        if self.table is not None:
            self.done.append(self.table)
            self.table = None

    def _end(self, *, closed: bool) -> None:
        """The output of the command ends: at the next prompt, or with the text."""
        self._leave()
        for name, tables in _grouped(self.done):
            if name == "routes":
                continue
            cut = next((table.cut for table in tables if table.cut), "")
            if not closed:
                cut = cut or "the text ends with it"
            source = self.reading.source(tables[0].line.number, 1)
            self.reading.keep(
                EmsListing(bundle=self.reading.bundle, server=self.reading.server, source=source, name=name, cut=cut)
            )
        self.done.clear()


def _grouped(tables: list[_Table]) -> Iterator[tuple[str, list[_Table]]]:
    """The tables of one command's output by name: ``show consumers`` prints one for topics and one for queues."""
    by_name: dict[str, list[_Table]] = {}
    for table in tables:
        by_name.setdefault(table.name, []).append(table)
    yield from by_name.items()
