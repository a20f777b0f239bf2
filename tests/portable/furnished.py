"""Random networks with everything that decides about messages: secure topics, permissions, groups,
bridges, durables, odd selectors, suspended routes, clients and lists of subscribers. On top of
``networks``; nothing here uses topograph's own code.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portable.networks import Made, made

TOPICS = (
    "orders.eu",
    "orders.eu.big",
    "news",
    "orders.new",
    "copies",
    "copies.two",
    "nwes",
    "stock.É",
    "local",
)
ENTRIES = (
    ">",
    "orders.>",
    "orders.eu",
    "orders.*",
    "news",
    "copies.>",
    "copies",
    "newz",
    "orders.eu.big",
    "stock.É",
)
QUEUES = ("q1", "q2")
USERS = ("", "ada", "bob", "eve")

ODD_SELECTORS = (
    "country = 'Canada' AND qty > 5",
    "note LIKE 'a!_%' ESCAPE '!'",
    "note LIKE 'a_b'",
    "big = 9007199254740993",
    "big > 9007199254740992.0",
    "big + 1 < 0",
    "JMSPriority > 4",
    "JMSPriority = 4 OR qty > 5",
    "JMSTimestamp > 0 AND country = 'Canada'",
    "JMSMessageID LIKE 'ID:%'",
    "country IN ('Canada', 'it''s') OR vip",
    "qty / 2 = 3 AND NOT (price BETWEEN 1 AND 2.5)",
    "country = ",
    "price >= 0.5 OR country IS NULL",
)

MAY_BE_GONE = (
    *("tibemsd.conf", "topics.conf", "routes.conf", "acl.conf"),
    *("bridges.conf", "durables.conf"),
)
"""Files of which one is not there, at some servers of a network that is not shown whole."""

PROPERTIES: dict[str, tuple[Any, ...]] = {
    "country": ("Canada", "Mexico", "it's", None, 7),
    "qty": (0, 6, 7, 9, 7.0, "7"),
    "note": ("a_b", "axb", "a_"),
    "big": (2**53 + 1, 2**53, 2**63 - 1, -(2**63)),
    "price": (0.5, 2.5, -0.0, 1e300),
    "vip": (True, False),
    "JMSPriority": (4, 9),
    "JMSTimestamp": (0, 5),
    "JMSDeliveryMode": ("PERSISTENT", "NON_PERSISTENT"),
}


@dataclass(frozen=True)
class Furnished:
    """A network with what decides about messages."""

    made: Made
    seed: int

    @property
    def name(self) -> str:
        return self.made.name

    def write(self, folder: Path) -> None:
        chance = random.Random(f"furnished {self.seed}")
        self.made.estate.write(folder)
        for name in self.made.estate.servers:
            self._server(folder / name, name, chance)
        self._beside(folder, chance)
        if not self.made.whole:
            for name in chance.sample(
                self.made.estate.servers[1:], min(2, len(self.made.estate.servers) - 1)
            ):
                gone = folder / name / chance.choice(MAY_BE_GONE)
                gone.unlink(missing_ok=True)

    def _server(self, home: Path, name: str, chance: random.Random) -> None:
        main = [(home / "tibemsd.conf").read_text(encoding="utf-8")]
        topics = self._topics(name, chance)
        (home / "topics.conf").write_text("".join(f"{line}\n" for line in topics), encoding="utf-8")
        if chance.random() < 0.5:
            main.append("authorization = enabled\nacl_list = acl.conf\ngroups = groups.conf\n")
            principals = [*self.made.estate.servers, "ada", "bob"]
            lines = [
                f"TOPIC={chance.choice(ENTRIES)} {who} PERM={chance.choice(PERMISSIONS)}"
                for who in ("GROUP=all", "GROUP=clerks", *(f"USER={one}" for one in principals))
                if chance.random() < 0.6
            ]
            (home / "acl.conf").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            members = chance.sample(principals, len(principals) // 2)
            everyone = "".join(f"  {one}\n" for one in members)
            (home / "groups.conf").write_text(
                f"all:\n{everyone}\nclerks:\n  bob\n", encoding="utf-8"
            )
        if chance.random() < 0.4:
            main.append("bridges = bridges.conf\nqueues = queues.conf\n")
            others = [one for one in self.made.estate.servers if one != name and "." not in one]
            entries = [
                chance.choice(("q1", "q1 global", *(f"q1@{one}" for one in others))),
                "q2 global",
            ]
            (home / "queues.conf").write_text(
                "".join(f"{line}\n" for line in entries), encoding="utf-8"
            )
            bridges = [self._bridge(chance) for _ in range(chance.randint(1, 3))]
            (home / "bridges.conf").write_text("".join(bridges), encoding="utf-8")
        if chance.random() < 0.3:
            main.append("durables = durables.conf\n")
            lines = [
                (
                    f"{chance.choice((*TOPICS[:6], 'orders.>', 'orders.*', '>'))} "
                    f"d{number}{self._selector(chance, 0.5)}"
                )
                for number in range(chance.randint(1, 3))
            ]
            (home / "durables.conf").write_text(
                "".join(f"{line}\n" for line in lines), encoding="utf-8"
            )
        (home / "tibemsd.conf").write_text("".join(main), encoding="utf-8")
        routes = home / "routes.conf"
        text = routes.read_text(encoding="utf-8").splitlines(keepends=True)
        more = [
            line
            + (
                f"  {chance.choice(('incoming', 'outgoing'))}_topic="
                f"{chance.choice(ENTRIES)}{self._selector(chance, 1)}\n"
            )
            if line.lstrip().startswith("zone_type") and chance.random() < 0.35
            else line
            for line in text
        ]
        routes.write_text("".join(more), encoding="utf-8")

    def _topics(self, name: str, chance: random.Random) -> list[str]:
        globals_ = self.made.estate.global_topics.get(name, ())
        lines = [
            f"{pattern} global"
            for pattern in (*globals_, *(("orders.>",) if chance.random() < 0.6 else ()))
        ]
        for entry in chance.sample(ENTRIES, chance.randint(0, 4)):
            lines.append(entry + chance.choice(("", " secure", " global", " global,secure")))
        return [*dict.fromkeys(lines), *([">"] if chance.random() < 0.7 else [])]

    def _selector(self, chance: random.Random, likely: float) -> str:
        return f' selector="{chance.choice(ODD_SELECTORS)}"' if chance.random() < likely else ""

    def _bridge(self, chance: random.Random) -> str:
        target = chance.choice(
            (
                "topic=copies",
                "topic=copies.two",
                "topic=orders.new",
                "queue=q1",
                "queue=q2",
                "topic=copies.>",
            )
        )
        source = chance.choice(
            (
                "topic:orders.eu",
                "topic:orders.>",
                "topic:news",
                "topic:copies",
                "queue:q1",
                "queue:q2",
            )
        )
        return f"[{source}]\n  {target}{self._selector(chance, 0.4)}\n"

    def _beside(self, folder: Path, chance: random.Random) -> None:
        """topograph.yaml, and lists that servers printed."""
        lines: list[str] = []
        links = [link for link in self.made.estate.links if chance.random() < 0.15]
        if links:
            entries = [chance.sample(link.ends, 2) for link in links]
            lines += ["suspended:", *(f"  - {{server: {a}, route: {b}}}" for a, b in entries)]
        if chance.random() < 0.4:
            lines.append("clients:")
            for _ in range(chance.randint(1, 3)):
                server = chance.choice(self.made.estate.servers)
                topic = chance.choice((*TOPICS[:6], "orders.>", "orders.*", "copies.>"))
                named = chance.choice((f"topic:{topic}", f"topic:{topic}", "queue:q1", "queue:q2"))
                entry = f'  - {{server: {server}, destination: "{named}"'
                if chance.random() < 0.5:
                    entry += f', selector: "{chance.choice(ODD_SELECTORS[:6])}"'
                lines.append(entry + "}")
        if lines:
            (folder / "topograph.yaml").write_text(
                "".join(f"{line}\n" for line in lines), encoding="utf-8"
            )
        for name in self.made.estate.servers:
            if chance.random() < 0.12:
                rows = "".join(
                    f"   {number}  T  {topic}         --     1     0  0.0 Kb\n"
                    if chance.random() < 0.7
                    else f"   {number}  D  {topic}  d{number}     +-     1     0  0.0 Kb\n"
                    for number, topic in enumerate(chance.sample(TOPICS, chance.randint(0, 3)))
                )
                text = (
                    "Command: show subscriptions\n  Id  T  Topic       Name   SS  Cons  "
                    f"Msgs  Size\n{rows}"
                )
                end = "Command: exit\n" if chance.random() < 0.7 else ""
                (folder / name / "show.txt").write_text(text + end, encoding="utf-8")


PERMISSIONS = ("publish", "subscribe,durable", "all", "durable", "publish,subscribe,durable")


def furnished(seed: int) -> Furnished:
    """The network of a number."""
    return Furnished(made(seed), seed)


def about_messages(
    names: tuple[str, ...], chance: random.Random, number: int
) -> list[dict[str, Any]]:
    """Random messages, exact numbers as text."""
    found: list[dict[str, Any]] = []
    for _ in range(number):
        chosen = chance.sample(sorted(PROPERTIES), chance.choice((0, 1, 2, 2, 3, 5)))
        typed = {name: as_typed(chance.choice(PROPERTIES[name])) for name in chosen}
        found.append(
            {
                "question": "propagate",
                "from": chance.choice(names),
                "destination": f"topic:{chance.choice(TOPICS)}",
                "properties": typed,
                "user": chance.choice(USERS),
            }
        )
    return found


def as_typed(value: Any) -> dict[str, Any]:
    """A value with its type, as a page asks it."""
    if value is None:
        return {"type": "null", "value": None}
    if isinstance(value, bool):
        return {"type": "boolean", "value": value}
    if isinstance(value, int):
        return {"type": "long", "value": str(value)}
    return {"type": "double" if isinstance(value, float) else "string", "value": value}
