"""Output of wsadmin: configuration ids as its lists print them, and the attributes of a destination
as ``show`` prints them.

A session may hold the commands as well (``wsadmin>``): the command before it says of which bus and
destination an output is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from topograph.facts.sibus import ForeignBus, PathElement, SibusDestination, SibusMember
from topograph.findings import Severity, Source
from topograph.importers import lexical
from topograph.importers.sibus import attributes
from topograph.importers.sibus.admin_words import CallOptions, Value, options, rows, split
from topograph.importers.sibus.cell import destination_type_of
from topograph.importers.sibus.cell_places import folder_behind
from topograph.importers.sibus.file_reading import SibusFileReading
from topograph.importers.sibus.jacl import read_jacl
from topograph.importers.sibus.jython import read_jython
from topograph.importers.sibus.script import Call
from topograph.rules.unnumbered import NO_BUS, NO_NAME

PROMPT = "wsadmin>"
DOCUMENTS = ("|sib-destinations.xml#", "|sib-bus.xml#")
SHOWN = (
    "identifier",
    "exceptionDestination",
    "maxFailedDeliveries",
    "defaultForwardRoutingPath",
    "targetIdentifier",
)
"""Attributes of which what is shown of a destination has at least two."""

_SHOWS = ("showSIBDestination", "show", "showall")
_FIELDS = frozenset(
    {
        "identifier", "uuid", "exceptionDestination", "bus", "aliasBus", "targetBus",
        "targetIdentifier", "targetName", "foreignBus",
        "defaultForwardRoutingPath", "replyDestination", "replyDestinationBus",
        "localizationPointRefs", "targetQueuePointIdentifiers",
        "type", "description", "allTargetQueuePointsSelected", "destinationMediationRef",
        "contextInfo", "targetMediationPointIdentifiers",
    }
)  # fmt: skip


@dataclass(slots=True)
class _Output:
    """The lines of one output: what command they are of, if the text says it."""

    source: Source
    command: Call | None = None
    pairs: dict[str, tuple[Value, Source]] = field(default_factory=dict)


def bus_said(text: str) -> str:
    """The bus that an output is of, by its first configuration id or command that names one;
    empty if none does. Linear.
    """
    for line in lexical.lines(text[:1_000_000]):
        found = _identified(line.text)
        if found is not None and found[1]:
            return found[1]
        command = _command_of(line.text)
        if command is not None and (bus := _options(command).text("bus")):
            return bus
    return ""


def read_output(reading: SibusFileReading, text: str) -> None:
    """Everything that an output says of buses. Linear."""
    output = _Output(reading.source())
    outputs: list[_Output] = []
    for line in lexical.lines(text):
        source = reading.source(line.number, 1)
        if lexical.is_blank(line.text):
            continue
        if PROMPT in line.text:
            outputs.append(output)
            output = _Output(source, _command_of(line.text))
        elif (found := _identified(line.text)) is not None:
            _listed(reading, *found, source, output.command)
        elif len(line.text) <= lexical.MAX_LINE and (pairs := _pairs(line.text)):
            if "identifier" in output.pairs and any(name == "identifier" for name, _ in pairs):
                outputs.append(output)
                output = _Output(source, output.command)
            output.pairs |= {name: (value, source) for name, value in pairs}
        else:
            reading.ignored += 1
    for each in (*outputs, output):
        if each.pairs:
            _shown(reading, each)
    kept: dict[tuple[str, str], SibusDestination] = {}
    others = []
    for fact in reading.facts:
        if not isinstance(fact, SibusDestination):
            others.append(fact)
            continue
        known = kept.get((fact.server, fact.name))
        kept[fact.server, fact.name] = fact if known is None else _both(known, fact)
    reading.facts = [*others, *kept.values()]


def _both(one: SibusDestination, other: SibusDestination) -> SibusDestination:
    """What a list and a show say of one destination."""
    from dataclasses import replace

    shown, listed = (other, one) if one.listed_only else (one, other)
    return replace(shown, destination_type=shown.destination_type or listed.destination_type)


def _command_of(line: str) -> Call | None:
    """The call behind a prompt."""
    at = line.find(PROMPT)
    if at < 0:
        return None
    text = line[at + len(PROMPT) :].strip()[:10_000]
    script = read_jacl(text) if text.startswith(("$", "set ")) else read_jython(text)
    return script.calls[0] if script.calls else None


def _options(call: Call) -> CallOptions:
    return options(call.arguments[-1]) if call.arguments else CallOptions()


def _identified(line: str) -> tuple[str, str, str, str] | None:
    """Name, bus, cell and kind of object of a configuration id:
    ``NAME(cells/C/buses/B|sib-destinations.xml#SIBQueue_1)``, in quotes or not.
    """
    mark = next((mark for mark in DOCUMENTS if mark in line), "")
    if not mark:
        return None
    text = line.strip().strip("'\"[]")
    head, _, tail = text.partition(mark)
    name, _, path = head.rpartition("(")
    return (
        name,
        folder_behind(path + "/x", "buses"),
        folder_behind(path + "/x", "cells"),
        tail.partition("_")[0],
    )


def _listed(
    reading: SibusFileReading,
    name: str,
    bus: str,
    cell: str,
    kind: str,
    source: Source,
    command: Call | None,
) -> None:
    bus = bus or reading.server
    if not name or not bus:
        reading.unsupported += 1
        reading.report(
            Severity.WARNING,
            NO_NAME,
            "This configuration id has no name, or says no bus.",
            source,
        )
        reading.partly = True
        return
    reading.bus(bus, source)
    reading.cell(bus, cell)
    if kind == "SIBForeignBus":
        reading.keep(ForeignBus(bundle=reading.bundle, server=bus, source=source, name=name))
        return
    found = destination_type_of(kind)
    if not found:
        reading.ignored += 1
        return
    if (
        command is not None
        and command.name == "listSIBDestinations"
        and not _options(command).text("type")
    ):
        reading.completed(bus, "destinations")
    reading.keep(
        SibusDestination(
            bundle=reading.bundle,
            server=bus,
            source=source,
            destination_type=found,
            name=name,
            listed_only=True,
        )
    )


def _pairs(line: str) -> list[tuple[str, Value]]:
    """The attributes that a line shows: ``[name value]``, ``{name value}``, or all in one
    ``{a=b, c=d}``; none for any other line.
    """
    text = line.strip().strip("'").strip()
    if len(text) < 2 or text[0] + text[-1] not in ("[]", "{}"):
        return []
    if text[0] == "{" and "=" in text.split(None, 1)[0]:
        pairs: list[tuple[str, Value]] = []
        for part in _commas(text[1:-1]):
            name, equals, value = part.partition("=")
            if equals and _is_word(name.strip()):
                pairs.append((name.strip(), value.strip()))
        return pairs
    words = split(text)
    while (
        len(words) == 1
        and isinstance(words[0], list)
        and words[0]
        and isinstance(words[0][0], list)
    ):
        words = words[0]
    found: list[tuple[str, Value]] = []
    for word in words:
        if isinstance(word, list) and word and isinstance(word[0], str) and _is_word(word[0]):
            found.append(
                (
                    word[0],
                    word[1]
                    if len(word) == 2
                    else " ".join(x for x in word[1:] if isinstance(x, str)),
                )
            )
    return found


def _is_word(text: str) -> bool:
    return text.isascii() and text.isalnum()


def _commas(text: str) -> list[str]:
    """The parts of a text between commas that are in no brackets."""
    found, begin, depth = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "[{(") - (character in "]})")
        if character == "," and depth <= 0:
            found.append(text[begin:at])
            begin = at + 1
    return [*found, text[begin:]]


def _shown(reading: SibusFileReading, output: _Output) -> None:
    """A destination of which the attributes are shown."""
    shown = output.pairs
    command = (
        _options(output.command)
        if output.command is not None and output.command.name in _SHOWS
        else CallOptions()
    )
    bus = command.text("bus") or reading.server
    name = _text(shown, "identifier") or command.text("name")
    if sum(1 for known in SHOWN if known in shown) < 2:
        reading.ignored += 1
        return
    if not name or not bus:
        reading.unsupported += 1
        reading.partly = True
        message = (
            f"Of which bus this output about {name or 'a destination'} is, is not known: "
            "save it with the command, or in the folder of the bus."
        )
        reading.report(Severity.WARNING, NO_BUS, message, output.source)
        return
    reading.bus(bus, output.source)
    pairs = [
        (key, value, source)
        for key, (value, source) in shown.items()
        if key not in _FIELDS and isinstance(value, str) and value
    ]
    path = _path(reading, bus, name, shown, "defaultForwardRoutingPath")
    reply = _path(reading, bus, name, shown, "replyDestination")
    target = _text(shown, "targetIdentifier") or _text(shown, "targetName")
    kind = destination_type_of(_text(shown, "type")) or ("Alias" if target else "")
    points = [word for word in _text(shown, "targetQueuePointIdentifiers").split() if word != "[]"]
    scoped = kind == "Alias" and _text(shown, "allTargetQueuePointsSelected").lower() == "false"
    exception = shown.get("exceptionDestination")
    bus_named = _text(shown, "aliasBus") or _text(shown, "bus")
    reading.keep(
        SibusDestination(
            bundle=reading.bundle,
            server=bus,
            source=shown["identifier"][1] if "identifier" in shown else output.source,
            destination_type=kind,
            name=name,
            uuid=_text(shown, "uuid"),
            attributes=attributes.stated(pairs, attributes.DESTINATION),
            forward_path=path,
            reply=reply[0] if reply else None,
            exception_destination=_exception(exception[0]) if exception else None,
            exception_source=exception[1] if exception else None,
            members=_members(shown),
            target=PathElement(_text(shown, "targetBus"), target, output.source)
            if target
            else None,
            alias_bus=bus_named if kind == "Alias" else "",
            queue_points=tuple(points) if scoped else None,
            foreign_bus=_text(shown, "foreignBus"),
        )
    )


def _exception(value: Value) -> str:
    """An empty list or text is None."""
    return value if isinstance(value, str) and value != "[]" else ""


def _text(shown: dict[str, tuple[Value, Source]], name: str) -> str:
    value = shown.get(name, ("", None))[0]
    return value if isinstance(value, str) and value not in ("[]", "null") else ""


def _path(
    reading: SibusFileReading,
    bus: str,
    name: str,
    shown: dict[str, tuple[Value, Source]],
    which: str,
) -> tuple[PathElement, ...]:
    """A routing path, or a reply destination: rows of attributes (``[[bus B] [destination
    D]]``), or ids of objects, which say nothing.
    """
    if which not in shown:
        return ()
    value, source = shown[which]
    if value in ("", "[]", "null", []):
        return ()
    if (
        isinstance(value, str)
        and "#" not in value
        and which == "replyDestination"
        and not value.startswith("[")
    ):
        return (PathElement(_text(shown, "replyDestinationBus"), value, source),)
    found = _rows(split(value) if isinstance(value, str) else value, source)
    if not found:
        reading.incomplete(
            bus, f"The {which} of {name} is not understood", source, ["destinations"], name
        )
    return tuple(found)


def _rows(value: list[Value], source: Source) -> list[PathElement]:
    """``[[bus B] [destination D]]``, or a list of those; none where it is anything else."""
    pairs = [
        each
        for each in value
        if isinstance(each, list) and len(each) == 2 and isinstance(each[0], str)
    ]
    named = {str(each[0]): str(each[1]) for each in pairs if isinstance(each[1], str)}
    if (
        pairs
        and len(pairs) == len(value)
        and set(named) <= {"bus", "destination"}
        and "destination" in named
    ):
        return [PathElement(named.get("bus", ""), named["destination"], source)]
    found = []
    for each in value:
        inner = _rows(each, source) if isinstance(each, list) else []
        if not inner:
            return []
        found += inner
    return found


def _members(shown: dict[str, tuple[Value, Source]]) -> tuple[SibusMember, ...]:
    """Where a destination is, as far as the output says."""
    value = shown.get("localizationPointRefs", ([], None))[0]
    found = []
    for each in value if isinstance(value, list) else []:
        pairs = rows(each) if isinstance(each, list) else None
        named = {row[0]: row[1] for row in pairs or [] if len(row) == 2}
        member = SibusMember(
            named.get("cluster", ""),
            named.get("node", ""),
            named.get("server", ""),
            named.get("mqServer", ""),
        )
        if member != SibusMember():
            found.append(member)
    return tuple(found)
