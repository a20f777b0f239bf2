"""Change scripts for routers: command lines of ``qdmanage create|update|delete``, or of
``skmanage``. They are read, never run.

The attributes of a command are read by the reader of configuration files, so that a command and an
edited file say the same. The options are those of the tools
(``qpid_dispatch_internal/tools/command.py``); a command that the tool or the router's schema
refuses has a ``fault``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from topograph.credentials import SET, without_credentials, without_user_info
from topograph.digits import double
from topograph.facts.amq_commands import CREATED, UPDATED, AmqCommand, Verb
from topograph.facts.amq_interconnect import ADDRESS
from topograph.facts.command import Script, unknown_command
from topograph.facts.fact import Pairs
from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.amq_interconnect import entity_of, marks_of
from topograph.importers.amq_interconnect.command_lines import (
    CONTROL,
    CommandLine,
    CommandWord,
    Input,
    split,
)
from topograph.importers.amq_interconnect.load import Loaded, load
from topograph.importers.amq_interconnect.names import kept, known_names
from topograph.importers.amq_interconnect.schema import TYPES, short_name, sound
from topograph.importers.amq_interconnect.secrets import is_secret
from topograph.importers.amq_interconnect.sections import ConfDocument, ConfEntry, ConfSection
from topograph.importers.positions import json_text
from topograph.importers.positions.json_text import Node
from topograph.importers.positions.places import Places, Placing
from topograph.records import record
from topograph.rules.amq_interconnect_findings import C_1, SECTION_1_3, SECTION_3_4

_PROGRAM = re.compile(r"(?:.*/)?((?:qd|sk)manage)\Z", re.DOTALL)
_MENTIONED = re.compile(r"(?:^|[\s;&|/])(?:qd|sk)manage(?=\s)")
_CHANGING = re.compile(r"\b(?:create|update|delete)\b", re.IGNORECASE)
_HEAD = 65_536
"""Bytes that are looked at to tell what a script is."""

_SILENT = frozenset(
    {"set", "echo", "printf", "sleep", "exit", "cd", "export", "readonly", "unset", "true", "false",
        ":", "wait", "date", "trap", "qdstat", "skstat",
     "shopt", "umask", "ls", "test", "[", "return", "cat", "pwd", "whoami"}
)  # fmt: skip
"""First words of commands that change no router."""

_VALUED = (
    "--router", "--edge-router", "--type", "--name", "--identity", "--indent", "--body",
    "--properties", "--bus", "--timeout",
    "--ssl-certificate", "--ssl-key", "--ssl-trustfile", "--ssl-password", "--ssl-password-file",
    "--sasl-mechanisms", "--sasl-username",
    "--sasl-password", "--sasl-password-file",
)  # fmt: skip
_FLAGS = ("--stdin", "--verbose", "--version", "--help", "--ssl-disable-peer-name-verify")
_SHORT = {
    "-r": "--router",
    "-d": "--edge-router",
    "-b": "--bus",
    "-t": "--timeout",
    "-v": "--verbose",
    "-h": "--help",
}
_SHOWN_OPTIONS = frozenset(
    {"--router", "--edge-router", "--type", "--name", "--identity", "--indent", "--timeout"}
)
"""Options whose values cannot be secrets."""

_READING = frozenset(
    {"query", "read", "get-types", "get-operations", "get-attributes", "get-annotations",
        "get-mgmt-nodes", "get-schema", "get-log",
     "get-json-schema", "profile"}
)  # fmt: skip
"""Operations that change nothing."""

_AT_RUN_TIME = frozenset({"router.link", "link", "connection"})
"""Types of what exists only while a router runs; an update of one closes it, and its maker makes
it anew.
"""

_SAID_BY_ROUTERS = {
    "connector": ("connectionStatus", "connectionMsg"),
    "linkRoute": ("operStatus",),
    "autoLink": ("operStatus", "linkRef", "lastError"),
}
"""Attributes that a router says, and that no command sets."""

_FILE_ONLY = ("; the router refuses the file and does not start", "; 1.x refuses this file")
"""How findings about files end that say no more of a command."""

_RUNNERS = frozenset(
    {
        "sudo",
        "env",
        "exec",
        "command",
        "time",
        "timeout",
        "nohup",
        "oc",
        "kubectl",
        "docker",
        "podman",
    }
)
"""Commands that run the command behind them."""

_FILTERS = frozenset(
    {
        "grep",
        "jq",
        "tee",
        "sed",
        "awk",
        "head",
        "tail",
        "less",
        "more",
        "sort",
        "wc",
        "python",
        "python3",
        "true",
    }
)
"""Commands that read what others print."""

_OPERATIONS: dict[str, Verb] = {"create": "create", "update": "update", "delete": "delete"}
"""What is done, by the word for it."""

_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_HOST_AND_PORT = re.compile(r"(\[[^\]]*\]|[^:]*)(?::(.*))?\Z", re.DOTALL)
_NEEDS_QUOTES = re.compile(r"[\s\"'#;&|<>$`\\]")
_SERVICES = {"amqp": "5672", "amqps": "5671"}

_SHOWN_WORD = re.compile(r"[A-Za-z][\w.-]{0,40}\Z")


class _NotUnderstood(Exception):
    """Why a command is not understood, or not taken."""


@dataclass
class _Call:
    """The options and arguments of one command line. ``shown`` are its words as they may be
    printed.
    """

    options: dict[str, str] = field(default_factory=dict)
    arguments: list[CommandWord] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


@record
class _Attributes:
    """Attributes of one entity, each with its place. ``text`` shows them where they are not
    among the words.
    """

    entries: tuple[tuple[str, object, Source], ...]
    source: Source
    text: str = ""


def recognises(data: bytes) -> bool:
    """Whether a script gives commands to routers: it runs qdmanage or skmanage to change
    something. Looks at the first 64 KB.
    """
    decoded = lexical.decode(data[:_HEAD])
    if decoded is None:
        return False
    for line in decoded.text.replace("\r\n", "\n").replace("\\\n", " ").split("\n"):
        named = None if line.lstrip().startswith(("#", "*")) else _MENTIONED.search(line)
        if named is not None and _CHANGING.search(line, named.end()):
            return True
    return False


def read_script(data: bytes, file: str) -> Script:
    """The commands of a script in order. A line that is not understood is a command with a
    ``fault``. Linear; never raises.
    """
    decoded = lexical.decode(data)
    if decoded is None:
        return Script(
            (),
            (SECTION_3_4.at(Source(file, 1), "the file is not text"),),
        )
    reading = _Reading(file)
    for line in _with_inputs(split(decoded.text, file)):
        reading.line(line)
    changing = [command for command in reading.commands if command.verb != "none"]
    if changing:
        message = (
            "management commands change the one router that they are given to while it "
            "runs: none of this is written to its configuration file, "
            "and a restart undoes it"
        )
        reading.findings.append(C_1.at(changing[0].source, message))
    return Script(tuple(reading.commands), tuple(reading.findings))


def _with_inputs(lines: Sequence[CommandLine]) -> Sequence[CommandLine]:
    """The command lines, those behind a pipe with the text that ``echo TEXT`` or ``cat << END``
    gives them.
    """
    for before, line in itertools.pairwise(lines):
        if not line.piped:
            continue
        line.fault = line.fault or before.fault
        words = [word.text for word in before.words]
        if words == ["cat"] and before.input is not None:
            line.input = before.input
        elif (
            words[:1] in (["echo"], ["printf"])
            and len(words) == 2
            and not {"%", "\\"} & {*words[1]}
        ):
            line.input = Input(
                words[1],
                Placing(before.source.file, whole=(before.source.line, before.source.column)),
            )
        else:
            line.file = "the output of another command"
    return lines


@dataclass
class _Reading:
    """The commands and findings of one script."""

    file: str
    commands: list[AmqCommand] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def line(self, line: CommandLine) -> None:
        """One command line, which may hold several commands (a list of entities) or none that
        changes a router.
        """
        place = _program_at(line.words)
        if place is None:
            if line.fault or not _changes_nothing(line):
                self.not_a_command(line)
            return
        call = _Call()
        try:
            _read_options(call, line.words[place + 1 :])
            operation = call.arguments.pop(0).text.lower() if call.arguments else ""
            if operation in _READING:
                return
            if line.fault:
                raise _NotUnderstood(line.fault)
            commands = list(self.understood(call, operation, line))
        except _NotUnderstood as why:
            connected = "" if line.fault else _connected(call)
            self.refused(self.text(line.words[place], call), line.source, str(why), connected)
            return
        for command in commands:
            text = self.text(line.words[place], call) + (f" {command.text}" if command.text else "")
            shown = replace(command, text=text, fault=command.fault)
            self.commands.append(replace(shown, connected=_connected(call)))

    def text(self, program: CommandWord, call: _Call) -> str:
        match = _PROGRAM.match(program.text)
        assert match is not None
        return " ".join([match[1], *call.shown])

    def not_a_command(self, line: CommandLine) -> None:
        """A line that is no call of the tool, and no other command that is known."""
        shown = without_credentials(_first_word(line.words))
        if line.fault:
            self.refused(shown, line.source, line.fault)
        elif line.words[0].bare and line.words[0].text in CONTROL:
            why = "branches and loops of a shell are not followed: write the commands out"
            self.refused(shown, line.source, why)
        else:
            fault = unknown_command(shown)
            self.commands.append(
                AmqCommand(text=shown, source=line.source, verb="none", fault=fault)
            )

    def refused(self, text: str, source: Source, why: str, connected: str = "") -> None:
        """A command that is not understood."""
        fault = without_credentials(f"the command is not understood: {why}")
        text = without_credentials(text)
        self.commands.append(
            AmqCommand(text=text, source=source, connected=connected, verb="none", fault=fault)
        )

    def understood(self, call: _Call, operation: str, line: CommandLine) -> Iterator[AmqCommand]:
        verb = _OPERATIONS.get(operation)
        if verb is None:
            raise _NotUnderstood(
                "it has none of the operations create, update and delete"
                if operation
                else "it has no operation"
            )
        if verb == "delete":
            if call.arguments:
                raise _NotUnderstood(
                    "delete takes no attributes: name the entity with --name or --identity"
                )
            given: Sequence[_Attributes] = (_Attributes((), line.source),)
        elif "--stdin" in call.options:
            given = _from_input(line)
        elif call.arguments:
            given = (_Attributes(tuple(_argument(word) for word in call.arguments), line.source),)
        else:
            raise _NotUnderstood(f"{verb} needs attributes: name=value, or --stdin with JSON")
        for one in given:
            try:
                yield self.command(verb, call, one)
            except _NotUnderstood as why:
                yield AmqCommand(text=one.text, source=one.source, verb="none", fault=str(why))

    def command(self, verb: Verb, call: _Call, given: _Attributes) -> AmqCommand:
        """One command about one entity."""
        stated = {
            name: value for name, value, _ in given.entries if name in ("type", "name", "identity")
        }
        type_, name, identity = (
            _agreed(key, call.options.get(f"--{key}"), stated.get(key))
            for key in ("type", "name", "identity")
        )
        if verb == "create" and "identity" in stated:
            raise _NotUnderstood("identity is given by the router and cannot be set")
        if verb != "create" and not name and not identity:
            raise _NotUnderstood("it names no entity: add --name or --identity")
        type_ = short_name(type_)
        command = AmqCommand(
            text=given.text,
            source=given.source,
            verb=verb,
            type=type_,
            name=name,
            identity=identity,
        )
        if type_ == "log" or (verb != "create" and type_ in _AT_RUN_TIME):
            return replace(command, verb="none")
        entries = [entry for entry in given.entries if entry[0] not in ("type", "name", "identity")]
        if not type_ and verb != "delete":
            raise _NotUnderstood("it does not say the type of the entity: add --type")
        if type_ and type_ not in TYPES:
            raise _NotUnderstood(f"there is no entity type {_shown_name(type_)}")
        if type_ and type_ not in (UPDATED if verb == "update" else CREATED):
            instead = (
                ": delete it and create it again"
                if verb == "update" and type_ in CREATED
                else ": its file says what it is"
            )
            raise _NotUnderstood(
                f"a running router cannot {verb} an entity of type {type_} (operations "
                f"of the schema){instead}"
            )
        if verb == "create":
            return self.created(command, entries, given.source)
        return (
            replace(command, values=self.updated(command, entries, given.source))
            if verb == "update"
            else command
        )

    def created(
        self, command: AmqCommand, entries: Sequence[tuple[str, object, Source]], source: Source
    ) -> AmqCommand:
        for key, _, _ in entries:
            if key in _SAID_BY_ROUTERS.get(command.type, ()):
                raise _NotUnderstood(f"{key} is read-only")
        fallback = command.type == ADDRESS and any(key == _FALLBACK for key, _, _ in entries)
        if command.type == ADDRESS:
            entries = [
                (_FALLBACK if key == "fallback" else key, value, place)
                for key, value, place in entries
            ]
        loaded = self.loaded(command, entries, source)
        if loaded.refusals:
            raise _NotUnderstood(_of_a_command(loaded.refusals[0].message))
        entry = loaded.entries[-1]
        if entry.dropped:
            left_out = next(finding for finding in loaded.findings if finding.rule == entry.dropped)
            raise _NotUnderstood(left_out.message.partition(": ")[2])
        if entry.attributes.get("openProperties") and entry.attributes.get("role") in (
            "inter-router",
            "edge",
        ):
            raise _NotUnderstood(
                f"openProperties cannot go with the role {entry.attributes['role']}"
            )
        self.findings += (one for one in loaded.findings if one.severity is Severity.WARNING)
        if fallback:
            message = (
                f"management calls {_FALLBACK} of an address fallback: whether the router "
                "takes it under this name is not certain"
            )
            self.findings.append(SECTION_1_3.at(source, message))
        return replace(
            command, fact=entity_of(entry, "", ""), marks=tuple(marks_of(loaded, "", ""))
        )

    def updated(
        self, command: AmqCommand, entries: Sequence[tuple[str, object, Source]], source: Source
    ) -> Pairs:
        loaded = self.loaded(command, entries, source)
        refusals = [finding for finding in loaded.refusals if finding.kind != "missing-attribute"]
        if refusals:
            raise _NotUnderstood(_of_a_command(refusals[0].message))
        entry = loaded.entries[-1]
        return tuple(
            (name, entry.attributes[name])
            for name in entry.stated
            if name in entry.attributes and name != "name"
        )

    def loaded(
        self, command: AmqCommand, entries: Sequence[tuple[str, object, Source]], source: Source
    ) -> Loaded:
        """What the loading rules make of the entity, as the only one of an interior router, in
        which all roles are allowed.
        """
        router = ConfSection(
            "router", "router", source, [ConfEntry.read("mode", "interior", source, "")]
        )
        section = ConfSection(command.type, command.type, source)
        if command.name:
            section.entries.append(
                ConfEntry.read("name", command.name, source, f"name: {command.name}")
            )
        section.entries += [
            ConfEntry.read(key, value, place, sound(f"{key}: {value}"))
            for key, value, place in entries
        ]
        return load(ConfDocument((router, section), (), whole=False))


_FALLBACK = "enableFallback"
"""What files call the attribute ``fallback`` of an address, which is its name in management."""


def _of_a_command(message: str) -> str:
    """A finding about a file as one about a command."""
    for ending in _FILE_ONLY:
        message = message.removesuffix(ending)
    return message


def _program_at(words: Sequence[CommandWord]) -> int | None:
    """Where qdmanage or skmanage stands: first, behind assignments, or behind a command that
    runs others.
    """
    own = next((place for place, word in enumerate(words) if not _ASSIGNED.match(word.text)), None)
    if own is None:
        return None
    if _PROGRAM.match(words[own].text):
        return own
    if words[own].text not in _RUNNERS:
        return None
    return next(
        (place for place in range(own, len(words)) if _PROGRAM.match(words[place].text)), None
    )


def _changes_nothing(line: CommandLine) -> bool:
    if not line.words:
        return True
    first = line.words[0].text
    return first in _SILENT or (line.piped and first in _FILTERS)


def _first_word(words: Sequence[CommandWord]) -> str:
    """The first word of a line that is not understood, if it cannot be a secret."""
    first = words[0].text if words else ""
    return first if first in CONTROL or _is_shown(first) else SET


def _is_shown(word: str) -> bool:
    return _SHOWN_WORD.match(word) is not None and not is_secret(word)


def _shown_name(name: str) -> str:
    return name if _SHOWN_WORD.match(name) else SET


def _read_options(call: _Call, words: Sequence[CommandWord]) -> None:
    """The options of the tool, which may stand anywhere, and the arguments. Raises
    _NotUnderstood.
    """
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.text.startswith("-") or word.text == "-":
            _argument_shown(call, word)
            continue
        if word.text == "--":
            for rest in words[at:]:
                _argument_shown(call, rest)
            return
        option, value = _option(word.text)
        if option in _FLAGS:
            call.options[option] = ""
            call.shown.append(option)
            continue
        if value is None:
            if at == len(words):
                raise _NotUnderstood(f"{option} needs a value")
            value = words[at].text
            at += 1
        call.options[option] = value
        call.shown += [option, _quoted(_option_shown(option, value))]
        if option == "--timeout" and double(value) is None:
            raise _NotUnderstood(
                "-t is the timeout in seconds: write --type for the type of an entity"
            )


def _argument_shown(call: _Call, word: CommandWord) -> None:
    """Keep an argument. The first is the operation, the others are attributes."""
    call.arguments.append(word)
    name, equals, value = word.text.partition("=")
    if len(call.arguments) == 1:
        call.shown.append(word.text if word.text.lower() in {"create", "update", "delete"} else SET)
    elif not equals:
        call.shown.append(name if name in known_names() else SET)
    else:
        # The end of a word in base 64 looks like a name with an empty value.
        named = name in known_names() or value.strip("=")
        shown = f"{_shown_name(name)}={_value_shown(name, value)}" if named else SET
        call.shown.append(_quoted(shown))


def _value_shown(name: str, value: str) -> str:
    if name == "type":
        return _shown_name(value)
    shown = kept(name, value)
    return shown if isinstance(shown, str) else SET


def _option(text: str) -> tuple[str, str | None]:
    """An option under its long name, and the value that is attached to it."""
    if not text.startswith("--"):
        name = _SHORT.get(text[:2])
        if name is None or (name in _FLAGS and text[2:].strip("v")):
            raise _NotUnderstood(
                f"there is no option {_shown_name(text[:2].strip('-')) if text[2:] else text[:2]}"
            )
        return name, text[2:].removeprefix("=") or None
    written, equals, value = text.partition("=")
    fitting = [name for name in (*_VALUED, *_FLAGS) if name == written] or [
        name for name in (*_VALUED, *_FLAGS) if name.startswith(written)
    ]
    if len(fitting) != 1:
        raise _NotUnderstood(f"there is no option --{_shown_name(written[2:])}")
    return fitting[0], value if equals else None


def _option_shown(option: str, value: str) -> str:
    if option == "--bus":
        return without_user_info(value, "")
    if option not in _SHOWN_OPTIONS:
        return SET
    return _value_shown("type" if option == "--type" else "name", value)


def _quoted(text: str) -> str:
    return f'"{text}"' if not text or _NEEDS_QUOTES.search(text) else text


def _connected(call: _Call) -> str:
    """Where the command goes: the id of a router, or host and port; empty where it says neither."""
    options = call.options
    if router := options.get("--router") or options.get("--edge-router"):
        return _value_shown("name", router)
    return _bus(options["--bus"]) if options.get("--bus") else ""


def _bus(url: str) -> str:
    """Host and port of a URL, without its user and password.

    >>> _bus("amqps://u:tiger@[::1]/x"), _bus("hub:55"), _bus("hub")
    ('[::1]:5671', 'hub:55', 'hub:5672')
    """
    scheme, separator, rest = url.rpartition("://")
    rest = (rest if separator else url).rpartition("@")[2].split("/", 1)[0]
    found = _HOST_AND_PORT.match(rest)
    host, port = (found[1], found[2]) if found else (rest, None)
    port = port or ("amqps" if scheme.lower() == "amqps" else "amqp")
    return f"{host}:{_SERVICES.get(port, port)}"


def _agreed(key: str, option: str | None, attribute: object) -> str:
    """The type, name or identity that options and attributes say."""
    stated = "" if attribute is None else str(kept("name", str(attribute)))
    given = "" if option is None else str(kept("name", option))
    if given and stated and short_name(given) != short_name(stated):
        raise _NotUnderstood(f"it says two values for {key}")
    return sound(given or stated)


def _argument(word: CommandWord) -> tuple[str, object, Source]:
    """``name=value``; a name alone stands for no value."""
    name, equals, value = word.text.partition("=")
    if not equals and name not in known_names():
        raise _NotUnderstood("an attribute is written name=value")
    return name, value if equals else None, word.source


def _from_input(line: CommandLine) -> Sequence[_Attributes]:
    """The entities of a JSON map, or list of maps, that a command reads."""
    if line.input is None:
        what = (
            f"it reads {line.file if ' ' in line.file else 'a file'}"
            if line.file
            else "it reads JSON that the script does not hold"
        )
        raise _NotUnderstood(f"{what}: write the JSON into the script, as in << 'END'")
    text = line.input.text
    places = Places(text, line.input.placing)
    document = json_text.parse(text)
    root = document.root
    if document.error or root is None:
        place = places.source(document.error_offset)
        raise _NotUnderstood(
            f"what it reads is not JSON at {place}: {document.error or 'there is nothing'}"
        )
    maps = [root] if isinstance(root.value, dict) else root.items
    if not isinstance(root.value, (dict, list)) or any(
        not isinstance(one.value, dict) for one in maps
    ):
        raise _NotUnderstood("what it reads is neither a JSON map nor a list of maps")
    return [_of_node(one, places) for one in maps]


def _of_node(node: Node, places: Places) -> _Attributes:
    entries = tuple(
        (sound(name), _value(member), places.source(member.offset))
        for name, member in node.members.items()
    )
    shown = " ".join(
        _quoted(f"{_shown_name(name)}={_json_shown(name, value)}") for name, value, _ in entries
    )
    return _Attributes(
        tuple(entry for entry in entries if entry[1] is not None), places.source(node.offset), shown
    )


def _json_shown(name: str, value: object) -> str:
    return _value_shown(name, str(value)) if isinstance(value, (str, bool)) else "…"


def _value(node: Node) -> object:
    """A value of JSON as the management protocol carries it; numbers as text."""
    if isinstance(node.value, dict):
        return {name: _value(member) for name, member in node.value.items()}
    if isinstance(node.value, list):
        return [_value(item) for item in node.value]
    return node.value
