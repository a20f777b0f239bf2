"""What answers claim of an estate, each with how sure: read from the answers' own fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from topograph import Network
from topograph.assumptions import Assumption
from topograph.errors import TopographError
from topograph.questions.answers import (
    PropagateAnswer,
    ReachAnswer,
    ReachedServer,
    TraceAnswer,
)
from topograph.tracing.assembly import not_decided

Claim = tuple[str, ...]
"""A subject and what is said of it."""

OPEN = "open"
"""What a claim says that is not certain."""

Message = tuple[str, str, Mapping[str, Any], Mapping[str, Any]]
"""Server, destination, properties and further words of a question about a message."""


def messages(estate: Any) -> list[Message]:
    """The messages that an estate's own questions follow, each once."""
    found: dict[str, Message] = {}
    for method, words, said in estate.questions():
        if method in ("trace", "propagate") and len(words) >= 2:
            server, destination, *rest = words
            properties = rest[0] if rest else said.get("properties", {})
            options = {k: v for k, v in said.items() if k not in ("assume", "properties")}
            message = server, destination, properties, options
            found.setdefault(repr(message), message)
    return [*found.values()]


class Claims:
    """The claims of one estate. ``rests_on`` are the assumptions of each answer, and the places
    at which it takes somebody to receive the message of whom no file says it."""

    def __init__(self, network: Network, servers: Sequence[str], sent: Iterable[Message]) -> None:
        self.said: dict[Claim, str] = {}
        self.rests_on: dict[Claim, frozenset[Assumption | str]] = {}
        whole_names, undecided = _whole_names(network), _undecided(network)
        for server in servers:
            asked_from = whole_names[server]
            self._keep(
                ("reach", asked_from),
                lambda at=server: network.reach(at),
                lambda answer: _reached(answer, whole_names, undecided),
            )
        for at, destination, properties, options in sent:
            if at not in servers or not _all_there(servers, options):
                continue
            asked = at, destination, dict(properties)
            key = (at, destination, repr(properties), repr(options))
            self._keep(("trace", *key), lambda a=asked, o=options: network.trace(*a, **o), _traced)
            self._keep(
                ("propagate", *key),
                lambda a=asked, o=options: network.propagate(*a, **_without_reply(o)),
                _propagated,
            )

    def _keep(self, key: Claim, ask: Any, read: Any) -> None:
        try:
            answer = ask()
        except TopographError as error:
            self.said[(*key, "asked")] = f"{type(error).__name__}"
            self.rests_on[(*key, "asked")] = frozenset()
            return
        for name, said in read(answer):
            self.said[(*key, *name)] = said
            self.rests_on[(*key, *name)] = frozenset(answer.assumptions) | _receiving_if(answer)


def _receiving_if(answer: ReachAnswer | TraceAnswer | PropagateAnswer) -> frozenset[str]:
    """Where a receiver is assumed, by server and destination: the assumption does not name them."""
    if isinstance(answer, TraceAnswer):
        supposed = (one for one in answer.branches if "if" in one.conditions)
        return frozenset(f"{one.server} {one.ending}" for one in supposed)
    if isinstance(answer, PropagateAnswer):
        counted = (one for one in answer.deliveries if one.subscriber == "assumed")
        return frozenset(f"{one.server} {one.destination}" for one in counted)
    return frozenset()


def _all_there(servers: Sequence[str], options: Mapping[str, Any]) -> bool:
    """Whether the servers of the subscribers that a question adds are known."""
    return all(one.partition(":")[0] in servers for one in options.get("subscribers", ()))


def _without_reply(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "reply"}


def _whole_names(network: Network) -> Mapping[str, str]:
    """Per name of a server, as answers about this network have it, the name with its system: what
    a server is called depends on whether one of another system has the same name."""
    rows = [(str(row["system"]), str(row["server"])) for row in network.show("servers").rows]
    found = {}
    for system, label in rows:
        name = label.removeprefix(f"{system}:")
        found |= {label: f"{system}:{name}", f"{system}:{name}": f"{system}:{name}"}
    return found


def _undecided(network: Network) -> frozenset[str]:
    """What stands on steps that the loaded files do not decide."""
    graphs = (part.graph for part in network._model.parts)
    return frozenset(graph.guards[one].text for graph in graphs for one in not_decided(graph))


def _reached(
    answer: ReachAnswer, whole_names: Mapping[str, str], undecided: Collection[str]
) -> Iterator[tuple[Claim, str]]:
    for one in answer.servers:
        # What waits is reached: it is so at the moment that a server showed (R53).
        reached = one.certain or one.later
        said = "reached" if reached else OPEN if _hidden(one, undecided) else "chosen"
        yield (whole_names[one.server],), said
    for name in answer.unreachable:
        yield (whole_names[name],), "not reached" if answer.exact else OPEN
    for doubt in answer.undetermined:
        yield (whole_names[doubt.server],), OPEN


def _hidden(one: ReachedServer, undecided: Collection[str]) -> bool:
    """Whether code that no file shows decides whether a server is reached, or nothing that is
    loaded: that is unknown, as in a trace (S-33, ``questions.judgements``), and not one of several
    that are known."""
    return any(
        "code that no file shows" in guard or guard in undecided
        for step in one.steps
        for guard in step.guards
    )


_NOBODY = ("NOT_FORWARDED", "DISCARDED")
"""Ends at which nobody has the message, and nothing else becomes of it."""


_NUMBER = re.compile(r" \(\d+\)(?=\)$)")
"""What tells receivers of one client id apart, of those that are loaded."""


_NOT_NAMED = ("the sending queue manager", "the other end of channel")
"""How an end names a server of which no file says which it is: one with its name says more, and
nothing else."""


def _traced(answer: TraceAnswer) -> Iterator[tuple[Claim, str]]:
    """What becomes of the message as a whole: certain only if nothing else may happen besides."""
    open_ = (
        not answer.exact
        or answer.undetermined
        or any(one.startswith("UNDETERMINED") or "UNKNOWN" in one for one in answer.outcomes)
    )
    open_ = open_ or any(one in end for end in answer.outcomes for one in _NOT_NAMED)
    ends = sorted(_NUMBER.sub("", one) for one in answer.outcomes if not one.startswith(_NOBODY))
    yield ("ends",), OPEN if open_ else ", ".join(ends)


def _propagated(answer: PropagateAnswer) -> Iterator[tuple[Claim, str]]:
    """Who gets it, and who does not."""
    closed = answer.exact and not answer.undetermined
    for one in answer.deliveries:
        if one.subscriber != "assumed":
            said = "yes" if one.choice == "always" else OPEN
            yield ("gets", one.server, one.destination), said
    yield ("others",), "no" if closed else OPEN
    yield (
        ("nobody",),
        OPEN if answer.deliveries or not closed else "yes",
    )


def contradictions(whole: Claims, part: Claims, gone: Iterable[str]) -> list[str]:
    """The claims that a partial view makes for certain and that the whole denies. A claim that
    rests on an assumption which the whole does not need is none; nor is one about a server that
    the view leaves out, or an end of a receiver that is assumed there. What is chosen at run time
    as far as a part shows may be so for certain in the whole."""
    left_out = frozenset(gone)
    found = []
    for claim, said in part.said.items():
        if said == OPEN or claim[-1] == "others":
            continue
        if left_out & {one.rpartition(":")[2] if claim[0] == "reach" else one for one in claim}:
            continue
        if part.rests_on[claim] - whole.rests_on.get(claim, frozenset()):
            continue
        true = whole.said.get(claim)
        if true is not None and claim[-1] == "ends":
            true = ", ".join(one for one in true.split(", ") if not _assumed_at(one, left_out))
        if (said, true) == ("chosen", "reached"):
            continue
        if true is None and claim[0] == "propagate" and "gets" in claim:
            # Of receivers that it does not list the whole says no, unless it leaves that open.
            if whole.said.get((*claim[: claim.index("gets")], "others")) == "no":
                found.append(f"{claim}: {said}, and in truth not")
        elif true is not None and true not in (said, OPEN):
            found.append(f"{claim}: {said}, and in truth {true}")
    return found


def _assumed_at(end: str, servers: frozenset[str]) -> bool:
    """Whether an end is that of a receiver which is assumed at one of the servers."""
    return any(f"(a receiver at {one})" in end for one in servers)
