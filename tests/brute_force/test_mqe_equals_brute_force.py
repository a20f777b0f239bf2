"""Where topograph says that a message put on a queue manager of MQe ends is where a second
reading of the rules says, on random networks written as files.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from brute_force.mqe import LOADED, NAMES, Network, managers
from conformance.mqe_cases import write
from draws import draws
from hypothesis import HealthCheck, given, settings

import topograph
from topograph.forwarding.budget import Budget
from topograph.inexact import Cause
from topograph.message import Message
from topograph.outcomes import Outcome
from topograph.questions.following import followed
from topograph.tracing.outcomes import Folding
from topograph.tracing.trace import Ending, Trace

pytestmark = pytest.mark.slow


def end(ending: Ending) -> tuple[str, ...]:
    match ending.outcome:
        case Outcome.DELIVERED:
            return "DELIVERED", ending.text("destination")
        case Outcome.HELD:
            return "HELD", ending.text("queue"), ending.text("server"), ending.text("reason")
        case Outcome.REJECTED:
            return "REJECTED", ending.text("reason")
        case Outcome.DLQ | Outcome.EXTERNAL:
            return str(ending.outcome), ending.text("server")
        case _:
            return (str(ending.outcome),)


def ends(trace: Trace) -> set[tuple[str, ...]]:
    """How the message ends as things are now."""
    deferred = Folding(trace).deferred
    return {
        end(branch.ending)
        for branch in trace.endings()
        if branch.id not in deferred and branch.ending
    }


@settings(
    max_examples=draws(133),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(managers())
def test_every_put_ends_as_the_decision_procedure_says(network: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write({"queueManagers": network}, Path(folder))
        model = topograph.read(folder)._model
    for triggered in (True, False):
        plain = Network(network, triggered=triggered)
        for at in LOADED:
            for manager in NAMES:
                for queue in ("q", "s"):
                    home_servers = "triggered" if triggered else "not_triggered"
                    message = Message.to(f"{queue}@{manager}", home_servers=home_servers)
                    trace = followed(model, Budget(), model.locate(at), message, (), ())
                    # Where a message that has been everywhere leaves, it may come back.
                    assert {one.cause for one in trace.inexact} <= {Cause.NOT_LOADED}
                    assert ends(trace) == plain.put(at, queue, manager), (
                        at,
                        f"{queue}@{manager}",
                        home_servers,
                    )
