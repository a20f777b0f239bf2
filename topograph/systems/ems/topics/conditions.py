"""What the guards of a link come to for messages, in words: for any message (``of_any``), for one
that passes (``met``), for one that does not (``lacking``).

Guards stand for many links and name no server where they need none; people read of a message, and
of the servers that ask something of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from topograph.forwarding.graph import OPEN, Guard

GLOBAL = "for any topic that is global at both ends"
"""What a link asks of any message (R42)."""

GLOBAL_MET = " is global at both ends"
"""What stands behind the topic of a message that passes."""


def of_any(guard: Guard) -> str:
    """What a guard asks of messages of which nothing is said.

    >>> of_any(Guard("", "selector", "", '{"topic": "orders", "selector": "country = 1"}'))
    'for orders only if country = 1'
    """
    payload: Mapping[str, Any] = json.loads(guard.payload) if guard.payload else {}
    if guard.kind == "global":
        if "unknown" in payload:
            return (
                f"for a topic that is global at {payload['at']}, of which that is not known: "
                f"{payload['why']}"
            )
        return GLOBAL if payload["patterns"] else f"for no topic: none is global at {payload['at']}"
    if guard.kind == "grant":
        return f"for a topic that is secure at {payload['at']} only if {_granted(payload)}"
    if guard.kind == "selector":
        fault = "a selector holds that is not understood: " if payload.get("fault") else ""
        return f"for {payload['topic']} only if {fault}{payload['selector']}"
    if guard.kind == OPEN:
        return f"if it comes up, which is not certain: {guard.text}"
    return guard.text


def met(guard: Guard, payload: Mapping[str, Any]) -> str:
    """What a guard comes to for a message that it is about and lets pass; the topic stands
    before (``global``) or behind it (``grant``).
    """
    if guard.kind == "global":
        return GLOBAL_MET
    if guard.kind == "grant":
        return f"{_granted(payload)} on "
    return f"{payload['selector']} is TRUE" if guard.kind == "selector" else ""


def lacking(guard: Guard, payload: Mapping[str, Any]) -> str:
    """Why a guard does not let a message pass; of a ``grant`` the topic stands before it."""
    if guard.kind == "grant":
        return (
            f" is secure at {payload['at']}, which does not grant user {payload['user']} "
            f"{_permissions(payload)}"
        )
    return str(payload["selector"]) if guard.kind == "selector" else guard.text


def met_by(guard: Guard, topic: str) -> str:
    """``met`` with the topic; empty for a guard that is not about messages to it."""
    payload = json.loads(guard.payload) if guard.payload else {}
    about = [payload["topic"]] if guard.kind == "selector" else secure(guard, payload)
    # Loads the facts of this system, which a reach of a snapshot does without.
    from topograph.systems.ems.destinations.topics import matches

    if guard.kind != "global" and not any(matches(pattern, topic) for pattern in about):
        return ""
    said = met(guard, payload)
    if guard.kind == "global":
        return f"{topic}{said}"
    return f"{said}{topic}" if guard.kind == "grant" else said


def secure(guard: Guard, payload: Mapping[str, Any]) -> Sequence[str]:
    """The patterns of topics that a grant is needed for."""
    found: Sequence[str] = payload.get("secure", ()) if guard.kind == "grant" else ()
    return found


def lacking_for(guard: Guard, topic: str) -> str:
    """``lacking`` with the topic."""
    said = lacking(guard, json.loads(guard.payload) if guard.payload else {})
    return f"{topic}{said}" if guard.kind == "grant" else said


def _granted(payload: Mapping[str, Any]) -> str:
    return f"{payload['at']} grants user {payload['user']} {_permissions(payload)}"


def _permissions(payload: Mapping[str, Any]) -> str:
    return " and ".join(sorted(payload["permissions"], reverse=True))
