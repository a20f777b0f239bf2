"""Rules as records: the number by which answers and findings cite a rule, its short name, what it
says in one plain sentence, and the kinds of findings that rest on it.

One module a system holds all its rules (``ems``), another those that findings rest on
(``ems_findings``), which importers and checks make findings by::

    TL_12.at(source, "the queue is not global", server="HQ")
    TL_10.at(source, "it lacks a grant", kind=GRANT_MISSING)

``unnumbered`` holds the kinds of findings that rest on no rule: ``ENCODING.at(source, message)``.
No finding is made otherwise, so that none is of a kind or by a rule without a record. Lint rules
that one check of a system finds have their records beside it (``systems.contract.lint``). A system
lists its rules in its record (``System.rules``), one of another package too;
``systems.rule_texts`` looks them up, and ``docs/rules.md`` is made of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Literal, NamedTuple

from topograph.findings import Finding, Severity, Source
from topograph.records import record

About = Literal["server", "link", "direction", "destination", "client"]
"""What a finding is about: what its bearing acts on. A direction is one of a link."""


@record
class Bearing:
    """What a finding does to messages. ``stops``: what it is about does not come up, and walks end
    there. ``opens``: whether it comes up is not known. ``walked``: walks and steps have this effect
    by themselves. ``nothing``: it has none, for the ``reason`` given, which the others leave empty.

    Raises ValueError where a reason is missing or not asked for.
    """

    effect: Literal["stops", "opens", "walked", "nothing"]
    reason: str = ""

    def __post_init__(self) -> None:
        if bool(self.reason) != (self.effect == "nothing"):
            raise ValueError(f"A bearing of {self.effect!r} with the reason {self.reason!r}.")


class Remedy(NamedTuple):
    """``do`` begins with a verb; ``means`` is what happens as long as nobody does it.
    ``{server}`` stands for the server concerned, ``{file}`` for the file of the finding.
    """

    do: str
    means: str


@record
class FindingKind:
    """A kind of finding: its label (``Finding.kind``), its usual severity, and what to do about it,
    None where that is what holds for all of its severity. ``about`` and ``bearing`` are None where
    they are not stated yet."""

    kind: str
    severity: Severity
    remedy: Remedy | None = None
    about: About | None = None
    bearing: Bearing | None = None

    def at(
        self,
        source: Source,
        message: str,
        *,
        rule: Rule | None = None,
        severity: Severity | None = None,
        server: str = "",
        excerpt: str = "",
    ) -> Finding:
        """A finding of this kind at a place, by the ``rule`` that it rests on, if it rests on one.
        ``severity`` is given where it depends on the case. Raises ValueError for a rule that does
        not have this kind. O(kinds of the rule).
        """
        if rule is not None and self not in rule.kinds:
            raise ValueError(f"{rule.number} has no finding of kind {self.kind!r} ({rule.known}).")
        return Finding(
            self.kind,
            severity or self.severity,
            message,
            source,
            rule.number if rule else "",
            excerpt,
            server,
        )


@record
class Rule:
    """A rule of one system. ``number`` is that of its specification, ``name`` a few words, and
    ``sentence`` what it says; both may hold code spans in backticks. ``kinds`` are the findings
    that rest on it, ``check``: it is a lint rule, whose number no other system has.
    """

    number: str
    name: str
    sentence: str
    kinds: tuple[FindingKind, ...] = ()
    check: bool = False

    def at(
        self,
        source: Source,
        message: str,
        *,
        kind: FindingKind | None = None,
        severity: Severity | None = None,
        server: str = "",
        excerpt: str = "",
    ) -> Finding:
        """A finding of this rule at a place. ``kind`` says which of its kinds, where there are
        several; ``severity`` is given where it depends on the case. Raises ValueError for a kind
        that the rule does not have, and for none where there are several. O(kinds).
        """
        if kind is None and len(self.kinds) != 1:
            raise ValueError(f"{self.number} has not one kind of findings ({self.known}).")
        return (kind or self.kinds[0]).at(
            source, message, rule=self, severity=severity, server=server, excerpt=excerpt
        )

    @property
    def known(self) -> str:
        """The names of its kinds of findings, for messages."""
        return f"kinds: {', '.join(one.kind for one in self.kinds) or 'none'}"


def checks_of(module: ModuleType) -> Sequence[Rule]:
    """The records of lint rules that a module has, by number."""
    found = (one for one in vars(module).values() if isinstance(one, Rule) and one.check)
    return tuple(sorted(found, key=lambda one: one.number))
