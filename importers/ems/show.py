"""What the administration tool prints for its ``show`` commands: the state of a running server at
one moment (ems.md 3.7).

A text may hold the output of several commands: a session (``tcp://h:7222> show topics``) or what a
script printed (``Command: show topics``). Tables are known by their titles. Each that says what a
server has is a listing, and says whether it is whole: a table that its command narrowed (``show
consumers topic=a``), of which a row is not understood, which has fewer rows than ``show server``
counts, or behind which the text ends, may be a part. What a standby server lists is not used: it is
not what the active one has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from topograph.facts.ems_observed import EmsListing, EmsObservedSetting
from topograph.findings import Severity
from topograph.importers import lexical
from topograph.importers.ems import keys, show_rows, show_server
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.show_routes import Columns, read_row
from topograph.importers.lexical import Line
from topograph.records import record
from topograph.rules.ems_findings import OUTPUT_NOT_READ, R7, SECTION_3_7, SERVER_NOT_ACTIVE

_ASKED = re.compile(
    r"[ \t]*+(?:Command:|([^\s>]++)>)[ \t]*+(?:([a-z]++)(?:[ \t]++([^\r\n]*+))?)?[ \t\r]*+$",
    re.IGNORECASE,
)
"""A prompt (which may show the server's name or URL) or the line of a script, with the command
and what follows it.
"""

_TITLES = re.compile(
    (
        r"^[ \t]*+(?:(?:topic|queue|source)[ \t]++name|route(?:[ \t]++name)?[ \t]++t|"
        r"user[ \t]++conn|id[ \t]++(?:t|conn|sess|user))[ \t]"
    ),
    re.IGNORECASE | re.MULTILINE,
)
"""How the titles of a table begin: few other files have such a line."""

_BANNER = re.compile(r"[ \t]*+Server:?[ \t]++(\S++)[ \t]*+\(version:", re.IGNORECASE)
"""The first line of ``show server``."""

_SETTINGS = re.compile(
    r"^[ \t]*+(?:server|state|routing|authorization|listen|ft_active)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""How the lines of ``show server`` and ``show config`` begin that are kept."""

_SHOWN = (
    "server", "state", "routing", "authorization", "listen", "ft_active",
    *(
        f"{word}{blank}"
        for word in ("topic", "queue", "source", "route", "user", "id")
        for blank in " \t"
    ),
)  # fmt: skip
"""What every text has, in small letters, in which ``_TITLES`` or ``_SETTINGS`` is found."""

_FEW = 150
"""Characters of a text that is searched at once."""

_MAY_SAY = re.compile(
    r"[>\r\f\v\x1c-\x1f]|Command:|\(version:|"
    r"^[ \t]*+(?:topic|queue|source|route|user|id)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""What an ASCII text has, somewhere, that has a prompt, the first line of ``show server``, or the
titles of a table, however they are spaced."""

_CONNECTED = re.compile(r"[ \t]*+Connected to:[ \t]++(\S++)[ \t\r]*+$", re.IGNORECASE)

_COMMANDS = frozenset(
    {
        "addmember", "addprop", "autocommit", "commit", "compact", "connect", "create", "delete",
        "disconnect", "echo", "exit", "grant", "help",
        "info", "jaci", "purge", "quit", "remove", "removemember", "removeprop", "resume", "revoke",
        "rotatelog", "set", "setprop", "show",
        "showacl", "shutdown", "suspend", "time", "timeout", "transaction", "updatecrl", "whoami",
    }
)  # fmt: skip
"""The first words of commands: behind a name and ``>`` they make a line a prompt, where a row
could begin with ``orders.>``.
"""

_HARMLESS = frozenset({"", ">", "full", "wide", "version", "address", "counts"})
"""What a command may have behind it and still list everything; and ``sort=``."""

_WIDTH = 4000
"""Characters of a line that are looked at for a prompt or titles."""

Row = Callable[[EmsFileReading, Line, show_rows.Titles], bool]


def _route(reading: EmsFileReading, line: Line, titles: show_rows.Titles) -> bool:
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
        "acl", "bridge", "channel", "channels", "connections", "consumer", "db", "durable",
        "factories", "factory", "group", "groups",
        "jndiname", "jndinames", "member", "members", "message", "messages", "parents", "queue",
        "rvcmlistener", "rvcmlisteners",
        "rvcmtransportledger", "smartsockets", "stat producers", "stat queue", "stat route",
        "stat topic", "store", "stores", "subscription",
        "topic", "transaction", "transactions", "transport", "transports", "user", "users",
    }
)  # fmt: skip
"""What else can be shown: a finding names it, and no other word, which could be anything."""

_ABOUT_SERVERS = ("server", "state", "config")
"""What is shown as lines of a name and a value."""

_NOT_WHOLE = {
    "stat consumers": (
        "`show stat consumers` lists the consumers that the server keeps statistics of"
    ),
}


def _implied(text: str) -> str:
    """``config`` where a text is the output of ``show config`` and has no line that says so;
    else empty. Linear.
    """
    if not show_server.may_be_config(text):
        return ""
    lines = [line.text[:_WIDTH] for line in lexical.lines(text)]
    if not show_server.is_config(lines):
        return ""
    said = any(_asked(line) or _BANNER.match(line) or _table(line, "") for line in lines)
    return "" if said else "config"


def server_of(text: str) -> str | None:
    """The server that the text says it is of, by ``show server``, ``show config`` or a prompt
    with a name; empty if it does not say; None if it is of several. Linear."""
    return said_by(text)[0]


def said_by(text: str) -> tuple[str | None, str]:
    """The same, and the URL of the server in its prompts; empty where they show none. Linear."""
    banners: set[str] = set()
    prompts: set[str] = set()
    urls: set[str] = set()
    command = _implied(text)
    for line in lexical.lines(text):
        start = line.text[:_WIDTH]
        if banner := _BANNER.match(start):
            banners.add(banner[1])
        elif connected := _CONNECTED.match(start):
            urls.add(connected[1])
        elif asked := _asked(start):
            command = asked.shown
            if asked.prompt:
                (urls if "://" in asked.prompt else prompts).add(asked.prompt)
        elif name := show_server.server_named(command, start):
            banners.add(name)
    if len(banners) > 1 or len(prompts) > 1 or len(urls) > 1:
        return None, ""
    return next(iter(banners or prompts), ""), next(iter(urls), "")


def tables_of(text: str) -> set[str]:
    """What a text has the titles or lines of, by the commands without ``show``: ``routes``,
    ``topics``, ``server``, ``config`` ... Linear.
    """
    if not _may_show(text) or not (_TITLES.search(text) or _SETTINGS.search(text)):
        return set()
    found: set[str] = set()
    command = _implied(text)
    if not command and text.isascii() and not _MAY_SAY.search(text):
        return found
    for line in lexical.lines(text):
        start = line.text[:_WIDTH]
        if asked := _asked(start):
            command = asked.shown
        elif table := _table(start, command):
            found.add(table)
        elif _BANNER.match(start):
            command = "server"
            found.add(command)
        elif show_server.decides(command, start):
            found.add("config" if command == "config" else "server")
    return found


def _may_show(text: str) -> bool:
    """Whether a text has a word that ``_TITLES`` or ``_SETTINGS`` look for. Two searches over
    each character take several times as long, and most texts have none; in one that is not ASCII
    other characters count as the same in another case."""
    if len(text) < _FEW or not text.isascii():
        return True
    lower = text.lower()
    return any(map(lower.__contains__, _SHOWN))


@record
class _Asked:
    """A line with a prompt: what the prompt shows, the command and its arguments."""

    prompt: str
    command: str
    arguments: tuple[str, ...]

    @property
    def shown(self) -> str:
        """What is to be shown (``topics``, ``stat consumers``); empty for another command.
        ``info`` is another name of ``show server``.
        """
        if self.command == "info" and not self.arguments:
            return "server"
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
    """The table whose titles a line has; empty if it has none. ``command`` is the last one
    asked: two tables have the same titles.
    """
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
        return (
            "consumers"
            if "conn" in words
            else "subscriptions"
            if words[1:3] == ["t", "topic"]
            else ""
        )
    return ""


def read_show(reading: EmsFileReading, text: str) -> None:
    """The tables and settings of the text, each up to a blank line or the next prompt. What
    stands around them is counted as ignored; a row that is not understood is a finding, and the
    output of a command that is not read. Linear."""
    _Session(reading, _implied(text)).read(text)


@dataclass
class _Table:
    name: str
    titles: show_rows.Titles
    line: Line
    cut: str = ""
    rows: int = 0


@dataclass
class _Session:
    """Where the reading of a text is: the command whose output this is, and the table whose rows
    these are.
    """

    reading: EmsFileReading
    command: str = ""
    narrowed: str = "the text does not show the command that the table answers"
    table: _Table | None = None
    done: list[_Table] = field(default_factory=list)
    listings: list[_Table] = field(default_factory=list)
    output: show_server.ServerOutput = field(default_factory=show_server.ServerOutput)
    url: str = ""
    named: bool = False

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
            elif self.table is None and (self.command in _ABOUT_SERVERS or _BANNER.match(start)):
                self._setting(line)
            else:
                if connected := _CONNECTED.match(start):
                    self.url = keys.kept("url", connected[1])
                self.reading.ignored += 1
        self._end(closed=False)
        self._keep()

    def _ask(self, asked: _Asked, line: Line) -> None:
        """Note which listing the next table is, and what of it its command asked for."""
        if "://" in asked.prompt:
            self.url = keys.kept("url", asked.prompt)
        elif asked.prompt:
            self.named = True
        self.command, self.narrowed = (
            asked.shown,
            "the text does not show the command that the table answers",
        )
        if not self.command:
            return
        name = self.command
        rest = (word.lower() for word in asked.arguments[len(name.split()) :])
        harmless = all(word in _HARMLESS or word.startswith("sort=") for word in rest)
        self.narrowed = "" if harmless else "its command asked for a part"
        if name in _ABOUT_SERVERS:
            self.done.append(_Table(name, show_rows.Titles(()), line))
        elif name not in _READERS and name != "route":
            self.reading.unsupported += 1
            message = (
                f"recognised as `show {name}` output, not read"
                if name in _OTHERS
                else "output of a `show` command, not read"
            )
            self.reading.report(
                Severity.INFO,
                OUTPUT_NOT_READ,
                message,
                self.reading.source(line.number),
                rule=SECTION_3_7,
            )

    def _narrowed(self, name: str) -> str:
        if self.command != name:
            return "the text does not show the command that the table answers"
        return self.narrowed or _NOT_WHOLE.get(name, "")

    def _row(self, table: _Table, line: Line) -> None:
        fits = _READERS[table.name](self.reading, line, table.titles)
        table.rows += fits
        if not fits:
            table.cut = table.cut or "a row of it is not understood"
            column = len(line.text) - len(line.text.lstrip()) + 1
            self.reading.unknown(
                line, column, f"a row that does not fit the columns of show {table.name}"
            )

    def _setting(self, line: Line) -> None:
        self.command = self.command or "server"
        self.named = self.named or bool(show_server.server_named(self.command, line.text))
        self.output.read(self.reading, self.command, line)

    def _leave(self) -> None:
        """The table ends here; whether the output does shows later."""
        if self.table is not None:
            self.done.append(self.table)
            self.table = None

    def _end(self, *, closed: bool) -> None:
        """The output of the command ends: at the next prompt, or with the text."""
        self._leave()
        for tables in _grouped(self.done):
            cut = next((table.cut for table in tables if table.cut), "")
            if not closed:
                cut = cut or "the text ends with it"
            self.listings.append(
                replace(tables[0], cut=cut, rows=sum(table.rows for table in tables))
            )
        self.done.clear()

    def _keep(self) -> None:
        """Keep the listings, now that all is known of the server that printed them."""
        reading, output = self.reading, self.output
        output.close(reading)
        if output.state and output.state != show_server.ACTIVE:
            kept = [
                fact
                for fact in reading.facts
                if isinstance(fact, EmsObservedSetting) and fact.name == "state"
            ]
            message = (
                "the server that was asked is not active (State: "
                f"{keys.excerpt(output.state)}): what this text lists is not what the "
                "active "
                "server has, and is not used; ask the active server"
            )
            source = kept[0].source if kept else reading.source(0)
            reading.report(Severity.WARNING, SERVER_NOT_ACTIVE, message, source, rule=R7)
            reading.ignored += reading.read - len(kept)
            reading.read = len(kept)
            reading.facts[:] = kept
            return
        for listing in self.listings:
            cut, counted = listing.cut, output.counts.get(listing.name, 0)
            if listing.rows < counted:
                cut = cut or (
                    f"`show server` counts {counted} {listing.name}, {listing.rows} of them listed"
                )
            reading.keep(
                EmsListing(
                    bundle=reading.bundle,
                    server=reading.server,
                    source=reading.source(listing.line.number, 1),
                    name=listing.name,
                    cut=cut,
                    url="" if self.named else self.url,
                )
            )


def _grouped(tables: list[_Table]) -> Iterator[list[_Table]]:
    """The tables of one command's output by name: ``show consumers`` prints one for topics and
    one for queues.
    """
    by_name: dict[str, list[_Table]] = {}
    for table in tables:
        by_name.setdefault(table.name, []).append(table)
    yield from by_name.values()
