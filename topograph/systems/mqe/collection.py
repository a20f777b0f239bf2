"""Who collects messages from a store-and-forward queue in pull mode: the home-server queues
(E-14, E-15).
"""

from __future__ import annotations

from topograph.assumptions import Assumption
from topograph.facts.mqe import MqeQueue
from topograph.records import record
from topograph.systems.mqe.configuration import MqeConfiguration, MqeManager
from topograph.systems.mqe.connections import connected


@record
class Collector:
    """The home-server queue that collects, None where there is none. ``reason`` is that of HELD
    where nothing collects now, with ``text`` in words; ``back`` says when it does again, where
    that is not a matter of configuration."""

    queue: MqeQueue | None = None
    reason: str = ""
    text: str = ""
    back: str = ""
    assumptions: tuple[Assumption, ...] = ()


def collector(
    configuration: MqeConfiguration, store: MqeManager, queue: str, manager: str
) -> Collector:
    """The home-server queue on ``manager`` that collects from ``queue`` of ``store``. Linear in
    the home-server queues of that name.
    """
    wanted = f"home-server queue {queue} for the server {store.name} on {manager}"
    there = configuration.get(manager)
    if there is None:
        text = (
            f"{manager}, which is not among the loaded files, has no "
            f"{wanted.removesuffix(f' on {manager}')}"
        )
        assumed = Assumption("E-14", "L", text, "it is collected when that queue is triggered")
        return Collector(
            None,
            "no collector",
            f"there is no {wanted}: {manager} is not loaded (E-14, E-15)",
            assumptions=(assumed,),
        )
    home = next(
        (one for one in there.homes.get(queue, ()) if home_server(there, one) == store.name), None
    )
    if home is None:
        text = f"there is no {wanted} (E-14, E-15)"
        assumptions: tuple[Assumption, ...] = ()
        if there.incomplete:
            assumptions = (
                Assumption(
                    "E-14",
                    "L",
                    f"{manager} has no {wanted}, though {there.incomplete}",
                    "it is collected",
                ),
            )
        return Collector(None, "no collector", text, assumptions=assumptions)
    hop = connected(configuration, there, home.home_server)
    if hop.trouble:
        text = f"{home.name} on {manager} cannot connect to {store.name}: {hop.trouble} (E-15)"
        back = (
            ""
            if hop.problem
            else f"{store.name} can be reached from {manager} and {home.name} is triggered"
        )
        return Collector(home, hop.reason, text, back, hop.assumptions)
    if not configuration.runs(manager):
        return Collector(
            home,
            "network",
            f"{manager} is not running (E-15)",
            f"{manager} runs and {home.name} is triggered",
        )
    assumed_timer: tuple[Assumption, ...] = ()
    if home.timer is None:
        text = (
            f"the interval of {home.name} on {manager}, which is not stated, is 0: it "
            "collects only when triggered"
        )
        assumed_timer = (Assumption("E-15", "L", text, "it collects by itself after some time"),)
    return Collector(home, assumptions=(*hop.assumptions, *assumed_timer))


def home_server(there: MqeManager, home: MqeQueue) -> str:
    """The queue manager that a home-server queue collects from, alias connections replaced
    (B-8).
    """
    meant = there.substitute(home.home_server)
    return home.home_server if meant.in_circle else meant.target
