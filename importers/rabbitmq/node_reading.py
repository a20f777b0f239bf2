"""What the files of a node say (RQ-29, RQ-30): settings that decide, static shovels, and what is
not understood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from topograph.credentials import without_credentials
from topograph.digits import is_digits
from topograph.facts import Fact
from topograph.facts.rabbitmq import RabbitSetting
from topograph.files import FileReport
from topograph.findings import Finding, Source
from topograph.importers import lexical
from topograph.importers.positions.places import Places, Placing
from topograph.importers.rabbitmq.erlang_terms import NotTerms, Term, terms
from topograph.importers.rabbitmq.node_files import ADVANCED, CONF, ENV, SYSTEM, entries_of
from topograph.importers.rabbitmq.settings_known import (
    KEPT,
    LARGEST_MESSAGE,
    LOADED,
    OF_NEW_VHOSTS,
    is_known,
)
from topograph.importers.rabbitmq.settings_text import is_placeholder, settings
from topograph.importers.rabbitmq.static_shovels import static_shovels
from topograph.importers.reading import Bundle, BundleFile, Reading, not_text, not_utf8
from topograph.rules import FindingKind
from topograph.rules import rabbitmq_findings as rules

STATIC_SHOVELS = "static shovels"
"""The list of which something is left out where a static shovel is not understood."""

DOUBTFUL = "?"
"""What a part ends in that is read with each cluster whose it may be."""

_VALUES: Mapping[str, Mapping[str, str]] = {
    "default_queue_type": {
        "classic": "classic", "rabbit_classic_queue": "classic",
        "quorum": "quorum", "rabbit_quorum_queue": "quorum",
        "stream": "stream", "rabbit_stream_queue": "stream",
    },
    "shovel.topology.predeclared": {"true": "true", "false": "false"},
}  # fmt: skip
"""The values of settings that decide, each with what it means."""

_ROLES = {role.part: role for role in (CONF, ADVANCED, ENV)}


def read_node_file(file: BundleFile, data: bytes, bundle: Bundle) -> tuple[Reading, int]:
    """What one file says, and how many static shovels of the cluster are not known. Never raises;
    linear."""
    decoded = lexical.decode(data)
    if decoded is None:
        return not_text(file.path, SYSTEM, bundle.server), 0
    reading = _NodeFile(file, decoded.text.removeprefix("\ufeff"), bundle)
    if decoded.line:
        reading.findings.append(not_utf8(file.path, decoded, bundle.server))
    reading.read()
    return (
        Reading(tuple(reading.facts), tuple(reading.findings), (reading.report(),)),
        reading.shovels_not_known,
    )


class _NodeFile:
    """One file of a node of a cluster."""

    def __init__(self, file: BundleFile, text: str, bundle: Bundle) -> None:
        self.path, self.text, self.bundle = file.path, text, bundle
        self.part, self.doubtful = file.part.rstrip(DOUBTFUL), file.part.endswith(DOUBTFUL)
        self.facts: list[Fact] = []
        self.findings: list[Finding] = []
        self.ignored = self.left_out = self.shovels_not_known = 0
        self.told: set[str] = set()

    def read(self) -> None:
        """Go through the file."""
        if self.part == CONF.part:
            self._settings()
        elif self.part == ADVANCED.part:
            self._terms()
        else:
            self.ignored = sum(not lexical.is_blank(row) for row in self.text.splitlines())
        if self.doubtful:
            self.shovels_not_known += len([one for one in self.facts if one.kind != "setting"])
            self.facts.clear()
            self.findings.clear()

    def _settings(self) -> None:
        for one in settings(self.text):
            source = Source(self.path, one.line, one.column)
            if not one.key:
                self._not_understood("This line is not of the form KEY = VALUE", source)
            elif not is_known(one.key):
                key = lexical.excerpt(one.key)
                self._not_understood(f"There is no setting {key}", source)
            else:
                self._setting(one.key, one.value, source)

    def _setting(self, key: str, value: str, source: Source) -> None:
        """A setting that is known: what decides is kept, what has limits is said."""
        first = key.partition(".")[0]
        if key in KEPT:
            if value not in _VALUES[key]:
                self._not_understood(f"The value of {key} is not one of brokers", source)
                return
            value = _VALUES[key][value]
            self.facts.append(
                RabbitSetting(
                    bundle=self.bundle.id,
                    server=self.bundle.server,
                    source=source,
                    name=key,
                    value=value,
                )
            )
            return
        self.ignored += 1
        if key in LOADED:
            self._loads(key, value, source)
        elif first in OF_NEW_VHOSTS and first not in self.told:
            self.told.add(first)
            text = f"{first} holds for virtual hosts that are made later."
            self._say(rules.OF_NEW_VHOSTS, text, source)
        elif key == LARGEST_MESSAGE and is_digits(value):
            text = f"Messages of more than {value} bytes are refused."
            self._say(rules.LARGEST_MESSAGE, text, source)

    def _loads(self, key: str, value: str, source: Source) -> None:
        """The definitions that a node loads: a finding if they are not among the files."""
        name = PurePosixPath(value.replace("\\", "/")).name
        mains = {PurePosixPath(one.path).name for one in self.bundle.files if one.part == "main"}
        if not name or name in mains or is_placeholder(value) or "." not in name:
            return
        shown = without_credentials(lexical.excerpt(value))
        text = (
            f"{key} names {shown}, and no file of that name is loaded of {self.bundle.server}: "
            f"{', '.join(sorted(mains))} is taken for it."
        )
        self._say(rules.DEFINITIONS_NOT_LOADED, text, source)

    def _terms(self) -> None:
        places = Places(self.text, Placing(self.path))
        try:
            for term in terms(self.text):
                for application, key, value in entries_of(term):
                    self._entry(application, key, value, places)
        except NotTerms as error:
            self.left_out += 1
            text = f"The file is not Erlang terms from here on ({error}): the rest is not read."
            if "shovels" in self.text:
                self.shovels_not_known += 1
                self.findings.append(
                    rules.RQ_30.at(
                        places.source(error.offset),
                        text,
                        kind=rules.SHOVEL_NOT_UNDERSTOOD,
                        server=self.bundle.server,
                    )
                )
            else:
                self._say(rules.SETTING_NOT_UNDERSTOOD, text, places.source(error.offset))

    def _entry(self, application: str, key: str, value: Term, places: Places) -> None:
        """One entry of an application."""
        if (application, key) == ("rabbitmq_shovel", "shovels"):
            self._shovels(value, places)
            return
        if (application, key) == ("rabbitmq_shovel", "topology") and value.kind == "list":
            for inner in value.parts:
                if [str(one.value) for one in inner.parts] == ["predeclared", "true"]:
                    source = places.source(inner.offset)
                    self._setting("shovel.topology.predeclared", "true", source)
            return
        own = {
            "load_definitions": "load_definitions",
            "default_queue_type": "default_queue_type",
            "max_message_size": LARGEST_MESSAGE,
            "default_policies": "default_policies",
            "default_limits": "default_limits",
            "default_permissions": "default_permissions",
        }.get(key)
        plain = value.kind in ("text", "binary", "atom", "number")
        if own is None or application not in ("rabbit", "rabbitmq_management"):
            self.ignored += 1
        else:
            self._setting(own, str(value.value) if plain else "", places.source(value.offset))

    def _shovels(self, term: Term, places: Places) -> None:
        common: dict[str, Any] = {"bundle": self.bundle.id, "server": self.bundle.server}
        for one in static_shovels(term, common, places.source):
            if one.shovel is not None:
                self.facts.append(one.shovel)
                continue
            self.left_out += 1
            self.shovels_not_known += 1
            text = f"A static shovel is left out: {one.why}."
            source = places.source(one.offset)
            self.findings.append(
                rules.RQ_30.at(
                    source, text, kind=rules.SHOVEL_NOT_UNDERSTOOD, server=self.bundle.server
                )
            )

    def _not_understood(self, text: str, source: Source) -> None:
        self.left_out += 1
        self._say(rules.SETTING_NOT_UNDERSTOOD, f"{text}.", source)

    def _say(self, kind: FindingKind, text: str, source: Source) -> None:
        self.findings.append(rules.RQ_29.at(source, text, kind=kind, server=self.bundle.server))

    def report(self) -> FileReport:
        """The row of ``show files``."""
        return FileReport(
            self.path,
            "partly-read" if self.left_out or self.doubtful else "read",
            str(_ROLES[self.part]),
            SYSTEM,
            self.bundle.server,
            len(self.facts),
            self.ignored,
            self.left_out,
        )


def node_files(bundle: Bundle) -> Sequence[BundleFile]:
    """The files of a bundle that are of a node."""
    return [one for one in bundle.files if one.part.rstrip(DOUBTFUL) in _ROLES]
