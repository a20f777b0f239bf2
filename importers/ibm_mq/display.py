"""What DISPLAY shows: one block of attributes below a message, as configuration or as observed
state (ibm_mq.md C4).

The message's number says what a block is, not its words, which are translated in some
installations; where the number is not known its first attributes do.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from topograph.facts.ibm_mq import (
    ChannelStatus,
    ClusterQueue,
    ClusterQueueManager,
    Described,
    OtherStatus,
    QueueStatus,
)
from topograph.facts.ibm_mq_names import QUEUES
from topograph.findings import Severity, Source
from topograph.importers.ibm_mq.coverage import Statement, single
from topograph.importers.ibm_mq.model import ManagerModel, Object, key_of
from topograph.importers.ibm_mq.schema import SYNONYMS
from topograph.importers.ibm_mq.secrets import attribute
from topograph.importers.positions.places import Placing
from topograph.rules.ibm_mq_findings import DISPLAY_INCOMPLETE, LINE_NOT_READ

_SECOND = 43
"""Where the second attribute of a line begins, counted from 0."""
_MOST_LINES = 400
"""Lines that one value may have: a list of names stands in several."""

_NOUNS = {
    8408: "QMGR", 8409: "QUEUE", 8414: "CHANNEL", 8417: "CHSTATUS", 8441: "CLUSQMGR",
        8450: "QSTATUS", 8550: "NAMELIST", 8630: "LISTENER",
    8631: "LSSTATUS", 8407: "PROCESS", 8566: "AUTHINFO", 8629: "SERVICE", 8632: "SVSTATUS",
        8633: "TOPIC", 8096: "SUB", 8878: "CHLAUTH",
    8864: "AUTHREC", 8861: "COMMINFO", 8705: "QMSTATUS", 8276: "CONN", 8099: "SBSTATUS",
        8754: "TPSTATUS", 8723: "PUBSUB",
}  # fmt: skip
"""What the message of a block announces."""

_BY_FIRST = (
    "CHLAUTH",
    "CLUSQMGR",
    "NAMELIST",
    "LISTENER",
    "TOPIC",
    "SUB",
    "PROCESS",
    "SERVICE",
    "AUTHINFO",
    "COMMINFO",
    "CONN",
)

_CONFIGURED = frozenset(
    {"QMGR", "CHANNEL", "NAMELIST", "LISTENER", "PROCESS", "AUTHINFO", "SERVICE", "TOPIC", "SUB",
        "CHLAUTH", "AUTHREC", "COMMINFO", *QUEUES}
)  # fmt: skip

_TELLING = {
    "QLOCAL": ("USAGE", "PUT"),
    "QALIAS": ("TARGET",),
    "QREMOTE": ("RNAME", "RQMNAME", "XMITQ"),
    "SDR": ("CONNAME", "XMITQ"),
    "SVR": ("XMITQ",),
    "CLUSSDR": ("CONNAME", "CLUSTER"),
    "CLUSRCVR": ("CONNAME", "CLUSTER"),
    "NAMELIST": ("NAMES",),
    "LISTENER": ("PORT",),
}
"""Attributes without which a block does not show the whole object."""


@dataclass(slots=True)
class Block:
    """The lines of one object below a message. ``line`` is that of the message."""

    number: int
    line: int
    items: list[tuple[str, str, int]] = field(default_factory=list)
    """Name, value and line of each attribute."""
    open: tuple[str, str, int] | None = None
    lines: int = 0
    strange: list[int] = field(default_factory=list)
    """Lines that hold no attribute."""

    def add(self, text: str, line: int) -> None:
        """A line below the message. Linear."""
        if self.open is not None:
            name, value, begun = self.open
            value += text.strip()
            self.lines += 1
            if (
                value.endswith(")") and value.count("(") < value.count(")")
            ) or self.lines > _MOST_LINES:
                self.items.append((name, value.removesuffix(")"), begun))
                self.open = None
            else:
                self.open = (name, value, begun)
            return
        parts = _parts(text)
        if not parts:
            self.strange.append(line)
        for part in parts:
            name, mark, rest = part.partition("(")
            name = name.strip().upper()
            if mark and not rest.endswith(")"):
                self.open, self.lines = (name, rest, line), 0
            else:
                self.items.append((name, rest[:-1] if mark else "", line))

    @property
    def noun(self) -> str:
        """What it is about."""
        values = {name: value for name, value, _ in self.items}
        noun = _NOUNS.get(self.number, "")
        if not noun:
            noun = self._guessed(values)
        if noun == "QUEUE":
            type_ = values.get("TYPE", "") or values.get("QTYPE", "")
            return (
                type_
                if type_ in (*QUEUES, "QCLUSTER")
                else "QUEUE"
                if type_ != "QUEUE"
                else "QSTATUS"
            )
        if noun == "CHANNEL" and "STATUS" in values and "SUBSTATE" in values:
            return "CHSTATUS"
        return noun

    def _guessed(self, values: dict[str, str]) -> str:
        first = next(iter(values), "")
        if first == "QMNAME":
            return "QMSTATUS" if "STATUS" in values else "QMGR"
        if first == "QUEUE":
            return "QUEUE"
        if first == "CHANNEL":
            return "CHSTATUS" if "STATUS" in values else "CHANNEL"
        return first if first in _BY_FIRST else f"AMQ{self.number}"


def _parts(text: str) -> list[str]:
    """The one or two attributes of a line."""
    line = text.rstrip()
    if len(line) > _SECOND and line[_SECOND] not in " \t" and line[_SECOND - 1] == " ":
        first, second = line[:_SECOND].strip(), line[_SECOND:].strip()
        if first and _is_item(first, whole=True) and _is_item(second):
            return [first, second]
    line = line.strip()
    return _scanned(line) or ([line] if _is_item(line) else [])


def _scanned(line: str) -> list[str]:
    """The attributes of a line that has several beside each other, in columns of another width;
    empty if it does not read so throughout.
    """
    found: list[str] = []
    at = 0
    while at < len(line):
        end = at
        while end < len(line) and (line[end].isalnum() or line[end] == "_"):
            end += 1
        if end < len(line) and line[end] == "(":
            depth = 1
            end += 1
            while end < len(line) and depth:
                depth += (line[end] == "(") - (line[end] == ")")
                end += 1
        if not _is_item(line[at:end], whole=True) or (end < len(line) and line[end] != " "):
            return []
        found.append(line[at:end])
        at = end
        while at < len(line) and line[at] == " ":
            at += 1
    return found


def _is_item(text: str, whole: bool = False) -> bool:
    """Whether a text is ``NAME`` or ``NAME(value)``; the parenthesis may stay open unless it is
    to be ``whole``.
    """
    name, mark, _ = text.partition("(")
    name = name.strip()
    if not name or not name.replace("_", "").isalnum() or not name.isupper() or not name.isascii():
        return False
    return not (mark and whole) or text.endswith(")")


def take(
    block: Block, model: ManagerModel, placing: Placing, asked: Statement | None = None
) -> None:
    """Put what a block shows into the model. ``asked`` is what the command above asks for, None
    where the text does not repeat it: the block then shows itself alone. Linear in its attributes.
    """
    if block.open is not None:
        name, value, line = block.open
        block.items.append((name, value, line))
        block.open = None
    if not block.items:
        return
    source = placing.at(block.line, 0)
    model.at = model.at or source
    noun = block.noun
    if block.strange:
        message = f"{len(block.strange)} lines below this message hold no attribute: not read."
        model.note(
            LINE_NOT_READ,
            Severity.WARNING,
            message,
            placing.at(block.strange[0], 0),
            f"AMQ{block.number}",
        )
    if asked is None and noun in _CONFIGURED and (alone := single(noun, _type_of(block), source)):
        everything = {"ALTDATE", "DESCR"} <= {name for name, _, _ in block.items}
        asked = alone if everything else replace(alone, attributes=())
        model.state(asked)
    if noun == "QMGR":
        _manager(block, model, placing, source, asked)
    elif noun in _CONFIGURED:
        _configured(noun, block, model, placing, source, asked)
    else:
        model.observed.append(_observed(noun, block, model, placing, source))
        model.done += 1


def _type_of(block: Block) -> str:
    """CHLTYPE of a block of a channel."""
    return next((value.strip() for name, value, _ in block.items if name == "CHLTYPE"), "")


def _manager(
    block: Block,
    model: ManagerModel,
    placing: Placing,
    source: Source,
    asked: Statement | None,
) -> None:
    model.where = source
    for name, value, line in block.items:
        if name != "QMNAME":
            model.manager[name] = attribute(name, value.strip(), placing.line(line))
    names = {name for name, _, _ in block.items}
    everything = asked is not None and asked.classes == ("QMGR",) and asked.whole_objects
    if everything or {"DEADQ", "DEFXMITQ", "REPOS"} <= names:
        model.is_dump = True
    model.done += 1


def _configured(
    noun: str,
    block: Block,
    model: ManagerModel,
    placing: Placing,
    source: Source,
    asked: Statement | None,
) -> None:
    first = block.items[0]
    type_ = _type_of(block) if noun == "CHANNEL" else ""
    made = Object(
        noun, first[1].strip() if first[1].strip() else first[1], source, channel_type=type_
    )
    rules = noun in ("CHLAUTH", "AUTHREC")
    made.partial = asked is not None and not asked.whole_objects and not rules
    left = {"CHLTYPE"} if noun == "CHANNEL" else {"TYPE"} if noun in QUEUES else set()
    for name, value, line in block.items[1:]:
        if name not in left:
            shown = SYNONYMS.get(name, name)
            made.attributes[shown] = attribute(shown, value.strip(), placing.line(line))
    missing = [name for name in _TELLING.get(type_ or noun, ()) if name not in made.attributes]
    if missing:
        message = f"DISPLAY shows no {', '.join(missing)} here: what is not shown is not known."
        made.doubts.append(message)
        model.note(DISPLAY_INCOMPLETE, Severity.WARNING, message, source, made.shown)
    if rules:
        model.rules.append(made)
        model.done += 1
        return
    key = key_of(noun, made.name, type_)
    held = model.objects.get(key)
    if held is not None and held.verb == "DEFINE" and held.noun == noun:
        for name, one in made.attributes.items():  # shown once more: what is new or changed counts
            held.attributes[name] = one
        held.partial = held.partial and made.partial
        held.doubts = [
            doubt
            for doubt in held.doubts
            if made.doubts or not doubt.startswith("DISPLAY shows no")
        ]
        model.ignored += 1
        return
    model.objects[key] = made
    model.done += 1


def _observed(
    noun: str, block: Block, model: ManagerModel, placing: Placing, source: Source
) -> Described:
    name = block.items[0][1].strip()
    attributes = tuple(
        attribute(key, value.strip(), placing.line(line)) for key, value, line in block.items[1:]
    )
    if noun == "CHSTATUS":
        return ChannelStatus(
            bundle="", server=model.name, source=source, name=name, attributes=attributes
        )
    if noun == "QSTATUS":
        return QueueStatus(
            bundle="", server=model.name, source=source, name=name, attributes=attributes
        )
    if noun == "CLUSQMGR":
        return ClusterQueueManager(
            bundle="", server=model.name, source=source, name=name, attributes=attributes
        )
    if noun == "QCLUSTER":
        return ClusterQueue(
            bundle="", server=model.name, source=source, name=name, attributes=attributes
        )
    return OtherStatus(
        bundle="", server=model.name, source=source, name=name, noun=noun, attributes=attributes
    )
