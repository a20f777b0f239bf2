"""Policies about the way that messages take and how they end: outcomes, servers that paths lead
over, and failures that nobody should notice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from topograph.audit.policy import Policy
from topograph.audit.policy_cases import Cases, Pairs, State, count, cut
from topograph.errors import NotApplicable, UsageError
from topograph.message import Message
from topograph.outcomes import Outcome
from topograph.questions.answers import ImpactAnswer, PathsAnswer, TraceAnswer
from topograph.questions.answers.audit import PolicyEvidence
from topograph.questions.answers.trace import TraceBranch
from topograph.questions.impact import impact
from topograph.questions.reach import paths
from topograph.questions.trace import trace
from topograph.tracing.trace import Kind

MOST_PATHS = 100
"""Paths of one pair of servers that are looked at."""

_OPEN = (Outcome.UNDETERMINED, Outcome.OPAQUE, "")
_CHOSEN = frozenset({str(Kind.ONE_OF), str(Kind.OPAQUE), str(Kind.LATER)})
_LINKS = frozenset({"route", "channel"})
"""What fails where one link does, as ``impact`` names it."""


def judge_endings(
    policy: Policy, message: Message, starts: Sequence[str], network: State, cases: Cases
) -> None:
    """``ends_in`` and ``never_ends_in``: the message followed from each server of ``from``."""
    never = policy.rule == "never_ends_in"
    for start in starts:
        if start not in network.there:
            if not never:
                cases.fail(PolicyEvidence(f"{start} is no longer there"), start)
            continue
        if not network.budget.goes_on():
            cases.leave_open(cut(network.budget))
            return
        try:
            answer = trace(network.after, start, message)
        except (NotApplicable, UsageError) as error:
            cases.leave_open(PolicyEvidence(f"from {start}: {error}"), start)
            continue
        _of_endings(policy, start, answer, cases, never=never)
    if never and network.unread is not None:
        cases.leave_open(network.unread)


def _of_endings(
    policy: Policy, start: str, answer: TraceAnswer, cases: Cases, *, never: bool
) -> None:
    """What the endings of one message say. One that is chosen at run time satisfies nothing; a
    choice of which each ending does is one that does."""
    wanted = [*_ends(answer)]
    bad = [one for one in wanted if (_word(one) in policy.outcomes) is never]
    bad = [one for one in bad if _word(one) not in _OPEN]
    left = [one for one in wanted if _word(one) in _OPEN]
    certain = [one for one in bad if never or not _is_chosen(one, answer)]
    if certain:
        cases.fail(_ended(start, certain[0], answer), start)
        return
    if bad:
        cases.leave_open(
            _ended(start, bad[0], answer, ", if that is what is chosen at run time"), start
        )
    elif left:
        cases.leave_open(_ended(start, left[0], answer), start)
    elif not answer.exact:
        because = next((one.message for one in answer.inexact_because), "not all is decided")
        cases.leave_open(PolicyEvidence(f"from {start}: {because}"), start)
    elif not wanted:
        cases.leave_open(PolicyEvidence(f"from {start}: how it ends is not known"), start)
    elif not cases.holding:
        cases.hold(_ended(start, wanted[0], answer))


def _ends(answer: TraceAnswer) -> Iterator[TraceBranch]:
    """The branches in which the message ends, without those that a rule excludes."""
    parents = {one.of for one in answer.branches}
    for one in answer.branches:
        if one.ending or (one.id not in parents and not one.eliminated):
            yield one


def _word(one: TraceBranch) -> str:
    return one.ending.partition("(")[0]


def _is_chosen(one: TraceBranch, answer: TraceAnswer) -> bool:
    """Whether a branch, or one that it leaves, is not taken for certain."""
    at: TraceBranch | None = one
    known = {each.id: each for each in answer.branches}
    while at is not None:
        if at.kind in _CHOSEN:
            return True
        at = known.get(at.of)
    return False


def _ended(start: str, one: TraceBranch, answer: TraceAnswer, when: str = "") -> PolicyEvidence:
    step = answer.steps[one.last] if one.last >= 0 else None
    said = one.ending or "an end that is not known"
    text = f"from {start} it ends in {said}{f' at {step.at}' if step else ''}{when}"
    return PolicyEvidence(text, source=step.source) if step else PolicyEvidence(text)


def judge_way(
    policy: Policy, pairs: Pairs, through: Collection[str], network: State, cases: Cases
) -> None:
    """``passes`` and ``avoids``: all paths of each pair. Where none leads, each holds."""
    for start, end in pairs:
        if not {start, end} <= network.there:
            continue
        if not network.budget.goes_on():
            cases.leave_open(cut(network.budget))
            return
        _of_paths(
            policy, start, end, through, paths(network.passing, start, end, MOST_PATHS), cases
        )
    if network.unread is not None:
        cases.leave_open(network.unread)
    names = " or ".join(through)
    verb = "leads" if policy.rule == "passes" else "does not lead"
    cases.hold(
        PolicyEvidence(f"every path of {count(len(pairs), 'ordered pair')} {verb} over {names}")
    )


def _of_paths(
    policy: Policy,
    start: str,
    end: str,
    through: Collection[str],
    answer: PathsAnswer,
    cases: Cases,
) -> None:
    must = policy.rule == "passes"
    for path in answer.paths:
        over = {*(path.servers if must else path.servers[1:-1])} & {*through}
        if bool(over) is not must:
            said = (
                f" over {', '.join(sorted(over))}"
                if over
                else f", over none of {', '.join(through)}"
            )
            text = f"{start} reaches {end}{said}: {' to '.join(path.servers)}"
            source = path.steps[-1].source if path.steps else policy.source
            cases.fail(PolicyEvidence(text, path.servers, source), start, end)
            return
    if answer.undetermined:
        one = answer.undetermined[0]
        text = f"{start} to {end}: {one.because}"
        cases.leave_open(PolicyEvidence(text, source=one.source), start, end)
    elif answer.truncated or not answer.exact:
        text = (
            f"{start} to {end}: there may be more paths than the {MOST_PATHS} that were looked at"
        )
        cases.leave_open(PolicyEvidence(text), start, end)


def judge_failures(policy: Policy, pairs: Pairs, network: State, cases: Cases) -> None:
    """``survives_any_single``: each failure of one server or link that separates anybody, and
    whom. A pair is not separated by the failure of one of the two."""
    try:
        sweep = impact(network.passing, sweep=True)
    except (NotApplicable, UsageError) as error:
        cases.leave_open(PolicyEvidence(str(error)))
        return
    wanted = frozenset({"server"}) if policy.single == "server" else _LINKS
    asked = frozenset(pairs)
    for row in sweep.failures:
        kind, _, name = row.failed.partition(":")
        if kind not in wanted or not row.lost:
            continue
        if not network.budget.goes_on():
            cases.leave_open(cut(network.budget))
            return
        answer = impact(network.passing, [row.failed])
        for start, end in sorted(_separated(answer, network) & asked):
            if policy.single == "server" and name in (start, end):
                continue
            text = f"{start} does not reach {end} if {row.failed} fails"
            cases.fail(PolicyEvidence(text, source=row.source), start, end, row.failed)
    if sweep.left_out:
        cases.leave_open(
            PolicyEvidence(f"{count(len(sweep.left_out), 'failure')} were not looked at (--budget)")
        )
    elif not sweep.exact:
        because = next((one.message for one in sweep.inexact_because), "not all is decided")
        cases.leave_open(PolicyEvidence(because))
    cases.hold(PolicyEvidence(f"no failure of one {policy.single} separates any of them"))


def _separated(answer: ImpactAnswer, network: State) -> frozenset[tuple[str, str]]:
    return frozenset(
        (network.label(one.system, one.from_), network.label(one.system, one.to))
        for one in answer.lost
    )
