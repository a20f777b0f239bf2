"""MQSC and ini texts inside YAML: ConfigMaps, QueueManager resources, values of charts, playbooks,
and inside the JSON of the REST interface.

A text keeps the lines of the file it stands in where it is a block (``|``); any other has one
place. A QueueManager resource, or a container with MQ_QMGR_NAME, names the queue manager of the
ConfigMaps that it mounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.ibm_mq.ini import is_ini
from topograph.importers.ibm_mq.naming import telling
from topograph.importers.ibm_mq.recognition import COMMAND, holds_mqsc, mentions_commands
from topograph.importers.ibm_mq.shell import is_script
from topograph.importers.positions.places import BlockLines, Placing
from topograph.importers.positions.yaml_text import (
    YamlLimits,
    documents,
    items,
    member,
    members,
    place,
    scalar,
)
from topograph.records import record
from topograph.rules.ibm_mq_findings import SECTION_C4
from topograph.rules.unnumbered import INVALID_JSON, INVALID_YAML, YAML_LIMIT

if TYPE_CHECKING:
    from yaml.nodes import Node

_LIMITS = YamlLimits(size=32 * 2**20, depth=60, aliases=200, documents=5_000)
_STEPS = 500_000
"""Nodes that are looked at in one file: aliases of aliases may never end."""
_DEEPEST = 60

_KEY = re.compile(r"^[ \t-]*+[\"']?[\w./-]++[\"']?[ \t]*+:(?:[ \t]|\r?$)", re.MULTILINE)
_BLOCK = re.compile(
    r"^[ \t-]*+[\"']?[\w./ -]++[\"']?[ \t]*+:[ \t]++[|>][-+\d]*+[ \t]*+\r?$", re.MULTILINE
)
_RESOURCE = re.compile(
    r"^[ \t\"]*+kind[\"]?+:[ \t]*+[\"']?QueueManager\b|\bmq\.ibm\.com/", re.MULTILINE
)
_REST = re.compile(r"\"(?:runCommand|runCommandJSON|commandResponse)\"")
_JSON = re.compile(r"\s*+[\[{]")
_QMGR = re.compile(r"/qmgr/([\w.%/]{1,48}?)/mqsc")
_READ_IN_FULL = 8 * 2**20


@record
class EmbeddedText:
    """One text in a file. ``form`` is ``mqsc``, ``script`` or ``ini``; ``name`` the queue
    manager, empty if nothing says it, and ``by`` what does.
    """

    text: str
    form: str
    placing: Placing
    name: str = ""
    by: str = ""


@dataclass
class Resources:
    """What a file holds."""

    embedded: list[EmbeddedText] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """Queue managers that resources in it stand for."""
    findings: list[Finding] = field(default_factory=list)
    others: int = 0
    broken: bool = False
    """It is no YAML: to be read by its lines."""


def is_yaml(text: str) -> bool:
    """Whether a text is YAML with MQSC or ini texts in it, or a QueueManager resource. Linear."""
    whole = text[:_READ_IN_FULL]
    if not _begins_as_yaml(whole):
        return False
    if _RESOURCE.search(whole):
        return _KEY.search(whole) is not None
    if _BLOCK.search(whole) is None:
        return False
    first = _KEY.search(whole)
    command = COMMAND.search(whole)
    if command is not None:
        return (
            first is not None
            and first.start() < command.start()
            and whole[command.start()] in " \t"
        )
    return (
        mentions_commands(whole)
        and is_script(whole)
        and first is not None
        and first.start() < whole.find("runmqsc")
    )


def _begins_as_yaml(text: str) -> bool:
    """Whether the first line that is no comment could be one of YAML, or of a template of it."""
    for line in lexical.lines(text):
        shown = line.text.strip()
        if shown and (shown[0] != "#" or shown.startswith("#!")):
            return _KEY.match(line.text) is not None or shown.startswith(
                ("---", "- ", "{{", "{%", "{", "%")
            )
    return False


def is_rest(text: str) -> bool:
    """Whether a text is JSON of the administrative REST interface. Linear in its first 8 MB."""
    return _JSON.match(text) is not None and _REST.search(text[:_READ_IN_FULL]) is not None


def read_resources(text: str, file: str) -> Resources:
    """The texts of a YAML file. Never raises; linear but for aliases, which are bounded."""
    parsed = documents(text, _LIMITS)
    walker = _Walker(text, file)
    fault = parsed.fault
    if fault is not None:
        beyond = _LIMITS.beyond(fault.limit)
        walker.found.broken = not beyond and not parsed.roots
        if walker.found.broken:
            message = (
                f"This is not YAML ({fault.reason}), a template perhaps: the lines in it that "
                "are MQSC are read"
            )
            severity = Severity.WARNING
        else:
            message = (
                f"{beyond}: nothing of this file is used"
                if beyond
                else f"This is not YAML from here on: {fault.reason}"
            )
            severity = Severity.ERROR
        kind = YAML_LIMIT if beyond else INVALID_YAML
        walker.found.findings.append(
            kind.at(
                Source(file, fault.line, fault.column), message, rule=SECTION_C4, severity=severity
            )
        )
    for root in parsed.roots:
        walker.named(root)
    for root in parsed.roots:
        walker.resource(root)
    if walker.steps > _STEPS:
        message = f"This file has too much in it: only its first {_STEPS:,} values are looked at"
        walker.found.findings.append(YAML_LIMIT.at(Source(file), message, rule=SECTION_C4))
    return walker.found


class _Walker:
    def __init__(self, text: str, file: str) -> None:
        self.file, self.text = file, text
        self.lines = BlockLines(text)
        self.found = Resources()
        self.steps = 0
        self.by_map: dict[str, str] = {}
        """The queue manager that mounts a ConfigMap."""

    def step(self) -> bool:
        self.steps += 1
        return self.steps <= _STEPS

    def named(self, node: Node, depth: int = 0) -> None:
        """Note the queue managers that resources stand for, and the ConfigMaps that they mount."""
        if depth > 5 or not self.step():
            return
        for one in items(member(node, "items")):
            self.named(one, depth + 1)
        name = self.manager_of(node)
        if not name:
            return
        self.found.names.append(name)
        for mounted in self.mounted(node, 0):
            self.by_map.setdefault(mounted, name)

    def manager_of(self, node: Node) -> str:
        """The queue manager that a resource is, empty if none."""
        kind = scalar(member(node, "kind"))
        if kind == "QueueManager":
            given = scalar(member(node, "spec", "queueManager", "name"))
            return given or (scalar(member(node, "metadata", "name")) or "").replace("-", "")
        if kind == "ConfigMap":
            return ""
        given = scalar(member(node, "queueManager", "name")) or scalar(
            member(node, "queuemanager", "name")
        )
        return given or self.environment(node, 0)

    def environment(self, node: Node | None, depth: int) -> str:
        """The value of MQ_QMGR_NAME somewhere below."""
        if node is None or depth > _DEEPEST or not self.step():
            return ""
        if scalar(member(node, "name")) == "MQ_QMGR_NAME":
            return scalar(member(node, "value")) or ""
        for key, value in members(node):
            if scalar(key) == "MQ_QMGR_NAME":
                return scalar(value) or ""
            if found := self.environment(value, depth + 1):
                return found
        for value in items(node):
            text = scalar(value)
            if text is not None and text.startswith("MQ_QMGR_NAME="):
                return text.partition("=")[2]
            if found := self.environment(value, depth + 1):
                return found
        return ""

    def mounted(self, node: Node | None, depth: int) -> Iterator[str]:
        if node is None or depth > _DEEPEST or not self.step():
            return
        for key, value in members(node):
            if scalar(key) in (
                "configMap",
                "mqscConfigMaps",
                "iniConfigMaps",
                "qminiConfigMaps",
                "configMapRef",
                "configMapKeyRef",
            ):
                for one in (value, *items(value)):
                    if name := scalar(member(one, "name")):
                        yield name
            yield from self.mounted(value, depth + 1)
        for value in items(node):
            yield from self.mounted(value, depth + 1)

    def resource(self, node: Node, depth: int = 0) -> None:
        """One resource, or a list of them."""
        if depth > 5 or not self.step():
            return
        kind = scalar(member(node, "kind")) or ""
        inner = [*items(member(node, "items")), *items(member(node, "objects"))]
        if inner and (kind.endswith("List") or kind == "Template"):
            for one in inner:
                self.resource(one, depth + 1)
            return
        before = len(self.found.embedded)
        if kind == "Secret":
            pass
        elif kind == "ConfigMap":
            self.config_map(node)
        else:
            name = self.manager_of(node)
            for key, value in self.texts(node, "", 0):
                self.embed(value, name, "resource") if name else self.embed(
                    value, _file_name(key), "file"
                )
        self.found.others += len(self.found.embedded) == before and not self.manager_of(node)

    def config_map(self, node: Node) -> None:
        name = scalar(member(node, "metadata", "name")) or ""
        manager = self.by_map.get(name, "")
        only = list(dict.fromkeys(self.found.names))
        if not manager and len(only) == 1:
            manager = only[0]
        for key, value in members(member(node, "data")):
            guess = _file_name(scalar(key) or "") or telling(name)
            self.embed(value, manager or guess, "resource" if manager else "file")

    def texts(self, node: Node | None, key: str, depth: int) -> Iterator[tuple[str, Node]]:
        """The texts below a node, each with the key that it stands at."""
        if node is None or depth > _DEEPEST or not self.step():
            return
        if (text := scalar(node)) is not None:
            if "(" in text or "\n" in text:
                yield key, node
            return
        for name, value in members(node):
            yield from self.texts(value, scalar(name) or "", depth + 1)
        for value in items(node):
            yield from self.texts(value, key, depth + 1)

    def embed(self, node: Node, name: str, by: str) -> None:
        text = scalar(node)
        form = form_of(text) if text else ""
        if text and form:
            self.found.embedded.append(
                EmbeddedText(
                    text, form, self.lines.placing(self.file, node, text), name, by if name else ""
                )
            )


def _file_name(key: str) -> str:
    """The queue manager that a key names where it is the name of a file; empty if it is none."""
    return telling(key) if "." in key else ""


def form_of(text: str) -> str:
    """``script``, ``ini`` or ``mqsc`` if a text is one, else empty. Linear in its first 64 KB."""
    if is_script(text):
        return "script"
    if is_ini(text):
        return "ini"
    return "mqsc" if holds_mqsc(text) else ""


def rest_name(text: str) -> str:
    """The queue manager in the address of the request, if it stands in the text."""
    found = _QMGR.search(text[:_READ_IN_FULL])
    return found[1] if found else ""


def read_rest(text: str, file: str) -> Resources:
    """The commands and the output in requests and responses of the REST interface. Never raises."""
    parsed = documents(text, _LIMITS)
    walker = _Walker(text, file)
    name = rest_name(text)
    if parsed.fault is not None:
        fault = parsed.fault
        message = (
            f"{_LIMITS.beyond(fault.limit) or f'This is not JSON: {fault.reason}'}; what comes "
            "before it is read"
        )
        walker.found.findings.append(
            INVALID_JSON.at(Source(file, fault.line, fault.column), message, rule=SECTION_C4)
        )
    for root in parsed.roots:
        _requests(walker, root, name, 0)
    return walker.found


def _requests(walker: _Walker, node: Node | None, name: str, depth: int) -> None:
    if node is None or depth > _DEEPEST or not walker.step():
        return
    type_ = scalar(member(node, "type"))
    if type_ == "runCommand" and (command := member(node, "parameters", "command")) is not None:
        _add(walker, command, scalar(command) or "", name)
        return
    if type_ == "runCommandJSON":
        _add(walker, node, _as_mqsc(node), name)
        return
    for key, value in members(node):
        if scalar(key) == "text" and items(value):
            lines = [scalar(line) or "" for line in items(value)]
            _add(walker, value, "\n".join(lines), name)
        else:
            _requests(walker, value, name, depth + 1)
    for value in items(node):
        _requests(walker, value, name, depth + 1)


def _add(walker: _Walker, node: Node, text: str, name: str) -> None:
    placing = Placing(walker.file, whole=place(node))
    walker.found.embedded.append(
        EmbeddedText(text, "mqsc", placing, name, "resource" if name else "")
    )


def _as_mqsc(node: Node) -> str:
    """The command of a runCommandJSON as MQSC."""
    words = [scalar(member(node, "command")) or "", scalar(member(node, "qualifier")) or ""]
    if name := scalar(member(node, "name")):
        words[1] += f"({_quoted(name)})"
    for key, value in members(member(node, "parameters")):
        texts = [scalar(item) or "" for item in items(value)] or [scalar(value) or ""]
        key_text = scalar(key) or ""
        if key_text.lower() in ("replace", "noreplace", "force") and texts[0].lower() in (
            "yes",
            "true",
            key_text.lower(),
        ):
            words.append(key_text)
        else:
            folded = [text.upper() if key_text.upper() in _CHOICES else text for text in texts]
            words.append(f"{key_text}({','.join(map(_quoted, folded))})")
    return " ".join(words)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''").replace("\n", " ") + "'"


_CHOICES = frozenset(
    {
        "USAGE", "CHLTYPE", "PUT", "GET", "DEFBIND", "TRPTYPE", "TARGTYPE", "CLWLUSEQ", "DEFCLXQ",
        "TRIGTYPE", "CONTROL", "USEDLQ", "DEFPSIST",
        "NPMSPEED",
    }
)  # fmt: skip
"""Attributes whose words are small in JSON."""
