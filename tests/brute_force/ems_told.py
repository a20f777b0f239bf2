"""What topograph says of every message on an estate of EMS, beside what the second reading of
bridges and queues says (``ems_bridges``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from brute_force.ems_bridges import Bridged, Reading, TooMany, starts

from topograph.forwarding.budget import Budget
from topograph.message import Message, Value
from topograph.network import Network
from topograph.outcomes import NotForwarded, Outcome
from topograph.questions.following import followed
from topograph.side_inputs import Client
from topograph.tracing.outcomes import Folding


def assert_told_as_read(network: Network, estate: Bridged, values: Mapping[str, Value]) -> None:
    """Each copy of each message ends where the second reading says, as things are now, and nothing
    is left open."""
    model = network._model
    clients = [Client(server, f"topic:{topic}") for server, topic in estate.subscribers]
    clients += [Client(server, f"queue:{queue}") for queue, server in estate.consumers.items()]
    for server, destination in starts(estate):
        try:
            ends = Reading(estate, values).send(server, destination)
        except TooMany:
            continue
        message = Message.to(destination, dict(values))
        trace = followed(model, Budget(), model.locate(server), message, (), clients, assume=False)
        folding = Folding(trace)
        found: Counter[tuple[str, str]] = Counter()
        for one in folding.arrivals():
            if one.branch.id in folding.deferred:
                continue
            found[one.ending.text("server"), one.ending.text("destination")] += one.ending.count(
                "copies"
            )
        others = list(folding.others())
        asked = (server, destination)
        assert found == ends.delivered, asked
        assert {one.text("state") for one in others if one.outcome is Outcome.LOOP} == {
            f"{name} at {at}" for at, name in ends.round
        }, asked
        assert {one.text("at") for one in others if one.outcome is Outcome.STUCK} == {
            at for at, _ in ends.stuck
        }, asked
        assert {one.text("server") for one in others if one.outcome is Outcome.HELD} == {
            at for at, _ in ends.held
        }, asked
        assert _refusing(folding) == {at for at, _ in ends.refused}, asked
        assert trace.exact, asked
        assert not trace.open, asked


def _refusing(folding: Folding) -> set[str]:
    """The servers that do not take what is sent there: a queue is refused, a topic is not even
    sent to its own server."""
    found = set()
    for branch in folding.trace.endings():
        assert branch.ending is not None
        one = branch.ending
        if branch.id in folding.deferred:
            continue
        if one.outcome is Outcome.REFUSED:
            found.add(one.text("server"))
        own = one.text("at") == one.text("to")
        if own and one.text("condition") == NotForwarded.NOT_GLOBAL:
            found.add(one.text("at"))
    return found
