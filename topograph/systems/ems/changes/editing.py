"""What one command does to one configuration of an EMS server, while it is worked out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TypeVar

from topograph.errors import InvalidSelector
from topograph.facts.ems import EmsServer
from topograph.facts.ems_commands import EmsCommand
from topograph.facts.fact import Fact
from topograph.records import record
from topograph.selectors.selector import parse
from topograph.systems.contract.changes import Editing, Refused
from topograph.systems.contract.system import FactSource
from topograph.systems.fact_sources import of_class

F = TypeVar("F", bound=Fact)


@record(slots=False)
class BundleFacts:
    """The facts of one server in one of its main files (a member of a fault-tolerant pair has
    one of its own).
    """

    server: EmsServer
    facts: FactSource

    def all(self, cls: type[F]) -> list[F]:
        """The facts of one class, in order."""
        found = of_class(self.facts, cls, self.server.server)
        return [fact for fact in found if fact.bundle == self.server.bundle]

    def own(self, fact: F) -> F:
        """A fact of a command as one of this configuration."""
        return replace(fact, bundle=self.server.bundle, server=self.server.server)


def check_selector(text: str) -> None:
    """Raises Refused for a selector that is none (ems.md 3.8); undetermined for one that scripts
    in use have and that no document mentions."""
    why = _fault(text)
    if not why:
        return
    plain = _BRACKETED.sub(r"\1 \2", text)
    if plain != text and not _fault(plain):
        why = "whether a server takes a pattern of LIKE in brackets is not documented"
        raise Refused("3.8", f"{text!r}: {why}", undetermined=True)
    raise Refused("3.8", f"{text!r} is not a message selector: {why}")


_BRACKETED = re.compile(r"\b(like)\s*+\(\s*+('(?:[^']|'')*+')\s*+\)", re.IGNORECASE)


def _fault(text: str) -> str:
    """Why a selector is none; empty for one, and for an empty one, which is no selector."""
    try:
        if text.strip():
            parse(text)
    except InvalidSelector as why:
        return why.in_one_line
    return ""


@dataclass
class EmsEditing(Editing[EmsCommand]):
    """What one command does to one configuration."""

    at: BundleFacts = field(kw_only=True)
    doubts: list[str] = field(default_factory=list)
    """Why nobody can say whether the server takes the command."""

    def given(self, cls: type[F]) -> F:
        """What the properties of the command would say as an entry of a file. Raises TypeError for
        a command whose object is another class's."""
        if not isinstance(self.command.fact, cls):
            raise TypeError(f"a command about {self.command.object} gives no {cls.__name__}")
        return self.command.fact

    def _lost(self, file: str) -> str:
        """That a sub-file was not found, or not read as a whole; empty where it is all there."""
        if file not in self.at.server.missing:
            return ""
        what = "could not be read whole" if file in self.at.server.unread else "was not found"
        return f"its {file}.conf {what}"

    def absent(self, file: str, text: str) -> Refused:
        """The refusal of a command about an entry that a sub-file does not have; undetermined
        where that file is not shown."""
        lost = self._lost(file)
        return Refused("3.7", f"{text} ({lost})" if lost else text, undetermined=bool(lost))

    def add(self, file: str, entry: Fact) -> None:
        """Add an entry to a sub-file that has none like it. Where that file is not shown, the
        server may have it already and refuse the command."""
        if lost := self._lost(file):
            self.doubts.append(f"{self.at.server.server} may have {entry.label} already: {lost}")
        self.added.append(self.at.own(entry))
