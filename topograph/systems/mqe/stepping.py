"""One network of MQe as a system whose messages go step by step (``tracing.states.Stepping``)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from topograph.forwarding.graph import Server
from topograph.outcomes import Confidence, Outcome
from topograph.side_inputs import SideInputs
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.system import FactSource
from topograph.systems.mqe.bridges import explains, taken
from topograph.systems.mqe.checks import checks
from topograph.systems.mqe.configuration import MqeConfiguration, unended, unread_onward
from topograph.systems.mqe.entry import address, begins, enter, entries, reply
from topograph.systems.mqe.positions import loop_key
from topograph.systems.mqe.show import rows
from topograph.systems.mqe.stations import station
from topograph.systems.mqe.steps import LOOPS, MqeSteps, evaluate
from topograph.tracing.states import Component, Joined, Loops, OnLoop, Stepping


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    """The queue managers of one network. Their objects are loaded when a message gets there."""
    return stepping_of(MqeConfiguration(source, readings=Readings.of(side_inputs, "mqe")))


def stepping_of(configuration: MqeConfiguration) -> Stepping:
    """The same of a configuration, also of one with something out of order."""
    steps = MqeSteps(configuration)
    return Stepping(
        asks_on=True,
        servers=sorted(_servers(configuration), key=lambda server: server.name),
        named=lambda: tuple(_named(configuration)),
        entries=lambda: entries(configuration),
        begins=lambda: begins(configuration),
        enter=enter,
        step=steps.step,
        evaluate=evaluate,
        loop_key=loop_key,
        on_loop=OnLoop(Loops.STATIC, rule="E-40", confidence=Confidence.L, position=LOOPS),
        beyond=Outcome.EXTERNAL,
        checks=checks(configuration),
        takes=lambda system, state, held: taken(configuration, system, state, held),
        without=lambda outage: stepping_of(configuration.without(outage)),
        components=lambda: tuple(components(configuration)),
        show=lambda what: rows(configuration, what),
        reply=reply,
        address=address,
        explains=partial(explains, configuration),
        joined=lambda: tuple(_unended(configuration)),
        station=partial(station, configuration),
    )


def _unended(configuration: MqeConfiguration) -> Iterator[Joined]:
    """Each queue manager whose file may be cut off: it may lead to others."""
    for name, stated in sorted(configuration.stated.items()):
        if (assumption := unended(stated)) is not None:
            yield Joined((name,), assumption)


def components(configuration: MqeConfiguration) -> Iterator[Component]:
    """What may fail beside queue managers: a connection, of the queue manager that defines it.
    Reads all connections.
    """
    for here in configuration.all():
        for name, connection in sorted(here.connections.items()):
            if connection.type == "direct":
                yield Component("connection", name, here.name, "mqe", connection.source)


def _servers(configuration: MqeConfiguration) -> Iterator[Server]:
    for name, stated in configuration.stated.items():
        unread = unread_onward(stated)
        incomplete = f"something of its {', '.join(unread)} is not understood" if unread else ""
        yield Server(name, "mqe", True, stated[0].source, incomplete, open_ended=bool(unread))


def _named(configuration: MqeConfiguration) -> Iterator[Server]:
    """The queue managers that only connections name."""
    for name, source in sorted(configuration.named.items()):
        yield Server(
            name,
            "mqe",
            False,
            source,
            "its configuration is not among the loaded files",
            open_ended=True,
        )
