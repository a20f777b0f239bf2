"""What a rule says of a queue manager is what a message meets on it."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph

UP = "listeners: [{port: 8081}]\n"
TO_B = "connections: [{name: b, type: direct}]\n"
TO_A = "connections: [{name: a, type: direct}]\n"
STORE = "queues:\n- {type: saf, name: S, qmgrs: [b]"
CIRCLE = (
    "connections:\n- {name: b, type: via, via: c}\n- {name: c, type: via, via: b}\n"
    "queues:\n- {type: remote, name: Q, qmgr: b, mode: sync}"
)

WALKED: dict[str, tuple[dict[str, str], str, tuple[str, ...]]] = {
    "object-twice": (
        {"a": "queues:\n- {type: local, name: Q}\n- {type: remote, name: Q, qmgr: a}"},
        "queue:Q",
        ("DELIVERED(Q@a)",),
    ),
    "doubled-key": (
        {"a": "queues:\n- {type: local, name: Q, name: R}"},
        "queue:R",
        ("DELIVERED(R@a)",),
    ),
    "invalid-name": (
        {"a": "queues:\n- {type: local, name: 'Q:x'}"},
        "queue:Q:x",
        ("UNDETERMINED",),
    ),
    "no-queue-managers": (
        {"a": "queues:\n- {type: saf, name: S}"},
        "Q@b",
        ("REJECTED(no_connection)",),
    ),
    "not-understood": (
        {"a": "queues:\n- {type: nonsense, name: Q}"},
        "queue:Q",
        ("UNDETERMINED",),
    ),
    "unknown-key": ({"a": "queues:\n- {type: local, nmae: Q}"}, "queue:Q", ("UNDETERMINED",)),
    "queue-manager-without-name": (
        {
            "a": f"{TO_B}queues:\n- {{type: remote, name: Q, qmgr: b, mode: sync}}",
            "": "queues: [{type: local, name: Q}]",
        },
        "Q@b",
        ("EXTERNAL(b)",),
    ),
    "push-leads-nowhere": (
        {"a": f"{STORE}, forwardTo: c}}"},
        "Q@b",
        ("HELD(S, a, no connection)",),
    ),
    "not-collected": ({"a": f"{STORE}}}"}, "Q@b", ("HELD(S, a, no collector)",)),
    "listed-twice": (
        {"a": f"{STORE}}}\n- {{type: saf, name: T, qmgrs: [b]}}"},
        "Q@b",
        ("HELD(S, a, no collector)", "HELD(T, a, no collector)"),
    ),
    "via-leads-nowhere": ({"a": CIRCLE}, "Q@b", ("REJECTED(no_connection)",)),
    "alias-circle": ({"a": "aliases: {b: c, c: b}"}, "Q@b", ("REJECTED(no_queue)",)),
    "alias-hidden": (
        {"a": "queues:\n- {type: local, name: Q}\n- {type: local, name: R, aliases: [Q]}"},
        "queue:Q",
        ("DELIVERED(Q@a)",),
    ),
    "lists-itself": (
        {"a": "queues:\n- {type: saf, name: S, qmgrs: [a]}"},
        "queue:Q",
        ("HELD(S, a, no collector)",),
    ),
    "push-circle": (
        {
            "a": f"{TO_B}queues:\n- {{type: saf, name: S, qmgrs: [c], forwardTo: b}}",
            "b": f"{TO_A}queues:\n- {{type: saf, name: S, qmgrs: [c], forwardTo: a}}",
        },
        "Q@c",
        ("LOOP(Q at a)",),
    ),
}
"""By kind of finding an estate that has it, a message, and what it meets there (E-01 to E-40)."""


@pytest.mark.parametrize("kind", WALKED)
def test_a_message_meets_what_the_finding_says(tmp_path: Path, kind: str) -> None:
    managers, destination, outcomes = WALKED[kind]
    for number, (name, text) in enumerate(managers.items()):
        named = f"queueManager: {name}\n" if name else ""
        (tmp_path / f"{number}.yaml").write_text(f"kind: mqe\n{named}{UP}{text}\n")
    network = topograph.read(tmp_path)
    assert kind in {str(one["kind"]) for one in network.check().findings}
    assert network.trace("a", destination).outcomes == outcomes


def test_a_queue_manager_that_is_described_twice_has_the_objects_of_both(tmp_path: Path) -> None:
    for queue in ("Q", "R"):
        text = f"kind: mqe\nqueueManager: a\n{UP}queues: [{{type: local, name: {queue}}}]\n"
        (tmp_path / f"{queue}.yaml").write_text(text)
    network = topograph.read(tmp_path)
    assert {str(one["kind"]) for one in network.check().findings} == {"described-twice"}
    assert [network.trace("a", f"queue:{one}").outcomes for one in "QR"] == [
        ("DELIVERED(Q@a)",),
        ("DELIVERED(R@a)",),
    ]
