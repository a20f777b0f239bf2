"""The first screen's two answers: is anything wrong, and what to do first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from topograph.questions.answers import CyclesAnswer
from topograph.questions.text import apart
from topograph.questions.texts.layout import count, listed
from topograph.reporting.remedies import remedy
from topograph.reporting.report import (
    FindingGroup,
    FirstThing,
    Matrix,
    OverallVerdict,
    ReportHeader,
)
from topograph.rules.unnumbered import SEVERAL_ESTATES

MOST = 5
"""Things to do first."""


def judged(
    header: ReportHeader,
    cycles: CyclesAnswer,
    counts: Mapping[str, int],
    matrix: Matrix | None,
    unreadable: Sequence[str],
    assumptions: int,
) -> OverallVerdict:
    """The verdict in one sentence, worst first, and what it rests on."""
    errors, warnings = counts["error"], counts["warning"]
    rests = tuple(_rests_on(header, cycles, counts, matrix, assumptions))
    tail = _also(errors, warnings)
    several = apart(cycles)
    if several:
        return OverallVerdict(f"{several[0].rstrip('.')}{tail}.", "bad", rests)
    if unreadable:
        nothing = (
            f"{listed(unreadable)} cannot be read, and nothing is known of what is configured there"
        )
        return OverallVerdict(f"Incomplete: {nothing}{tail}.", "bad", rests)
    if cycles.judged and cycles.legal is False:
        held = sorted({one.server for one in cycles.duplicates})
        what = (
            f"{listed(held)} would hold names over more than one route"
            if held
            else "routes form a forbidden cycle"
        )
        return OverallVerdict(
            f"Illegal: {what}, so a route is refused after a restart{tail}.", "bad", rests
        )
    if errors:
        legal = "; the routes are legal" if cycles.judged and cycles.legal is True else ""
        things = f"{count(errors, 'configured thing')} cannot work as written"
        more = (
            f", and there {'is' if warnings == 1 else 'are'} {count(warnings, 'warning')}"
            if warnings
            else ""
        )
        return OverallVerdict(f"{things}{more}{legal}.", "bad", rests)
    if cycles.judged and cycles.legal == "unknown":
        return OverallVerdict(
            f"Whether the routes are legal cannot be decided from the loaded files{tail}.",
            "unsure",
            rests,
        )
    legal = "Legal" if cycles.judged else "Nothing is broken"
    if warnings:
        lost = "messages may be lost, held or sent elsewhere, or answers are incomplete"
        return OverallVerdict(
            f"{legal}, with {count(warnings, 'warning')}: {lost}.", "warning", rests
        )
    if header.servers_named:
        named = count(header.servers_named, header.server_noun)
        return OverallVerdict(
            (
                f"{legal}, as far as the loaded files show: no errors, no warnings, but the "
                f"files of {named} are missing."
            ),
            "unsure",
            rests,
        )
    clean = "Legal and clean" if cycles.judged else "Clean"
    return OverallVerdict(f"{clean}: no errors and no warnings.", "good", rests)


def _also(errors: int, warnings: int) -> str:
    also = [count(errors, "error")] if errors else []
    also += [count(warnings, "warning")] if warnings else []
    return f"; in addition, {' and '.join(also)}" if also else ""


def _rests_on(
    header: ReportHeader,
    cycles: CyclesAnswer,
    counts: Mapping[str, int],
    matrix: Matrix | None,
    assumptions: int,
) -> list[str]:
    """What the verdict rests on, a clause each."""
    nouns = count(header.servers_loaded, header.server_noun)
    found = [
        (
            f"{count(header.files, 'file')} of {nouns}, read as configuration; whether they "
            "run is not known"
        )
    ]
    if header.servers_named:
        named = count(header.servers_named, header.server_noun)
        verb = "is" if header.servers_named == 1 else "are"
        found.append(f"{named} {verb} only named by others: what lies behind is not known")
    if cycles.judged and cycles.legal is True:
        every = "every configured link, whether it is up or not, was checked for a second path"
        found.append(every if cycles.exact else f"{every}, as far as the loaded files show")
    if not cycles.judged:
        found.append("no system here has a rule against more than one path")
    if matrix is not None and matrix.pairs:
        reached = f"{matrix.reached:,} of {matrix.pairs:,} ordered pairs reach each other"
        later = f"; {matrix.later:,} later" if matrix.later else ""
        open_ = f"; {matrix.open:,} cannot be decided" if matrix.open else ""
        found.append(f"{reached}{later}{open_}")
    if counts["info"]:
        found.append(
            f"{counts['info']:,} more {'finding' if counts['info'] == 1 else 'findings'} "
            "for information"
        )
    if assumptions:
        found.append(f"{count(assumptions, 'assumption')} where the documents leave a rule open")
    return found


def first_things(
    groups: Sequence[FindingGroup],
    incomplete: Collection[str],
    noun: str = "server",
    systems: Sequence[str] = (),
) -> tuple[FirstThing, ...]:
    """At most MOST things to do first, one for each rule: errors, then warnings. Among errors
    files that are not there come first, because what they hold is unknown; among warnings last.
    Of equal ones the rule with more places. Before all stands that there are several estates."""

    def order(group: FindingGroup) -> tuple[object, ...]:
        error = group.severity == "error"
        late = (group.label in incomplete) != error
        of_one = group.label != SEVERAL_ESTATES.kind
        return of_one, not error, late, -len(group.findings), group.label

    chosen = sorted(
        (group for group in groups if group.severity in ("error", "warning")), key=order
    )[:MOST]
    return tuple(_first(group, noun, systems) for group in chosen)


def order_of(first: Sequence[FirstThing], incomplete: Collection[str]) -> str:
    """Why the things to do first stand in their order, as a sentence; empty for one alone."""
    if len(first) < 2:
        return ""
    severities = {one.severity for one in first}
    most = "the most frequent first"
    if len(severities) > 1:
        order = f"By harm: errors, which cannot work as written, before warnings; of each, {most}"
    else:
        order = f"All are {first[0].severity}s: {most}"
    missing = {one.severity for one in first if one.rule in incomplete}
    where = [
        "before other errors" if one == "error" else "after other warnings"
        for one in sorted(missing)
    ]
    files = f"; missing files {listed(where)}" if where else ""
    return f"{order}{files}."


def _first(group: FindingGroup, noun: str, systems: Sequence[str]) -> FirstThing:
    one = group.findings[0]
    remedied = remedy(one, noun, group.sentence, systems)
    servers = one.link or ((one.server,) if one.server else ())
    return FirstThing(
        group.label,
        group.name,
        group.severity,
        remedied.do,
        one.message,
        remedied.means,
        one.source,
        len(group.findings) - 1,
        servers,
    )
