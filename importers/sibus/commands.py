"""Change scripts of wsadmin, in Jython and Jacl (sibus.md A4.2): what each call of ``AdminTask``
says. They are read, never run.

The options of a call are read by the reader of imported scripts, so that a command and an edited
file say the same. What the script computes is never guessed: nobody can say what such a call does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from topograph.credentials import without_arguments
from topograph.facts.command import Script
from topograph.facts.sibus import (
    SECTIONS,
    Incomplete,
)
from topograph.facts.wsadmin_commands import ANY_BUS, WsadminCommand
from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.sibus import admin_facts as said
from topograph.importers.sibus.admin_commands import READERS, GivenOptions, NotUnderstood
from topograph.importers.sibus.admin_tasks import HARMLESS, PLACES, changes_a_bus, is_about_routes
from topograph.importers.sibus.admin_words import HOLE, CallOptions, Value, has_hole, options
from topograph.importers.sibus.languages import MAX_SCRIPT, read_calls
from topograph.importers.sibus.script import Call
from topograph.rules import FindingKind
from topograph.rules.sibus_findings import S_18
from topograph.rules.unnumbered import (
    DISCARDED,
    DISCARDING_NOT_KNOWN,
    NOT_A_SCRIPT,
    NOT_SAVED,
    RUNS_OTHER_FILES,
    SAVING_NOT_KNOWN,
    SCRIPT_CUT,
    SCRIPT_TOO_LARGE,
)
from topograph.words.did_you_mean import did_you_mean

_CALL = re.compile(
    r"""^[^'"#*\r\n]*?(?:\bAdmin(?:Task|Config)\.\w++[ \t]*+\(|\$Admin(?:Task|Config)[ \t]++[a-z]\w+)""",  # noqa: E501
    re.MULTILINE,
)

_PERMISSION = re.compile(
    r"(?:add|remove)(?:User|Group)(?:To|From)\w*Roles?|remove(?:Default|Destination|"
    r"ForeignBus)Roles|setInherit\w+|add\w*TopicRole|remove\w*TopicRole"
)
"""The names of commands that give and take permissions."""

_TYPING_ERROR = 0.9
"""How alike the name of a command is to one that is known if it is meant (``difflib``)."""

_LONGEST = 400
"""Characters of a command that are shown."""

_ON_ERROR = "it is for the case of an error"

_WHENEVER = ("it is in a function", "it is in a procedure")
"""Why a call is not certain that may be reached at any time."""


def recognises(data: bytes) -> bool:
    """Whether this is a script of wsadmin: some line calls ``AdminTask`` or ``AdminConfig``, not
    in a comment or a text. Linear.
    """
    if b"Admin" not in data:
        return False
    decoded = lexical.decode(data)
    return decoded is not None and any(
        _CALL.match(line.text) is not None for line in lexical.lines(decoded.text)
    )


def read_script(data: bytes, file: str) -> Script:
    """The calls of a script that may change something, in order; loops over literals repeat
    theirs. A call that is not understood has a ``fault``, one of which something is computed is
    ``unknown``. Linear; never raises."""
    decoded = lexical.decode(data)
    if decoded is None or len(decoded.text) > MAX_SCRIPT:
        kind, why = (NOT_A_SCRIPT, "the file is not text")
        if decoded is not None:
            kind, why = (
                SCRIPT_TOO_LARGE,
                f"the script is larger than {MAX_SCRIPT // 2**20} MB and is not read",
            )
        return Script((), (kind.at(Source(file, 1), why),))
    reading = _Reading(file)
    found = read_calls(decoded.text)
    for call in found.calls:
        reading.take(call)
    reading.end(all_read=not found.takes_in and not found.cut)
    if found.takes_in:
        reading.rest(
            RUNS_OTHER_FILES,
            "(other files)",
            "the script takes in other files, which may change more",
        )
    if found.cut:
        reason = f"the script is not followed to its end: {found.cut}"
        reading.rest(SCRIPT_CUT, "(the rest of the script)", reason)
    return Script(tuple(reading.commands), tuple(reading.findings))


@dataclass(slots=True)
class _Reading:
    """What is gathered while a script is read. The first ``saved`` commands last; those up to
    ``maybe`` do if the script comes to that call.
    """

    file: str
    commands: list[WsadminCommand] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    saved: int = 0
    maybe: int = 0
    maybe_at: Source = field(default_factory=lambda: Source(""))
    whenever: bool = False
    """Whether a function saves, which may be called at any time."""

    def take(self, call: Call) -> None:
        """One call."""
        source = Source(self.file, call.line, call.column)
        if call.object == "AdminTask":
            command = _command(call, source)
            if command is not None:
                self.commands.append(command)
        elif call.name == "save":
            if call.certain:
                self.saved = len(self.commands)
            elif call.why != _ON_ERROR:
                self.maybe, self.maybe_at = len(self.commands), source
                self.whenever = self.whenever or call.why in _WHENEVER
        elif call.name == "reset":
            self.reset(call, source)
        elif changes_a_bus(call):
            reason = (
                f"AdminConfig.{call.name} changes the configuration of a bus, which is not followed"
            )
            self.commands.append(_not_known(f"AdminConfig.{call.name} ...", "", reason, source))

    def reset(self, call: Call, source: Source) -> None:
        """``AdminConfig.reset()`` discards what is not saved."""
        if call.why == _ON_ERROR:
            return
        unsaved = self.commands[self.saved :]
        place = f"AdminConfig.reset() ({source})"
        if call.why in _WHENEVER:
            message = f"{place} is in a function: whether it discards what commands do is not known"
            self.findings.append(DISCARDING_NOT_KNOWN.at(source, message))
            return
        if call.certain and self.maybe <= self.saved:
            note = DISCARDED.at(source, f"{place} discards what this command does")
            self.commands[self.saved :] = [
                replace(one, verb="none", facts=(), unknown="", notes=(*one.notes, note))
                for one in unsaved
            ]
            self.saved = len(self.commands)
        else:
            reason = f"whether {place} discards it is not known"
            self.commands[self.saved :] = [
                replace(one, unknown=one.unknown or reason) for one in unsaved
            ]

    def rest(self, kind: FindingKind, what: str, reason: str) -> None:
        """Say that there is more than is read."""
        source = Source(self.file, 1)
        self.findings.append(kind.at(source, reason, severity=Severity.ERROR))
        self.commands.append(_not_known(what, "", reason, source))

    def end(self, *, all_read: bool) -> None:
        """Say what does not last; what is not read may save."""
        unsaved = [
            one
            for one in self.commands[self.saved :]
            if one.verb != "none" or one.unknown or one.fault
        ]
        if not unsaved:
            return
        many = len(unsaved) > 1
        what = (
            f"what these {len(unsaved)} commands change does"
            if many
            else "what this command changes does"
        )
        kind, message = NOT_SAVED, ""
        if self.whenever or (self.maybe and not self.commands[self.maybe :]):
            kind = SAVING_NOT_KNOWN
            message = (
                f"whether the script comes to AdminConfig.save() ({self.maybe_at}) is not "
                f"known: without it {what} not last"
            )
        elif not all_read:
            kind = SAVING_NOT_KNOWN
            message = (
                "whether what is not read of the script saves is not known: without "
                f"AdminConfig.save() {what} not last"
            )
        else:
            none = (
                "no AdminConfig.save() follows"
                if self.saved or self.maybe
                else "the script has no AdminConfig.save()"
            )
            message = f"{none}: {what} not last; it is judged as if it were saved"
        self.findings.insert(0, kind.at(unsaved[0].source, message))


def _command(call: Call, source: Source) -> WsadminCommand | None:
    """One call of ``AdminTask``; None where it changes nothing."""
    if call.name.startswith(HARMLESS):
        return None
    found = options(call.arguments[-1]) if call.arguments else CallOptions()
    bus = found.text("bus")
    scope = bus if bus and HOLE not in bus else ANY_BUS
    text = _shown(call.name, found)
    if _PERMISSION.fullmatch(call.name):
        message = (
            "permissions are not evaluated (S-18): whether this lets somebody send, or no "
            "longer, is not shown"
        )
        note = S_18.at(source, message)
        return WsadminCommand(text=text, source=source, scope=scope, verb="none", notes=(note,))
    reader = READERS.get(call.name)
    if reader is None:
        meant = did_you_mean(call.name, READERS)
        shown = f"AdminTask.{call.name}"
        if not is_about_routes(call.name) and not get_close_matches(
            call.name, READERS, 1, _TYPING_ERROR
        ):
            return WsadminCommand(text=shown, source=source, scope=scope, verb="none")
        fault = f"AdminTask.{call.name} is not a command that is known.{meant}"
        return WsadminCommand(text=shown, source=source, scope=scope, verb="none", fault=fault)
    reason = _why_not_known(call, found)
    if reason:
        return _not_known(text, bus if scope == bus else "", reason, source, call.name, found)
    strange = next((option for option in found.values if option not in said.OPTIONS[call.name]), "")
    meant = did_you_mean(strange, said.OPTIONS[call.name]) if strange else ""
    shown = without_arguments(f"-{strange}")
    try:
        if found.unclear:
            raise NotUnderstood("one of its words belongs to no option")
        if not bus:
            raise NotUnderstood("-bus is missing")
        command = reader(GivenOptions(bus, found, source))
    except NotUnderstood as why:
        other = f", and {shown} is not an option that is known.{meant}" if strange else ""
        fault = f"the command is not understood: {why}{other}"
        return WsadminCommand(text=text, source=source, scope=scope, verb="none", fault=fault)
    if strange:
        unknown = f"whether AdminTask.{call.name} has an option {shown} is not known.{meant}"
        command = replace(command, unknown=unknown)
    return replace(command, text=text, scope=bus)


def _why_not_known(call: Call, found: CallOptions) -> str:
    """Why nobody can say what a call does; empty where all of it is literal."""
    if not call.certain:
        return f"whether and how AdminTask.{call.name} is called is not known: {call.why}"
    if not call.arguments or call.arguments[-1] == HOLE:
        return f"the options of this AdminTask.{call.name} are not known: the script computes them"
    unknown = [
        name for name, value in found.values.items() if has_hole(value) and name not in PLACES
    ]
    if unknown:
        return f"the value of -{unknown[0]} is not known: the script computes it"
    if found.unclear and has_hole(call.arguments[-1]):
        return f"not all options of this AdminTask.{call.name} are known: the script computes some"
    return ""


def _not_known(
    text: str,
    bus: str,
    reason: str,
    source: Source,
    name: str = "",
    found: CallOptions | None = None,
) -> WsadminCommand:
    """A command of which something is not known: the bus may look otherwise in what it may
    change.
    """
    found = found or CallOptions()
    about = found.text("name") or found.text("destinationName")
    one = about if name in said.OF_ONE_DESTINATION and HOLE not in about else ""
    sections = said.incomplete_sections(name) if name else SECTIONS
    fact = Incomplete(
        bundle="", server=bus, source=source, reason=reason, sections=sections, object=one
    )
    return WsadminCommand(
        text=text, source=source, scope=bus or ANY_BUS, verb="create", facts=(fact,), unknown=reason
    )


def _shown(name: str, found: CallOptions) -> str:
    """A command with the values that it has here, without secrets."""
    words = [f"AdminTask.{name}"]
    known = said.OPTIONS.get(name, frozenset({"bus", "destination", "role", "type", "foreignBus"}))
    for option, value in found.values.items():
        words.append(f"-{option}")
        if value != "":
            shown = _word(value)
            words.append(
                lexical.kept(option, shown)
                if option in known
                else lexical.kept_unknown(option, shown)
            )
    text = " ".join(" ".join(words).replace(HOLE, "?").split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\u2026"


def _word(value: Value) -> str:
    if isinstance(value, list):
        return f"[{' '.join(map(_word, value))}]"
    return f'"{value}"' if value == "" or any(blank in value for blank in " \t\r\n") else value
