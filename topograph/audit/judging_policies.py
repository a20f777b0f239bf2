"""Policies judged on the network after a change, and where they compare on what the change does:
pass, fail, or undetermined, with evidence.

A policy passes only where the loaded files and the search decide it: what they leave open is
``undetermined``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from topograph.audit.changing_parts import judging_of
from topograph.audit.policy import Policy
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable, UnknownServer, UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.outcomes import Outcome
from topograph.questions.answers import Delivery, PropagateAnswer, ReachedServer
from topograph.questions.answers.audit import AuditAnswer, PolicyEvidence, PolicyResult
from topograph.questions.cycles import cycles
from topograph.questions.model import Model, Part, within_budget
from topograph.questions.propagate import propagate
from topograph.questions.reach import hop_rows, reach
from topograph.tracing.outcomes import TAKEN
from topograph.words.did_you_mean import did_you_mean

LISTED = 20
"""Cases that the evidence of a policy lists; the others are counted."""

MANY = 100
"""Servers from which reach is asked one by one; of more, the rows of the hop matrix settle what
they can first.
"""

PASS, FAIL, UNDETERMINED = "pass", "fail", "undetermined"

Pairs = Sequence[tuple[str, str]]
"""Ordered pairs of servers by label."""


def with_policies(
    answer: AuditAnswer, policies: Sequence[Policy], before: Model, after: Model, *, complete: bool
) -> AuditAnswer:
    """An answer with its policies judged, within a budget of their own. One that fails makes the
    verdict ``reject``; one that is undetermined makes it ``undetermined``, unless it is
    ``reject`` already. ``complete`` says whether all was compared. Raises UsageError where a
    policy names a server that neither network has."""
    if not policies:
        return answer
    results = _judged(after, policies, before, answer, complete)
    found = {one.result for one in results}
    verdict = answer.verdict
    if FAIL in found:
        verdict = "reject"
    elif UNDETERMINED in found and verdict == "accept":
        verdict = "undetermined"
    return replace(answer, verdict=verdict, policy=results)


@within_budget
def _judged(
    after: Model,
    budget: Budget,
    policies: Sequence[Policy],
    before: Model,
    answer: AuditAnswer,
    complete: bool,
) -> tuple[PolicyResult, ...]:
    network = _Network(before, after, budget)
    asked = [
        (policy, network.pairs(policy)) for policy in policies
    ]  # what is misspelt is said before anything is judged
    return tuple(
        _result(policy, pairs, network, answer, complete=complete) for policy, pairs in asked
    )


def _result(
    policy: Policy, pairs: Pairs, network: _Network, answer: AuditAnswer, *, complete: bool
) -> PolicyResult:
    cases = _Cases()
    if policy.rule == "legal":
        _legal(network, cases)
    elif policy.rule == "no_loss":
        _no_loss(policy, answer, cases, complete=complete)
    elif policy.message is not None:
        _message(policy, policy.message, pairs, network, cases)
    else:
        _reach(policy, pairs, network, cases)
    evidence = cases.failing or cases.open or cases.holding
    return PolicyResult(
        policy.id,
        FAIL if cases.failing else UNDETERMINED if cases.open else PASS,
        tuple(evidence[:LISTED]),
        len(evidence),
        policy.rule,
        policy.because,
        policy.source,
    )


@dataclass
class _Cases:
    """What speaks against a policy, what nobody can say, and what it rests on where neither is
    there.
    """

    failing: list[PolicyEvidence] = field(default_factory=list)
    open: list[PolicyEvidence] = field(default_factory=list)
    holding: list[PolicyEvidence] = field(default_factory=list)


@dataclass(frozen=True)
class _Reached:
    """What one server reaches, by label; ``open`` are those of which nobody can say."""

    servers: dict[str, ReachedServer]
    open: dict[str, PolicyEvidence]


class _Network:
    """The network after a change, by the labels of its servers."""

    def __init__(self, before: Model, after: Model, budget: Budget) -> None:
        self.after, self.before, self.budget = after, before, budget
        self.there = frozenset(after.server_names())
        self.known = sorted({*after.server_names(), *before.server_names()})
        self._labels = {
            (place.system, place.name): after.label(place.server) for place in after.places()
        }
        self._reached: dict[str, _Reached] = {}

    def label(self, system: str, name: str) -> str:
        """What a server of an answer is called in this network."""
        return self._labels.get((system, name), name)

    def pairs(self, policy: Policy) -> Pairs:
        """The ordered pairs of different servers that a policy is about. Raises UsageError where
        it names none.
        """
        if policy.rule in ("legal", "no_loss"):
            return ()
        starts, ends = (self._matching(names, policy) for names in (policy.from_, policy.to))
        found = [(start, end) for start in starts for end in ends if start != end]
        if not found:
            raise UsageError(
                f"{policy.source}: from and to of the policy {policy.id} are the same "
                f"server: {starts[0]}."
            )
        return found

    def _matching(self, names: Sequence[str], policy: Policy) -> list[str]:
        found: dict[str, None] = {}
        for name in names:
            pattern = re.compile(
                ".*".join(".".join(map(re.escape, part.split("?"))) for part in name.split("*")),
                re.DOTALL,
            )
            own = [label for label in self.known if pattern.fullmatch(label)]
            if not own:
                hint = did_you_mean(name, self.known)
                message = (
                    f"no server of network {self.after.network} is called {name!r}, which "
                    f"the policy {policy.id} names."
                )
                raise UnknownServer(f"{policy.source}: {message}{hint}")
            found |= dict.fromkeys(own)
        return list(found)

    def reached(self, start: str) -> _Reached:
        """What a server reaches, asked once."""
        if start not in self._reached:
            answer = reach(self.passing, start)
            servers = {self.label(one.system, one.server): one for one in answer.servers}
            open_ = {
                self.label(one.system, one.server): PolicyEvidence(one.because, source=one.source)
                for one in answer.undetermined
            }
            for label, one in servers.items():
                if not one.certain:
                    text = "whether a message gets there is decided at run time"
                    open_[label] = PolicyEvidence(text, one.path, _last_source(one))
            self._reached[start] = _Reached(servers, open_)
        return self._reached[start]

    def quick_hops(self, starts: Sequence[str]) -> dict[str, dict[str, int]]:
        """Hops to the servers that are certainly reached, by start, of many starts: the rows of
        the hop matrix. Empty for few.
        """
        if len(starts) <= MANY:
            return {}
        wanted, names = frozenset(starts), self.after.server_names()
        return {
            start: {
                end: number
                for end, number in zip(names, row, strict=True)
                if isinstance(number, int)
            }
            for start, row in hop_rows(self.passing)
            if start in wanted
        }

    @cached_property
    def passing(self) -> Model:
        """The network after the change without what lets nothing pass at the moment: a suspended
        route reaches nobody.
        """
        return _passing(self.after)

    @cached_property
    def unread(self) -> PolicyEvidence | None:
        """That main files could not be read: nothing is known of their servers."""
        if not self.after.unreadable:
            return None
        first = self.after.unreadable[0]
        return PolicyEvidence(
            f"{first} could not be read: nothing is known of its server", source=Source(first)
        )


def _passing(model: Model) -> Model:
    parts = []
    for part in model.parts:
        judging = judging_of(part)
        graph = part.graph if judging is None else judging.passing(part.graph)
        same = graph is part.graph
        parts.append(
            part if same else Part(graph, MemoryEngine(graph), part.facts_of, part.side_inputs)
        )
    return replace(model, parts=parts)


def _last_source(one: ReachedServer) -> Source:
    return one.steps[-1].source if one.steps else Source("")


def _by_start(pairs: Pairs) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for start, end in pairs:
        found.setdefault(start, []).append(end)
    yield from found.items()


def _reach(policy: Policy, pairs: Pairs, network: _Network, cases: _Cases) -> None:
    """``reaches``, ``never_reaches`` and ``max_hops``: a walk from each server of ``from``."""
    quick = (
        {}
        if policy.rule == "never_reaches"
        else network.quick_hops([start for start, _ in _by_start(pairs)])
    )
    longest: tuple[int, PolicyEvidence] | None = None
    for start, ends in _by_start(pairs):
        for end in ends:
            if quick.get(start, {}).get(end, -1) >= 0 and (
                policy.rule == "reaches" or quick[start][end] <= policy.hops
            ):
                continue
            if start not in network.there or end not in network.there:
                gone = start if start not in network.there else end
                if policy.rule == "reaches":
                    cases.failing.append(PolicyEvidence(f"{gone} is no longer there"))
                continue
            if not network.budget.goes_on():
                cases.open.append(_cut(network.budget))
                return
            found = _of_pair(policy, start, end, network, cases)
            if found is not None and (longest is None or found.hops > longest[0]):
                which = f", the longest of {len(pairs):,} paths" if len(pairs) > 1 else ""
                text = f"{start} reaches {end} in {_hops(found.hops)}{which}"
                longest = found.hops, PolicyEvidence(text, found.path, _last_source(found))
    if policy.rule == "never_reaches" and network.unread is not None:
        cases.open.append(network.unread)
    if policy.rule == "never_reaches" or (longest is None and not quick):
        cases.holding.append(PolicyEvidence(_none(pairs, "reach")))
    elif longest is not None and not quick:
        cases.holding.append(longest[1])
    else:
        cases.holding.append(PolicyEvidence(f"all of {_count(len(pairs), 'ordered pair')} hold"))


def _of_pair(
    policy: Policy, start: str, end: str, network: _Network, cases: _Cases
) -> ReachedServer | None:
    """One pair: the path, where there certainly is one; what speaks against the policy is kept."""
    reached = network.reached(start)
    open_, found = reached.open.get(end), reached.servers.get(end)
    if open_ is not None:
        cases.open.append(replace(open_, text=f"{start} to {end}: {open_.text}"))
        return None
    if policy.rule == "never_reaches":
        if found is not None:
            text = f"{start} reaches {end} in {_hops(found.hops)}"
            cases.failing.append(PolicyEvidence(text, found.path, _last_source(found)))
    elif found is None:
        if policy.rule == "reaches":
            cases.failing.append(_not_reached(start, end, network))
    elif policy.rule == "max_hops" and found.hops > policy.hops:
        text = f"{start} reaches {end} in {_hops(found.hops)}, which is more than {policy.hops}"
        cases.failing.append(PolicyEvidence(text, found.path, _last_source(found)))
    return found


def _not_reached(start: str, end: str, network: _Network) -> PolicyEvidence:
    """That a server is not reached, with the link that ends it, or the path of before."""
    stops = reach(network.passing, start, end).stopped
    if stops:
        stop = stops[0]
        return PolicyEvidence(
            f"{start} does not reach {end}: stopped from {stop.at} to {stop.to}, {stop.guard}",
            source=stop.source,
        )
    known = {*network.before.server_names()}
    if {start, end} <= known:
        was = next(iter(reach(_passing(network.before), start, end).servers), None)
        if was is not None:
            path = " to ".join(was.path)
            return PolicyEvidence(
                f"{start} does not reach {end}; before the change it did, over {path}",
                was.path,
                _last_source(was),
            )
    return PolicyEvidence(f"{start} does not reach {end}")


def _message(
    policy: Policy, message: Message, pairs: Pairs, network: _Network, cases: _Cases
) -> None:
    """``delivers`` and ``never_delivers``: the message followed from each server of ``from``."""
    never = policy.rule == "never_delivers"
    for start, ends in _by_start(pairs):
        there = [end for end in ends if end in network.there]
        for end in (
            ends
            if start not in network.there
            else [end for end in ends if end not in network.there]
        ):
            if not never:
                gone = start if start not in network.there else end
                cases.failing.append(PolicyEvidence(f"{gone} is no longer there"))
        if start not in network.there or not there:
            continue
        if not network.budget.goes_on():
            cases.open.append(_cut(network.budget))
            return
        try:
            answer = _followed(policy, message, start, there, network)
        except (NotApplicable, UsageError) as error:
            cases.open.append(PolicyEvidence(f"from {start}: {error}"))
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
        cases.open.append(network.unread)
    if never:
        cases.holding.append(PolicyEvidence(_none(pairs, "get the message to")))


def _followed(
    policy: Policy, message: Message, start: str, ends: Sequence[str], network: _Network
) -> PropagateAnswer:
    """What becomes of the message. A subscriber is supposed to be at each server of ``to``,
    where topics are meant and not only known ones count.
    """
    supposed: list[str] = []
    if message.destination.type == "topic" and not policy.known_only:
        supposed = [f"{end}:{message.destination}" for end in ends]
    return propagate(
        network.after, start, message, subscribers=supposed, assume=not policy.known_only
    )


def _of_deliveries(
    start: str,
    end: str,
    taken: Sequence[Delivery],
    answer: PropagateAnswer,
    network: _Network,
    cases: _Cases,
    *,
    never: bool,
) -> None:
    """What the deliveries of a message say of one pair."""
    certain = next((one for one in taken if one.choice == "always"), None)
    chosen = next((one for one in taken if one.choice != "opaque"), None)
    if never and chosen is not None:
        when = {"always": "", "later": ", when what holds the message now goes away"}
        cases.failing.append(
            _delivered(
                start,
                end,
                chosen,
                when.get(chosen.choice, ", if that is what is chosen at run time"),
            )
        )
    elif not never and certain is not None:
        if not cases.holding:
            cases.holding.append(_delivered(start, end, certain))
    elif taken and all(one.choice == "later" for one in taken):
        cases.failing.append(
            _delivered(
                start, end, taken[0], ", but not before what holds the message now goes away"
            )
        )
    elif taken:
        cases.open.append(
            _delivered(start, end, taken[0], ", if that is what is chosen at run time")
        )
    else:
        open_ = _left_open(start, end, answer, network)
        if open_ is not None:
            cases.open.append(open_)
        elif not never:
            cases.failing.append(_not_delivered(start, end, answer))


def _delivered(start: str, end: str, one: Delivery, when: str = "") -> PolicyEvidence:
    text = f"{end} gets it from {start} on {one.destination} in {_hops(one.hops)}{when}"
    return PolicyEvidence(text, one.path, one.steps[-1].source if one.steps else one.source)


def _left_open(
    start: str, end: str, answer: PropagateAnswer, network: _Network
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


def _legal(network: _Network, cases: _Cases) -> None:
    found = cycles(network.after)
    if found.legal is False:
        was = " (so it was before the change)" if cycles(network.before).legal is False else ""
        for one in found.duplicates:
            paths = " and ".join(" to ".join(path) for path in one.paths[:2])
            text = f"{one.server} would hold {one.name} over {' and '.join(one.via)}: {paths}{was}"
            cases.failing.append(PolicyEvidence(text, one.paths[0] if one.paths else ()))
        if not found.duplicates:
            cases.failing.append(
                PolicyEvidence(f"a server would hold a name over more than one route{was}")
            )
        return
    if found.legal == "unknown":
        cases.open.append(
            PolicyEvidence("the search ended before every part of the network was looked at")
        )
    if network.unread is not None:
        cases.open.append(network.unread)
    for part in network.after.parts:
        if part.system.capabilities.cycles is None:
            continue
        for server in part.graph.servers:
            if server.open_ended:
                text = f"{server.name} may have routes that the loaded files do not show"
                cases.open.append(PolicyEvidence(text, source=server.source))
    said = (
        "no server holds a name over more than one route"
        if found.judged
        else "no rule here is against more than one path"
    )
    cases.holding.append(PolicyEvidence(said))


def _no_loss(policy: Policy, answer: AuditAnswer, cases: _Cases, *, complete: bool) -> None:
    """``no_loss``: what the comparison of before and after found."""
    for start, end in () if policy.known_only else answer.reach.lost:
        cases.failing.append(PolicyEvidence(f"{start} no longer reaches {end}"))
    lost = [(row, "no longer gets") for row in answer.deliveries.lost]
    if not policy.known_only:
        lost += [
            (row, "would no longer get, if a subscriber is there,") for row in answer.would_lose
        ]
    for row, what in lost:
        values = ", ".join(f"{name} = {value!r}" for name, value in sorted(row.witness.items()))
        text = (
            f"{row.server} {what} a message to "
            f"{row.destination}{f' with {values}' if values else ''} from {row.from_}"
        )
        cases.failing.append(PolicyEvidence(text, source=row.source))
    for moved in answer.outcomes:
        text = (
            f"{moved.destination} at {moved.server}: {', '.join(moved.before)} becomes "
            f"{', '.join(moved.after) or 'nothing'}"
        )
        if any(one.startswith(tuple(TAKEN)) for one in moved.before):
            open_ = any(
                one.startswith((Outcome.UNDETERMINED, Outcome.OPAQUE)) for one in moved.after
            )
            (cases.open if open_ else cases.failing).append(
                PolicyEvidence(text, source=moved.source)
            )
    for start, end in answer.reach.undetermined:
        cases.open.append(PolicyEvidence(f"{start} to {end}: the loaded files leave it open"))
    for said in answer.warnings:
        if said.rule in ("undecided", "not-compared"):
            cases.open.append(PolicyEvidence(said.message, source=said.source or Source("")))
    if not complete:
        cases.open.append(PolicyEvidence("not all of before and after was compared"))
    cases.holding.append(PolicyEvidence("nothing that was compared is lost"))


def _cut(budget: Budget) -> PolicyEvidence:
    return PolicyEvidence(f"{budget.ended} (--budget), before all was looked at")


def _none(pairs: Pairs, verb: str) -> str:
    """That no first server of pairs does something to the second one."""
    if len(pairs) == 1:
        return f"{pairs[0][0]} does not {verb} {pairs[0][1]}"
    return f"in none of {len(pairs):,} ordered pairs does the first server {verb} the second"


def _hops(number: int) -> str:
    return _count(number, "hop")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
