"""Queue managers drawn from a number, written as whole dumps, as whole output of DISPLAY, and as
views that show a part: the same queue managers each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

SERVERS = ("A", "B", "C")
NAMES = ("X", "Y", "DLQ", "AL", "R", "CQ")

ATTRIBUTES = {
    "QLOCAL": "USAGE PUT GET MAXDEPTH CLUSTER CLUSNL CLCHNAME DEFBIND CLWLUSEQ CLWLRANK CLWLPRTY "
    "STREAMQ STRMQOS",
    "QALIAS": "TARGET TARGTYPE PUT CLUSTER CLUSNL DEFBIND CLWLRANK CLWLPRTY",
    "QREMOTE": "RNAME RQMNAME XMITQ PUT CLUSTER CLUSNL DEFBIND CLWLRANK CLWLPRTY",
    "SDR": "CONNAME XMITQ SSLCIPH NPMSPEED",
    "RCVR": "SSLCIPH USEDLQ NPMSPEED MRRTY MRTMR",
    "CLUSSDR": "CONNAME CLUSTER CLUSNL SSLCIPH",
    "CLUSRCVR": "CONNAME CLUSTER CLUSNL NETPRTY CLWLRANK CLWLPRTY CLWLWGHT SSLCIPH USEDLQ "
    "NPMSPEED MRRTY MRTMR",
}
"""What each kind of object has here: everything that decides where messages go."""

DEFAULTS = {
    "USAGE": "NORMAL", "PUT": "ENABLED", "GET": "ENABLED", "MAXDEPTH": "5000", "DEFBIND": "OPEN",
    "CLWLUSEQ": "QMGR", "CLWLRANK": "0", "CLWLPRTY": "0", "STRMQOS": "BESTEF", "TARGTYPE": "QUEUE",
    "NPMSPEED": "FAST", "USEDLQ": "YES", "MRRTY": "10", "MRTMR": "1000", "NETPRTY": "0",
    "CLWLWGHT": "50",
}  # fmt: skip
MANAGER = {"DEADQ": "", "DEFXMITQ": "", "REPOS": "", "CHLAUTH": "DISABLED", "DEFCLXQ": "SCTQ",
           "CLWLUSEQ": "LOCAL", "PARENT": ""}  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """A queue or channel with all of its attributes."""

    noun: str
    name: str
    values: dict[str, str]

    @property
    def is_queue(self) -> bool:
        return self.noun.startswith("Q")


def thing(noun: str, name: str, **values: str) -> Thing:
    names = ATTRIBUTES[noun].split()
    return Thing(noun, name, {one: values.get(one, DEFAULTS.get(one, "")) for one in names})


@dataclass(frozen=True)
class Managed:
    """A queue manager."""

    name: str
    values: dict[str, str]
    things: tuple[Thing, ...] = ()


@dataclass
class Drawn:
    """Queue managers with queues, aliases, remote queues, channels and one cluster."""

    number: int
    managers: dict[str, Managed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at = self.at = random.Random(self.number)
        members = [one for one in SERVERS if at.random() < 0.6]
        things: dict[str, list[Thing]] = {one: [] for one in SERVERS}
        for start in SERVERS:
            for end in SERVERS:
                if start != end and at.random() < 0.7:
                    things[start].append(
                        thing("SDR", f"{start}.{end}", CONNAME=f"{end.lower()}(1414)", XMITQ=end)
                    )
                    things[start].append(thing("QLOCAL", end, USAGE="XMITQ", PUT=self._put(0.1)))
                    if at.random() < 0.85:
                        things[end].append(thing("RCVR", f"{start}.{end}"))
        for name in members:
            things[name].append(
                thing("CLUSRCVR", f"K.{name}", CONNAME=f"{name.lower()}(1414)", CLUSTER="K")
            )
            for other in members:
                if other != name:
                    things[name].append(
                        thing(
                            "CLUSSDR", f"K.{other}", CONNAME=f"{other.lower()}(1414)", CLUSTER="K"
                        )
                    )
        for name in SERVERS:
            things[name] += self._queues(name, name in members)
            values = dict(MANAGER)
            values["DEADQ"] = at.choice(("DLQ", "DLQ", "", "GONE"))
            values["DEFXMITQ"] = at.choice(("", "", *(one for one in SERVERS if one != name)))
            values["REPOS"] = "K" if name in members else ""
            values["CLWLUSEQ"] = at.choice(("LOCAL", "ANY"))
            self.managers[name] = Managed(name, values, tuple(things[name]))

    def _put(self, share: float) -> str:
        return "DISABLED" if self.at.random() < share else "ENABLED"

    def _queues(self, server: str, member: bool) -> Iterable[Thing]:
        at = self.at
        others = [one for one in SERVERS if one != server]
        cluster = "K" if member else ""
        if at.random() < 0.8:
            yield thing("QLOCAL", "DLQ")
        for name in ("X", "Y"):
            if at.random() < 0.6:
                yield thing("QLOCAL", name, PUT=self._put(0.2))
        if at.random() < 0.7:
            yield thing("QALIAS", "AL", TARGET=at.choice(("X", "Y", "CQ", "GONE")))
        if at.random() < 0.8:
            to = at.choice(others)
            there = at.choice(("X", "Y", "AL", "GONE"))
            yield thing("QREMOTE", "R", RNAME=there, RQMNAME=to, XMITQ=at.choice(("", to)))
        if at.random() < 0.5:
            yield thing("QLOCAL", "CQ", CLUSTER=at.choice((cluster, cluster, "")))


def dumped(one: Managed, options: str, kept: Callable[[Thing], bool], manager: bool = True) -> str:
    """What dmpmqcfg writes."""
    lines = [
        f"* Queue manager name: {one.name}",
        f"* Command issued: dmpmqcfg -m {one.name} {options}".rstrip(),
    ]
    if manager:
        lines.append("ALTER QMGR" + _written(one.values))
    for each in one.things:
        if kept(each):
            what = f"{each.noun}('{each.name}')" if each.is_queue else f"CHANNEL('{each.name}')"
            more = "" if each.is_queue else f" +\n   CHLTYPE({each.noun})"
            lines.append(f"DEFINE {what}{more}{_written(each.values)} +\n   REPLACE")
    return "\n".join([*lines, "* Script ended on 2024-02-01   at 10.10.10", ""])


def _written(values: dict[str, str]) -> str:
    return "".join(f" +\n   {name}('{value or ' '}')" for name, value in values.items())


def whole_dump(one: Managed) -> str:
    return dumped(one, "-a", lambda _: True)


@dataclass(frozen=True)
class Display:
    """A DISPLAY command and what it shows."""

    command: str
    kept: Callable[[Thing], bool]
    columns: tuple[str, ...] | None = None
    """The attributes asked for; None for ALL."""

    @property
    def text(self) -> str:
        return f"{self.command} {'ALL' if self.columns is None else ' '.join(self.columns)}".strip()


QUEUES = Display("DISPLAY QUEUE(*)", lambda one: one.is_queue)
CHANNELS = Display("DISPLAY CHANNEL(*)", lambda one: not one.is_queue)


def displayed(one: Managed, asked: Iterable[Display], manager: bool = True) -> str:
    """What runmqsc shows, with its last line."""
    lines = [f"Starting MQSC for queue manager {one.name}."]
    number = 0
    if manager:
        number += 1
        lines += [f"     {number} : DISPLAY QMGR ALL", "AMQ8408I: Display Queue Manager details."]
        lines.append(f"   QMNAME({one.name})")
        lines += [f"   {name}({value or ' '})" for name, value in one.values.items()]
    for display in asked:
        number += 1
        lines.append(f"     {number} : {display.text}")
        found = [each for each in one.things if display.kept(each)]
        for each in found:
            values = {
                name: value
                for name, value in each.values.items()
                if display.columns is None or name in display.columns
            }
            if each.is_queue:
                lines += ["AMQ8409I: Display Queue details.", f"   QUEUE({each.name})"]
                lines.append(f"   TYPE({each.noun})")
            else:
                lines += ["AMQ8414I: Display Channel details.", f"   CHANNEL({each.name})"]
                lines.append(f"   CHLTYPE({each.noun})")
            lines += [f"   {name}({value or ' '})" for name, value in values.items()]
        if not found:
            lines.append("AMQ8147E: IBM MQ object * not found.")
    more = (
        Display("DISPLAY NAMELIST(*)", lambda _: False),
        Display("DISPLAY TOPIC(*)", lambda _: False),
    )
    for display in more:
        number += 1
        lines += [f"     {number} : {display.text}", "AMQ8147E: IBM MQ object * not found."]
    return "\n".join([*lines, f"{number} MQSC commands read.", ""])


def whole_display(one: Managed) -> str:
    return displayed(one, (QUEUES, CHANNELS))


def partial_views(one: Managed, at: random.Random) -> dict[str, str]:
    """Views of a queue manager that show a part of it, by what they are."""
    columns = tuple(
        sorted(
            {name for names in ATTRIBUTES.values() for name in names.split() if at.random() < 0.7}
        )
    )
    letter = at.choice("XYADRC")
    some = {each.name for each in one.things if at.random() < 0.5}
    lines = whole_display(one).splitlines(keepends=True)
    dump = whole_dump(one).splitlines(keepends=True)
    starts = replace(
        QUEUES,
        command=f"DISPLAY QUEUE({letter}*)",
        kept=lambda each: each.is_queue and each.name.startswith(letter),
    )
    loaded = replace(
        QUEUES,
        command="DISPLAY QUEUE(*) WHERE(CURDEPTH GT 0)",
        kept=lambda each: each.is_queue and each.name in some,
    )
    local = replace(QUEUES, command="DISPLAY QLOCAL(*)", kept=lambda each: each.noun == "QLOCAL")
    senders = replace(
        CHANNELS, command="DISPLAY CHANNEL(*) CHLTYPE(SDR)", kept=lambda each: each.noun == "SDR"
    )
    return {
        "names and types": displayed(one, (replace(QUEUES, columns=()), CHANNELS)),
        "columns of queues": displayed(one, (replace(QUEUES, columns=columns), CHANNELS)),
        "columns of channels": displayed(one, (QUEUES, replace(CHANNELS, columns=columns))),
        "queues by name": displayed(one, (starts, CHANNELS)),
        "queues with messages": displayed(one, (loaded, CHANNELS)),
        "local queues": displayed(one, (local, CHANNELS)),
        "sender channels": displayed(one, (QUEUES, senders)),
        "no channels": displayed(one, (QUEUES,)),
        "no queues": displayed(one, (CHANNELS,)),
        "no queue manager": displayed(one, (QUEUES, CHANNELS), manager=False),
        "cut output": "".join(lines[: at.randint(2, len(lines) - 1)]),
        "dump of queues": dumped(one, "-a -t queue", lambda each: each.is_queue, manager=False),
        "dump of channels": dumped(
            one, "-a -t channel", lambda each: not each.is_queue, manager=False
        ),
        "dump by name": dumped(
            one, f"-a -n '{letter}*'", lambda each: each.name.startswith(letter), manager=False
        ),
        "cut dump": "".join(dump[: at.randint(3, len(dump) - 1)]),
    }
