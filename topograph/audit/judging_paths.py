"""Policies about the way that messages take and how they end: outcomes, servers that paths lead
over, and failures that nobody should notice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from topograph.audit.policy import Policy
from topograph.audit.policy_cases import Cases, Pairs, State, by_start, count, cut
from topograph.errors import NotApplicable, UsageError
from topograph.judgement import Told
from topograph.message import Message
from topograph.outcomes import Outcome
from topograph.questions.answers import ImpactAnswer, PathFound, PathsAnswer, TraceAnswer
from topograph.questions.answers.audit import PolicyEvidence
from topograph.questions.answers.trace import TraceBranch
from topograph.questions.reach import paths
from topograph.questions.trace import trace
from topograph.systems.registry import system, title
from topograph.tracing.trace import Kind

MOST_PATHS = 100
"""Paths of one pair of servers that are looked at."""

_OPEN = (Outcome.UNDETERMINED, Outcome.OPAQUE)


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
            answer = network.told(trace(network.after, start, message))
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
    choice of which each ending does, or none does, is one that does, or does not."""
    wanted = _ends(answer, policy)
    left = [one for one in wanted if _is_open(one)]
    known = [one for one in wanted if not _is_open(one)]
    bad = [one for one in known if (_word(one) in policy.outcomes) is never]
    sure = [one for one in bad if never or one.judgement not in (Told.ONE_OF, Told.LATER)]
    if not sure and len(bad) == len(wanted) and answer.exact:
        sure = bad
    if sure:
        cases.fail(_ended(start, sure[0], answer), start)
        return
    if bad:
        cases.leave_open(_ended(start, bad[0], answer, ", if it is chosen at run time"), start)
    elif left:
        cases.leave_open(_ended(start, left[0], answer), start)
    elif not answer.exact:
        because = next((one.message for one in answer.inexact_because), "not all is decided")
        cases.leave_open(PolicyEvidence(f"from {start}: {because}"), start)
    elif not wanted and not never:
        cases.fail(_nowhere(start), start)
    elif not cases.holding:
        cases.hold(_ended(start, wanted[0], answer) if wanted else _nowhere(start))


def _ends(answer: TraceAnswer, policy: Policy) -> Sequence[TraceBranch]:
    """The branches in which the message ends, without other readings. A link that it does not take
    is no copy of it: such ends count where the policy names them, or where there is nothing else.
    """
    readings: set[int] = set()
    for one in answer.branches:
        if one.kind == Kind.READING or one.of in readings:
            readings.add(one.id)
    ends = [one for one in answer.branches if one.ending and one.id not in readings]
    copies = [one for one in ends if one.judgement]
    return ends if Outcome.NOT_FORWARDED in policy.outcomes or not copies else copies


def _is_open(one: TraceBranch) -> bool:
    return _word(one) in _OPEN or one.judgement == Told.UNKNOWN


def _word(one: TraceBranch) -> str:
    return one.ending.partition("(")[0]


def _nowhere(start: str) -> PolicyEvidence:
    return PolicyEvidence(f"from {start} it ends nowhere: nobody takes it")


def _ended(start: str, one: TraceBranch, answer: TraceAnswer, when: str = "") -> PolicyEvidence:
    step = answer.steps[one.last] if one.last >= 0 else None
    text = f"from {start} it ends in {one.ending}{f' at {step.at}' if step else ''}{when}"
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
        found = network.told(paths(network.passing, start, end, MOST_PATHS))
        _of_paths(policy, start, end, through, found, cases)
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
    against: list[tuple[PathFound, set[str]]] = []
    for path in answer.paths:
        over = {*(path.servers if must else path.servers[1:-1])} & {*through}
        if bool(over) is not must:
            against.append((path, over))
    if against:
        path, over = next((one for one in against if one[0].certain), against[0])
        said = (
            f" over {', '.join(sorted(over))}" if over else f", over none of {', '.join(through)}"
        )
        verb = "reaches" if path.certain else "may reach"
        text = f"{start} {verb} {end}{said}: {' to '.join(path.servers)}"
        source = path.steps[-1].source if path.steps else policy.source
        told = cases.fail if path.certain else cases.leave_open
        told(PolicyEvidence(text, path.servers, source), start, end)
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


def _links(pairs: Pairs, network: State, cases: Cases) -> frozenset[str]:
    """What fails where one link does, by the kinds of ``impact``, in the systems that messages of
    the pairs get to. One whose links cannot fail alone leaves the policy open."""
    places = [network.after.locate(start) for start, _ in by_start(pairs) if start in network.there]
    names = {name for place in places for name in place.part.joined[place.system]}
    kinds = {name: system(name).capabilities.link_failures for name in sorted(names)}
    for name in (name for name, found in kinds.items() if not found):
        text = f"failures of single links are not followed in {title(name)}"
        cases.leave_open(PolicyEvidence(text))
    return frozenset(kind for found in kinds.values() for kind in found)


def judge_failures(policy: Policy, pairs: Pairs, network: State, cases: Cases) -> None:
    """``survives_any_single``: each failure of one server or link that separates anybody, and
    whom. A pair is not separated by the failure of one of the two."""
    try:
        sweep = network.swept
    except (NotApplicable, UsageError) as error:
        cases.leave_open(PolicyEvidence(str(error)))
        return
    asked = frozenset(pairs)
    wanted = frozenset({"server"}) if policy.single == "server" else _links(pairs, network, cases)
    for row in sweep.failures:
        kind, _, name = row.failed.partition(":")
        if kind not in wanted or not row.lost:
            continue
        if not network.budget.goes_on():
            cases.leave_open(cut(network.budget))
            return
        answer = network.failing(row.failed)
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
