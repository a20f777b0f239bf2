"""What commands of MQSC leave behind, by a second reading: a queue manager is a dict of objects,
and each command does to it what the reference of MQSC says. Nothing of topograph."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

QUEUES = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")
DEFAULT_OF = {
    "QLOCAL": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "QALIAS": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "QREMOTE": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "SDR": "SYSTEM.DEF.SENDER",
    "RCVR": "SYSTEM.DEF.RECEIVER",
}
NEEDED = {
    "SDR": ("XMITQ", "CONNAME"),
    "SVR": ("XMITQ",),
    "RQSTR": ("CONNAME",),
    "CLUSSDR": ("CONNAME",),
}


@dataclass(frozen=True)
class Said:
    """One command: ``type_`` is CHLTYPE, ``words`` are those that say how it is done."""

    verb: str
    noun: str
    name: str
    type_: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [self.verb, self.noun + (f"('{self.name}')" if self.name else "")]
        parts += [f"CHLTYPE({self.type_})"] if self.type_ else []
        return " ".join(
            [
                *parts,
                *self.words,
                *(written(name, value) for name, value in self.attributes.items()),
            ]
        )


def written(name: str, value: str) -> str:
    if name in ("TRIGGER", "NOTRIGGER"):
        return name
    return f"{name}({value})" if value.isalnum() and value.isupper() else f"{name}('{value}')"


@dataclass
class Manager:
    """A queue manager: its attributes, its queues by name and its channels by name, each a noun
    or type with attributes.
    """

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    queues: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    channels: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    deleted: dict[str, str] = field(default_factory=dict)
    """What every new queue manager has and this one no more: the noun by name."""

    def text(self) -> str:
        """Its MQSC. What other objects would begin as stands last, so that it gives nothing to
        those that are written.
        """
        lines = [f"* Queue manager name: {self.name}", "ALTER QMGR DESCR('x')"]
        lines += (
            [str(Said("ALTER", "QMGR", "", attributes=self.attributes))] if self.attributes else []
        )
        found = [
            Said("DEFINE", noun, name, "", values) for name, (noun, values) in self.queues.items()
        ]
        found += [
            Said("DEFINE", "CHANNEL", name, type_, values)
            for name, (type_, values) in self.channels.items()
        ]
        found.sort(key=lambda one: one.name.startswith("SYSTEM."))
        found += [Said("DELETE", noun, name) for name, noun in self.deleted.items()]
        return "\n".join([*lines, *map(str, found)]) + "\n"

    def given(self, said: Said) -> bool:
        """Do what a command does; whether the queue manager accepts it."""
        if said.noun == "QMGR":
            after = self.attributes | said.attributes
            if (after.get("REPOS", "").strip() and after.get("REPOSNL", "").strip()) or (
                after.get("DEFXMITQ") == "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
            ):
                return False
            self.attributes = after
            return True
        channel = said.noun == "CHANNEL"
        held = self.channels if channel else self.queues
        kind = said.type_ if channel else said.noun
        known = held.get(said.name)
        if known is not None and known[0] != kind and (kind or not channel):
            return False
        if said.verb == "DELETE":
            if known is None:
                return False
            del held[said.name]
            if said.name.startswith("SYSTEM."):
                self.deleted[said.name] = said.noun
            return True
        if said.verb == "ALTER":
            if known is None:
                return False
            after = merged(known[1], said.attributes)
        else:
            if known is not None and "REPLACE" not in said.words:
                return False
            like = next((word[6:-2] for word in said.words if word.startswith("LIKE(")), "")
            base: dict[str, str] = {}
            if like:
                if like not in held or held[like][0] != kind:
                    return False
                base = held[like][1]
            elif DEFAULT_OF.get(kind) != said.name and DEFAULT_OF.get(kind) in held:
                base = held[DEFAULT_OF[kind]][1]
            after = merged(base, said.attributes)
        if not possible(kind, after, of_the_product=said.name.startswith("SYSTEM.")):
            return False
        held[said.name] = (kind, after)
        self.deleted.pop(said.name, None)
        return True


def merged(before: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    after = dict(before)
    for name, value in given.items():
        opposite = {"TRIGGER": "NOTRIGGER", "NOTRIGGER": "TRIGGER"}.get(name, "")
        after.pop(opposite, None)
        after[name] = value
    return after


def possible(kind: str, values: Mapping[str, str], *, of_the_product: bool) -> bool:
    """Whether there can be such an object: those of the product, from which others take their
    defaults, have blanks where others need a value.
    """

    def has(name: str) -> bool:
        return bool(values.get(name, "").strip())

    if has("CLUSTER") and has("CLUSNL"):
        return False
    if kind in QUEUES:
        transmits = values.get("USAGE") == "XMITQ"
        clustered = has("CLUSTER") or has("CLUSNL")
        return not (clustered and transmits) and (transmits or not has("CLCHNAME"))
    return of_the_product or all(has(name) for name in NEEDED.get(kind, ()))


# Random commands

NAMES = ("X", "Y", "Z", "T", "QB", "QD")


def attributes_of(random: Random, kind: str) -> dict[str, str]:
    """Some attributes of a queue or channel."""
    found: dict[str, str] = {}

    def maybe(chance: float, name: str, *values: str) -> None:
        if random.random() < chance:
            found[name] = random.choice(values)

    if kind == "QLOCAL":
        maybe(0.3, "USAGE", "XMITQ", "NORMAL")
        maybe(0.3, "CLUSTER", "C1", " ")
        maybe(0.1, "CLUSNL", "NL", " ")
        maybe(0.2, random.choice(("TRIGGER", "NOTRIGGER")), "")
        maybe(0.2, "STREAMQ", *NAMES, " ")
        maybe(0.1, "CLCHNAME", "C1.*", " ")
        maybe(0.2, "GET", "DISABLED", "ENABLED")
    elif kind == "QALIAS":
        maybe(0.8, "TARGET", *NAMES)
        maybe(0.3, "CLUSTER", "C1", " ")
    elif kind == "QREMOTE":
        maybe(0.8, "RNAME", *NAMES)
        maybe(0.8, "RQMNAME", "QA", "QB", "QC")
        maybe(0.5, "XMITQ", *NAMES, " ")
    elif kind in ("SDR", "SVR"):
        maybe(0.8, "XMITQ", *NAMES, " ")
        maybe(0.8, "CONNAME", "b(1414)", "c(1414)", " ")
    elif kind in ("CLUSRCVR", "CLUSSDR"):
        maybe(0.9, "CLUSTER", "C1", "C2")
        maybe(0.9, "CONNAME", "b(1414)")
        maybe(0.1, "CLUSNL", "NL")
    if kind in QUEUES:
        maybe(0.2, "PUT", "DISABLED", "ENABLED")
        maybe(0.2, "DESCR", "it''s one")
    return found


KINDS = (*QUEUES, "QLOCAL", "QREMOTE")
TYPES = ("SDR", "SDR", "RCVR", "SVR", "CLUSRCVR", "CLUSSDR")


def command(random: Random, manager: Manager) -> Said:
    """A random command, often about what is there."""
    if random.random() < 0.1:
        name = random.choice(("DEFXMITQ", "DEADQ", "REPOS", "REPOSNL"))
        value = random.choice(
            ("C1", " ")
            if name.startswith("REPOS")
            else (*NAMES, " ", "SYSTEM.CLUSTER.TRANSMIT.QUEUE")
        )
        return Said("ALTER", "QMGR", "", attributes={name: value})
    channel = random.random() < 0.35
    held = manager.channels if channel else manager.queues
    verb = random.choice(("DEFINE", "DEFINE", "ALTER", "ALTER", "DELETE"))
    known = sorted(held)
    names = (
        [f"{manager.name}.{other}" for other in ("QB", "QC")] + ["C1.QB"] if channel else [*NAMES]
    )
    name = random.choice(known) if known and random.random() < 0.6 else random.choice(names)
    kind = random.choice(TYPES if channel else KINDS)
    if name in held and random.random() < 0.85:
        kind = held[name][0]
    if verb == "DELETE":
        return Said("DELETE", "CHANNEL" if channel else kind, name)
    words: list[str] = []
    if verb == "DEFINE":
        words += ["REPLACE"] if random.random() < 0.5 else random.choice(([], ["NOREPLACE"]))
        if random.random() < 0.25:
            words.append(f"LIKE('{random.choice(known or names)}')")
    attributes = attributes_of(random, kind)
    return Said(
        verb,
        "CHANNEL" if channel else kind,
        name,
        kind if channel else "",
        attributes,
        tuple(words),
    )


def manager(random: Random, name: str) -> Manager:
    """A queue manager made by commands that it accepts, some of them on the objects that others
    begin as.
    """
    made = Manager(name)
    for kind, default in DEFAULT_OF.items():
        if random.random() < 0.25:
            channel = kind not in QUEUES
            values = {"PUT": "DISABLED"} if not channel else {"DESCR": "by default"}
            if kind == "SDR":
                values |= {"XMITQ": "T", "CONNAME": "d(1414)"}
            (made.channels if channel else made.queues)[default] = (kind, values)
    for _ in range(random.randrange(4, 14)):
        made.given(command(random, made))
    return made


def script(random: Random, start: Manager, length: int) -> tuple[list[Said], list[bool], Manager]:
    """Random commands for a queue manager, whether it accepts each, and the queue manager after
    them.
    """
    after = copy.deepcopy(start)
    said, accepted = [], []
    for _ in range(length):
        one = command(random, after)
        said.append(one)
        accepted.append(after.given(one))
    return said, accepted, after
