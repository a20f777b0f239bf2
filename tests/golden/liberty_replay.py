"""What topograph says to a question that was put to a real messaging engine, in the form in which
the engine's answer is recorded (``tests/golden/sibus/README.md``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sibus_forms import facts

import topograph
from topograph.facts.sibus import SibusDestination
from topograph.message import Address
from topograph.network import Network
from topograph.outcomes import Truth
from topograph.selectors import parse

BUS = "defaultBus"
CIRCLE = ("CWSIP0621E", 1)
"""Aliases in a circle: the engine has a message for them and no reason of their own."""

Ask = Mapping[str, Any]
Result = tuple[object, ...]
"""``refused`` with the reason; ``at`` with destination, reason and problem destination; ``gone``;
``published`` with the topic space; ``copies`` with the count of each subscriber."""


def recorded(ask: Ask, got: Mapping[str, Any]) -> Result:
    """What the engine did."""
    if "refused" in got and ask["do"] != "fill":
        # The outermost exception of the engine says what was refused, its causes why.
        code = next(tuple(one) for one in got["refused"] if one[1] is not None)
        return ("refused", "lookup" if code == CIRCLE else code[1])
    if ask["do"] == "fill":
        return ("full", got["taken"])
    if ask["do"] == "publish":
        return ("copies", *got["copies"])
    if ask["do"] == "temporary":
        return ("at", "temporary") if got["at"] else ("gone",)
    if got["at"] is None:
        return ("gone",)
    return ("at", got["at"], got["reason"], got["problem"])


@dataclass(frozen=True)
class Replayed:
    """A network, and of its queues how many messages they hold: no question asks for that."""

    network: Network
    depths: Mapping[str, int]


GIVEN_BACK = 35
"""The reason of a message that a consumer gave back too often."""


def predicted(estate: Replayed, ask: Ask) -> Result:
    """What topograph says, which has to be one thing for certain."""
    if ask["do"] == "fill":
        (name,) = ask["way"]
        one = predicted(estate, {"do": "send", "way": [name]})
        return ("full", 0 if one[0] == "refused" else estate.depths[name])
    first, *rest = ask.get("way", ["_Qtemporary"])
    kind = "topic" if ask["do"] == "publish" else "queue"
    answer = estate.network.trace(
        BUS,
        f"{kind}:{first}",
        forward_path=tuple(Address("", one) for one in rest) or None,
        reliability=ask.get("reliability", ""),
        rollbacks=ask.get("times") or None,
        topic=ask.get("topic", ""),
    ).to_dict()
    assert len(answer["branches"]) == 1, answer["outcomes"]
    last = answer["steps"][answer["branches"][0]["last"]]
    return _result(ask, last, json.loads(last["state"]))


def _result(ask: Ask, last: Mapping[str, Any], state: Mapping[str, Any]) -> Result:
    outcome, _, arguments = last["outcome"].rstrip(")").partition("(")
    if outcome == "REJECTED":
        return ("refused", int(arguments) if arguments.isdigit() else arguments)
    if outcome == "DISCARDED":
        return ("gone",)
    if outcome == "PUBLISHED":
        closed = "receiving is not allowed there" in last["text"]
        if ask["do"] == "publish":
            return ("copies", *(0 if closed else count for count in _copies(ask)))
        if state.get("exception") and state["reason"] == GIVEN_BACK and not closed:
            return ("at", last["object"], state["reason"], _name(state["problem"]))
        return ("gone",)  # nobody subscribes, but while a consumer gives messages back
    assert outcome in ("DELIVERED", "EXCEPTIONED", "BLOCKED"), last
    if ask["do"] == "temporary":
        return ("at", "temporary")
    # What a consumer gives back once more stays what it was when it came.
    moved = bool(state.get("problem"))
    reason, problem = (state["reason"], _name(state["problem"])) if moved else (None, None)
    return ("at", last["object"], reason, problem)


def _name(address: str) -> str:
    return address.removesuffix(f"@{BUS}")


def _copies(ask: Ask) -> list[int]:
    """Of each subscriber the copies: the topic is its own, and its selector takes the message."""
    return [
        int(topic == ask["topic"] and (not selector or _takes(selector, ask["properties"])))
        for topic, selector in [(ask["topic"], ""), *ask["subscribers"]]
    ]


def _takes(selector: str, properties: Mapping[str, Any]) -> bool:
    return parse(selector).evaluate(properties) is Truth.TRUE


def read(folder: Path, server_xml: list[str]) -> Replayed:
    """What topograph reads of a recorded server.xml."""
    folder.mkdir(parents=True)
    text = "\n".join(server_xml)
    (folder / "server.xml").write_text(text, encoding="utf-8")
    depths = {
        one.name: int(depth.value)
        for one in facts("server.xml", text, SibusDestination)
        if (depth := one.attribute("maxMessageDepth")) is not None
    }
    return Replayed(topograph.read(folder), depths)
