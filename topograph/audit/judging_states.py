"""Policies about a state of the network: who reaches whom, what becomes of a message, and names
that servers hold twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.audit.policy import Policy
from topograph.audit.policy_cases import (
    Cases,
    Pairs,
    State,
    by_start,
    count,
    cut,
    hops,
    last_source,
    none_of,
    passing,
)
from topograph.errors import NotApplicable, UsageError
from topograph.judgement import Told
from topograph.message import Message
from topograph.questions.answers import Delivery, PropagateAnswer, ReachedServer
from topograph.questions.answers.audit import PolicyEvidence
from topograph.questions.cycles import cycles
from topograph.questions.propagate import propagate
from topograph.questions.reach import reach


def judge_reach(policy: Policy, pairs: Pairs, network: State, cases: Cases) -> None:
    """``reaches``, ``never_reaches`` and ``max_hops``: a walk from each server of ``from``."""
    quick = (
        {}
        if policy.rule == "never_reaches"
        else network.quick_hops([start for start, _ in by_start(pairs)])
    )
    longest: tuple[int, PolicyEvidence] | None = None
    for start, ends in by_start(pairs):
        for end in ends:
            if quick.get(start, {}).get(end, -1) >= 0 and (
                not network.not_loaded
                if policy.rule == "reaches"
                else quick[start][end] <= policy.hops
            ):
                continue
            if start not in network.there or end not in network.there:
                gone = start if start not in network.there else end
                if policy.rule == "reaches":
                    cases.fail(PolicyEvidence(f"{gone} is no longer there"), start, end)
                continue
            if not network.budget.goes_on():
                cases.leave_open(cut(network.budget))
                return
            found = _of_pair(policy, start, end, network, cases)
            if found is not None and (longest is None or found.hops > longest[0]):
                which = f", the longest of {len(pairs):,} paths" if len(pairs) > 1 else ""
                text = f"{start} reaches {end} in {hops(found.hops)}{which}"
                longest = found.hops, PolicyEvidence(text, found.path, last_source(found))
    if policy.rule == "never_reaches" and network.unread is not None:
        cases.leave_open(network.unread)
    if policy.rule == "never_reaches" or (longest is None and not quick):
        cases.hold(PolicyEvidence(none_of(pairs, "reach")))
    elif longest is not None and not quick:
        cases.hold(longest[1])
    else:
        cases.hold(PolicyEvidence(f"all of {count(len(pairs), 'ordered pair')} hold"))


def _of_pair(
    policy: Policy, start: str, end: str, network: State, cases: Cases
) -> ReachedServer | None:
    """One pair: the path, where there certainly is one; what speaks against the policy is kept."""
    reached = network.reached(start)
    open_, found = reached.open.get(end), reached.servers.get(end)
    if open_ is not None:
        cases.leave_open(replace(open_, text=f"{start} to {end}: {open_.text}"), start, end)
        return None
    if policy.rule == "never_reaches":
        if found is not None:
            text = f"{start} reaches {end} in {hops(found.hops)}"
            cases.fail(PolicyEvidence(text, found.path, last_source(found)), start, end)
    elif found is None:
        if policy.rule == "reaches":
            cases.fail(_not_reached(start, end, network), start, end)
    elif policy.rule == "max_hops" and found.hops > policy.hops:
        text = f"{start} reaches {end} in {hops(found.hops)}, which is more than {policy.hops}"
        evidence = PolicyEvidence(text, found.path, last_source(found))
        cases.fail(evidence, start, end, harm=found.hops)
    elif policy.rule == "reaches" and (why := network.over_unknown(found.path)):
        evidence = PolicyEvidence(f"{start} to {end}: {why}", found.path, last_source(found))
        cases.leave_open(evidence, start, end)
        return None
    return found


def _not_reached(start: str, end: str, network: State) -> PolicyEvidence:
    """That a server is not reached, with the link that ends it, or the path of before."""
    stops = network.told(reach(network.passing, start, end)).stopped
    if stops:
        stop = stops[0]
        return PolicyEvidence(
            f"{start} does not reach {end}: stopped from {stop.at} to {stop.to}, {stop.guard}",
            source=stop.source,
        )
    known = {*network.before.server_names()}
    if {start, end} <= known:
        answer = network.told(reach(passing(network.before), start, end))
        was = next(iter(answer.servers), None)
        if was is not None:
            path = " to ".join(was.path)
            return PolicyEvidence(
                f"{start} does not reach {end}; before the change it did, over {path}",
                was.path,
                last_source(was),
            )
    return PolicyEvidence(f"{start} does not reach {end}")


def judge_message(
    policy: Policy, message: Message, pairs: Pairs, network: State, cases: Cases
) -> None:
    """``delivers`` and ``never_delivers``: the message followed from each server of ``from``."""
    never = policy.rule == "never_delivers"
    for start, ends in by_start(pairs):
        there = [end for end in ends if end in network.there]
        for end in (
            ends
            if start not in network.there
            else [end for end in ends if end not in network.there]
        ):
            if not never:
                gone = start if start not in network.there else end
                cases.fail(PolicyEvidence(f"{gone} is no longer there"), start, end)
        if start not in network.there or not there:
            continue
        if not network.budget.goes_on():
            cases.leave_open(cut(network.budget))
            return
        try:
            answer = _followed(policy, message, start, there, network)
        except (NotApplicable, UsageError) as error:
            cases.leave_open(PolicyEvidence(f"from {start}: {error}"), start)
            continue
        taken: dict[str, list[Delivery]] = {}
        for one in answer.deliveries:
            same = message.destination.type != "topic" or one.destination == str(
                message.destination
            )
            if (never or same) and not (policy.known_only and one.subscriber == "assumed"):
                taken.setdefault(network.label(one.system, one.server), []).append(one)
        for end in there:
            _of_deliveries(start, end, taken.get(end, []), answer, network, cases, never=never)
    if never and network.unread is not None:
        cases.leave_open(network.unread)
    if never:
        cases.hold(PolicyEvidence(none_of(pairs, "get the message to")))


def _followed(
    policy: Policy, message: Message, start: str, ends: Sequence[str], network: State
) -> PropagateAnswer:
    """What becomes of the message. A subscriber is supposed to be at each server of ``to``,
    where topics are meant and not only known ones count.
    """
    supposed: list[str] = []
    if message.destination.type == "topic" and not policy.known_only:
        supposed = [f"{end}:{message.destination}" for end in ends]
    return network.told(
        propagate(network.after, start, message, subscribers=supposed, assume=not policy.known_only)
    )


AT_RUN_TIME = ", if it is chosen at run time"


def _of_deliveries(
    start: str,
    end: str,
    taken: Sequence[Delivery],
    answer: PropagateAnswer,
    network: State,
    cases: Cases,
    *,
    never: bool,
) -> None:
    """What the deliveries of a message say of one pair."""
    certain = next((one for one in taken if one.judgement in (Told.YES, Told.IF)), None)
    chosen = certain or next((one for one in taken if one.judgement != Told.UNKNOWN), None)
    if never and chosen is not None:
        when = {Told.ONE_OF: AT_RUN_TIME, Told.LATER: ", when what holds the message now goes away"}
        said = when.get(Told(chosen.judgement), "")
        cases.fail(_delivered(start, end, chosen, said), start, end)
    elif not never and certain is not None and (why := network.over_unknown(certain.path)):
        cases.leave_open(_delivered(start, end, certain, f"; {why}"), start, end)
    elif not never and certain is not None:
        if not cases.holding:
            cases.hold(_delivered(start, end, certain))
    elif taken and all(one.judgement == Told.LATER for one in taken):
        said = ", but not before what holds the message now goes away"
        cases.fail(_delivered(start, end, taken[0], said), start, end)
    elif taken:
        open_code = all(one.judgement == Told.UNKNOWN for one in taken)
        said = ", if code that no file shows decides so" if open_code else AT_RUN_TIME
        cases.leave_open(_delivered(start, end, taken[0], said), start, end)
    else:
        open_ = _left_open(start, end, answer, network)
        if open_ is not None:
            cases.leave_open(open_, start, end)
        elif not never:
            cases.fail(_not_delivered(start, end, answer), start, end)


def _delivered(start: str, end: str, one: Delivery, when: str = "") -> PolicyEvidence:
    text = f"{end} gets it from {start} on {one.destination} in {hops(one.hops)}{when}"
    return PolicyEvidence(text, one.path, one.steps[-1].source if one.steps else one.source)


def _left_open(
    start: str, end: str, answer: PropagateAnswer, network: State
) -> PolicyEvidence | None:
    """Why "not delivered" is not certain; None if it is."""
    for one in answer.undetermined:
        if network.label(one.system, one.server) == end:
            return PolicyEvidence(f"{start} to {end}: {one.because}", source=one.source)
    if not answer.exact:
        because = next((one for one in answer.warnings if one.rule == "budget"), None)
        text = because.message if because else "not all of what becomes of the message is decided"
        return PolicyEvidence(f"{start} to {end}: {text}")
    beyond = network.reached(start).open.get(end)
    return None if beyond is None else replace(beyond, text=f"{start} to {end}: {beyond.text}")


def _not_delivered(start: str, end: str, answer: PropagateAnswer) -> PolicyEvidence:
    """That a message is not delivered, with where it stops: at the server itself, else at the
    first link that it does not take.
    """
    own = [one for one in answer.stopped if one.to == end]
    stops = own or answer.stopped
    if not stops:
        return PolicyEvidence(f"{end} does not get it from {start}")
    stop = stops[0]
    where = f"at {stop.at}" if stop.at == stop.to else f"from {stop.at} to {stop.to}"
    return PolicyEvidence(
        f"{end} does not get it from {start}: stopped {where}, {stop.guard}", source=stop.source
    )


def judge_legal(network: State, cases: Cases) -> None:
    """``legal``: the names that servers would hold over more than one route."""
    found = network.told(cycles(network.after))
    if found.legal is False:
        already = network.told(cycles(network.before)).legal is False
        was = " (so it was before the change)" if already else ""
        for one in found.duplicates:
            paths = " and ".join(" to ".join(path) for path in one.paths[:2])
            text = f"{one.server} would hold {one.name} over {' and '.join(one.via)}: {paths}{was}"
            evidence = PolicyEvidence(text, one.paths[0] if one.paths else ())
            cases.fail(evidence, one.server, one.name, *one.via)
        for circle in found.circles:
            if circle.certain:
                ways = " to ".join((*circle.servers, circle.servers[0]))
                evidence = PolicyEvidence(
                    f"messages go round for ever: {ways}{was}", source=circle.ways[0].source
                )
                cases.fail(evidence, *circle.servers)
        if not (found.duplicates or found.circles):
            cases.fail(PolicyEvidence(f"a server would hold a name over more than one route{was}"))
        return
    if found.legal == "unknown":
        cases.leave_open(
            PolicyEvidence("the search ended before every part of the network was looked at")
        )
    if network.unread is not None:
        cases.leave_open(network.unread)
    for part in network.after.parts:
        if part.system.capabilities.cycles is None:
            continue
        for server in part.graph.servers:
            if server.open_ended:
                text = f"{server.name} may have routes that the loaded files do not show"
                cases.leave_open(PolicyEvidence(text, source=server.source), server.name)
    said = (
        "no server holds a name over more than one route"
        if found.judged
        else "no rule here is against more than one path"
    )
    cases.hold(PolicyEvidence(said))
