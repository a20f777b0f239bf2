"""Change scripts in MQSC (ibm_mq.md C4): files of commands, scripts that run them, ConfigMaps and
REST requests. They are read, never run.

``rows``, ``words`` and ``shell`` read them as they read definitions; here each command stays a
command. What MQ would not read is a command with a ``fault``; a line that is no command is one too,
for MQ tries to run it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from topograph.facts.command import Script
from topograph.facts.ibm_mq import Attribute
from topograph.facts.ibm_mq_names import CHANNEL_TYPES, OPPOSITES, QUEUES, object_name_fault
from topograph.facts.ibm_mq_templates import is_template
from topograph.facts.mqsc_commands import MqscCommand
from topograph.findings import Finding, Source
from topograph.importers import lexical
from topograph.importers.ibm_mq import resources, shell
from topograph.importers.ibm_mq.model import is_client_table
from topograph.importers.ibm_mq.recognition import is_quoted_elsewhere
from topograph.importers.ibm_mq.rows import Assembler, Piece, Row, RowKind, rows_of
from topograph.importers.ibm_mq.schema import (
    ALL_ATTRIBUTES,
    ATTRIBUTES,
    FLAGS,
    NOUNS,
    ROUTING,
    VERBS,
    unknown,
    value_fault,
)
from topograph.importers.ibm_mq.secrets import attribute, excerpt
from topograph.importers.ibm_mq.words import CommandText, MqscWord, Parsed, WordFault, parse
from topograph.importers.positions.places import Placing
from topograph.records import record
from topograph.rules.ibm_mq_findings import (
    CONFLICT_MARK,
    ENDS_IN_THE_MIDDLE,
    FOREIGN_COMMENT,
    FOREIGN_QUOTES,
    LINE_NOT_READ,
    M_17,
    PARENTHESIS_NOT_CLOSED,
    QUOTE_NOT_CLOSED,
    RUNS_INTO_THE_NEXT,
    SECTION_C4,
    STRAY_TEXT,
    VALUE_NOT_QUOTED,
)
from topograph.rules.unnumbered import NOT_A_SCRIPT, TEMPLATE
from topograph.words.articles import with_article
from topograph.words.did_you_mean import nearest

_RULE = SECTION_C4
_HEAD = 65_536
_MOST_STRAYS = 50
"""Lines of a text that are no commands and get a step of their own."""
_SAYING_NOTHING = frozenset({"DISPLAY", "PING"})

_VERB = "|".join(sorted(set(VERBS) - {"DIS", "DISPLAY", "PING"}, key=len, reverse=True))
_NOUN = "|".join(sorted(NOUNS, key=len, reverse=True))
_CHANGES = re.compile(
    (
        rf"^[ \t]*+(?:\d++[ \t]*+:[ \t]*+)?+(?:{_VERB})(?:[ "
        rf"\t]|\+\r?\n)++(?:QMGR\b|SECURITY\b|(?:{_NOUN})[ \t]*+\()"
    ),
    re.IGNORECASE | re.MULTILINE,
)
"""A command of MQSC that may change something, at the beginning of a line."""

_DEFINED = frozenset(
    {*QUEUES, "CHANNEL", "LISTENER", "NAMELIST", "TOPIC", "SUB", "PROCESS", "SERVICE", "AUTHINFO",
        "COMMINFO", "STGCLASS", "CFSTRUCT"}
)  # fmt: skip
_OF_ZOS = frozenset({"BUFFPOOL", "PSID", "LOG", "MAXSMSGS", "SECURITY", "TRACE", "SMDS"})
_GOES_WITH = {
    "DEFINE": _DEFINED | _OF_ZOS,
    "ALTER": _DEFINED | _OF_ZOS | {"QMGR"},
    "DELETE": _DEFINED | _OF_ZOS | {"AUTHREC", "POLICY"},
    "SET": frozenset({"CHLAUTH", "AUTHREC", "POLICY", "LOG", "SYSTEM", "ARCHIVE"}),
    "CLEAR": frozenset({"QLOCAL", "TOPICSTR"}),
    "SUSPEND": frozenset({"QMGR"}),
    "RESUME": frozenset({"QMGR"}),
    "PURGE": frozenset({"CHANNEL"}),
}
"""The nouns of a verb, where not all others are left to MQ."""
_NAMED = _DEFINED
"""Nouns that stand with a name behind DEFINE, ALTER and DELETE."""

_REASONS = {
    FOREIGN_COMMENT: "a comment of another language follows the command",
    ENDS_IN_THE_MIDDLE: "it ends in a continuation mark, and nothing follows",
    RUNS_INTO_THE_NEXT: (
        "it ends in a continuation mark, and the next line begins another command"
    ),
    CONFLICT_MARK: "a conflict marker of git is in the middle of the command",
    STRAY_TEXT: "there is a character where an attribute is expected",
    VALUE_NOT_QUOTED: "a value has parentheses and is not in quotes",
    PARENTHESIS_NOT_CLOSED: "a parenthesis is not closed",
    FOREIGN_QUOTES: "a value is in double quotes, which MQ does not take as quotes",
    QUOTE_NOT_CLOSED: "a quote is not closed",
}
"""Why MQ does not read a command, by the kind of fault."""

_TEMPLATE = "it holds text of a template, and what it says is known only once that is filled in"
_CONDITIONAL = "it is in a part of a template that may be left out"


class _NotUnderstood(Exception):
    """Why a command is not understood, or cannot be meant."""


def recognises(data: bytes) -> bool:
    """Whether bytes are a change script in MQSC, in whatever wrapping. Linear in the first 64
    KB; never raises.
    """
    decoded = lexical.decode(data[:_HEAD])
    if decoded is None:
        return False
    text = decoded.text
    if is_quoted_elsewhere(text):
        return False
    return (
        _CHANGES.search(text) is not None
        or shell.is_script(text)
        or shell.runs_mqsc(text)
        or resources.is_rest(text)
    )


def read_script(data: bytes, file: str) -> Script:
    """The commands of a script in order, but for those that only show something. Linear; never
    raises.

    ``connected`` is the queue manager that ``runmqsc`` or a header names. A script that runs a
    file which it does not hold has a command with the verb ``RUN`` and the name of that file."""
    decoded = lexical.decode(data)
    if decoded is None:
        return Script(
            (),
            (NOT_A_SCRIPT.at(Source(file, 1), "the file is not text", rule=_RULE),),
        )
    reading = _Reading(file)
    for text in _texts(decoded.text, file, reading.findings):
        reading.read(text)
    return Script(tuple(reading.commands), (*reading.findings, *_not_started(reading.commands)))


@record
class _Text:
    """Lines for one queue manager; ``name`` is empty where nothing says which. With ``fed`` it
    is a file that is not there.
    """

    rows: Iterable[Row]
    placing: Placing
    name: str = ""
    fed: str = ""
    line: int = 0


def _texts(text: str, file: str, findings: list[Finding]) -> Iterator[_Text]:
    """The texts of MQSC in a file, in order."""
    if resources.is_rest(text) or resources.is_yaml(text):
        read = resources.read_rest if resources.is_rest(text) else resources.read_resources
        found = read(text, file)
        if not found.broken:
            findings += found.findings
            for one in found.embedded:
                if one.form == "script":
                    yield from _of_shell(one.text, one.placing, one.name)
                elif one.form == "mqsc":
                    yield _Text(rows_of(one.text), one.placing, one.name)
            return
    if shell.is_script(text) or shell.runs_mqsc(text):
        yield from _of_shell(text, Placing(file))
    else:
        yield _Text(rows_of(text), Placing(file))


def _of_shell(text: str, placing: Placing, name: str = "") -> Iterator[_Text]:
    found = shell.read_script(text, _CHANGES)
    texts = [
        _Text(one.rows, placing, one.name or name, line=one.rows[0].number)
        for one in found.texts
        if one.rows
    ]
    texts += [_Text((), placing, one.name or name, one.file, one.line) for one in found.fed]
    texts += [
        _Text((), placing, one.name or name, f"the output of {one.command}", one.line)
        for one in found.lost
    ]
    yield from sorted(texts, key=lambda one: one.line)


@dataclass
class _Reading:
    """The commands of a script as they are read."""

    file: str
    commands: list[MqscCommand] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    placing: Placing = field(default_factory=lambda: Placing(""))
    connected: str = ""
    depth: int = 0
    strays: list[MqscCommand] = field(default_factory=list)
    more: int = 0
    heard: bool = False
    """Output of the queue manager stands between the commands: lines that are no commands are
    output, too.
    """

    def read(self, text: _Text) -> None:
        """Read one text. Linear."""
        self.placing, self.connected = text.placing, text.name
        self.depth, self.heard, self.strays, self.more = 0, False, [], 0
        if text.fed:
            source = self.placing.at(text.line, 0)
            shown = excerpt(f"runmqsc {text.name} < {text.fed}")
            doubt = f"it runs {excerpt(text.fed)}, which is not in this script"
            self._add(
                MqscCommand(
                    text=shown, source=source, verb="RUN", name=excerpt(text.fed), doubt=doubt
                )
            )
            return
        begun = len(self.commands)
        for piece in Assembler().pieces(text.rows):
            self._piece(piece, begun)
        if self.heard:
            left = {id(one) for one in self.strays}
            self.commands[begun:] = [one for one in self.commands[begun:] if id(one) not in left]
        elif self.more:
            message = f"{self.more} more lines are not commands of MQSC"
            source = self.strays[-1].source
            self.findings.append(LINE_NOT_READ.at(source, message, rule=_RULE))

    def _add(self, command: MqscCommand) -> None:
        doubt = command.doubt or (_CONDITIONAL if self.depth else "")
        self.commands.append(replace(command, connected=self.connected, doubt=doubt))

    def _piece(self, piece: Piece, begun: int) -> None:
        match piece.kind:
            case RowKind.COMMAND:
                assert piece.command is not None
                self._command(piece.command)
            case RowKind.CONTEXT:
                if piece.by != "comment" or (not self.connected and len(self.commands) == begun):
                    self.connected = piece.text
            case RowKind.DIRECTIVE:
                self.depth = max(self.depth + (piece.number if piece.number in (1, -1) else 0), 0)
                if (
                    piece.number == 2
                    and piece.text.startswith("{{")
                    and not _says_nothing(piece.text)
                ):
                    source = self.placing.at(piece.line, 1)
                    self._add(
                        MqscCommand(
                            text=_first_word(piece.text),
                            source=source,
                            verb="TEMPLATE",
                            doubt=_TEMPLATE,
                        )
                    )
            case RowKind.CONFLICT:
                if piece.text.startswith("<<<<<<<"):
                    self._stray(piece, "git left both versions of a conflict here", sure=True)
            case RowKind.MESSAGE:
                self.heard = True
                self._refused(piece, begun)
            case RowKind.OTHER:
                self._stray(piece, "this line is not a command of MQSC")

    def _refused(self, piece: Piece, begun: int) -> None:
        """Output that says that the last command was refused when it was run."""
        last = self.commands[-1] if len(self.commands) > begun else None
        if last is not None and piece.severity in ("E", "S") and not last.fault:
            message = (
                "the output below it says that the queue manager refused it "
                f"(AMQ{piece.number}{piece.severity})"
            )
            self.commands[-1] = replace(last, fault=message)

    def _stray(self, piece: Piece, message: str, *, sure: bool = False) -> None:
        if len(self.strays) >= _MOST_STRAYS:
            self.more += 1
            return
        first = piece.text.split()[0] if piece.text.split() else ""
        fault = message if sure else f"{message}{_near(first.upper(), set(VERBS.values()))}"
        command = MqscCommand(
            text=_first_word(piece.text),
            source=self.placing.at(piece.line, 1),
            verb="NONE",
            fault=fault,
        )
        self._add(command)
        if not sure:
            self.strays.append(self.commands[-1])

    def _command(self, command: CommandText) -> None:
        """One command, or several with semicolons between them."""
        at = 0
        while True:
            parsed = parse(command, at)
            end = parsed.rest or len(command.text)
            shown = " ".join(command.text[at:end].split()).rstrip(" ;")
            if parsed.verb not in _SAYING_NOTHING:
                self._add(self._understood(parsed, shown))
            if not parsed.rest:
                return
            at = parsed.rest

    def _understood(self, parsed: Parsed, shown: str) -> MqscCommand:
        source = self.placing.at(parsed.line, parsed.column)
        found = MqscCommand(
            text=excerpt(shown), source=source, verb=parsed.verb, noun=parsed.noun, name=parsed.name
        )
        try:
            return _meant(found, parsed, self.placing)
        except _NotUnderstood as why:
            return replace(
                found, text=found.text if parsed.noun else _first_word(shown), fault=str(why)
            )


def _near(word: str, known: Iterable[str]) -> str:
    """The known word that is nearest, as the end of a message; empty where none is near."""
    found = nearest(word[:40], sorted(known), 1)
    return f". Did you mean {found[0]}?" if found else ""


def _first_word(text: str) -> str:
    """What may be shown of a line that nobody knows: any other word of it may be a password."""
    words = text.split()
    return f"{excerpt(words[0])[:40]}{' …' if len(words) > 1 else ''}" if words else ""


def _says_nothing(text: str) -> bool:
    """Whether a directive of a template brings no text: a comment, or a branch."""
    words = text.strip("{}%-").split()
    return (
        not words or words[0].startswith("/*") or words[0] in ("else", "elif", "elseif", "^", "!")
    )


def _meant(found: MqscCommand, parsed: Parsed, placing: Placing) -> MqscCommand:
    """A command with what its words say. Raises _NotUnderstood."""
    if not parsed.verb or not parsed.noun:
        raise _NotUnderstood("there is no such command of MQSC")
    nouns = _GOES_WITH.get(parsed.verb)
    if nouns is not None and parsed.noun not in nouns:
        raise _NotUnderstood(f"{parsed.verb} does not go with {parsed.noun}")
    doubts = [_TEMPLATE] if is_template(parsed.name) else []
    for fault in parsed.faults:
        if fault.kind == TEMPLATE:
            doubts.append(_TEMPLATE)
        elif not fault.hint:
            raise _NotUnderstood(_reason(fault))
    if parsed.verb in ("DEFINE", "ALTER", "DELETE") and parsed.noun in _NAMED:
        if not parsed.name:
            raise _NotUnderstood(f"{parsed.verb} {parsed.noun} needs a name in parentheses")
        if (
            parsed.verb == "DEFINE"
            and not doubts
            and (wrong := object_name_fault(parsed.noun, parsed.name))
        ):
            raise _NotUnderstood(wrong)
    type_ = _channel_type(parsed)
    attributes, options = _words_of(parsed, type_, placing)
    if any(is_template(one.value) for one in attributes if one.name in ROUTING) or is_template(
        type_
    ):
        doubts.append(_TEMPLATE)
    return replace(
        found,
        channel_type=type_,
        attributes=attributes,
        options=options,
        doubt=doubts[0] if doubts else "",
    )


def _reason(fault: WordFault) -> str:
    return _REASONS.get(fault.kind, "it is not written as MQ reads commands")


def _channel_type(parsed: Parsed) -> str:
    """The CHLTYPE of a command on a channel. Raises _NotUnderstood."""
    if parsed.noun != "CHANNEL":
        return ""
    values = {word.name: word.value or "" for word in parsed.words}
    type_ = values.get("CHLTYPE", "").strip().upper()
    if parsed.verb in ("DEFINE", "ALTER"):
        if not type_:
            raise _NotUnderstood(f"{parsed.verb} CHANNEL({parsed.name}) does not say its CHLTYPE")
        if type_ not in CHANNEL_TYPES and not is_template(type_):
            raise _NotUnderstood(f"there is no CHLTYPE({type_[:20]}){_near(type_, CHANNEL_TYPES)}")
    return type_ or ("CLNTCONN" if is_client_table(values.get("CHLTABLE", "").strip()) else "")


def _words_of(
    parsed: Parsed, channel_type: str, placing: Placing
) -> tuple[tuple[Attribute, ...], tuple[tuple[str, str], ...]]:
    """The attributes and the options of a command. Raises _NotUnderstood."""
    defines = parsed.verb in ("DEFINE", "ALTER")
    attributes: dict[str, Attribute] = {}
    options: dict[str, str] = {}
    for word in parsed.words:
        name = word.name
        if name in attributes or name in options:
            raise _NotUnderstood(f"{name} occurs twice in one command")
        if name == "CHLTYPE" and parsed.noun == "CHANNEL":
            continue
        if not defines or name in FLAGS:
            if (
                parsed.verb == "DELETE"
                and name not in FLAGS
                and (parsed.noun in QUEUES or parsed.noun == "CHANNEL")
            ):
                raise _NotUnderstood(f"DELETE {parsed.noun} takes no {name[:40]}")
            options[name] = attribute(name, (word.value or "").strip(), 0).value
            continue
        attributes[name] = _attribute(parsed, channel_type, word, placing)
        if OPPOSITES.get(name) in attributes:
            raise _NotUnderstood(f"{OPPOSITES[name]} and {name} are in one command")
    if "LIKE" in options and not options["LIKE"]:
        raise _NotUnderstood("LIKE needs the name of an object in parentheses")
    for one, other in (("REPLACE", "NOREPLACE"), ("PURGE", "NOPURGE")):
        if one in options and other in options:
            raise _NotUnderstood(f"{one} and {other} are in one command")
    return tuple(attributes.values()), tuple(options.items())


def _attribute(parsed: Parsed, channel_type: str, word: MqscWord, placing: Placing) -> Attribute:
    """An attribute as the queue manager would keep it. Raises _NotUnderstood."""
    name, value = word.name, word.value
    template = is_template(name) or (value is not None and is_template(value))
    if not name.replace("_", "").isalnum():
        if is_template(name) or name.startswith(("{", "%", "$", "<")):
            raise _NotUnderstood("there is text of a template among the attributes")
        raise _NotUnderstood("it has a word that is not an attribute")
    if unknown(parsed.noun, channel_type, name):
        of = with_article(f"{channel_type} channel" if parsed.noun == "CHANNEL" else parsed.noun)
        near = "" if name in ALL_ATTRIBUTES else _near(name, ATTRIBUTES.get(parsed.noun, ()))
        raise _NotUnderstood(f"{of} has no attribute {name[:40]} in any version{near}")
    if not template and (wrong := value_fault(parsed.noun, name, value)):
        raise _NotUnderstood(wrong)
    if value is not None and name == "NAMES":
        value = ",".join(value.replace(",", " ").split())
    return attribute(name, "" if name in OPPOSITES else value or "", placing.line(word.line))


def _not_started(commands: Iterable[MqscCommand]) -> Iterator[Finding]:
    """What a script defines and leaves stopped: nothing starts a sending channel or a listener
    by itself.
    """
    waiting: dict[tuple[str, str, str], MqscCommand] = {}
    for command in commands:
        key = (command.connected, command.noun, command.name)
        if command.verb == "DEFINE" and not command.fault and _is_started_by_hand(command):
            waiting[key] = command
        elif command.verb in ("START", "DELETE"):
            waiting.pop(key, None)
    for (_, noun, name), command in waiting.items():
        how = (
            "unless its transmission queue triggers it"
            if noun == "CHANNEL"
            else "or the queue manager does where its CONTROL says so"
        )
        message = (
            f"nothing in the script starts {noun}({name}): it runs once START {noun}({name}) "
            f"is given, {how}"
        )
        yield M_17.at(command.source, message)


def _is_started_by_hand(command: MqscCommand) -> bool:
    values = {one.name: one.value.strip() for one in command.attributes}
    if command.noun == "CHANNEL":
        return command.channel_type == "SDR" or (
            command.channel_type == "SVR" and bool(values.get("CONNAME"))
        )
    return command.noun == "LISTENER" and values.get("CONTROL", "MANUAL").upper() == "MANUAL"
