"""Every put on small random estates of IBM MQ, written as MQSC, ends as the decision procedure
of the specification says, followed by hand.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from brute_force.ibm_mq import End, Ends, Estate
from conformance.ibm_mq_cases import Said, trace_of, write
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph

pytestmark = pytest.mark.slow

MANAGERS = ("QA", "QB", "QC")
OUTSIDE = "QD"
QUEUES = ("X", "Y", "Z")
ESTATES = draws(75)


def object_of(random: Random, name: str) -> dict[str, Any]:
    """A queue object. Those with the name of a queue manager are transmission queues and aliases
    of it, as a rule.
    """
    names = name in QUEUES
    kind = random.choice(
        ["QLOCAL"] * 4 + ["QALIAS"] * 2 + ["QREMOTE"] * 5 + ["QMODEL"]
        if names
        else ["QLOCAL", "QREMOTE"]
    )
    attributes: dict[str, Any] = {}

    def maybe(chance: float, attribute: str, *values: Any) -> None:
        if random.random() < chance:
            attributes[attribute] = random.choice(values)

    if kind == "QLOCAL":
        maybe(0.03 if names else 0.93, "USAGE", "XMITQ")
        if names:
            maybe(0.2, "STREAMQ", *QUEUES, "NOSUCH")
            maybe(0.1, "STRMQOS", "MUSTDUP")
            maybe(0.4, "CLWLUSEQ", "ANY", "LOCAL")
        maybe(0.04, "GET", "DISABLED")
    elif kind == "QALIAS":
        attributes["TARGET"] = random.choice((*QUEUES, *QUEUES, "NOSUCH"))
    elif kind == "QREMOTE":
        maybe(0.95 if names else 0.1, "RNAME", *QUEUES)
        attributes["RQMNAME"] = random.choice((*MANAGERS, *MANAGERS, OUTSIDE))
        maybe(0.05 if names else 0.25, "RQMNAME", " ", name)
        maybe(0.4, "XMITQ", "T", "T", *MANAGERS, "NOSUCH")
    if kind != "QMODEL" and attributes.get("USAGE") != "XMITQ":
        maybe(0.5 if names else 0.2, "CLUSTER", "C1", "C2")
        maybe(0.15, "CLWLRANK", 1)
        maybe(0.15, "CLWLPRTY", 1)
        maybe(0.4, "DEFBIND", "NOTFIXED", "NOTFIXED", "GROUP", "OPEN")
    maybe(0.05 if kind != "QMODEL" else 0, "PUT", "DISABLED")
    return {"type": kind, "name": name, "attributes": attributes}


def estate(seed: int) -> dict[str, Any]:
    """An estate of two or three queue managers; a fourth is only named."""
    random = Random(seed)
    loaded = MANAGERS[: random.choice((2, 3, 3))]
    channels: dict[str, list[dict[str, Any]]] = {name: [] for name in loaded}
    for start in loaded:
        for end in (*loaded, OUTSIDE):
            if start == end or random.random() < 0.2:
                continue
            attributes: dict[str, Any] = {
                "XMITQ": random.choice(("T", end, end)),
                "CONNAME": f"{end.lower()}(1414)",
            }
            if random.random() < 0.1:
                attributes["NPMSPEED"] = "NORMAL"
            name, kind = f"{start}.{end}", random.choice(("SDR", "SDR", "SVR"))
            channels[start].append({"name": name, "chltype": kind, "attributes": attributes})
            if end in channels and random.random() < 0.9:
                received = {"USEDLQ": "NO"} if random.random() < 0.15 else {}
                channels[end].append({"name": name, "chltype": "RCVR", "attributes": received})
    made = []
    for manager in loaded:
        for cluster in ("C1", "C2"):
            if random.random() < 0.6:
                clustered: dict[str, Any] = {
                    "CLUSTER": cluster,
                    "CONNAME": f"{manager.lower()}(1414)",
                }
                clustered |= {name: 1 for name in ("CLWLRANK", "CLWLPRTY") if random.random() < 0.1}
                channels[manager].append(
                    {"name": f"{cluster}.{manager}", "chltype": "CLUSRCVR", "attributes": clustered}
                )
        objects = [object_of(random, name) for name in QUEUES if random.random() < 0.75]
        others = [
            name for name in (*MANAGERS, OUTSIDE) if name != manager and random.random() < 0.6
        ]
        objects += [object_of(random, name) for name in others]
        objects.append({"type": "QLOCAL", "name": "T", "attributes": {"USAGE": "XMITQ"}})
        attributes = {}
        for name, chance, values in (
            ("DEADQ", 0.5, ("Z", "X", "NOSUCH")),
            ("DEFXMITQ", 0.4, ("T", "T", *MANAGERS, "X", "NOSUCH")),
            ("CLWLUSEQ", 0.4, ("ANY",)),
        ):
            if random.random() < chance:
                attributes[name] = random.choice(values)
        made.append(
            {
                "name": manager,
                "attributes": attributes,
                "objects": objects,
                "channels": channels[manager],
            }
        )
    return {"system": "ibm_mq", "queueManagers": made}


def said(
    network: topograph.network.Network, at: str, oqm: str, name: str, persistent: bool
) -> Ends:
    ask = {
        "op": "put",
        "at": at,
        "objectQMgrName": oqm,
        "objectName": name,
        "message": {"persistent": persistent},
    }
    trace = Said(trace_of(network, ask), ())
    original = frozenset(_end(trace.outcome(branch)) for branch in trace.original)
    return Ends(original, frozenset(_end(trace.outcome(branch)) for branch in trace.copied))


def _end(outcome: dict[str, Any]) -> End:
    match outcome["outcome"]:
        case "DELIVERED":
            name = outcome["queue"].removeprefix("dynamic queue of ")
            return (
                "DELIVERED",
                name,
                outcome["queueManager"],
                "dynamic" if outcome["dynamic"] else "",
            )
        case "HELD":
            return ("HELD", outcome["queue"], outcome["at"], outcome["reason"])
        case "REJECTED":
            return ("REJECTED", outcome["code"])
        case "DLQ":
            return (
                "DLQ",
                outcome["queue"],
                outcome["queueManager"],
                outcome["reason"],
                outcome["original"],
            )
        case "DISCARDED":
            return ("DISCARDED", outcome["reason"])
        case "EXTERNAL":
            return ("EXTERNAL", outcome["at"])
        case other:
            return (other,)


@settings(max_examples=ESTATES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_put_ends_as_the_decision_procedure_says(seed: int, persistent: bool) -> None:
    given_ = estate(seed)
    with tempfile.TemporaryDirectory() as folder:
        write(given_, Path(folder))
        network = topograph.read(folder)
    by_hand = Estate(given_, persistent)
    for at in by_hand.managers:
        for oqm in ("", *MANAGERS, OUTSIDE):
            for name in ("X", "Y", "Z", "T", "NOSUCH"):
                expected, found = (
                    by_hand.put(at, oqm, name),
                    said(network, at, oqm, name, persistent),
                )
                assert found == expected, f"put({at}, {oqm!r}, {name})"
