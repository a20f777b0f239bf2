"""Waivers: which findings ``check`` does not count, because a comment in a configuration file or an
entry of topograph.yaml says why they are accepted.

A waiver that is expired or fits nothing is a finding itself, so that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from fnmatch import fnmatchcase
from typing import NamedTuple

from topograph.findings import Finding, Source
from topograph.rules.unnumbered import WAIVER, WAIVER_EXPIRED, WAIVER_UNUSED, WAIVER_WITHOUT_REASON
from topograph.rules.waivers import read_waived
from topograph.side_inputs import SideInputs
from topograph.systems.rule_texts import rules_of, text_of
from topograph.words.did_you_mean import did_you_mean

_OF_WAIVERS = frozenset(
    one.kind for one in (WAIVER, WAIVER_EXPIRED, WAIVER_UNUSED, WAIVER_WITHOUT_REASON)
)


class Waiver(NamedTuple):
    """Findings of a rule that do not count, at servers and in files that patterns fit (empty:
    all). ``inline``: a comment in the file itself says so."""

    rule: str
    reason: str
    server: str
    file: str
    until: str
    source: Source
    inline: bool

    def fits(self, finding: Finding, names: Sequence[str]) -> bool:
        """Whether a finding is waived; ``names`` are the names of its rule, in lower case."""
        if finding.kind in _OF_WAIVERS or self.rule.casefold() not in names:
            return False
        if self.inline:
            return finding.source.file == self.file
        folder = self.source.file.rpartition("/")[0]  # of topograph.yaml in a git revision
        file = finding.source.file.removeprefix(f"{folder}/") if folder else finding.source.file
        return (not self.server or fnmatchcase(finding.server, self.server)) and (
            not self.file or fnmatchcase(file, self.file)
        )


class Waived(NamedTuple):
    """A finding that does not count, and the waiver that says why."""

    finding: Finding
    waiver: Waiver


class Weighed(NamedTuple):
    """Findings with those about waivers, without those that are waived; and these."""

    counting: tuple[Finding, ...]
    waived: tuple[Waived, ...]


def weigh(
    findings: Sequence[Finding], side_inputs: SideInputs, systems: Iterable[str], today: date
) -> Weighed:
    """Findings as far as no waiver that holds on the day ``today`` fits them. The first waiver
    that fits counts. Linear in findings times waivers."""
    waivers = [*_inline(findings), *_declared(side_inputs)]
    if not waivers:
        return Weighed(tuple(findings), ())
    in_force = [one for one in waivers if not one.until or date.fromisoformat(one.until) >= today]
    known = _names(systems)
    counting: list[Finding] = []
    waived: list[Waived] = []
    used: set[Waiver] = set()
    for finding in findings:
        names = [
            text.casefold()
            for text in (finding.rule, finding.kind, known.get(finding.rule, ""))
            if text
        ]
        fitting = [one for one in in_force if one.fits(finding, names)]
        used.update(fitting)
        if fitting:
            waived.append(Waived(finding, fitting[0]))
        elif finding.kind != WAIVER.kind:
            counting.append(finding)
    labels = {text for one in findings for text in (one.rule, one.kind) if text}
    for one in waivers:
        if one not in in_force:
            message = f"This waiver of {one.rule} ended on {one.until}: it does not count any more."
            counting.append(WAIVER_EXPIRED.at(one.source, message))
        elif one not in used:
            hint = did_you_mean(one.rule, labels | set(known.values()))
            message = f"This waiver of {one.rule} fits no finding.{hint}"
            counting.append(WAIVER_UNUSED.at(one.source, message))
    return Weighed(tuple(counting), tuple(waived))


def _inline(findings: Iterable[Finding]) -> Iterator[Waiver]:
    for finding in findings:
        if (found := read_waived(finding)) is not None:
            yield Waiver(
                found.rule, found.reason, "", finding.source.file, "", finding.source, inline=True
            )


def _declared(side_inputs: SideInputs) -> Iterator[Waiver]:
    for one in side_inputs.waivers:
        yield Waiver(
            one.rule, one.reason, one.server, one.file, one.until, one.source, inline=False
        )


def _names(systems: Iterable[str]) -> dict[str, str]:
    """The names of rules by their number."""
    return {
        number: text_of(rule).name for name in systems for number, rule in rules_of(name).items()
    }
