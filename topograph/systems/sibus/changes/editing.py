"""What one command of wsadmin does to one bus: the facts that go and come, and what is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from topograph.facts.fact import Fact
from topograph.facts.rows import encode, without_places
from topograph.facts.sibus import (
    BusMember,
    ForeignBus,
    SibusBus,
    SibusDestination,
    SibusMember,
)
from topograph.facts.wsadmin_commands import WsadminCommand
from topograph.systems.contract.changes import Editing, Refused
from topograph.systems.sibus.buses.configuration import unsure_sections
from topograph.words.did_you_mean import did_you_mean

F = TypeVar("F", bound=Fact)

COMMANDS = "A4.2"
"""The section about wsadmin, which stands for the command itself where no other rule does."""


@dataclass
class WsadminEditing(Editing[WsadminCommand]):
    """What one command does to one bus, which ``server`` names; ``doubts`` are why nobody can say
    whether the product takes it, each with its rule.
    """

    facts: Sequence[Fact] = field(kw_only=True)
    doubts: list[tuple[str, str]] = field(default_factory=list)

    def all(self, cls: type[F]) -> list[F]:
        """The facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, cls)]

    def own(self, fact: F) -> F:
        """A fact of a command as one of this bus."""
        main = min(self.all(SibusBus), key=lambda one: (one.source, one.bundle), default=None)
        return replace(
            fact, bundle=main.bundle if main else self.command.source.file, server=self.server
        )

    def swap(self, before: Fact, after: Fact) -> None:
        """Put a fact in the place of another that says something else."""
        if content(before) != content(after):
            super().swap(before, after)

    def unsure(self, section: str) -> str:
        """Why the files may not have all of a section; empty if they have it."""
        why = unsure_sections(self.facts, self.all(SibusBus)).get(section)
        return f"{why[0]} ({why[1]})" if why else ""

    def missing(
        self, what: str, section: str, near: str, known: Sequence[str], *, rule: str = COMMANDS
    ) -> None:
        """Something that a command needs is not there: it is refused, or that is not known where
        the files may not have all.
        """
        why = self.unsure(section)
        if not why:
            raise Refused(rule, f"{self.server} has no {what}.{did_you_mean(near, known)}")
        self.doubts.append(
            (rule, f"no loaded file has the {what}: {why}.{did_you_mean(near, known)}")
        )


def content(fact: Fact) -> tuple[str, ...]:
    """What a fact says, wherever it stands."""
    row = encode(fact)
    return row["kind"], row["bundle"], row["server"], row["name"], without_places(row["payload"])


def name_of(member: SibusMember) -> str:
    """A member as people write it."""
    return member.cluster or member.mq_server or f"{member.node}.{member.server}"


def check_member(editing: WsadminEditing, member: SibusMember) -> None:
    """Whether the bus has a member."""
    if member.mq_server or member in {one.member for one in editing.all(BusMember)}:
        return
    if any(member in one.members for one in editing.all(SibusDestination)):
        return
    names = [name_of(one.member) for one in editing.all(BusMember)]
    section = "foreign_buses" if names and not editing.unsure("foreign_buses") else "engines"
    editing.missing(f"member {name_of(member)}", section, name_of(member), names, rule="A1.1")


def check_foreign(editing: WsadminEditing, name: str) -> None:
    """Whether the bus knows a foreign bus."""
    names = [one.name for one in editing.all(ForeignBus)]
    if name not in names:
        editing.missing(f"foreign bus {name}", "foreign_buses", name, names, rule="S-21")
