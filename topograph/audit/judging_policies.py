"""Policies judged on the network after a change, and where they compare on what the change does:
pass, fail, or undetermined, with evidence.

A policy passes only where the loaded files and the search decide it: what they leave open is
``undetermined``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from topograph.audit.judging_changes import (
    judge_no_duplicates,
    judge_no_loss,
    judge_no_new_findings,
)
from topograph.audit.judging_paths import judge_endings, judge_failures, judge_way
from topograph.audit.judging_states import judge_legal, judge_message, judge_reach
from topograph.audit.policy import OF_THE_CHANGE, Policy, Waiver
from topograph.audit.policy_cases import Case, Cases, Key, Pairs, State
from topograph.audit.server_sets import ServerSets
from topograph.errors import UsageError
from topograph.forwarding.budget import Budget
from topograph.inexact import Inexact
from topograph.questions.answers import Caution
from topograph.questions.answers.audit import AuditAnswer, PolicyEvidence, PolicyResult
from topograph.questions.left_out import said_of
from topograph.questions.model import Model, cut, ended, within_budget
from topograph.records import record

LISTED = 20
"""Cases that the evidence of a policy lists; the others are counted."""

PASS, FAIL, UNDETERMINED = "pass", "fail", "undetermined"


def with_policies(
    answer: AuditAnswer,
    policies: Sequence[Policy],
    before: Model,
    after: Model,
    *,
    complete: bool,
    today: date | None = None,
) -> AuditAnswer:
    """An answer with its policies judged, within a budget of their own. What they make of the
    verdict is for ``verdict.claims`` to say. ``complete`` says whether all was compared; ``today``
    is the day by which waivers are judged. Raises UsageError where a policy names a server that
    neither network has."""
    if not policies:
        return answer
    day = today or datetime.now(UTC).date()
    results, because, said = _judged(after, policies, before, answer, complete, day)
    found = replace(answer, policy=results)
    if not because:
        return found
    return replace(
        found,
        exact=False,
        inexact_because=tuple(dict.fromkeys((*answer.inexact_because, *because))),
        warnings=(*answer.warnings, *said),
    )


def judged_state(
    model: Model, policies: Sequence[Policy], reference: Model, today: date | None = None
) -> tuple[PolicyResult, ...]:
    """Policies judged on one state of a network, within a budget. ``reference`` is another state,
    which may have servers that the policies name and this one does not. Raises UsageError where
    neither has a server that is named. The policies are none about a change (``OF_THE_CHANGE``).
    """
    return _judged(model, policies, reference, None, True, today or datetime.now(UTC).date())[0]


@record(slots=False)
class _Asked:
    """A policy with the servers that it names, by label."""

    policy: Policy
    pairs: Pairs = ()
    starts: Sequence[str] = ()
    through: Sequence[str] = ()
    waived: Sequence[tuple[Waiver, Callable[[str, str], bool] | None]] = ()


@within_budget
def _judged(
    after: Model,
    budget: Budget,
    policies: Sequence[Policy],
    before: Model,
    answer: AuditAnswer | None,
    complete: bool,
    today: date,
) -> tuple[tuple[PolicyResult, ...], tuple[Inexact, ...], tuple[Caution, ...]]:
    """The results, and what is said of a budget that ended before all of them were known: one
    that fails may have more against it, or may have failed before."""
    sets = ServerSets(before, after)
    # What is misspelt is said before anything is judged.
    asked = [_asked(policy, sets) for policy in policies]
    now, was = State(before, after, budget), State(before, before, budget)
    found = tuple(_result(one, now, was, answer, today, complete=complete) for one in asked)
    what = "not all that speaks for and against the policies was looked at"
    return found, ended(budget), cut(budget, what)


def _asked(policy: Policy, sets: ServerSets) -> _Asked:
    """The servers that a policy names. Raises UsageError where it names none."""
    waived = [
        (one, None if one.for_ is None else sets.pairs(one.for_, policy)) for one in policy.waivers
    ]
    if policy.rule in ("legal", *OF_THE_CHANGE):
        return _Asked(policy, waived=waived)
    starts = sets.of(policy.from_, policy)
    if policy.outcomes:
        return _Asked(policy, starts=starts, waived=waived)
    ends = sets.of(policy.to, policy)
    found = [(start, end) for start in starts for end in ends if start != end]
    if not found:
        raise UsageError(
            f"{policy.source}: from and to of the policy {policy.id} are the same "
            f"server: {starts[0]}."
        )
    for one in policy.except_:
        left_out = sets.pairs(one, policy)
        found = [pair for pair in found if not left_out(*pair)]
    if not found:
        raise UsageError(f"{policy.source}: except of the policy {policy.id} leaves no pair.")
    through = sets.of(policy.through, policy) if policy.through else ()
    return _Asked(policy, found, starts, through, waived)


def _result(
    asked: _Asked,
    now: State,
    was: State,
    answer: AuditAnswer | None,
    today: date,
    *,
    complete: bool,
) -> PolicyResult:
    policy = asked.policy
    cases = _cases(asked, now, answer, complete=complete)
    result, evidence = _of(cases), _evidence(cases)
    several = said_of(now.after, "audit").several_estates
    if result == PASS and several is not None:
        result, evidence = UNDETERMINED, (PolicyEvidence(several.message), *evidence)
    before = ""
    if result != PASS and policy.rule not in OF_THE_CHANGE:
        earlier = _cases(_there(asked, was), was, answer, complete=complete)
        before = _of(earlier)
        if policy.not_worse and _no_worse(cases, earlier):
            text = f"not worse than before the change: {evidence[0].text}"
            result, evidence = PASS, (replace(evidence[0], text=text), *evidence[1:])
    open_ = [] if result == PASS else [*cases.failing, *cases.open]
    told, waived, expired = _waivers(asked, open_, today)
    if expired is not None:
        text = (
            f"the waiver of {expired.owner} expired on {expired.expires.isoformat()} "
            f"({expired.reason})"
        )
        result, evidence = FAIL, (*evidence[:1], PolicyEvidence(text), *evidence[1:])
    return PolicyResult(
        policy.id,
        result,
        tuple(evidence[:LISTED]),
        len(evidence),
        policy.rule,
        policy.because,
        policy.source,
        policy.severity,
        result != PASS and policy.severity == "block" and not waived,
        before,
        told,
    )


def _cases(asked: _Asked, state: State, answer: AuditAnswer | None, *, complete: bool) -> Cases:
    """What speaks for and against a policy in one state of the network, or in the change that
    ``answer`` is about."""
    policy, cases = asked.policy, Cases()
    match policy.rule:
        case "no_loss" | "no_duplicates" | "no_new_findings":
            assert answer is not None, "a rule about a change needs one"
            judge = {
                "no_loss": judge_no_loss,
                "no_duplicates": judge_no_duplicates,
                "no_new_findings": judge_no_new_findings,
            }[policy.rule]
            judge(policy, answer, cases, complete=complete)
        case "legal":
            judge_legal(state, cases)
        case "passes" | "avoids":
            judge_way(policy, asked.pairs, asked.through, state, cases)
        case "survives_any_single":
            judge_failures(policy, asked.pairs, state, cases)
        case "ends_in" | "never_ends_in":
            assert policy.message is not None
            judge_endings(policy, policy.message, asked.starts, state, cases)
        case "delivers" | "never_delivers":
            assert policy.message is not None
            judge_message(policy, policy.message, asked.pairs, state, cases)
        case _:
            judge_reach(policy, asked.pairs, state, cases)
    return cases


def _of(cases: Cases) -> str:
    return FAIL if cases.failing else UNDETERMINED if cases.open else PASS


def _evidence(cases: Cases) -> Sequence[PolicyEvidence]:
    told = [one.evidence for one in cases.failing or cases.open]
    return told or cases.holding or [PolicyEvidence("nothing that was asked for is there")]


def _there(asked: _Asked, state: State) -> _Asked:
    """The same of the servers that a state has."""
    pairs = [pair for pair in asked.pairs if {*pair} <= state.there]
    return replace(asked, pairs=pairs, starts=[one for one in asked.starts if one in state.there])


def _no_worse(now: Cases, was: Cases) -> bool:
    """Whether each case that does not hold did not hold before either, and was no less bad."""
    failed = {one.about: one.harm for one in was.failing}
    known = {*failed, *(one.about for one in was.open)}
    return all(one.about in failed and one.harm <= failed[one.about] for one in now.failing) and (
        all(one.about in known and one.about for one in now.open)
    )


def _waivers(asked: _Asked, open_: Sequence[Case], today: date) -> tuple[str, bool, Waiver | None]:
    """What is told of the waivers of a policy, whether they let all of its cases be, and the
    first that would and has expired.
    """
    if not asked.waived:
        return "", False, None
    standing = [pair for pair in asked.waived if pair[0].expires >= today]
    gone = [pair for pair in asked.waived if pair[0].expires < today]
    if not open_:
        return f"no longer needed: {asked.waived[0][0]}", False, None
    if all(any(_covers(about, one.about) for _, about in standing) for one in open_):
        first = next(
            waiver for waiver, about in standing if any(_covers(about, one.about) for one in open_)
        )
        return str(first), True, None
    expired = next(
        (waiver for waiver, about in gone if any(_covers(about, one.about) for one in open_)), None
    )
    return "" if expired is None else str(expired), False, expired


def _covers(wanted: Callable[[str, str], bool] | None, about: Key) -> bool:
    return wanted is None or (len(about) >= 2 and wanted(about[0], about[1]))
