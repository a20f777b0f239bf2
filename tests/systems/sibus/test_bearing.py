"""What a rule says of a destination is what a message meets there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .buses import network, script

PATH = "-defaultForwardRoutingPath"
SYSTEM = "_SYSTEM.Exception.Destination.nB.sB-B@B"
FAILS: dict[str, Any] = {"rollbacks": 9}


def liberty(inside: str, feature: str = "wasJmsServer-1.0") -> dict[str, str]:
    features = f"<featureManager><feature>{feature}</feature></featureManager>"
    text = f"<server>{features}<messagingEngine>{inside}</messagingEngine></server>"
    return {"server.xml": text}


WALKED: dict[str, tuple[tuple[str, ...], str, dict[str, Any], str]] = {
    "path-element-not-found": (
        ("Queue C", f"Queue A {PATH} [[B GONE]]"),
        "A",
        {},
        f"EXCEPTIONED({SYSTEM}, 37)",
    ),
    "topic-space-in-path": (
        ("TopicSpace T", "Queue C", f"Queue A {PATH} [[B T] [B C]]"),
        "A",
        {},
        f"EXCEPTIONED({SYSTEM}, 37)",
    ),
    "exception-destination-not-found": (
        ("Queue A -exceptionDestination GONE",),
        "A",
        FAILS,
        f"EXCEPTIONED({SYSTEM}, 35)",
    ),
    "exception-destination-no-queue": (
        ("TopicSpace T", "Queue A -exceptionDestination T"),
        "A",
        FAILS,
        f"EXCEPTIONED({SYSTEM}, 35)",
    ),
    "exception-destination-is-itself": (
        ("Queue A -exceptionDestination A",),
        "A",
        FAILS,
        "EXCEPTIONED(A@B, 35)",
    ),
    "limit-without-exception-destination": (
        ("Queue A -exceptionDestination '' -maxFailedDeliveries 3",),
        "A",
        FAILS,
        "BLOCKED(exception destination none)",
    ),
    "default-path-cycle": (
        (f"Queue A {PATH} [[B C]]", f"Queue C {PATH} [[B A]]"),
        "A",
        {},
        f"EXCEPTIONED({SYSTEM}, 43)",
    ),
    "exception-cycle": (
        ("Queue A -exceptionDestination C", "Queue C -exceptionDestination A"),
        "A",
        FAILS,
        "EXCEPTIONED(C@B, 35)",
    ),
    "service-without-path": (("WebService W",), "W", {}, f"EXCEPTIONED({SYSTEM}, 34)"),
    "alias-cycle": (
        ("Alias A -targetName C -targetBus B", "Alias C -targetName A -targetBus B"),
        "A",
        {},
        "REJECTED(lookup)",
    ),
    "alias-targets-service": (
        ("Queue C", f"WebService W {PATH} [[B C]]", "Alias A -targetName W -targetBus B"),
        "A",
        {},
        "REJECTED(29)",
    ),
}
"""By kind of finding a bus that has it, a message, and what it meets there (S-01 to S-63)."""


@pytest.mark.parametrize("kind", WALKED)
def test_a_message_meets_what_the_finding_says(tmp_path: Path, kind: str) -> None:
    lines, queue, said, outcome = WALKED[kind]
    found = network(tmp_path, {"b.py": script("B", *lines)})
    assert {str(one["kind"]) for one in found.check().findings} == {kind}
    assert found.trace("B", f"queue:{queue}", {}, **said).outcomes == (outcome,)


def test_an_element_without_a_bus_is_looked_up_on_the_bus_before_it(tmp_path: Path) -> None:
    """SL-11, S-12."""
    own = script("B", "Queue C", f"Queue A {PATH} [[D X] ['' C]]", links=["D"])
    files = {"b.py": own, "d.py": script("D", "Queue X", "Queue C", links=["B"])}
    found = network(tmp_path, files)
    assert {str(one["kind"]) for one in found.check().findings} == {"path-element-without-bus"}
    assert found.trace("B", "queue:A").outcomes == ("DELIVERED(C@D)",)


@pytest.mark.parametrize(
    ("kind", "inside", "name"),
    [
        (
            "alias-target-not-usable",
            '<queue id="Q"/><alias id="A" targetDestination="B"/>'
            '<alias id="B" targetDestination="Q"/>',
            "A",
        ),
        ("no-id", "<queue/>", "Q"),
    ],
)
def test_liberty_refuses_what_the_finding_says_is_not_there(
    tmp_path: Path, kind: str, inside: str, name: str
) -> None:
    found = network(tmp_path, liberty(inside))
    assert kind in {str(one["kind"]) for one in found.check().findings}
    (outcome,) = found.trace(found.server_names()[0], f"queue:{name}").outcomes
    assert outcome.startswith("REJECTED")


@pytest.mark.parametrize("feature", ["wasJmsServer-1.0", "jms-2.0"])
def test_a_messaging_engine_that_no_feature_starts_is_assumed_to_start(
    tmp_path: Path, feature: str
) -> None:
    found = network(tmp_path, liberty('<queue id="Q"/>', feature))
    kinds = {str(one["kind"]) for one in found.check().findings}
    answer = found.trace(found.server_names()[0], "queue:Q")
    assert answer.outcomes == ("DELIVERED(Q@defaultBus)",)
    assumed = [one for one in answer.assumptions if "starts the messaging engine" in one.text]
    missing = feature.startswith("jms")
    assert ("no-messaging-feature" in kinds, len(assumed)) == (missing, int(missing))
