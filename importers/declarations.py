"""What every field of every record holds: the importers' declarations, and those of the
vocabulary itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from topograph import extensions
from topograph.errors import UsageError
from topograph.files import FileReport
from topograph.findings import Finding
from topograph.importers.holds import Declarations, Fields, Holds, public
from topograph.side_inputs import (
    Choice,
    Client,
    Contradiction,
    HostEntry,
    LeftOut,
    MachineEntry,
    MediationEntry,
    NewServer,
    NewSetting,
    OverrideEntry,
    OwnerEntry,
    PathEntry,
    PatternEntry,
    ServerEntry,
    SideInputs,
    SuspendedEntry,
    WaiverEntry,
)

_PATHS = ("forward_path", "forward_path_before", "reverse_path", "reverse_path_before")

RECORDS: Mapping[type, Fields] = {
    Finding: public("kind", "severity", "rule")
    | {
        "message": Holds.MESSAGE,
        "source": Holds.PLACE,
        "excerpt": Holds.DROPPED,
        "server": Holds.SERVER,
    },
    FileReport: public("status", "role", "system", "read", "ignored", "unsupported")
    | {"path": Holds.PATH, "server": Holds.SERVER, "note": Holds.MESSAGE},
    SideInputs: {
        "hosts": Holds.NESTED,
        "paths": Holds.NESTED,
        "clients": Holds.NESTED,
        "versions": Holds.PUBLIC,
        "version_sources": Holds.PLACE,
        "files": Holds.PATH,
        "servers": Holds.NESTED,
        "mediations": Holds.NESTED,
        "machines": Holds.NESTED,
        "suspended": Holds.NESTED,
        "new": Holds.NESTED,
        "overrides": Holds.NESTED,
        "left_out": Holds.NESTED,
        "waivers": Holds.NESTED,
        "owners": Holds.NESTED,
        "contradictions": Holds.NESTED,
        "choices": Holds.NESTED,
        "include": Holds.NESTED,
        "exclude": Holds.NESTED,
    },
    Contradiction: {
        "server": Holds.SERVER,
        "folders": Holds.PATH,
        "sources": Holds.PLACE,
        "alike": Holds.PUBLIC,
    },
    WaiverEntry: {
        "rule": Holds.PUBLIC,
        "reason": Holds.MESSAGE,
        "server": Holds.SERVER,
        "file": Holds.PATH,
        "until": Holds.PUBLIC,
        "source": Holds.PLACE,
    },
    OwnerEntry: {
        "owner": Holds.USER,
        "contact": Holds.DROPPED,
        "server": Holds.SERVER,
        "destination": Holds.PUBLIC,
        "file": Holds.PATH,
        "source": Holds.PLACE,
    },
    LeftOut: {"section": Holds.PUBLIC, "source": Holds.PLACE},
    ServerEntry: {"server": Holds.SERVER, "files": Holds.PATH, "source": Holds.PLACE},
    MachineEntry: {"machine": Holds.HOSTS, "servers": Holds.SERVER, "source": Holds.PLACE},
    SuspendedEntry: {"server": Holds.SERVER, "route": Holds.SERVER, "source": Holds.PLACE},
    NewServer: {"server": Holds.SERVER, "settings": Holds.NESTED, "source": Holds.PLACE},
    NewSetting: public("name") | {"values": Holds.URLS, "source": Holds.PLACE},
    OverrideEntry: public("system", "position", "choice") | {"source": Holds.PLACE},
    HostEntry: {"host": Holds.HOSTS, "server": Holds.SERVER, "source": Holds.PLACE},
    Choice: {
        "kind": Holds.PUBLIC,
        "server": Holds.SERVER,
        "source": Holds.PLACE,
        "file": Holds.PATH,
    },
    PatternEntry: {"text": Holds.OPAQUE, "source": Holds.PLACE},
    PathEntry: {"prefix": Holds.OPAQUE, "folder": Holds.PATH, "source": Holds.PLACE},
    MediationEntry: public("destination", "mediation", "result", *_PATHS)
    | {"bus": Holds.SERVER, "source": Holds.PLACE},
    Client: public("destination", "role", "durable", "selector")
    | {
        "server": Holds.SERVER,
        "client_id": Holds.CLIENT,
        "user": Holds.USER,
        "source": Holds.PLACE,
    },
}
"""The records that are no facts."""


@cache
def fields_of(kind: type) -> Fields:
    """What the fields of a record hold. Raises UsageError for a kind of fact that its importer
    does not declare.
    """
    if kind in RECORDS:
        return RECORDS[kind]
    system = str(getattr(kind, "system", ""))
    if system and system not in extensions.OWN:
        fields = (_foreign(system) or {}).get(kind)
    else:  # a record within a fact does not say its system
        own = (_declared(one) for one in dict.fromkeys((*filter(None, (system,)), *extensions.OWN)))
        fields = next((declared.FIELDS[kind] for declared in own if kind in declared.FIELDS), None)
    if fields is None:
        raise UsageError(_undeclared(system, kind.__name__))
    return fields


def setting(fact: Any, key: str) -> Holds | None:
    """What the value of a setting of a fact, or of a record inside one that says its ``system``,
    holds, as its importer declares it; None where it does not."""
    system = getattr(fact, "system", "")
    return _declared(system).setting(fact, key) if system in extensions.OWN else None


@cache
def well_known_users() -> frozenset[str]:
    """Names of users that say nothing, of all systems."""
    return frozenset().union(*(declared.WELL_KNOWN_USERS for declared in _own()))


@cache
def messages_words() -> frozenset[str]:
    """Words of servers' own messages that importers keep."""
    return frozenset().union(*(declared.WORDS for declared in _own()))


def check_declared(systems: Iterable[str]) -> None:
    """Raises UsageError for a system from outside whose facts are not declared: nothing of it
    could be redacted.
    """
    for system in sorted(set(systems).difference(extensions.OWN)):
        if _foreign(system) is None:
            raise UsageError(_undeclared(system, "its facts"))


def _own() -> list[Declarations]:
    return [_declared(system) for system in extensions.OWN]


def _declared(system: str) -> Declarations:
    """What the importer of one of topograph's own systems declares."""
    found: Declarations = extensions.module(system, "holds")
    return found


def _foreign(system: str) -> Mapping[type, Fields] | None:
    """What a package from outside declares, beside its facts."""
    if not system or system in extensions.OWN:
        return None
    declared: Mapping[type, Fields] | None = getattr(
        extensions.module(system, "facts"), "HOLDS", None
    )
    return declared


def _undeclared(system: str, what: str) -> str:
    return (
        "--redact cannot be used: the package that answers for "
        f"{system or 'this system'} does not say what the fields of {what} hold "
        "(HOLDS in its module facts; see docs/redaction.md)."
    )
