"""One network of MQe as a system whose messages go step by step (``tracing.states.Stepping``)."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.forwarding.graph import Server
from topograph.outcomes import Outcome
from topograph.side_inputs import SideInputs
from topograph.systems.mqe.configuration import Configuration
from topograph.systems.mqe.entry import enter, entries
from topograph.systems.mqe.lint import checks
from topograph.systems.mqe.positions import loop_key
from topograph.systems.mqe.show import rows
from topograph.systems.mqe.steps import LOOPS, Steps, evaluate
from topograph.systems.protocol import FactSource
from topograph.tracing.states import Loops, OnLoop, Stepping


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:  # noqa: ARG001  (none concerns MQe)
    """The queue managers of one network. Their objects are loaded when a message gets there."""
    configuration = Configuration(source)
    steps = Steps(configuration)
    return Stepping(
        servers=sorted(_servers(configuration), key=lambda server: server.name),
        entries=lambda: entries(configuration),
        enter=enter,
        step=steps.step,
        evaluate=evaluate,
        loop_key=loop_key,
        on_loop=OnLoop(Loops.STATIC, position=LOOPS),
        beyond=Outcome.EXTERNAL,
        checks=checks(configuration),
        show=lambda what: rows(configuration, what),
    )


def _servers(configuration: Configuration) -> Iterator[Server]:
    for name, stated in configuration.stated.items():
        unread = sorted({section for one in stated for section in one.unread})
        incomplete = f"something of its {', '.join(unread)} is not understood" if unread else ""
        yield Server(name, "mqe", True, stated[0].source, incomplete, open_ended=bool(unread))
    for name, source in configuration.named.items():
        yield Server(name, "mqe", False, source, "its configuration is not among the loaded files", open_ended=True)
