"""Each kind of question with several parameters, for whatever a network holds: what engines and
ways to open a network are compared by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from plain_questions import plain_questions

from topograph.network import Network
from topograph.questions.answers import Answer

LISTED = (
    "servers",
    "routes",
    "zones",
    "destinations",
    "queues",
    "bindings",
    "policies",
    "channels",
    "connections",
    "routing-paths",
    "selectors",
    "access",
    "files",
)

STEPPING = ("ibm_mq", "mqe", "rabbitmq", "sibus")
"""Systems whose messages go step by step, one record for each type of destination."""


def questions(network: Network) -> Iterator[tuple[str, Callable[[Network], Answer]]]:
    """Each kind of question with several parameters."""
    names = network.server_names()
    topics = [name for name in names if _runs(network, name, "ems")]
    for question, given in plain_questions(names):
        label = " ".join((question, *dict.fromkeys(given.values())))
        yield label, lambda n, question=question, given=given: getattr(n, question)(**given)
    yield "cycles strict", lambda n: n.cycles(strict=True)
    yield "hops_matrix", lambda n: n.hops_matrix()
    ems = "ems" in {row["system"] for row in network.show("servers").rows}
    if ems:
        yield "interests", lambda n: n.interests()
        yield "interests listed", lambda n: n.interests(observed="listed")
    routers = "amq_interconnect" in {row["system"] for row in network.show("servers").rows}
    if routers:
        yield from _about_addresses(network)
    yield from _step_by_step(network)
    for what in LISTED:
        yield f"show {what}", lambda n, what=what: n.show(what)
    for name in names[:8]:
        yield f"reach {name}", lambda n, name=name: n.reach(name)
        if not any(_runs(network, name, system) for system in STEPPING):
            yield f"reply {name}", lambda n, name=name: n.reach(name, reply=True)
    for name in topics[:8]:
        if ems:
            for topic in (
                "T",
                "orders",
                "orders.created",
                "news",
                f"$TMP$.{topics[-1].rpartition(':')[2]}.1",
            ):
                yield (
                    f"propagate {name} {topic}",
                    lambda n, name=name, topic=topic: n.propagate(
                        name, f"topic:{topic}", {"country": "Canada", "a": 1}
                    ),
                )
                some = [f"{server}:topic:{topic}" for server in topics[::2]]
                yield (
                    f"trace {name} {topic}",
                    lambda n, name=name, topic=topic: n.trace(
                        name, f"topic:{topic}", {"country": "Canada", "a": 1}
                    ),
                )
                yield (
                    f"propagate {name} {topic} to some",
                    lambda n, name=name, topic=topic, some=some: n.propagate(
                        name, f"topic:{topic}", subscribers=some
                    ),
                )
    for first in names[:6]:
        for second in names[-4:]:
            yield f"hops {first} {second}", lambda n, a=first, b=second: n.hops(a, b)
            yield f"paths {first} {second}", lambda n, a=first, b=second: n.paths(a, b, maximum=5)


def _runs(network: Network, label: str, system: str) -> bool:
    """Whether the server that is called so runs a system."""
    return network.reach(label, label).system == system


def _step_by_step(network: Network) -> Iterator[tuple[str, Callable[[Network], Answer]]]:
    """Messages to queues and destinations of systems whose messages go step by step, at their
    own server and at the first of the network; failures.
    """
    own = [(server, name) for server, name in _places(network) if _loaded(network, server)][:24]
    if not own:
        return
    for server, destination in own:
        name = destination.removeprefix("queue:")
        yield f"trace {server} {name}", lambda n, s=server, d=destination: n.trace(s, d)
        yield f"propagate {server} {name}", lambda n, s=server, d=destination: n.propagate(s, d)
    yield "impact sweep", lambda n: n.impact(sweep=True)
    yield "impact", lambda n: n.impact([f"server:{own[0][0]}"])


def _places(network: Network) -> Iterator[tuple[str, str]]:
    """The queues and destinations of systems that go step by step, with the names of their
    servers.
    """
    labels = {label.rpartition(":")[2]: label for label in network.server_names()}
    for what in ("queues", "destinations"):
        for row in network.show(what).rows:
            if row.get("system") in STEPPING and not row["name"].startswith("SYSTEM."):
                label = labels[row["server"]]
                server = f"{row['system']}:{row['server']}" if ":" in label else label
                yield server, f"{_type_of(row)}:{row['name']}"


def _type_of(row: Mapping[str, Any]) -> str:
    """The type under which messages are sent to a queue or destination."""
    return "exchange" if row.get("type") == "exchange" else "queue"


def _loaded(network: Network, label: str) -> bool:
    system, _, name = label.rpartition(":")
    rows = network.show("servers").rows
    return any(
        row["server"] == name and row["loaded"] and system in ("", row["system"]) for row in rows
    )


def _about_addresses(network: Network) -> Iterator[tuple[str, Callable[[Network], Answer]]]:
    """Messages from every router to every address that the network names, with receivers known
    and unknown; and failures.
    """
    sound = {
        row["server"]
        for row in network.show("servers").rows
        if row["loaded"] and not row["incomplete"]
    }
    names = [name for name in network.server_names() if _runs(network, name, "amq_interconnect")]
    loaded = [name for name in names if name.rpartition(":")[2] in sound]
    named = {
        str(row["name"]).replace("#", "x").replace("*", "x")
        for row in network.show("destinations").rows
    }
    for address in ["other", *sorted(named)[:12]]:
        for name in loaded[:8]:
            some = [f"{server}:{address}" for server in loaded[::2]]
            for question in ("propagate", "trace"):
                yield (
                    f"{question} {name} {address}",
                    lambda n, q=question, name=name, a=address: getattr(n, q)(name, f"address:{a}"),
                )
                yield (
                    f"{question} {name} {address} to some",
                    lambda n, q=question, name=name, a=address, some=some: getattr(n, q)(
                        name, f"address:{a}", {"subject": "a.b"}, subscribers=some
                    ),
                )
    yield "services", lambda n: n.services()
    yield "impact sweep", lambda n: n.impact(sweep=True)
    if loaded:
        yield f"services {loaded[0]}", lambda n: n.services(server=loaded[0])
        yield "impact", lambda n: n.impact([f"server:{loaded[0]}"])
