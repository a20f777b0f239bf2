"""The records of a report. Every list that is cut has its total beside it; all have a stated
order, so that equal networks give equal reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from topograph.assumptions import Assumption
from topograph.files import FileReport
from topograph.findings import Source
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.answers.base import Caution
from topograph.records import record

State = Literal["good", "info", "unsure", "warning", "bad"]
"""How a verdict or a row stands: told apart by words and signs as well as by colour."""


@record
class ReportHeader:
    """Which network this is, how old it is and how much of it is there."""

    network: str
    snapshot: str
    version: str
    """Of topograph."""
    as_of: str
    """When the files were read or written (``store.origin.Origin.when``), ISO 8601; empty where
    nothing says so.
    """
    as_of_means: str
    """What that moment is, in words that stand before it: "configuration as imported on"."""
    revision: str
    """The git revision that the files were read out of; else empty."""
    dumped: tuple[tuple[str, str], ...]
    """(when, file) of the files that say when they were written, by time."""
    systems: tuple[str, ...]
    """What runs there, by its titles."""
    kinds: tuple[str, ...]
    """For each of them, which kinds of servers its files show and how many of each, in words."""
    server_noun: str
    files: int
    files_with_problems: int
    """Read in part or not at all, or with an error or a warning in them."""
    files_with_findings: int
    """With an error or a warning in them."""
    files_in_part: int
    """Read in part, or not at all."""
    files_missing: int
    """Named by other files and not there, or listed and unreadable."""
    servers_loaded: int
    servers_named: int
    """Only named by others: none of their files are there."""
    redaction: str
    """The fingerprint of the key with which hosts, users and client ids were replaced; empty
    where they were not.
    """


@record
class OverallVerdict:
    """The answer to "is anything wrong?" in one sentence, and what it rests on."""

    sentence: str
    state: State
    rests_on: tuple[str, ...]


@record
class FirstThing:
    """Something to do first: ``do`` says what, ``text`` what is wrong at ``source``,
    ``consequence`` what happens as long as it stays so, ``name`` is that of the rule. ``alike``
    counts further places of the same rule; ``servers`` are shown in the picture."""

    rule: str
    name: str
    severity: str
    do: str
    text: str
    consequence: str
    source: Source
    alike: int
    servers: tuple[str, ...]


@record
class FindingShown:
    """A finding with what it is about in the picture: ``server`` is a label of the network,
    ``link`` the two ends of a link, or empty.
    """

    severity: str
    rule: str
    kind: str
    message: str
    server: str
    link: tuple[str, ...]
    source: Source
    excerpt: str


@record
class FindingGroup:
    """The findings of one rule and severity; ``label`` is the rule, or the kind of what has
    none. ``name`` and ``sentence`` are what people read about the rule."""

    severity: str
    label: str
    name: str
    sentence: str
    findings: tuple[FindingShown, ...]


@record
class ZoneRow:
    """A zone: its servers by name."""

    name: str
    type: str
    links: int
    servers: tuple[str, ...]
    findings: int


@record
class ServerRow:
    """A server of the inventory."""

    name: str
    system: str
    loaded: bool
    incomplete: str
    zones: tuple[str, ...]
    neighbours: int
    findings: int
    source: Source


@record
class HopRange:
    """Hops from the servers of one zone to those of another: the smallest and the largest
    between servers that reach each other, how many of how many ordered pairs of different
    servers do, and one pair with the largest. ``open`` counts pairs that cannot be decided,
    ``later`` those of the reached between which messages wait on every way."""

    least: int
    most: int
    reached: int
    pairs: int
    open: int
    example: tuple[str, ...]
    later: int = 0


@record
class Matrix:
    """Hops between groups of servers: zones, or where there are none all servers together.
    ``cells[i][j]`` is from group i to group j; None where there is no pair. ``servers`` counts
    those of each group; ``total`` is the number of groups, more than ``groups`` where the matrix
    was cut."""

    groups: tuple[str, ...]
    servers: tuple[int, ...]
    cells: tuple[tuple[HopRange | None, ...], ...]
    total: int
    noun: str
    """What the groups are: zones or servers."""
    reached: int
    """Ordered pairs of different servers of the whole network that certainly reach each other."""
    pairs: int
    """All of them."""
    open: int
    """Those that cannot be decided."""
    only_certain: bool = False
    """Whether pairs that only some choices at run time join count as not reached."""
    later: int = 0
    """Ordered pairs between which messages wait on every way: not among the reached."""


@record
class ShownTable:
    """Rows of ``topograph show``: columns in reading order, and the first rows of ``total``."""

    what: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, object], ...]
    total: int
    left_out: str = ""
    """Why there are no rows although there is something to list; the command that lists them is
    ``command``.
    """
    command: str = ""
    """The command that lists all of it; else ``topograph show WHAT``."""


@record
class FileRow:
    """A file: what became of it, and the SHA-256 of its content ("" where the snapshot does not
    keep it).
    """

    path: str
    status: str
    sha256: str
    reports: tuple[FileReport, ...]
    findings: int


@record
class Provenance:
    """What the report was made from: files by path, what in them was not understood, what was
    assumed, and the command that makes it again.
    """

    files: tuple[FileRow, ...]
    not_understood: tuple[FileRow, ...]
    assumptions: tuple[Assumption, ...]
    warnings: tuple[Caution, ...]
    side_inputs: tuple[str, ...]
    """Entries of topograph.yaml by section, in words."""
    digest: str
    """The SHA-256 of the lines that ``sha256sum`` writes of all files, by path; empty where the
    snapshot keeps no digests.
    """
    command: str
    engine: str


@record
class Term:
    """A rule, a confidence or a word that occurs in the report, with what it means."""

    term: str
    meaning: str
    name: str = ""
    """The short name of a rule."""


@record
class Glossary:
    """What occurs in this report and nothing else, each by name."""

    rules: tuple[Term, ...]
    confidences: tuple[Term, ...]
    words: tuple[Term, ...]


@record
class AnswerShown:
    """An answer of another command, given with ``--with``: what was asked, its single values by
    name, and its lists. ``same_snapshot`` is False where it is about another snapshot than the
    report."""

    title: str
    file: str
    same_snapshot: bool
    facts: tuple[tuple[str, str], ...]
    tables: tuple[ShownTable, ...]


@record
class Report:
    """All that a report says."""

    header: ReportHeader
    verdict: OverallVerdict
    first: tuple[FirstThing, ...]
    groups: tuple[FindingGroup, ...]
    counts: Mapping[str, int]
    """Findings by severity."""
    zones: tuple[ZoneRow, ...]
    servers: tuple[ServerRow, ...]
    matrix: Matrix | None
    tables: tuple[ShownTable, ...]
    """Interests, selectors, and what else the systems list."""
    provenance: Provenance
    glossary: Glossary
    changes: AuditAnswer | None = None
    """What a change does to the network, which is the one before it."""
    first_order: str = ""
    """Why the things to do first stand in their order, as a sentence; empty for one alone."""
    answers: tuple[AnswerShown, ...] = ()
    destinations: tuple[str, ...] = ()
    """What messages can be sent to by name, those that most servers have first: for the form of
    the page.
    """
