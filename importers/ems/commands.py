"""Scripts of the administration tool (ems.md 3.7): one command a line. They are read, never run.

The properties of a command are read by the reader of the configuration file that would hold them,
so that a command and an edited file say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

from topograph.credentials import without_credentials
from topograph.facts.command import Script, not_known, unknown_command
from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsServer,
    EmsUser,
    ParameterPlace,
    RouteSelector,
)
from topograph.facts.ems_commands import EmsCommand, Verb
from topograph.facts.fact import Fact
from topograph.findings import Severity, Source
from topograph.importers import lexical
from topograph.importers.ems import admin_shell, bridges, destinations, durables, keys, routes
from topograph.importers.ems.access import keep_grant
from topograph.importers.ems.file_reading import WITHOUT_EFFECT, EmsFileReading
from topograph.importers.ems.parameters import boolean
from topograph.importers.ems.properties import hazard, scan
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import (
    NOT_A_SCRIPT,
    NOT_SAVED,
    SECTION_3_7,
    SHELL_SCRIPT,
)
from topograph.rules.unnumbered import UNKNOWN_DIRECTIVE

_WORD = re.compile(r'"[^"]*"|[^ \t\f\v\u00a0]+')

_SECRET = re.compile(r"^(set[ \t]++password)\b.*+", re.IGNORECASE)
"""The command whose last word is a password."""

_SAYING_NOTHING = frozenset(
    {"echo", "exit", "help", "info", "quit", "show", "showacl", "time", "timeout", "whoami",
        "compact", "rotatelog", "transaction"}
)  # fmt: skip
"""First words of commands that change nothing."""

_TAKEN = frozenset({"jaci", "shutdown", "updatecrl"})
"""First words of commands that the server takes and that change no destination: they clear caches
of permissions, read lists of certificates that are revoked, or stop the server."""

_ANSWERS = frozenset({"y", "yes", "n", "no"})
"""Lines that answer what the tool asks before it deletes."""

_OTHER_OBJECTS = frozenset(
    {"connection", "connections", "factory", "jndiname", "message", "messages", "password",
        "rvcmlistener", "store", "transaction"}
)  # fmt: skip
"""What else commands are about, and what decides about no message."""


_OF_THE_SERVER = frozenset({"1.4", "R93", "TL-11", "TL-18"})
"""Rules of errors that leave no doubt about what a command says: the server refuses it."""


_NOT_LENIENT = frozenset({"route-durable-property"})
"""Findings that a lenient reader of files makes good, and that a command is refused for."""
_OWN = re.compile(
    rb"^[ \t]*+(?:addprop|connect|create|delete|grant|removeprop|resume|revoke|setprop|"
    rb"suspend|set[ \t]+server)[ \t]++"
    rb"(?:admin|bridge|durable|group|queue|route|rvcmlistener|server|topic|user|(?:tcp|ssl)://)|"
    rb"^[ \t]*+(?:(?:add|remove)[ \t]++member|delete[ \t]++all)[ \t]|\btibemsadmin\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A command that no other system has."""


def recognises(data: bytes) -> bool:
    """Whether a script has commands of the administration tool."""
    return _OWN.search(data) is not None


class _NotUnderstood(Exception):
    """Why a command is not understood."""


class _Unknown(_NotUnderstood):
    """It is no command that is known: any of its words may be a password."""


class _UnknownWord(_Unknown):
    """Its first word is none that is known, nor near one: the server may well take it."""


_SEVERAL = frozenset({"the permissions", "the names of its members"})
"""What can be missing and is a plural."""


@dataclass(slots=True)
class _Words:
    """The words of a line, one taken after the other. ``at`` is the offset behind the last one."""

    line: Line
    at: int = 0

    def next(self, what: str = "") -> str:
        """The next word without quotes; empty at the end, where ``what`` names one that has to
        be there.
        """
        match = _WORD.search(self.line.text, self.at)
        if match is None:
            if what:
                raise _NotUnderstood(f"{what} {'are' if what in _SEVERAL else 'is'} missing")
            return ""
        self.at = match.end()
        return match.group().strip('"')

    def rest_begins(self) -> int:
        """The offset of the next word."""
        match = _WORD.search(self.line.text, self.at)
        return match.start() if match else len(self.line.text)

    def blanked(self, words: str) -> Line:
        """The line as an entry of a file: ``words`` and what follows, in its columns where there
        is room for them.
        """
        begin = self.rest_begins()
        return Line(
            self.line.number,
            words.rjust(begin - 1) + " " + self.line.text[begin:] if begin else words,
        )


def read_script(data: bytes, file: str) -> Script:
    """The commands of a script in order. A line that is not understood is a command with a
    ``fault``. Linear; never raises.
    """
    decoded = lexical.decode(data)
    if decoded is None:
        message = "the file is not text"
        return Script((), (SECTION_3_7.at(Source(file, 1), message, kind=NOT_A_SCRIPT),))
    reading = EmsFileReading("", "", file)
    commands: list[EmsCommand] = []
    connected, saving, unsaved = "", True, dict[str, int]()
    for said in _said(reading, decoded.text):
        line = said.line
        words = _Words(line)
        verb = words.next().lower()
        source = reading.source(line.number, line.text.index(line.text.strip(lexical.BLANK)) + 1)
        if said.begins:
            connected, saving = keys.kept("url", said.server), True
            if said.unknown:
                message = (
                    f"{said.unknown}, which it runs tibemsadmin for: it is taken as the server "
                    "that the script is given to"
                )
                reading.report(Severity.WARNING, SHELL_SCRIPT, message, source, rule=SECTION_3_7)
        if said.fault:
            shown = keys.first_word(line).text
            command = EmsCommand(
                text=shown, source=source, verb="none", connected=connected, fault=said.fault
            )
            commands.append(command)
        elif verb == "connect":
            where = words.next()
            connected = (
                keys.kept("url", where) if "://" in where else ""
            )  # else the tool's own server, and a user
        elif verb == "disconnect":
            connected = ""
        elif verb == "autocommit":
            state = boolean(words.next())
            saving = saving if state is None else state
        elif verb == "commit":
            unsaved.pop(connected, None)
        elif verb in _ANSWERS and not words.next():
            continue  # the answer to a question of the tool
        elif verb not in _SAYING_NOTHING:
            command = _command(reading, verb, words, source)
            commands.append(replace(command, connected=connected))
            if not saving and command.verb != "none":
                unsaved[connected] = unsaved.get(connected, 0) + 1
    if count := sum(unsaved.values()):
        reading.report(
            Severity.WARNING,
            NOT_SAVED,
            "autocommit is off and no commit follows "
            f"{f'{count} commands' if count > 1 else 'one command'}: what "
            f"{'they change' if count > 1 else 'it changes'} is gone when the server restarts",
            commands[-1].source,
            rule=SECTION_3_7,
        )
    return Script(tuple(commands), tuple(reading.findings))


def _said(reading: EmsFileReading, text: str) -> Iterator[admin_shell.ShellLine]:
    """The lines that the tool reads: those of the script, or those that a shell script gives to
    it.
    """
    if not admin_shell.is_shell(text):
        yield from map(admin_shell.ShellLine, reading.entries(text))
        return
    message = (
        "of a shell script only what it gives to tibemsadmin is read: as if everything in it "
        "ran once, in this order"
    )
    reading.report(Severity.WARNING, SHELL_SCRIPT, message, reading.source(1), rule=SECTION_3_7)
    begins = False  # a run may begin with lines that say nothing
    for said in admin_shell.said(text):
        begins = begins or said.begins
        for line in reading.entries(said.line.text):
            yield replace(said, line=Line(said.line.number, line.text), begins=begins)
            begins = False


def _command(reading: EmsFileReading, verb: str, words: _Words, source: Source) -> EmsCommand:
    """One command that may change something."""
    shown = _SECRET.sub(
        r"\1 (set)", without_credentials(keys.excerpt(words.line.text.strip(lexical.BLANK)))
    )
    scratch = EmsFileReading("", "", reading.file)
    try:
        command = _understood(scratch, verb, words, source)
    except _NotUnderstood as why:
        fault, doubt = f"the command is not understood: {why}", ""
        if isinstance(why, _Unknown):
            shown = without_credentials(keys.first_word(words.line).text)
            fault = unknown_command(shown)
        if isinstance(why, _UnknownWord):
            fault, doubt = "", not_known(shown)
        command = EmsCommand(text="", source=source, verb="none", fault=fault, doubtful=doubt)
    reading.findings += scratch.findings
    refused = [
        one
        for one in scratch.findings
        if one.severity is Severity.ERROR or one.kind in _NOT_LENIENT
    ]
    errors = [one for one in refused if one.rule not in _OF_THE_SERVER]
    fault = command.fault or (errors[0].message if errors else "")
    unknown = (one.message for one in scratch.findings if one.kind == UNKNOWN_DIRECTIVE.kind)
    doubtful = command.doubtful or next(unknown, "").removesuffix(WITHOUT_EFFECT)
    return replace(command, text=shown, fault=fault, doubtful=doubtful)


def _understood(reading: EmsFileReading, verb: str, words: _Words, source: Source) -> EmsCommand:
    if verb == "grant":
        return _grant(reading, "grant", words, source)
    if verb == "revoke":
        return _grant(reading, "revoke", words, source)
    if verb in ("addmember", "removemember"):
        return _members(words, source, adds=verb == "addmember")
    if verb in _TAKEN:
        return EmsCommand(text="", source=source, verb="none", object=verb)
    if verb not in _WITH_OBJECT:
        raise _Unknown if get_close_matches(verb, _FIRST_WORDS, 1, 0.75) else _UnknownWord
    about = words.next("what it is about").lower()
    if about == "member" and verb in ("add", "remove"):
        return _members(words, source, adds=verb == "add")
    if verb == "delete" and about == "all":
        return _all(words, source)
    if verb == "set" and about == "server":
        return _server(words, source)
    of_others = about in _OTHER_OBJECTS and verb in (*_PROPERTIES, "set")
    if verb == "purge" or of_others or (about == "user" and verb not in _VERBS["user"]):
        return EmsCommand(text="", source=source, verb="none")
    reader = _READERS.get(about)
    verbs = _VERBS.get(about, ())
    if reader is None or verb not in verbs:
        raise _Unknown
    return reader(reading, _VERB[verb], words, source)


_EVERY: Mapping[str, str] = {
    "topics": "destination",
    "queues": "destination",
    "durables": "durable",
    "groups": "group",
    "users": "user",
}
"""What ``delete all`` deletes that decides about messages, and the kind of fact that it is."""


def _all(words: _Words, source: Source) -> EmsCommand:
    """``delete all``: of topics and queues those that a pattern covers, if there is one."""
    every = words.next("what is deleted").lower()
    if every in _OTHER_OBJECTS:
        return EmsCommand(text="", source=source, verb="none")
    if every not in _EVERY:
        raise _NotUnderstood("all users, groups, topics, queues or durables can be deleted")
    pattern = words.next() if _EVERY[every] == "destination" else ""
    return EmsCommand(
        text="", source=source, verb="delete", object=_EVERY[every], every=every, pattern=pattern
    )


_VERB: Mapping[str, Verb] = {
    "create": "create",
    "delete": "delete",
    "addprop": "addprop",
    "setprop": "setprop",
    "removeprop": "removeprop",
    "suspend": "suspend",
    "resume": "resume",
}


def _route(reading: EmsFileReading, verb: Verb, words: _Words, source: Source) -> EmsCommand:
    name = words.next("the name of the route")
    draft = routes.RouteDraft(name, words.line, source.column)
    stated: frozenset[str] = frozenset()
    unselected: tuple[RouteSelector, ...] = ()
    begin = words.rest_begins()
    if verb == "removeprop":
        stated, unselected = _removed_of_route(words.line, begin, source)
    elif begin < len(words.line.text):
        if verb in ("delete", "suspend", "resume"):
            raise _NotUnderstood(f"something follows the name {name}")
        routes.read_line(reading, draft, Line(words.line.number, words.line.text), begin)
        stated = frozenset(draft.values)
    fact = replace(routes.route_of(reading, draft), source=source)
    return EmsCommand(
        text="",
        source=source,
        verb=verb,
        object="route",
        fact=fact,
        stated=stated,
        unselected=unselected,
    )


def _removed_of_route(
    line: Line, begin: int, source: Source
) -> tuple[frozenset[str], tuple[RouteSelector, ...]]:
    """The properties and selectors that ``removeprop route`` names."""
    stated, unselected = set(), []
    for prop in scan(line.text, begin, (), commas=True):
        key = prop.key.lower()
        if key in routes.DIRECTIONS:
            place = replace(source, column=prop.column)
            unselected.append(RouteSelector(routes.DIRECTIONS[key], prop.value or "", "", place))
        elif key != "selector":
            stated.add(key)
    if not stated and not unselected:
        raise _NotUnderstood("the names of properties are missing")
    return frozenset(stated), tuple(unselected)


def _destination(kind: Literal["topic", "queue"]) -> Reader:
    def read(reading: EmsFileReading, verb: Verb, words: _Words, source: Source) -> EmsCommand:
        name = words.next(f"the name of the {kind}")
        if verb == "removeprop":
            begin = words.rest_begins()
            stated = frozenset(
                prop.key.lower() for prop in scan(words.line.text, begin, (), commas=True)
            )
            if not stated:
                raise _NotUnderstood("the names of properties are missing")
            words.line = Line(words.line.number, words.line.text[:begin].rstrip(lexical.BLANK))
        elif verb == "delete" and words.rest_begins() < len(words.line.text):
            raise _NotUnderstood(f"something follows the name {name}")
        else:
            stated = frozenset()
        destinations.read_line(reading, words.blanked(name), kind)
        fact = _only(reading, source)
        if verb != "removeprop" and isinstance(fact, EmsDestination):
            stated = frozenset(key.lower() for key, _ in fact.properties)
        return EmsCommand(
            text="", source=source, verb=verb, object="destination", fact=fact, stated=stated
        )

    return read


def _durable(reading: EmsFileReading, verb: Verb, words: _Words, source: Source) -> EmsCommand:
    if verb == "delete":
        name, client = words.next("the name of the durable"), words.next()
        fact: Fact = EmsDurable(
            bundle="", server="", source=source, topic="", name=name, client_id=client
        )
    else:
        topic, name = words.next("the topic"), words.next("the name of the durable")
        durables.read_line(reading, words.blanked(f"{topic} {name}"), {})
        fact = _only(reading, source)
    return EmsCommand(text="", source=source, verb=verb, object="durable", fact=fact)


def _bridge(reading: EmsFileReading, verb: Verb, words: _Words, source: Source) -> EmsCommand:
    ends: dict[str, tuple[str, str]] = {}
    selector = ""
    for prop in scan(words.line.text, words.rest_begins(), ("source", "target", "selector")):
        key, value = prop.key.lower(), prop.value or ""
        fault = reading.fault(prop.problems)
        if fault:
            raise _NotUnderstood(fault)
        reading.accepts(words.line, prop.problems)
        if key == "selector":
            selector = value
            continue
        type_, colon, name = value.partition(":")
        if (
            key not in ("source", "target")
            or not colon
            or type_.lower() not in bridges.TYPES
            or not name
        ):
            raise _NotUnderstood(
                "a bridge is written source=topic:NAME target=queue:NAME, with a "
                "selector if it has one"
            )
        ends[key] = type_.lower(), name
    if len(ends) < 2:
        raise _NotUnderstood("a bridge has a source and a target")
    fact = EmsBridge(
        bundle="",
        server="",
        source=source,
        source_type=ends["source"][0],
        source_name=ends["source"][1],
        target_type=ends["target"][0],
        target_name=ends["target"][1],
        selector=selector,
    )
    return EmsCommand(text="", source=source, verb=verb, object="bridge", fact=fact)


def _group(reading: EmsFileReading, verb: Verb, words: _Words, source: Source) -> EmsCommand:  # noqa: ARG001
    name = words.next("the name of the group")
    fact = EmsGroup(bundle="", server="", source=source, name=name, description=words.next())
    return EmsCommand(text="", source=source, verb=verb, object="group", fact=fact)


def _user(reading: EmsFileReading, verb: Verb, words: _Words, source: Source) -> EmsCommand:  # noqa: ARG001
    """A user by name: what else is said of one decides about no message, and may be a password."""
    fact = EmsUser(bundle="", server="", source=source, name=words.next("the name of the user"))
    return EmsCommand(text="", source=source, verb=verb, object="user", fact=fact)


def _members(words: _Words, source: Source, *, adds: bool) -> EmsCommand:
    name = words.next("the name of the group")
    members = tuple(
        one for part in words.next("the names of its members").split(",") if (one := part.strip())
    )
    fact = EmsGroup(bundle="", server="", source=source, name=name, members=members)
    return EmsCommand(
        text="", source=source, verb="addprop" if adds else "removeprop", object="group", fact=fact
    )


def _grant(reading: EmsFileReading, verb: Verb, words: _Words, source: Source) -> EmsCommand:
    scope = words.next("topic or queue").lower()
    if scope == "admin":
        return EmsCommand(text="", source=source, verb="none")
    if scope not in ("topic", "queue"):
        raise _NotUnderstood("permissions are those of a topic or a queue")
    name, to = words.next(f"the name of the {scope}"), words.next("user=NAME or group=NAME")
    principal, equals, who = to.partition("=")
    if not equals:  # the server looks whose name it is
        principal, who = "", to
    elif principal.lower() not in ("user", "group") or not who:
        raise _NotUnderstood("user=NAME or group=NAME is missing")
    everybody = verb == "revoke" and to == "*"
    listed = words.next("" if everybody else "the permissions") or "user"
    while (more := words.next()) != "":
        listed += f",{more}"
    permissions = tuple(word for part in listed.split(",") if (word := part.strip().lower()))
    clean, problems = hazard(name, 0)
    reading.accepts(words.line, problems)
    keep_grant(
        reading, scope, clean, (principal.lower(), who), permissions, words.line, source.column
    )
    fact = replace(_only(reading, source), source=source)
    assert isinstance(fact, EmsGrant)
    return EmsCommand(text="", source=source, verb=verb, object="grant", fact=fact)


_OF_SERVERS = ("routing", "authorization", "user_auth")
"""The parameters of servers that decide about messages."""


def _server(words: _Words, source: Source) -> EmsCommand:
    """``set server``: of its parameters those that decide about messages."""
    values: dict[str, bool] = {}
    others: dict[str, str] = {}
    for prop in scan(words.line.text, words.rest_begins(), _OF_SERVERS):
        key = prop.key.lower()
        if key == "user_auth":
            others[key] = prop.value or ""
        if key not in ("routing", "authorization"):
            continue
        state = boolean(prop.value or "")
        if state is None:
            raise _NotUnderstood(f"{key} is enabled or disabled")
        values[key] = state
    if not values and not others:
        return EmsCommand(text="", source=source, verb="none")
    fact = EmsServer(
        bundle="",
        server="",
        source=source,
        routing=values.get("routing"),
        authorization=values.get("authorization"),
        parameters=tuple(others.items()),
        places=tuple(ParameterPlace(key, source) for key in values),
    )
    stated = frozenset((*values, *others))
    return EmsCommand(text="", source=source, verb="set", object="server", fact=fact, stated=stated)


def _only(reading: EmsFileReading, source: Source) -> Fact:
    """The one fact that an entry gave."""
    if not reading.facts:
        error = next(
            (one.message for one in reading.findings if one.severity is Severity.ERROR),
            "it is not understood",
        )
        raise _NotUnderstood(error)
    return replace(reading.facts[-1], source=source)


Reader = Callable[[EmsFileReading, Verb, _Words, Source], EmsCommand]

_READERS: Mapping[str, Reader] = {
    "route": _route,
    "topic": _destination("topic"),
    "queue": _destination("queue"),
    "bridge": _bridge,
    "durable": _durable,
    "group": _group,
    "user": _user,
}

_PROPERTIES = ("create", "delete", "addprop", "setprop", "removeprop")
_VERBS: Mapping[str, tuple[str, ...]] = {
    "route": (*_PROPERTIES, "suspend", "resume"),
    "topic": _PROPERTIES,
    "queue": _PROPERTIES,
    "bridge": ("create", "delete"),
    "durable": ("create", "delete"),
    "group": ("create", "delete"),
    "user": ("create", "delete"),
}
"""The first words of the commands about each object."""
_WITH_OBJECT = frozenset({*_VERB, "set", "add", "remove", "purge"})
"""The first words that an object follows."""

_FIRST_WORDS = sorted(
    {*_WITH_OBJECT, *_SAYING_NOTHING, *_TAKEN, "addmember", "autocommit", "commit", "connect"}
    | {"disconnect", "grant", "removemember", "revoke"}
)
"""All first words that are known."""
