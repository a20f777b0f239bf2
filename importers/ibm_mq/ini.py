"""qm.ini and mqs.ini: stanzas of names and values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from topograph.facts.ibm_mq import Attribute, Stanza
from topograph.findings import Severity
from topograph.importers import lexical
from topograph.importers.ibm_mq.reader import ReadManagers
from topograph.importers.ibm_mq.secrets import excerpt, kept
from topograph.importers.positions.places import Placing
from topograph.rules.ibm_mq_findings import LINE_NOT_READ

_INI = re.compile(
    r"^(?:QueueManager|Log|LogDefaults|Service|ServiceComponent|TCP|CHANNELS|Channels|"
    r"AllQueueManagers|DefaultQueueManager|ExitPath|TuningParameters|SSL"
    r"|ExitPropertiesLocal|Security|AutoConfig|AutoCluster|NativeHALocalInstance|"
    r"ApiExitLocal|Filesystem|RestrictedMode|Broker|Diagnostic\w*+):[ \t]*+\r?\n"
    r"\s*+(?:[#;*][^\n]*+\n\s*+)*+\w++[ \t]*+=",
    re.MULTILINE,
)
_LOG = re.compile(r"^[ \t]*+LogPath[ \t]*+=[ \t]*+(\S++)", re.MULTILINE)
_MANAGERS = re.compile(r"^QueueManager:[ \t]*+\r?\n\s*+Name[ \t]*+=[ \t]*+(\S++)", re.MULTILINE)


@dataclass(slots=True)
class _Open:
    name: str
    line: int
    values: list[tuple[str, str, int]] = field(default_factory=list)


def is_ini(text: str) -> bool:
    """Whether a text is a qm.ini or mqs.ini. Linear in its first 64 KB."""
    return _INI.search(text[:65_536]) is not None


def queue_managers(text: str) -> list[str]:
    """The queue managers that it names: those of an mqs.ini, or that of the folder of logs in a
    qm.ini.
    """
    names = [match[1] for match in _MANAGERS.finditer(text)]
    if not names and (log := _LOG.search(text)):
        parts = [part for part in log[1].replace("\\", "/").split("/") if part]
        names = [part for part in parts[-2:] if part.lower() not in ("active", "log", "logs")][-1:]
    return list(dict.fromkeys(names))


def read_ini(estate: ReadManagers, text: str, placing: Placing, named: str = "") -> None:
    """Keep every stanza. ``named`` is the queue manager where something around the text says it.
    Linear; never raises.
    """
    names = [named] if named else queue_managers(text)
    estate.start(names[0] if names else "", "ini")
    stanza: _Open | None = None
    for line in lexical.lines(text):
        shown = line.text.strip()
        if not shown or shown[0] in "#;*":
            continue
        name, mark, value = shown.partition("=")
        if shown.endswith(":") and not mark:
            _keep(estate, stanza, placing)
            stanza = _Open(shown[:-1].strip(), line.number)
        elif mark and stanza is not None:
            stanza.values.append((name.strip(), value.strip(), line.number))
        else:
            model = estate.current
            model.ignored += 1
            message = "This line is not part of a stanza: not read."
            model.note(
                LINE_NOT_READ,
                Severity.WARNING,
                message,
                placing.at(line.number, 1),
                excerpt(shown),
            )
    _keep(estate, stanza, placing)


def stanzas(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The stanzas with their values by name, in order. Linear."""
    name, values = "", dict[str, str]()
    for line in lexical.lines(text):
        shown = line.text.strip()
        if not shown or shown[0] in "#;*":
            continue
        key, mark, value = shown.partition("=")
        if shown.endswith(":") and not mark:
            if name:
                yield name, values
            name, values = shown[:-1].strip(), {}
        elif mark:
            values[key.strip()] = value.strip()
    if name:
        yield name, values


def _keep(estate: ReadManagers, stanza: _Open | None, placing: Placing) -> None:
    if stanza is None:
        return
    if stanza.name == "QueueManager":
        name = next((value for key, value, _ in stanza.values if key == "Name"), "")
        if name:
            estate.start(name, "ini")
    model = estate.current
    attributes = tuple(
        Attribute(name, kept(name.upper(), value, known=name in _KNOWN), placing.line(line))
        for name, value, line in stanza.values
    )
    source = placing.at(stanza.line, 1)
    model.observed.append(
        Stanza(bundle="", server="", source=source, name=stanza.name, attributes=attributes)
    )
    model.done += 1


_KNOWN = frozenset(
    {
        "Name", "Prefix", "Directory", "InstallationName", "DataPath", "LogPath", "LogType", "Port",
        "IPAddr", "KeepAlive", "MaxChannels", "MaxActiveChannels",
        "Library1", "ExitsDefaultPath", "ExitsDefaultPath64", "DefaultPrefix", "MQSCConfig",
        "INIConfig", "Type", "ClusterName", "Repository1Name",
        "Repository1Conname", "Repository2Name", "Repository2Conname", "Module", "Service", "Group",
        "Role",
    }
)  # fmt: skip
"""Entries whose values may be kept as they are."""
