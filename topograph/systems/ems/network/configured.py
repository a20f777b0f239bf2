"""The configurations of one server: its facts, and those of the other member of a pair (R7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar, cast

from topograph.facts import Fact
from topograph.facts.ems import EmsRoute, EmsServer, EmsUser
from topograph.records import record

F = TypeVar("F", bound=Fact)


@record(slots=False)
class EmsMember:
    """One configuration of a server: its main file and all facts of its bundle."""

    server: EmsServer
    facts: tuple[Fact, ...]

    def of(self, cls: type[F]) -> Sequence[F]:
        """The facts of one class, in file order."""
        return cast("Sequence[F]", self._by_class.get(cls, ()))

    @cached_property
    def _by_class(self) -> Mapping[type[Fact], Sequence[Fact]]:
        """The facts of each class: many rules ask for one of each server."""
        found: dict[type[Fact], list[Fact]] = {}
        for fact in self.facts:
            found.setdefault(type(fact), []).append(fact)
        return found


@record(slots=False)
class Configured:
    """One server of the estate: the configuration in use, and the second member of a fault-tolerant
    pair, if any.

    ``conflict`` says why the configuration cannot be relied on (a name used twice); empty
    otherwise. ``rivals`` are then the others of that name. ``differs`` are the kinds of facts in
    which the members of the pair differ."""

    name: str
    member: EmsMember
    standby: EmsMember | None = None
    conflict: str = ""
    rivals: tuple[EmsMember, ...] = ()
    differs: tuple[str, ...] = ()

    @property
    def members(self) -> Sequence[EmsMember]:
        """The configuration in use, and the second member of a fault-tolerant pair, if any."""
        return (self.member,) if self.standby is None else (self.member, self.standby)

    @property
    def routes_differ(self) -> bool:
        """Whether only one member of the pair has a route to some server."""
        return self.standby is not None and _routes_of(self.member) != _routes_of(self.standby)

    @property
    def routing_open(self) -> str:
        """Why it is not known whether routing is enabled: of several configurations of one name
        some enable it (TL-15); else empty."""
        mains = [self.member.server, *(rival.server for rival in self.rivals)]
        told = {main.routing is not False: main for main in reversed(mains)}
        if len(told) < 2:
            return ""
        return (
            f"routing is enabled at {self.name} by {told[True].source.file} and disabled by "
            f"{told[False].source.file}: which of them runs is not known"
        )

    def alone(self, route: EmsRoute) -> bool:
        """Whether a route in use is not configured in the other member of the pair."""
        return self.standby is not None and route.name not in _routes_of(self.standby)

    def of(self, cls: type[F]) -> Sequence[F]:
        """The facts of one class, in file order."""
        return self.member.of(cls)

    @cached_property
    def users(self) -> frozenset[str]:
        """The names of the users of users.conf: every route to the server asks for one."""
        return frozenset(fact.name for fact in self.of(EmsUser))


def _routes_of(member: EmsMember) -> frozenset[str]:
    """The servers that a member of a pair has routes to."""
    return frozenset(fact.name for fact in member.of(EmsRoute))
