"""Change scripts of wsadmin, in Jython and Jacl (sibus.md A4.2): what each call of ``AdminTask``
says. They are read, never run.

The options of a call are read by the reader of imported scripts, so that a command and an edited
file say the same. What the script computes is never guessed: nobody can say what such a call does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from topograph.did_you_mean import did_you_mean
from topograph.facts.command import Script
from topograph.facts.fact import Fact
from topograph.facts.sibus import (
    SECTIONS,
    Bus,
    BusMember,
    Destination,
    Incomplete,
    Link,
    Mediation,
    Member,
    MessagingEngine,
)
from topograph.facts.wsadmin_commands import ANY_BUS, EXTERNAL, Verb, WsadminCommand, restated
from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.sibus import admin_facts as said
from topograph.importers.sibus.admin_tasks import HARMLESS, PLACES, changes_a_bus, is_about_routes
from topograph.importers.sibus.admin_words import HOLE, Options, Value, has_hole, options
from topograph.importers.sibus.languages import MAX_SCRIPT, read_calls
from topograph.importers.sibus.script import Call

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

_WHENEVER = ("it stands in a function", "it stands in a procedure")
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
        kind, why = ("not-a-script", "the file is no text")
        if decoded is not None:
            kind, why = (
                "script-too-large",
                f"the script is larger than {MAX_SCRIPT // 2**20} MB and is not read",
            )
        return Script((), (Finding(kind, Severity.ERROR, why, Source(file, 1)),))
    reading = _Reading(file)
    found = read_calls(decoded.text)
    for call in found.calls:
        reading.take(call)
    reading.end(all_read=not found.takes_in and not found.cut)
    if found.takes_in:
        reading.rest(
            "runs-other-files",
            "(other files)",
            "the script takes in other files, which may change more",
        )
    if found.cut:
        reason = f"the script is not followed to its end: {found.cut}"
        reading.rest("script-cut", "(the rest of the script)", reason)
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
            message = (
                f"{place} stands in a function: whether it discards what commands do is not known"
            )
            self.findings.append(Finding("discarding-not-known", Severity.WARNING, message, source))
            return
        if call.certain and self.maybe <= self.saved:
            note = Finding(
                "discarded", Severity.WARNING, f"{place} discards what this command does", source
            )
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

    def rest(self, kind: str, what: str, reason: str) -> None:
        """Say that there is more than is read."""
        source = Source(self.file, 1)
        self.findings.append(Finding(kind, Severity.ERROR, reason, source))
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
        kind, message = "not-saved", ""
        if self.whenever or (self.maybe and not self.commands[self.maybe :]):
            kind = "saving-not-known"
            message = (
                f"whether the script comes to AdminConfig.save() ({self.maybe_at}) is not "
                f"known: without it {what} not last"
            )
        elif not all_read:
            kind = "saving-not-known"
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
        self.findings.insert(0, Finding(kind, Severity.WARNING, message, unsaved[0].source))


class _NotUnderstood(Exception):
    """Why a command is not understood."""


def _command(call: Call, source: Source) -> WsadminCommand | None:
    """One call of ``AdminTask``; None where it changes nothing."""
    if call.name.startswith(HARMLESS):
        return None
    found = options(call.arguments[-1]) if call.arguments else Options()
    bus = found.text("bus")
    scope = bus if bus and HOLE not in bus else ANY_BUS
    text = _shown(call.name, found)
    if _PERMISSION.fullmatch(call.name):
        message = (
            "permissions are not evaluated (S-18): whether this lets somebody send, or no "
            "longer, is not shown"
        )
        note = Finding("permission-not-evaluated", Severity.WARNING, message, source, "S-18")
        return WsadminCommand(text=text, source=source, scope=scope, verb="none", notes=(note,))
    reader = _READERS.get(call.name)
    if reader is None:
        meant = did_you_mean(call.name, _READERS)
        shown = f"AdminTask.{call.name}"
        if not is_about_routes(call.name) and not get_close_matches(
            call.name, _READERS, 1, _TYPING_ERROR
        ):
            return WsadminCommand(text=shown, source=source, scope=scope, verb="none")
        fault = f"AdminTask.{call.name} is not a command that is known.{meant}"
        return WsadminCommand(text=shown, source=source, scope=scope, verb="none", fault=fault)
    reason = _why_not_known(call, found)
    if reason:
        return _not_known(text, bus if scope == bus else "", reason, source, call.name, found)
    strange = next((option for option in found.values if option not in said.OPTIONS[call.name]), "")
    meant = did_you_mean(strange, said.OPTIONS[call.name]) if strange else ""
    try:
        if found.unclear:
            raise _NotUnderstood("one of its words belongs to no option")
        if not bus:
            raise _NotUnderstood("-bus is missing")
        command = reader(_Given(bus, found, source))
    except _NotUnderstood as why:
        other = f", and -{strange} is not an option that is known.{meant}" if strange else ""
        fault = f"the command is not understood: {why}{other}"
        return WsadminCommand(text=text, source=source, scope=scope, verb="none", fault=fault)
    if strange:
        unknown = f"whether AdminTask.{call.name} has an option -{strange} is not known.{meant}"
        command = replace(command, unknown=unknown)
    return replace(command, text=text, scope=bus)


def _why_not_known(call: Call, found: Options) -> str:
    """Why nobody can say what a call does; empty where all of it is literal."""
    if not call.certain:
        return f"whether and how AdminTask.{call.name} is called is not known: {call.why}"
    if not call.arguments or (isinstance(call.arguments[-1], str) and call.arguments[-1] == HOLE):
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
    text: str, bus: str, reason: str, source: Source, name: str = "", found: Options | None = None
) -> WsadminCommand:
    """A command of which something is not known: the bus may look otherwise in what it may
    change.
    """
    found = found or Options()
    about = found.text("name") or found.text("destinationName")
    one = about if name in said.OF_ONE_DESTINATION and HOLE not in about else ""
    sections = said.incomplete_sections(name) if name else SECTIONS
    fact = Incomplete(
        bundle="", server=bus, source=source, reason=reason, sections=sections, object=one
    )
    return WsadminCommand(
        text=text, source=source, scope=bus or ANY_BUS, verb="create", facts=(fact,), unknown=reason
    )


def _shown(name: str, found: Options) -> str:
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


# --- what each command says
# --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Given:
    """The options of a call, all literal but for places."""

    bus: str
    found: Options
    source: Source

    def name(self, *options_: str) -> str:
        """The name of what the command is about."""
        found = next((text for one in options_ if (text := self.found.text(one))), "")
        if not found:
            raise _NotUnderstood(f"-{options_[0]} is missing")
        return found

    def member(self) -> Member:
        """The member that the options name; not all of it may be known."""
        member = said.member_of(self.found)
        if bool(member.cluster) + bool(member.node or member.server) + bool(member.mq_server) > 1:
            raise _NotUnderstood("-cluster, -node with -server, and -wmqServer exclude each other")
        if bool(member.node) != bool(member.server):
            raise _NotUnderstood(f"-{'server' if member.node else 'node'} is missing")
        return member

    def says(
        self, verb: Verb, *facts: Fact, stated: frozenset[str] = frozenset(), unknown: str = ""
    ) -> WsadminCommand:
        """The command that says these facts."""
        return WsadminCommand(
            text="", source=self.source, verb=verb, facts=facts, stated=stated, unknown=unknown
        )


_Reader = Callable[[_Given], WsadminCommand]


def _bus(verb: Verb) -> _Reader:
    return lambda given: given.says(verb, said.bus_said("", given.bus, given.found, given.source))


def _member(verb: Verb) -> _Reader:
    def read(given: _Given) -> WsadminCommand:
        member = given.member()
        if member == Member():
            raise _NotUnderstood("-cluster, or -node with -server, is missing")
        if said.is_unknown(member):
            reason = "which member of the bus this is, is not known: the script computes it"
            sections = said.incomplete_sections(
                "removeSIBusMember" if verb == "delete" else "addSIBusMember"
            )
            doubt = Incomplete(
                bundle="", server=given.bus, source=given.source, reason=reason, sections=sections
            )
            return given.says("create", doubt, unknown=reason)
        return given.says(
            verb, BusMember(bundle="", server=given.bus, source=given.source, member=member)
        )

    return read


def _engine(verb: Verb) -> _Reader:
    def read(given: _Given) -> WsadminCommand:
        member, name = given.member(), given.found.text("engine")
        if said.is_unknown(member) or (member == Member() and not name):
            reason = "of which member of the bus the engine is, is not known"
            sections = said.incomplete_sections("createSIBEngine")
            doubt = Incomplete(
                bundle="", server=given.bus, source=given.source, reason=reason, sections=sections
            )
            return given.says("create", doubt, unknown=reason)
        fact = MessagingEngine(
            bundle="",
            server=given.bus,
            source=given.source,
            name=name,
            cluster=member.cluster,
            node=member.node,
            server_name=member.server,
            derived=verb == "create",
        )
        return given.says(verb, fact)

    return read


def _create_destination(given: _Given) -> WsadminCommand:
    facts: list[Fact] = []
    for name in _names(given):
        one = _understood(given, name)
        kind = one.fact.destination_type
        if not kind:
            text = given.found.text("type")
            raise _NotUnderstood(
                f"a destination has no type {text!r}" if text else "-type is missing"
            )
        if kind == "Alias" and not given.found.text("targetName"):
            raise _NotUnderstood("-targetName is missing: an alias stands for another destination")
        if kind == "Foreign" and not given.found.text("foreignBus"):
            raise _NotUnderstood(
                "-foreignBus is missing: a foreign destination is on a foreign bus"
            )
        fresh = Destination(
            bundle="", server=given.bus, source=given.source, destination_type=kind, name=name
        )
        facts.append(restated(fresh, one.fact, one.stated))
    return replace(given.says("create", *facts), notes=_place_notes(given))


def _modify_destination(given: _Given) -> WsadminCommand:
    one = _understood(given, given.name("name"))
    return replace(given.says("modify", one.fact, stated=one.stated), notes=_place_notes(given))


def _delete_destination(given: _Given) -> WsadminCommand:
    return given.says("delete", *(_understood(given, name).fact for name in _names(given)))


def _names(given: _Given) -> list[str]:
    names = [name for name in said.names_of(given.found) if name]
    if not names:
        raise _NotUnderstood("-name is missing")
    if len(set(names)) < len(names):
        raise _NotUnderstood("-nameList names a destination twice")
    return names


def _understood(given: _Given, name: str) -> said.Said[Destination]:
    given.member()
    one = said.destination_said("", given.bus, name, given.found, given.source)
    if one.doubt:
        raise _NotUnderstood(
            "a forward routing path is a list of rows, each with a bus and a destination"
        )
    return one


def _place_notes(given: _Given) -> tuple[Finding, ...]:
    if not said.is_unknown(said.member_of(given.found)):
        return ()
    message = "on which member of the bus it is, is not known: the script computes it"
    return (Finding("member-not-known", Severity.WARNING, message, given.source),)


def _mediation(verb: Verb) -> _Reader:
    def read(given: _Given) -> WsadminCommand:
        given.name("mediationName", "name")
        return given.says(verb, said.mediation_said("", given.bus, given.found, given.source))

    return read


def _mediate(given: _Given) -> WsadminCommand:
    given.name("destinationName")
    external = given.found.text("externallyMediated").lower() == "true"
    if not external:
        given.name("mediationName")
    made = said.mediated_said("", given.bus, given.found, given.source)
    given.member()
    return given.says("create", made if made.name else replace(made, name=EXTERNAL))


def _unmediate(given: _Given) -> WsadminCommand:
    gone = Mediation(
        bundle="",
        server=given.bus,
        source=given.source,
        name="",
        destination=given.name("destinationName"),
    )
    return given.says("delete", gone)


def _foreign_bus(verb: Verb) -> _Reader:
    def read(given: _Given) -> WsadminCommand:
        given.name("name")
        one = said.foreign_bus_said("", given.bus, given.found, given.source)
        fact = one.fact
        if verb == "create" and not fact.route:
            raise _NotUnderstood("-routingType is Direct, with -type SIBus or MQ, or Indirect")
        if one.doubt and verb == "modify":
            raise _NotUnderstood("-routingType is Direct or Indirect")
        if verb == "create" and fact.route == "indirect" and not fact.next_hop:
            raise _NotUnderstood("-nextHopBus is missing: the route is indirect")
        fact = fact if verb != "create" or fact.route == "indirect" else replace(fact, next_hop="")
        command = given.says(verb, fact, stated=one.stated)
        if "destinationDefaults" not in given.found.values:
            return command
        message = (
            "what -destinationDefaults says of destinations on the foreign bus is not evaluated"
        )
        note = Finding("defaults-not-evaluated", Severity.WARNING, message, given.source)
        return replace(command, notes=(note,))

    return read


def _link(verb: Verb, kind: str) -> _Reader:
    def read(given: _Given) -> WsadminCommand:
        given.name("name")
        if verb == "create":
            given.name("messagingEngine")
            given.name("foreignBusName")
        one = said.link_said("", given.bus, given.found, given.source, kind)
        return given.says(verb, one.fact, stated=one.stated)

    return read


def _delete_link(kind: str) -> _Reader:
    return lambda given: given.says(
        "delete",
        Link(bundle="", server=given.bus, source=given.source, name=given.name("name"), type=kind),
    )


_READERS: Mapping[str, _Reader] = {
    "createSIBus": _bus("create"),
    "modifySIBus": _bus("modify"),
    "deleteSIBus": lambda given: given.says(
        "delete", Bus(bundle="", server=given.bus, source=given.source, name=given.bus)
    ),
    "addSIBusMember": _member("create"),
    "removeSIBusMember": _member("delete"),
    "createSIBEngine": _engine("create"),
    "deleteSIBEngine": _engine("delete"),
    "createSIBDestination": _create_destination,
    "createSIBDestinations": _create_destination,
    "modifySIBDestination": _modify_destination,
    "deleteSIBDestination": _delete_destination,
    "deleteSIBDestinations": _delete_destination,
    "createSIBMediation": _mediation("create"),
    "modifySIBMediation": _mediation("modify"),
    "deleteSIBMediation": _mediation("delete"),
    "mediateSIBDestination": _mediate,
    "unmediateSIBDestination": _unmediate,
    "createSIBForeignBus": _foreign_bus("create"),
    "modifySIBForeignBus": _foreign_bus("modify"),
    "deleteSIBForeignBus": _foreign_bus("delete"),
    "createSIBLink": _link("create", "sib"),
    "createSIBMQLink": _link("create", "mq"),
    "modifySIBLink": _link("modify", "sib"),
    "modifySIBMQLink": _link("modify", "mq"),
    "deleteSIBLink": _delete_link("sib"),
    "deleteSIBMQLink": _delete_link("mq"),
}
"""What each command says."""
