"""Rows of ``show queues``, ``show connections``, ``show bridges`` and ``show destinations``."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.facts.mqe import MqeQueue
from topograph.systems.mqe.configuration import MqeConfiguration, MqeManager

Row = dict[str, object]


def rows(configuration: MqeConfiguration, what: str) -> Iterator[Row] | None:
    """The rows of one kind of thing by queue manager and name; None for what MQe has none of."""
    if what == "bridges":
        return _bridges(configuration)
    makers = {"queues": _queues, "connections": _connections, "destinations": _destinations}
    maker = makers.get(what)
    if maker is None:
        return None
    return (row for here in configuration.all() for row in maker(here))


def _queues(here: MqeManager) -> Iterator[Row]:
    for queue in sorted(here.queues, key=lambda one: (one.name, one.source)):
        yield {
            "server": here.name,
            "system": "mqe",
            "name": queue.name,
            "type": queue.type,
            "leads_to": queue.qmgr or queue.forward_to or queue.home_server,
            "details": details(queue),
            "configuration": queue.bundle,
            "source": queue.source.to_dict(),
        }


def _destinations(here: MqeManager) -> Iterator[Row]:
    for row in _queues(here):
        if row["type"] != "home":
            yield {
                **row,
                "type": "queue",
                "leads_to": _led_to(row),
                "details": f"{row['type']}: {row['details']}" if row["details"] else row["type"],
            }


def _led_to(row: Row) -> list[str]:
    """Where a row of ``show queues`` leads: of a queue that keeps messages to other queues, to any
    queue of a queue manager."""
    if not row["leads_to"]:
        return []
    name = row["name"] if row["type"] in _PUT_AT else "*"
    return [f"{name}@{row['leads_to']}"]


def _bridges(configuration: MqeConfiguration) -> Iterator[Row]:
    """Bridge queues, from which messages go to a queue manager of IBM MQ, and the
    transmission-queue listeners that bring messages from there.
    """
    listeners = [one for own in configuration.listeners.values() for one in own]
    for here in configuration.all():
        for row in _queues(here):
            if row["type"] == "bridge":
                more = {
                    "type": "bridge queue",
                    "from": f"{row['name']}@{here.name}",
                    "to": row["leads_to"],
                }
                yield {**row, **more}
        for one in sorted(
            (one for one in listeners if one.server == here.name), key=lambda one: one.source
        ):
            yield {
                "server": here.name,
                "system": "mqe",
                "type": "transmission-queue listener",
                "from": one.label,
                "to": here.name,
                "configuration": one.bundle,
                "source": one.source.to_dict(),
            }


def details(queue: MqeQueue) -> str:
    """What decides about a queue beside its name, in words."""
    parts = []
    if queue.type in ("remote", "bridge"):
        parts.append(f"{queue.mode} queue of {queue.qmgr}".strip())
    if queue.type == "saf":
        parts.append(f"for {', '.join(queue.qmgrs) or 'no queue manager'}")
        parts.append(
            f"pushed to {queue.forward_to}" if queue.forward_to else "waits to be collected"
        )
    if queue.type == "home":
        parts.append(
            f"collects from {queue.home_server}"
            + (f" every {queue.timer} ms" if queue.timer else "")
        )
    if queue.aliases:
        parts.append(f"aliases {', '.join(queue.aliases)}")
    return "; ".join(parts)


def _connections(here: MqeManager) -> Iterator[Row]:
    found: list[tuple[str, Row]] = []
    for one in here.connections.values():
        place = f"{one.address}:{one.port}" if one.port else one.address
        found.append(
            (
                one.name,
                {
                    "type": one.type,
                    "leads_to": one.via or place,
                    "configuration": one.bundle,
                    "source": one.source.to_dict(),
                },
            )
        )
    for alias in here.aliases.values():
        row: Row = {
            "type": "alias",
            "leads_to": alias.target,
            "configuration": alias.bundle,
            "source": alias.source.to_dict(),
        }
        found.append((alias.name, row))
    for name, row in sorted(found, key=lambda pair: pair[0]):
        yield {"server": here.name, "system": "mqe", "name": name, **row}


def put_at(row: Row) -> str:
    """The queue of a row of ``show destinations`` as ``NAME@QUEUE_MANAGER``; empty for one that
    keeps messages to other queues.

    >>> [put_at({"server": "GATE", "name": "Q", "leads_to": to, "details": kind})
    ...  for to, kind in (((), "local"), (["Q@HQ"], "bridge: queue of HQ"), ((), "saf: for S1"))]
    ['Q@GATE', 'Q@HQ', '']
    """
    kind, _, _ = str(row.get("details", "")).partition(":")
    if kind not in _PUT_AT:
        return ""
    led_to = row["leads_to"]
    if isinstance(led_to, list) and led_to:
        return str(led_to[0])
    return f"{row['name']}@{row['server']}"


_PUT_AT = ("local", "remote", "bridge")
"""Types of queues to which messages are put by their own names."""
