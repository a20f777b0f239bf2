"""Buses as each form says them, and what the importer makes of a file."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from xml.sax.saxutils import quoteattr

from topograph.facts import Fact
from topograph.facts.sibus import SibusBus, SibusDestination
from topograph.findings import Source
from topograph.importers.reading import Bundle, BundleFile, Options, Reading
from topograph.importers.sibus import read, recognise

NAMESPACES = (
    'xmlns:xmi="http://www.omg.org/XMI" '
    'xmlns:sibresources="http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi"'
)
ELEMENTS = {
    "Queue": "SIBQueue",
    "TopicSpace": "SIBTopicSpace",
    "Port": "SIBPort",
    "WebService": "SIBWebService",
    "Alias": "SIBDestinationAlias",
}
"""By type of destination."""


def reading(path: str, text: str | bytes, server: str = "", **others: str | bytes) -> Reading:
    """What the importer reads of a file, with others as included ones."""
    data = {path: text, **others}
    contents = {
        name: each.encode() if isinstance(each, str) else each for name, each in data.items()
    }
    found = recognise(path, contents[path])
    assert found is not None, f"{path} is not recognised"
    files = (BundleFile("main", path), *(BundleFile("include", name) for name in others))
    missing = tuple(reference for reference in found.references if reference.name not in others)
    return read(Bundle(path, "sibus", found.server or server, files, missing), contents, Options())


def facts(path: str, text: str | bytes, kind: type[Fact], server: str = "") -> list[Any]:
    """The facts of a kind that a file gives."""
    return [fact for fact in reading(path, text, server).facts if isinstance(fact, kind)]


def document(*elements: str) -> str:
    """A document of a cell's configuration."""
    body = "\n  ".join(elements)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI xmi:version="2.0" {NAMESPACES}>\n '
        f" {body}\n</xmi:XMI>\n"
    )


def placeless(value: Any) -> Any:
    """A fact, and all in it, without places, and without what only some of the forms say of the
    bus itself.
    """
    if isinstance(value, Source):
        return Source("")
    if isinstance(value, tuple):
        return tuple(map(placeless, value))
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    if isinstance(value, SibusBus):
        value = replace(value, complete=(), uuid="", cell="")
    changed = {
        field.name: placeless(getattr(value, field.name)) for field in dataclasses.fields(value)
    }
    if isinstance(value, Fact):
        changed["bundle"] = ""
    return replace(value, **changed)


@dataclass(frozen=True)
class Stated:
    """A destination as all forms can state it."""

    type: str
    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    path: tuple[tuple[str, str], ...] = ()
    reply: tuple[str, str] | None = None
    exception: str | None = None
    target: tuple[str, str] = ("", "")
    cluster: str = ""
    mediation: str = ""


def as_xml(stated: list[Stated]) -> str:
    """``sib-destinations.xml``."""
    return document(*map(_element, stated))


def _element(each: Stated) -> str:
    attributes = [("identifier", each.name), *each.attributes]
    if each.exception is not None:
        attributes.append(("exceptionDestination", each.exception))
    if each.type == "Alias":
        attributes += [("targetBus", each.target[0]), ("targetIdentifier", each.target[1])]
    children = [
        _child("defaultForwardRoutingPath", bus=bus, destination=name) for bus, name in each.path
    ]
    if each.reply:
        children.append(_child("replyDestination", bus=each.reply[0], destination=each.reply[1]))
    if each.cluster:
        children.append(_child("localizationPointRefs", cluster=each.cluster))
    if each.mediation:
        children.append(_child("destinationMediationRef", mediationName=each.mediation))
    start = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes)
    element = f"sibresources:{ELEMENTS[each.type]}"
    return f"<{element} xmi:id='x' {start}>{''.join(children)}</{element}>"


def _child(name: str, **attributes: str) -> str:
    return (
        f"<{name} "
        f"{' '.join(f'{key}={quoteattr(value)}' for key, value in attributes.items() if value)}/"
        ">"
    )


Words = list["str | list[list[str]]"]


def _options(bus: str, each: Stated) -> Words:
    words: Words = ["-bus", bus, "-name", each.name, "-type", each.type.upper()]
    for name, value in each.attributes:
        words += [f"-{name}", value]
    if each.path:
        words += ["-defaultForwardRoutingPath", [list(element) for element in each.path]]
    if each.reply:
        words += [
            "-replyDestination",
            each.reply[1],
            *(["-replyDestinationBus", each.reply[0]] if each.reply[0] else []),
        ]
    if each.exception is not None:
        words += ["-exceptionDestination", each.exception]
    if each.type == "Alias":
        words += [
            *(["-targetBus", each.target[0]] if each.target[0] else []),
            "-targetName",
            each.target[1],
        ]
    if each.cluster:
        words += ["-cluster", each.cluster]
    return words


def _commands(bus: str, stated: list[Stated]) -> Iterator[tuple[str, Words]]:
    for each in stated:
        yield "createSIBDestination", _options(bus, each)
        if each.mediation:
            yield (
                "mediateSIBDestination",
                ["-bus", bus, "-destinationName", each.name, "-mediationName", each.mediation],
            )


def as_jython_lists(bus: str, stated: list[Stated]) -> str:
    """A Jython script whose arguments are lists."""
    return "".join(f"AdminTask.{name}({words!r})\n" for name, words in _commands(bus, stated))


def as_jython_text(bus: str, stated: list[Stated]) -> str:
    """A Jython script whose arguments are texts in brackets."""
    return "".join(
        f"AdminTask.{name}('[{_bracketed(words, '[]')}]')\n"
        for name, words in _commands(bus, stated)
    )


def as_jacl(bus: str, stated: list[Stated]) -> str:
    """A Jacl script."""
    return "".join(
        f"$AdminTask {name} {{{_bracketed(words, '{}')}}}\n"
        for name, words in _commands(bus, stated)
    )


def _bracketed(words: Words, pair: str) -> str:
    found = []
    for word in words:
        if isinstance(word, list):
            rows = " ".join(f"{pair[0]}{' '.join(map(_quoted, row))}{pair[1]}" for row in word)
            found.append(f"{pair[0]}{rows}{pair[1]}")
        else:
            found.append(word if word.startswith("-") and word[1:2].isalpha() else _quoted(word))
    return " ".join(found)


def _quoted(word: str) -> str:
    return f'"{word}"'


def as_liberty(stated: list[Stated]) -> str:
    """``server.xml`` of Liberty: what it can say of the same."""
    tags = {"Queue": "queue", "TopicSpace": "topicSpace", "Alias": "alias"}
    elements = []
    for each in stated:
        attributes = [("id", each.name)]
        if each.exception is not None:
            attributes.append(("exceptionDestination", each.exception))
        if each.type == "Alias":
            attributes.append(("targetDestination", each.target[1]))
        elements.append(
            f"<{tags[each.type]} "
            f"{' '.join(f'{name}={quoteattr(value)}' for name, value in attributes)}/>"
        )
    engine = f"<messagingEngine>{''.join(elements)}</messagingEngine>"
    return (
        "<server><featureManager><feature>messagingServer-3.0</feature></"
        f"featureManager>{engine}</server>"
    )


def destinations(found: Reading) -> list[SibusDestination]:
    """The destinations of a reading, in the order of their names."""
    kept = [fact for fact in found.facts if isinstance(fact, SibusDestination)]
    return sorted(kept, key=lambda destination: destination.name)
