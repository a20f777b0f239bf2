"""The network that an EMS vector gives, as configuration folders: one for each server, one for each
member of a fault-tolerant pair.

What a vector says and the runner does not take raises ``UnknownKey``: a vector must not pass
because half of it was left aside.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Given = Mapping[str, Any]

DEFAULT_TOPICS = ("> global",)
"""The topics of every server where a vector says nothing of topics: then its question does not
depend on them (ems_vectors.md).
"""

MAIN_FILE_KEYS: Mapping[str, str] = {"acl": "acl_list"}
"""The keys of tibemsd.conf that name the sub-files; those of other sub-files are called like the
key of the vector.
"""

SUB_FILES = ("topics", "queues", "bridges", "durables", "acl", "users", "groups", "factories")
"""The keys of ``given`` with the lines of a sub-file: ``{server: [line, ...]}``."""

GIVEN = frozenset(
    {"zones", "links", "sides", "routes", "subscribers", "servers", "down", *SUB_FILES}
)
SELECTORS = ("incoming_topic", "outgoing_topic")
SUBSCRIBER = frozenset({"topic", "durable", "selector"})
DOWN = frozenset({"servers", "links"})


class UnknownKey(Exception):
    """A vector says something that the runner does not take."""


def refuse_unknown(where: str, keys: Iterable[str], known: Iterable[str]) -> None:
    """Raises UnknownKey for a key that is not among the known ones."""
    if unknown := sorted(set(keys) - set(known)):
        raise UnknownKey(f"{where}: {', '.join(unknown)}")


def check(given: Given) -> None:
    """Raises UnknownKey for what ``write`` and ``clients`` would leave aside."""
    refuse_unknown("given", given, GIVEN)
    refuse_unknown("given.down", given.get("down", {}), DOWN)
    for server, all_ in given.get("subscribers", {}).items():
        for one in all_:
            refuse_unknown(f"given.subscribers.{server}", one, SUBSCRIBER)


def clients(given: Given) -> list[dict[str, str]]:
    """The subscribers of ``given`` as topograph.yaml declares them."""
    return [
        {"server": server, "destination": f"topic:{one['topic']}", "role": "subscriber"}
        | {key: one[key] for key in ("durable", "selector") if one.get(key)}
        for server, all_ in given.get("subscribers", {}).items()
        for one in all_
    ]


def without_what_is_down(given: Given) -> Given:
    """``given`` without the routes that are down or at a server that is down: what a topic
    message can use at that moment.
    """
    down = given.get("down", {})
    servers, links = (
        set(down.get("servers", [])),
        {frozenset(link) for link in down.get("links", [])},
    )

    def is_up(one: str, other: str) -> bool:
        return not servers & {one, other} and frozenset((one, other)) not in links

    if not down:
        return given
    routes = {
        own: {peer: route for peer, route in peers.items() if is_up(own, peer)}
        for own, peers in given.get("routes", {}).items()
    }
    everyone: dict[str, Any] = {server: {} for server in sorted(servers_of(given))}
    up = [link for link in given.get("links", []) if is_up(*link[:2])]
    return {
        **given,
        "links": up,
        "routes": routes,
        "servers": {**everyone, **given.get("servers", {})},
    }


def servers_of(given: Given) -> set[str]:
    """The servers that links, routes and the other keys name."""
    found = {server for link in given.get("links", []) for server in link[:2]}
    found |= {server for own, peers in given.get("routes", {}).items() for server in (own, *peers)}
    for key in (*SUB_FILES, "subscribers", "servers"):
        found |= set(given.get(key, {}))
    return found


def write(given: Given, root: Path) -> None:
    """The configuration folders of ``given``. Raises UnknownKey."""
    check(given)
    routes = _routes(given)
    for server in sorted(servers_of(given)):
        settings = dict(given.get("servers", {}).get(server, {}))
        members = settings.pop("fault_tolerant", ())
        if members:
            for member in members:
                both = {**settings, "ft_active": "tcp://partner:7222"}
                _write_server(
                    server, given, routes.get(server, {}), both, root / f"{server}-{member}"
                )
        else:
            _write_server(server, given, routes.get(server, {}), settings, root / server)
    if declared := clients(given):
        (root / "topograph.yaml").write_text(json.dumps({"clients": declared}), encoding="utf-8")


def _routes(given: Given) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """The routes of each server: of ``links``, with the properties of ``routes``, or of
    ``routes`` alone.
    """
    zones: Mapping[str, str] = given.get("zones", {})
    sides: Mapping[str, str] = given.get("sides", {})
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for left, right, zone in given.get("links", []):
        side = sides.get(f"{left}-{right}", sides.get(f"{right}-{left}", "active-active"))
        for own, peer in ((left, right), (right, left)):
            if side in ("active-active", own):
                found.setdefault(own, {})[peer] = {
                    "zone_name": zone,
                    "zone_type": zones.get(zone, "mhop"),
                }
    linked = {frozenset((left, right)) for left, right, _ in given.get("links", [])}
    for own, peers in given.get("routes", {}).items():
        for peer, properties in peers.items():
            kept = {
                k: v
                for k, v in properties.items()
                if not (k.startswith("zone_") and frozenset((own, peer)) in linked)
            }
            found.setdefault(own, {}).setdefault(peer, {}).update(kept)
    return found


def _write_server(
    server: str,
    given: Given,
    routes: Mapping[str, Mapping[str, Any]],
    settings: Mapping[str, Any],
    folder: Path,
) -> None:
    folder.mkdir(parents=True)
    stated = {"server": server, "routing": True, "authorization": False, **settings}
    main = [f"{key} = {_value(value)}" for key, value in stated.items()]
    main.append("routes = routes.conf")
    (folder / "routes.conf").write_text(
        "".join(_route(*route) for route in routes.items()), encoding="utf-8"
    )
    for key in SUB_FILES:
        if key not in given and key not in ("topics", "queues", "bridges"):
            continue
        lines = given.get(key, {}).get(
            server, DEFAULT_TOPICS if key == "topics" and key not in given else ()
        )
        main.append(f"{MAIN_FILE_KEYS.get(key, key)} = {key}.conf")
        (folder / f"{key}.conf").write_text(
            "".join(f"{line}\n" for line in lines), encoding="utf-8"
        )
    (folder / "tibemsd.conf").write_text("\n".join(main) + "\n", encoding="utf-8")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "enabled" if value else "disabled"
    if isinstance(value, (str, int)):
        return str(value)
    raise UnknownKey(f"given.servers: a value {value!r}")


def _route(peer: str, properties: Mapping[str, Any]) -> str:
    stated = {"url": f"tcp://{peer.lower()}:7222", **properties}
    lines = [
        f"[{peer}]",
        *(f"  {key}={_value(value)}" for key, value in stated.items() if key not in SELECTORS),
    ]
    for direction in SELECTORS:
        lines += [
            f'  {direction}={topic} selector="{text}"' for topic, text in stated.get(direction, [])
        ]
    return "\n".join(lines) + "\n"
