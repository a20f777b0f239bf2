"""Random networks of routers with all that routers are configured to do with addresses: entries,
waypoints, autolinks, link routes, exchanges, receivers.
"""

from __future__ import annotations

import random
from pathlib import Path

import yaml
from portable.networks import write_random_routers

ADDRESSES = (
    "alerts",
    "orders",
    "orders/eu",
    "orders.eu.retail",
    "jobs",
    "jobs/a",
    "archive",
    "archive.2026",
    "top",
    "É",
)
PATTERNS = (
    "orders",
    "jobs.*",
    "*/eu",
    "archive",
    "alerts",
    "orders/eu/#",
    "top",
    "É",
    "#",
    "orders.*.retail",
)
DISTRIBUTIONS = ("closest", "balanced", "multicast", "unavailable")


def write_addressed_routers(folder: Path, seed: int) -> None:
    """The network of a number."""
    chance = random.Random(seed)
    write_random_routers(folder, seed)
    files = sorted(folder.glob("*.conf"))
    rolled_out = [_entry(chance, chance.choice(PATTERNS)) for _ in range(chance.randint(1, 5))]
    for file in files:
        own = (
            list(rolled_out) if chance.random() < 0.7 else [_entry(chance, chance.choice(PATTERNS))]
        )
        if chance.random() < 0.15:
            own.append(_entry(chance, chance.choice(PATTERNS)))
        with file.open("a", encoding="utf-8") as config:
            config.write(
                "".join(own)
                + (_container(chance) if chance.random() < 0.4 else "")
                + _exchange(chance)
            )
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    names = [line.split()[-1] for line in text.splitlines() if line.startswith("  id: ")]
    clients = [
        {
            "server": chance.choice(names),
            "destination": f"address:{chance.choice(ADDRESSES)}",
            "role": "receiver",
        }
        for _ in range(chance.randint(0, 8))
    ]
    given = {"clients": clients} | ({"versions": {"*": "1.19.0"}} if chance.random() < 0.5 else {})
    (folder / "topograph.yaml").write_text(
        yaml.safe_dump(given, allow_unicode=True), encoding="utf-8"
    )


def _entity(kind: str, **attributes: object) -> str:
    return (
        f"{kind} {{\n"
        + "".join(f"  {name}: {value}\n" for name, value in attributes.items() if value)
        + "}\n"
    )


def _entry(chance: random.Random, text: str) -> str:
    key = "pattern" if {"*", "#"} & set(text) else chance.choice(("prefix", "prefix", "pattern"))
    more = (
        {"waypoint": "yes"}
        if chance.random() < 0.25
        else {"distribution": chance.choice(DISTRIBUTIONS)}
    )
    if chance.random() < 0.15:
        more["enableFallback"] = "yes"
    return _entity("address", **{key: text}, **more)


def _container(chance: random.Random) -> str:
    """A container with autolinks or link routes; of some link routes the address is another one
    there.
    """
    text = _entity("connector", name="store", host="store", port=5672, role="route-container")
    if chance.random() < 0.6:
        address = chance.choice(ADDRESSES)
        for direction in ("in", "out"):
            text += _entity("autoLink", address=address, direction=direction, connection="store")
        return text
    renamed = (
        {chance.choice(("addExternalPrefix", "delExternalPrefix")): "archive."}
        if chance.random() < 0.4
        else {}
    )
    prefix = chance.choice(("archive", "orders"))
    for direction in ("in", "out"):
        text += _entity(
            "linkRoute", prefix=prefix, direction=direction, connection="store", **renamed
        )
    return text


def _exchange(chance: random.Random) -> str:
    if chance.random() > 0.1:
        return ""
    text = _entity(
        "exchange", name="ex", address="top", alternateAddress=chance.choice(("", "jobs"))
    )
    return text + _entity(
        "binding",
        exchangeName="ex",
        bindingKey=chance.choice(("", "a.b")),
        nextHopAddress=chance.choice(ADDRESSES),
    )
