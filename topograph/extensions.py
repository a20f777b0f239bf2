"""Which package answers for which system, and its modules: topograph's own systems and those from
outside come in by the same door.

A package adds a system under the entry point group ``topograph.systems`` (name: the system; value:
the package), or, in a notebook or a test, with ``register`` (docs/extending.md). Each system has
three modules, imported on first use: ``facts`` (``FACTS``), ``importer``, and ``rules``
(``SYSTEM``).

Topograph's own systems are looked up first, so that a question about them never searches installed
packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from topograph.errors import UnknownSystem, UsageError

GROUP = "topograph.systems"
"""The entry point group in which an installed package names its system."""

OWN = ("ems", "amq_interconnect", "ibm_mq", "mqe", "sibus", "rabbitmq")
"""The systems of this package, in the order in which they are asked what a file is; no other
package may take their names.
"""

_OWN_MODULES = {
    "facts": "topograph.facts.{}",
    "importer": "topograph.importers.{}",
    "holds": "topograph.importers.{}.holds",
    "commands": "topograph.importers.{}.commands",
    "rules": "topograph.systems.{}",
    "changes": "topograph.systems.{}.changes",
    "groups": "topograph.systems.{}.groups",
    "database_rows": "topograph.systems.{}.database_rows",
    "configured": "topograph.systems.{}.configured",
}
"""Where the modules of topograph's own systems are."""

_STEPPING_ROWS = "topograph.systems.stepping.rows"
"""The ``database_rows`` of systems whose messages go step by step, unless one has its own."""

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")

_registered: dict[str, str] = {}
_installed: dict[str, str] | None = None


def register(system: str, package: str) -> None:
    """Make ``package`` answer for ``system`` in this process, before an installed package that
    names the same system.

    Imports nothing yet. Raises UsageError for a name that is not lower-case letters, digits and
    underscores, or that topograph has itself.
    """
    _registered[_checked(system)] = package


def packages() -> Mapping[str, str]:
    """Every system from outside with its package, by name. The first call searches what is
    installed (20 to 90 ms).
    """
    global _installed  # noqa: PLW0603
    if _installed is None:
        from importlib.metadata import entry_points

        _installed = {_checked(point.name): point.value for point in entry_points(group=GROUP)}
    return dict(sorted({**_installed, **_registered}.items()))


def known_from_outside() -> bool:
    """Whether this process knows a system from outside by now. Searches nothing: what is
    installed and was not looked for does not count.
    """
    return bool(_registered or _installed)


def use(known: Mapping[str, str]) -> None:
    """Know exactly these systems: what a worker does with the ``packages`` of the process that
    sent it work.
    """
    global _installed  # noqa: PLW0603
    _installed = dict(known)
    _registered.clear()


def module(system: str, part: str) -> ModuleType:
    """The module ``part`` (facts, importer, rules) of a system.

    Raises UnknownSystem where no package answers for the system, or where the module cannot be
    imported.
    """
    if system in OWN:
        return _own_module(system, part)
    package = _registered.get(system) or packages().get(system)
    if package is None:
        raise UnknownSystem(
            f"The system {system!r} is none of topograph's own, and no installed package "
            "answers for it "
            f"(entry point group {GROUP}; see docs/extending.md)."
        )
    name = f"{package}.{part}"
    try:
        return import_module(name)
    except ImportError as error:
        raise UnknownSystem(
            f"The package that answers for {system} cannot be used: {name}: {error}."
        ) from error


@cache
def _own_module(system: str, part: str) -> ModuleType:
    return import_module(_OWN_MODULES[part].format(system))


def destination_types() -> tuple[str, ...]:
    """The types of destinations that the records of systems from outside name
    (``System.destinations``), in order. Raises UnknownSystem as ``module`` does."""
    found = {type_ for name in packages() for type_ in module(name, "rules").SYSTEM.destinations}
    return tuple(sorted(found - {""}))


def optional_module(system: str, part: str) -> ModuleType | None:
    """The module ``part`` of a system, None where its package does not have that module. Raises
    UnknownSystem as ``module`` does.
    """
    if system in OWN:
        name = _OWN_MODULES[part].format(system)
    else:
        name = f"{module(system, 'rules').__name__.rpartition('.')[0]}.{part}"
    return None if find_spec(name) is None else module(system, part)


def database_rows(system: str) -> ModuleType | None:
    """What a system adds to a published network (``forwarding.descriptions.DatabaseRows``): its
    own module, else that of all systems whose messages go step by step; None for one that adds
    nothing. Raises UnknownSystem as ``module`` does."""
    found = optional_module(system, "database_rows")
    if found is None and module(system, "rules").SYSTEM.stepping is not None:
        return import_module(_STEPPING_ROWS)
    return found


def configured(system: str) -> ModuleType | None:
    """What a system's servers have beside destinations (``forwarding.configured.Configured``);
    None where its package does not say it. Raises UnknownSystem as ``module`` does."""
    return optional_module(system, "configured")


def options(systems: Iterable[str]) -> dict[str, object]:
    """What the systems from outside among ``systems`` add to the options of a snapshot, and so
    to its id: the ``__version__`` of each package, for other rules make another snapshot.
    Nothing where all systems are topograph's own."""
    found = {}
    for system in sorted(set(systems).difference(OWN)):
        package = import_module(module(system, "rules").__name__.rpartition(".")[0])
        found[system] = str(getattr(package, "__version__", ""))
    return {"systems": found} if found else {}


def _checked(system: str) -> str:
    if not _NAME.match(system):
        raise UsageError(
            f"{system!r} is not a name for a system: use a-z, digits and _, a letter first."
        )
    if system in OWN:
        raise UsageError(
            f"{system} is a system of topograph itself; another package cannot answer for it."
        )
    return system
