"""One file of definitions to facts and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from topograph.facts import Fact
from topograph.facts.rabbitmq import RabbitBroker, RabbitEntry, RabbitVhost
from topograph.files import FileReport
from topograph.findings import Finding, Source
from topograph.importers import lexical
from topograph.importers.positions.places import Places, Placing
from topograph.importers.rabbitmq.entries import Common, Unclear, fact_of
from topograph.importers.rabbitmq.node_reading import STATIC_SHOVELS, node_files, read_node_file
from topograph.importers.rabbitmq.recognition import DEFINITIONS, SYSTEM, original_vhost
from topograph.importers.rabbitmq.walking import Broken, Entry, entries
from topograph.importers.reading import Bundle, Options, Reading, not_text, not_utf8, read_each
from topograph.rules import FindingKind
from topograph.rules.rabbitmq_findings import (
    FILE_CUT_OFF,
    NOT_UNDERSTOOD,
    RQ_28,
    VHOST_NOT_STATED,
)

DEFAULT_VHOST = "/"

_READ = frozenset(
    {
        "vhosts", "exchanges", "queues", "bindings", "policies", "parameters", "users",
        "permissions", "topic_permissions",
    }
)  # fmt: skip
"""The lists whose entries are looked at."""


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:  # noqa: ARG001
    """The facts of one cluster. Never raises; linear in the files."""
    of_nodes = node_files(bundle)
    own = replace(bundle, files=tuple(one for one in bundle.files if one not in of_nodes))
    found = read_each(own, contents, lambda path, data: _read(path, data, bundle))
    for file in of_nodes:
        if file.path in contents:
            more, not_known = read_node_file(file, contents[file.path], bundle)
            facts = tuple(_without_shovels(one, not_known) for one in found.facts)
            found = Reading(
                (*facts, *more.facts),
                (*found.findings, *more.findings),
                (*found.files, *more.files),
            )
    return found


def _without_shovels(fact: Fact, count: int) -> Fact:
    """The fact of a cluster of which some static shovels are not known (RQ-30)."""
    if not count or not isinstance(fact, RabbitBroker):
        return fact
    lists = tuple(sorted({*fact.left_out_of, STATIC_SHOVELS}))
    return replace(fact, left_out=fact.left_out + count, left_out_of=lists)


def _read(path: str, data: bytes, bundle: Bundle) -> Reading:
    decoded = lexical.decode(data)
    if decoded is None:
        return not_text(path, SYSTEM, bundle.server)
    reading = _FileReading(path, decoded.text.removeprefix("\ufeff"), bundle)
    if decoded.line:
        reading.findings.append(not_utf8(path, decoded, bundle.server))
    reading.read()
    return Reading(tuple(reading.facts), tuple(reading.findings), (reading.report(),))


class _FileReading:
    """What one file says: each entry is a fact, or of a list that says nothing of routes, or a
    finding."""

    def __init__(self, path: str, text: str, bundle: Bundle) -> None:
        self.path, self.text, self.bundle = path, text, bundle
        self.places = Places(text, Placing(path))
        self.facts: list[Fact] = []
        self.findings: list[Finding] = []
        self.ignored = self.left_out = 0
        self.halves = "\\ud" in text or "\\uD" in text
        self.stated = original_vhost(text)
        self.version = ""
        self.listed: set[str] = set()
        self.left_out_of: set[str] = set()
        self.unstated = 0

    def read(self) -> None:
        """Go through all entries."""
        vhost = DEFAULT_VHOST if self.stated is None else self.stated
        for one in entries(self.text):
            if isinstance(one, Broken):
                self._broken(one)
            elif not one.listed:
                self._scalar(one)
            else:
                self.listed.add(one.section)
                self._entry(one, vhost)
        single = "vhosts" not in self.listed and (self.stated is not None or self.unstated > 0)
        if single and self.stated is None:
            text = (
                "The entries do not say of which virtual host they are: they are taken to be "
                f"those of {DEFAULT_VHOST}."
            )
            self._say(VHOST_NOT_STATED, text, 0)
        listed = {one.name for one in self.facts if isinstance(one, RabbitVhost)}
        named = {one.vhost for one in self.facts if isinstance(one, RabbitEntry)}
        self.facts.append(
            RabbitBroker(
                **self._common(0),
                vhost=vhost if single else None,
                version=self.version,
                left_out=self.left_out,
                left_out_of=tuple(sorted(self.left_out_of)),
                users_listed="users" in self.listed,
                unlisted=tuple(sorted(named - listed)),
            )
        )

    def _broken(self, one: Broken) -> None:
        self.left_out += 1
        self.left_out_of.add("" if one.whole else one.section)
        if one.whole:
            text = f"The file is not JSON from here on ({one.why}): the rest is not read."
            self._say(FILE_CUT_OFF, text, one.offset)
        else:
            self._say(NOT_UNDERSTOOD, f"An entry is left out: {one.why}.", one.offset)

    def _scalar(self, one: Entry) -> None:
        if one.section in ("rabbitmq_version", "rabbit_version") and isinstance(one.value, str):
            self.version = one.value
        self.ignored += 1

    def _entry(self, one: Entry, vhost: str) -> None:
        if one.section not in _READ:
            self.ignored += 1
            return
        value = _whole_characters(one.value) if self.halves else one.value
        if isinstance(value, dict) and one.section != "vhosts" and "vhost" not in value:
            self.unstated += one.section != "users"
        try:
            fact = fact_of(one.section, value, Common(self._common(one.offset), vhost))
        except Unclear as error:
            self.left_out += 1
            self.left_out_of.add(one.section)
            text = f"An entry of {one.section} is left out: {error}."
            self._say(NOT_UNDERSTOOD, text, one.offset)
            return
        if fact is None:
            self.ignored += 1
        else:
            self.facts.append(fact)

    def _common(self, offset: int) -> dict[str, Any]:
        return {
            "bundle": self.bundle.id,
            "server": self.bundle.server,
            "source": self._source(offset),
        }

    def _source(self, offset: int) -> Source:
        return self.places.source(offset)

    def _say(self, kind: FindingKind, text: str, offset: int) -> None:
        place = self._source(offset)
        self.findings.append(RQ_28.at(place, text, kind=kind, server=self.bundle.server))

    def report(self) -> FileReport:
        """The row of ``show files``."""
        status = "read" if not self.left_out else "partly-read" if self.facts else "not-read"
        return FileReport(
            self.path,
            status,
            str(DEFINITIONS),
            SYSTEM,
            self.bundle.server,
            len(self.facts),
            self.ignored,
            self.left_out,
        )


def _whole_characters(value: object) -> object:
    """A value without halves of surrogate pairs, which no text file can hold. Linear."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole_characters(one) for one in value]
    if isinstance(value, dict):
        return {str(_whole_characters(name)): _whole_characters(one) for name, one in value.items()}
    return value
