"""Running the rules of systems over somebody's files: what fails is an ``InternalError``, and
everything else goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from topograph.errors import TopographError
from topograph.findings import Finding
from topograph.forwarding.graph import GraphTables
from topograph.process.internal_errors import InternalError
from topograph.systems.contract.system import Check, Compiled
from topograph.systems.registry import title

T = TypeVar("T")


class Guarded:
    """Keeps the faults that were met, in their order. Errors that are meant for the user pass."""

    def __init__(self) -> None:
        self.errors: list[InternalError] = []

    def made(self, systems: Sequence[str], make: Callable[[], T]) -> T | None:
        """What ``make`` gives for some systems; None if it fails, and nothing is known of them
        then.
        """
        try:
            return make()
        except TopographError:
            raise
        except (
            Exception
        ) as error:  # becomes a finding: one system must not end the import of all others
            named = titles(systems)
            lost = f"Nothing of {named} is answered in this network."
            self.errors.append(InternalError.of(error, f"the rules of {named}", lost))
            return None

    def made_together(
        self, systems: Sequence[str], make: Callable[[Sequence[str]], Compiled]
    ) -> list[Compiled]:
        """The same for systems that share one graph. If it fails, those are left out that fail
        by themselves.
        """
        whole = Guarded()
        found = whole.made(systems, partial(make, systems))
        if found is not None:
            return [found]
        sound = [name for name in systems if self.made([name], partial(make, [name])) is not None]
        if len(sound) == len(systems):
            self.errors += whole.errors
        elif sound:
            found = self.made(sound, partial(make, sound))
        lost = [name for name in systems if found is None or name not in sound]
        return [
            *(Compiled(nothing_of(name)) for name in lost),
            *([found] if found is not None else []),
        ]

    def found(self, systems: Sequence[str], checks: Iterable[Check]) -> Iterator[Finding]:
        """The findings of checks of some systems, as far as they come."""
        for check in checks:
            try:
                yield from check()
            except TopographError:
                raise
            except Exception as error:  # see made
                what = f"the checks of {titles(systems)}"
                self.errors.append(InternalError.of(error, what, "Findings may be missing."))

    def told(self) -> Iterator[Finding]:
        """The faults as findings."""
        return (error.finding for error in self.errors)


def nothing_of(system: str) -> GraphTables:
    """The graph of a system whose rules failed: no servers. What holds it says so in every
    answer (``topograph.opening.models``).
    """
    return GraphTables(system, (), (), (), ())


def systems_of(tables: GraphTables) -> list[str]:
    """The systems of the servers of some tables, by name."""
    return sorted({server.system for server in tables.servers})


def titles(systems: Sequence[str]) -> str:
    """What people call some systems."""
    return " and ".join(map(title, systems))
