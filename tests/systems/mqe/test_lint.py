"""EL-01 to EL-08, and what stands twice: each finding with its rule and place, and none where
there is nothing to find.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph

UP = "listeners: [{port: 8081}]\n"


def found(root: Path, **managers: str) -> list[tuple[str, str, str]]:
    """(rule, severity, place) of every finding."""
    for name, text in managers.items():
        (root / f"{name}.yaml").write_text(f"kind: mqe\nqueueManager: {name}\n{UP}{text}\n")
    findings = topograph.read(root).check().findings
    places = ((one["source"], one) for one in findings)
    return sorted(
        (str(one["rule"]), str(one["severity"]), f"{at['file']}:{at['line']}") for at, one in places
    )  # type: ignore[index]


@pytest.mark.parametrize(
    ("managers", "expected"),
    [
        ({"a": "queues:\n- {type: saf, name: S, qmgrs: [b]}"}, [("EL-01", "warning", "a.yaml:5")]),
        (
            {"a": "queues:\n- {type: saf, name: S, qmgrs: [b], forwardTo: c}"},
            [("EL-01", "warning", "a.yaml:5")],
        ),
        (
            {
                "a": (
                    "connections: [{name: b, type: direct}]\nqueues:\n- {type: home, name: "
                    "S, homeServer: b}"
                ),
                "b": "",
            },
            [("EL-02", "error", "a.yaml:6")],
        ),
        (
            {
                "a": (
                    "connections: [{name: b, type: direct}]\nqueues:\n- {type: home, name: "
                    "S, homeServer: b}"
                )
            },
            [("EL-02", "warning", "a.yaml:6")],
        ),
        ({"a": "connections:\n- {name: b, type: via, via: c}"}, [("EL-04", "error", "a.yaml:5")]),
        (
            {"a": "connections:\n- {name: b, type: via, via: c}\n- {name: c, type: via, via: b}"},
            [("EL-04", "error", "a.yaml:5"), ("EL-04", "error", "a.yaml:6")],
        ),
        ({"a": "aliases:\n  b: c\n  c: d\n  d: b\n  e: b"}, [("EL-05", "error", "a.yaml:5")]),
        (
            {"a": "queues:\n- {type: local, name: Q}\n- {type: local, name: R, aliases: [Q]}"},
            [("EL-06", "warning", "a.yaml:6")],
        ),
        (
            {"a": "queues:\n- {type: saf, name: S, qmgrs: [a]}"},
            [("EL-01", "warning", "a.yaml:5"), ("EL-07", "warning", "a.yaml:5")],
        ),
        (
            {
                "a": (
                    "connections: [{name: b, type: direct}]\nqueues: [{type: saf, name: S, "
                    "qmgrs: [T], forwardTo: b}]"
                ),
                "b": (
                    "connections: [{name: a, type: direct}]\nqueues: [{type: saf, name: S, "
                    "qmgrs: [T], forwardTo: a}]"
                ),
                "c": (
                    "connections: [{name: a, type: direct}]\nqueues: [{type: saf, name: S, "
                    "qmgrs: [T], forwardTo: a}]"
                ),
            },
            [("EL-08", "error", "a.yaml:5"), ("EL-08", "error", "b.yaml:5")],
        ),
        (
            {
                "a": (
                    "queues:\n- {type: local, name: Q}\n- {type: admin, name: Q}\n---\nkind: "
                    "mqe\nqueueManager: a"
                )
            },
            [("B1", "error", "a.yaml:6"), ("B1", "error", "a.yaml:9")],
        ),
    ],
)
def test_what_is_wrong_is_found_where_it_stands(
    tmp_path: Path, managers: dict[str, str], expected: list[tuple[str, str, str]]
) -> None:
    assert found(tmp_path, **managers) == expected


def test_two_lists_with_one_queue_manager_are_found(tmp_path: Path) -> None:
    text = "queues:\n- {type: saf, name: S, qmgrs: [b]}\n- {type: saf, name: T, qmgrs: [b]}"
    home = (
        "connections: [{name: a, type: direct}]\nqueues: [{type: home, name: S, homeServer: "
        "a}, {type: home, name: T, homeServer: a}]"
    )
    assert found(tmp_path, a=text, b=home) == [("EL-03", "warning", "a.yaml:6")]


def test_a_sound_network_has_no_findings(tmp_path: Path) -> None:
    gateway = (
        "connections: [{name: c, type: direct}, {name: d, type: via, via: c}]\nqueues: "
        "[{type: saf, name: S, qmgrs: [b]}]"
    )
    device = (
        "connections: [{name: a, type: direct}]\nqueues: [{type: home, name: S, homeServer: "
        "a}, {type: local, name: Q, aliases: [R]}]"
    )
    onward = "connections: [{name: d, type: direct}]"
    assert found(tmp_path, a=gateway, b=device, c=onward, d="") == []


@pytest.mark.parametrize(
    ("onward", "says"),
    [
        ("", "no connection definition of c leads to d (E-20)"),
        (
            "connections: [{name: a, type: direct}, {name: d, type: via, via: a}]",
            "messages for d come back to",
        ),
        ("connections: [{name: d, type: via, via: e}]", "c has no connection definition for e"),
        ("aliases: {d: e}", "no connection definition of c leads to e (E-20)"),
        ("connections: [{name: d, type: direct}]", ""),
        ("aliases: {d: c}", ""),
        ("queues: [{type: saf, name: S, qmgrs: [d]}, {type: local, name: Q}]", ""),
        ("queues: [{type: bridge, name: Q, qmgr: d}]", ""),
        ("connections: [{name: d, type: via, via: z}, {name: z, type: direct}]", ""),
    ],
)
def test_a_via_connection_ends_with_a_direct_one_at_some_queue_manager(
    tmp_path: Path, onward: str, says: str
) -> None:
    managers = {
        "a": "connections: [{name: c, type: direct}, {name: d, type: via, via: c}]",
        "c": onward,
    }
    for name, text in managers.items():
        (tmp_path / f"{name}.yaml").write_text(f"kind: mqe\nqueueManager: {name}\n{UP}{text}\n")
    chains = [one for one in topograph.read(tmp_path).check().findings if one["rule"] == "EL-04"]
    mine = [str(one["message"]) for one in chains if one["server"] == "a"]
    assert [says in message for message in mine] == ([True] if says else [])


def test_a_chain_of_pushes_is_no_circle(tmp_path: Path) -> None:
    push = (
        "connections: [{name: %s, type: direct}]\nqueues: [{type: saf, name: S, qmgrs: [T], "
        "forwardTo: %s}]"
    )
    chain = {here: push % (there, there) for here, there in zip("abcd", "bcde", strict=True)}
    assert found(tmp_path, **chain, e="queues: [{type: local, name: Q}]") == []


def test_a_connection_and_an_alias_of_one_name_are_found(tmp_path: Path) -> None:
    both = (
        "connections:\n- {name: b, type: direct}\n- {name: b, type: alias, target: c}\n- "
        "{name: c, type: direct}"
    )
    assert found(tmp_path, a=both) == [("B1", "error", "a.yaml:6")]


def test_a_home_server_queue_that_no_list_names_collects_nothing(tmp_path: Path) -> None:
    store = "queues: [{type: saf, name: S, qmgrs: [b]}]"
    home = "connections: [{name: a, type: direct}]\nqueues: [{type: home, name: S, homeServer: a}]"
    assert found(tmp_path, a=store, b=home, c=home) == [("EL-02", "error", "c.yaml:5")]
