"""The answer about a whole network: ``summary``. See ``answers``."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from topograph.findings import Source
from topograph.questions.answers.base import Answer, Doubt
from topograph.records import record


@record
class SystemSummary:
    """One system of the network."""

    system: str
    """Its name, as in rows of `show`."""
    title: str
    """What people call it."""
    noun: str
    """What its servers are called."""
    loaded: int
    """Servers whose configuration is loaded."""
    named: tuple[str, ...]
    """Servers that other files only name: none of their own are loaded."""
    links: int
    """Configured links between servers, also those that carry nothing."""


@record
class WorstFinding:
    """The findings of one rule and severity, by the first of them."""

    severity: str
    """`error` or `warning`."""
    rule: str
    """The rule, or the kind of finding where it rests on none."""
    name: str
    """The short name of the rule; empty where it has none."""
    count: int
    """How many findings these are."""
    server: str
    """The server of the first of them; empty where it is about none."""
    message: str
    """What it says."""
    source: Source
    """Where it is."""


@record
class NextCommand:
    """A command to go on with."""

    words: tuple[str, ...]
    """The words behind `topograph`, without `-s`."""
    asks: str
    """What it answers."""


@record(kw_only=True)
class SummaryAnswer(Answer):
    """``summary``: what is there, what is legal, what is wrong and what is not known."""

    question: ClassVar[str] = "summary"
    rows_field: ClassVar[str] = "worst"

    systems: tuple[SystemSummary, ...]
    """The systems, by name."""
    files: dict[str, int]
    """How many files there are by what became of them, as in `show files`."""
    legal: bool | str
    """As `legal` of `cycles`: whether any server would hold a name over more than one route."""
    legality: str
    """What `cycles` says, in a sentence."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many findings there are of each severity, without those that are waived."""
    waived: int = 0
    """How many findings are waived."""
    worst: tuple[WorstFinding, ...] = ()
    """The most harmful rules, as in `check`, at most five."""
    unknown: tuple[Doubt, ...] = ()
    """What is not known: servers and files that are not loaded or not read."""
    next: tuple[NextCommand, ...] = ()
    """Three commands to go on with."""
    where: str = ""
    """What these need behind them to ask the same network: `-s` as it was given, if it was."""
