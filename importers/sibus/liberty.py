"""``server.xml`` of Liberty: its messaging engine, queues, topic spaces and aliases (sibus.md
A4.3).

Attributes stay under the names of ``server.xml``. Variables are filled in where the files say what
they are; included files are read where they are among those imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from topograph.facts.sibus import (
    LIBERTY,
    MESSAGING_FEATURE,
    SECTIONS,
    MessagingEngine,
    PathElement,
    SibusAttribute,
    SibusBus,
    SibusDestination,
)
from topograph.findings import Severity, Source
from topograph.importers import lexical
from topograph.importers.positions.xml_text import Element, XmlDocument
from topograph.importers.reading import Reference
from topograph.importers.sibus.attributes import LIBERTY_NUMBERS, LIBERTY_WORDS
from topograph.importers.sibus.file_reading import SibusFileReading
from topograph.rules.sibus_findings import A4_3, NO_ID, NO_MESSAGING_FEATURE

BUS = "defaultBus"
"""The name of the bus of every Liberty server."""

ENGINE = "defaultME"

_TYPES = {"queue": "Queue", "topicSpace": "TopicSpace", "alias": "Alias"}
_TRUTH = {"sendAllowed", "receiveAllowed", "maintainStrictOrder"}
_KNOWN = LIBERTY_WORDS | LIBERTY_NUMBERS | _TRUTH
_SPELLED = {name.lower(): name for name in (*_KNOWN, "exceptionDestination", "targetDestination")}
"""The attributes that the server knows, which it takes in any case."""
_FEATURES = ("wasjmsserver-", "messagingserver-", "messaging-")
_MAX_VARIABLES = 100
"""Variables within variables that are filled in for one value."""


@dataclass(slots=True)
class LibertyFile:
    """A file of a server: what is read from it, and its elements."""

    reading: SibusFileReading
    document: XmlDocument


@dataclass(slots=True)
class _Object:
    """A destination or engine, of which several elements may each state a part."""

    kind: str
    place: Source
    reading: SibusFileReading
    attributes: dict[str, SibusAttribute] = field(default_factory=dict)


def includes(path: str, root: Element) -> tuple[Reference, ...]:
    """The files that a server.xml includes, as a plan looks for them."""
    variables = _variables([root])
    found = []
    for element in root.named("include"):
        location, _ = _filled(element.attributes.get("location", ""), variables)
        location = location.replace("\\", "/").removeprefix("${server.config.dir}/")
        if location:
            optional = element.attributes.get("optional", "").lower() == "true"
            place = Source(path, *element.place("location"))
            found.append(
                Reference("include", location, place, unstated=optional and "/" not in location)
            )
    return tuple(found)


def read_liberty(parts: Sequence[LibertyFile], missing: Sequence[Reference], server: str) -> None:
    """Everything that a server.xml (the first part) and the files it includes say of messages.
    Linear.
    """
    main = parts[0].reading
    roots = [part.document.root for part in parts if part.document.root is not None]
    variables = _variables(roots)
    objects: dict[tuple[str, str], _Object] = {}
    for part in parts:
        if part.document.root is not None:
            _gather(
                part.reading,
                part.document.root,
                variables,
                objects,
                server,
                included=part is not parts[0],
            )
        part.reading.fault(part.document.fault, server)
    started = _check_features(main, roots, server)
    for reference in missing:
        main.incomplete(
            server,
            f"The included file {reference.name} is not among the imported files",
            reference.source,
        )
    main.state_bus(
        SibusBus(
            bundle=main.bundle,
            server=server,
            source=main.source(),
            name=BUS,
            edition=LIBERTY,
            complete=() if missing or any(part.document.fault for part in parts) else SECTIONS,
            attributes=()
            if started
            else (SibusAttribute(MESSAGING_FEATURE, "false", main.source()),),
        )
    )
    for (kind, name), each in objects.items():
        _keep(each, kind, name, server)


def _variables(roots: Iterable[Element]) -> dict[str, str]:
    found: dict[str, str] = {}
    for root in roots:
        for element in root.named("variable"):
            name = element.attributes.get("name", "")
            value = element.attributes.get("value", element.attributes.get("defaultValue"))
            if name and value is not None:
                found[name] = value
    return found


def _filled(text: str, variables: dict[str, str]) -> tuple[str, bool]:
    """The text with its variables filled in, and whether all were known. Bounded, whatever
    variables say of each other.
    """
    at = 0
    for _ in range(_MAX_VARIABLES):
        begin = text.find("${", at)
        end = text.find("}", begin)
        if begin < 0 or end < 0:
            return text, "${" not in text
        value = variables.get(text[begin + 2 : end])
        if value is None or len(text) + len(value) > lexical.MAX_LINE:
            at = end
        else:
            text = text[:begin] + value + text[end + 1 :]
    return text, "${" not in text


def _gather(
    reading: SibusFileReading,
    root: Element,
    variables: dict[str, str],
    objects: dict[tuple[str, str], _Object],
    server: str,
    *,
    included: bool,
) -> None:
    for element in root.children:
        if element.name == "include":
            _check_include(reading, element, server, nested=included)
        elif element.name != "messagingEngine":
            reading.ignored += element.name not in ("variable", "featureManager")
            continue
        if element.name == "messagingEngine":
            engine = _value(reading, element, "id", variables, server) or ENGINE
            objects.setdefault(
                ("messagingEngine", engine), _Object("engine", reading.at(element), reading)
            )
            for child in element.children:
                if child.name in _TYPES:
                    _object(reading, child, variables, objects, server)
                else:
                    reading.ignored += 1


def _check_include(
    reading: SibusFileReading, element: Element, server: str, *, nested: bool
) -> None:
    location = element.attributes.get("location", "")
    reading.ignored += 1
    if nested:
        reading.incomplete(
            server,
            f"The file {location}, which an included file includes, is not read",
            reading.at(element),
        )
    elif element.attributes.get("onConflict", "merge").lower() != "merge":
        reason = f"How {location} is put together with this file (onConflict) is not followed"
        reading.incomplete(server, reason, reading.at(element, "onConflict"))


def _object(
    reading: SibusFileReading,
    element: Element,
    variables: dict[str, str],
    objects: dict[tuple[str, str], _Object],
    server: str,
) -> None:
    name = _value(reading, element, "id", variables, server)
    if not name:
        message = f"This {element.name} has no id: the server does not make it."
        reading.report(Severity.WARNING, NO_ID, message, reading.at(element), A4_3, server)
        reading.unsupported += 1
        return
    known = objects.setdefault(
        (element.name, name), _Object(element.name, reading.at(element), reading)
    )
    for attribute in element.attributes:
        if attribute != "id" and not attribute.startswith("{"):
            value = _value(reading, element, attribute, variables, server, name)
            if value is not None:
                name_ = _SPELLED.get(attribute.lower(), attribute)
                known.attributes[name_] = SibusAttribute(
                    name_, _as_kept(name_, value), reading.at(element, attribute)
                )
    reading.ignored += len(element.children)


def _as_kept(name: str, value: str) -> str:
    if name in ("exceptionDestination", "targetDestination"):
        return value
    if name not in _KNOWN:
        return lexical.kept_unknown(name, value)
    # Blanks stay: with them the server does not know the value.
    return value.lower() if name in _TRUTH else lexical.kept(name, value)


def _value(
    reading: SibusFileReading,
    element: Element,
    name: str,
    variables: dict[str, str],
    server: str,
    object_: str = "",
) -> str | None:
    """The value of an attribute with its variables filled in; None, and a finding, where one of
    them is not known.
    """
    text = element.attributes.get(name)
    if text is None or "${" not in text:
        return text
    text, known = _filled(text, variables)
    if known:
        return text
    reason = f"A variable in {name} of this {element.name} is not known"
    reading.incomplete(server, reason, reading.at(element, name), ["destinations"], object_)
    return None


def _check_features(reading: SibusFileReading, roots: Sequence[Element], server: str) -> bool:
    """Whether a feature starts the messaging engine; a finding where none does."""
    features = [
        feature.text.strip().lower()
        for root in roots
        for manager in root.named("featureManager")
        for feature in manager.named("feature")
    ]
    started = any(feature.rpartition(":")[2].startswith(_FEATURES) for feature in features)
    if not started:
        message = (
            "No feature of these files starts the messaging engine (wasJmsServer or "
            "messagingServer)."
        )
        reading.report(
            Severity.WARNING, NO_MESSAGING_FEATURE, message, reading.source(), A4_3, server
        )
    return started


def _keep(found: _Object, kind: str, name: str, server: str) -> None:
    reading = found.reading
    if kind == "messagingEngine":
        reading.keep(
            MessagingEngine(bundle=reading.bundle, server=server, source=found.place, name=name)
        )
        return
    exception, target = (
        found.attributes.get("exceptionDestination"),
        found.attributes.get("targetDestination"),
    )
    reading.keep(
        SibusDestination(
            bundle=reading.bundle,
            server=server,
            source=found.place,
            destination_type=_TYPES[kind],
            name=name,
            attributes=tuple(_rest(found)),
            exception_destination=exception.value if exception else None,
            exception_source=exception.source if exception else None,
            target=PathElement("", target.value, target.source) if target else None,
        )
    )


def _rest(found: _Object) -> Iterator[SibusAttribute]:
    for name in sorted(found.attributes):
        if name not in ("exceptionDestination", "targetDestination"):
            yield found.attributes[name]
