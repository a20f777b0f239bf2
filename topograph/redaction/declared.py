"""What every field of every record holds: the importers' declarations, and those of the vocabulary itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from topograph import extensions
from topograph.errors import UsageError
from topograph.facts import Fact
from topograph.files import FileReport
from topograph.findings import Finding
from topograph.importers.holds import Fields, Holds
from topograph.side_inputs import Client, HostEntry, PathEntry, SideInputs


def _public(*names: str) -> Fields:
    return dict.fromkeys(names, Holds.PUBLIC)


RECORDS: Mapping[type, Fields] = {
    Finding: _public("kind", "severity", "rule")
    | {"message": Holds.MESSAGE, "source": Holds.PLACE, "excerpt": Holds.DROPPED, "server": Holds.SERVER},
    FileReport: _public("status", "role", "system", "read", "ignored", "unsupported")
    | {"path": Holds.PATH, "server": Holds.SERVER, "note": Holds.MESSAGE},
    SideInputs: {
        "hosts": Holds.NESTED,
        "paths": Holds.NESTED,
        "clients": Holds.NESTED,
        "versions": Holds.PUBLIC,
        "files": Holds.PATH,
    },
    HostEntry: {"host": Holds.HOSTS, "server": Holds.SERVER, "source": Holds.PLACE},
    PathEntry: {"prefix": Holds.OPAQUE, "folder": Holds.PATH, "source": Holds.PLACE},
    Client: _public("destination", "role", "durable", "selector")
    | {"server": Holds.SERVER, "client_id": Holds.CLIENT, "user": Holds.USER, "source": Holds.PLACE},
}
"""The records that are no facts."""


@cache
def fields_of(kind: type) -> Fields:
    """What the fields of a record hold. Raises UsageError for a kind of fact that its importer does not declare."""
    if kind in RECORDS:
        return RECORDS[kind]
    from topograph.importers.amq_interconnect import holds as amq_interconnect
    from topograph.importers.ems import holds as ems

    for declared in (ems.FIELDS, amq_interconnect.FIELDS):
        if kind in declared:
            return declared[kind]
    foreign = _foreign(str(getattr(kind, "system", "")))
    if foreign is None or kind not in foreign:
        raise UsageError(_undeclared(str(getattr(kind, "system", "")), kind.__name__))
    return foreign[kind]


def setting(fact: Any, key: str) -> Holds | None:
    """What the value of a setting of a fact holds, as its importer declares it; None where it does not."""
    from topograph.importers.amq_interconnect import holds as amq_interconnect
    from topograph.importers.ems import holds as ems

    system = fact.system if isinstance(fact, Fact) else ""
    declared = {"ems": ems.setting, "amq_interconnect": amq_interconnect.setting}.get(system)
    return declared(fact, key) if declared is not None else None


@cache
def well_known_users() -> frozenset[str]:
    """Names of users that say nothing, of all systems."""
    from topograph.importers.amq_interconnect import holds as amq_interconnect
    from topograph.importers.ems import holds as ems

    return ems.WELL_KNOWN_USERS | amq_interconnect.WELL_KNOWN_USERS


@cache
def messages_words() -> frozenset[str]:
    """Words of servers' own messages that importers keep."""
    from topograph.importers.amq_interconnect import holds as amq_interconnect

    return amq_interconnect.WORDS


def check_declared(systems: Iterable[str]) -> None:
    """Raises UsageError for a system from outside whose facts are not declared: nothing of it could be redacted."""
    for system in sorted(set(systems).difference(extensions.OWN)):
        if _foreign(system) is None:
            raise UsageError(_undeclared(system, "its facts"))


def _foreign(system: str) -> Mapping[type, Fields] | None:
    if not system or system in extensions.OWN:
        return None
    declared: Mapping[type, Fields] | None = getattr(extensions.module(system, "facts"), "HOLDS", None)
    return declared


def _undeclared(system: str, what: str) -> str:
    return (
        f"--redact cannot be used: the package that answers for {system or 'this system'} does not say what the fields of {what} hold "
        "(HOLDS in its module facts; see docs/redaction.md)."
    )
