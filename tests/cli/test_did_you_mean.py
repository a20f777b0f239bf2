"""An unknown name is answered with the nearest that is known."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UsageError
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.store.snapshot import MemorySnapshot
from topograph.words.did_you_mean import nearest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one snapshot, of two networks."""
    folder = tmp_path_factory.mktemp("unknown")
    estate, orders = read_snapshot(EXAMPLES / "estate"), read_snapshot(EXAMPLES / "orders")
    keep(MemorySnapshot(estate.id, "", {**estate.data, **orders.data}), folder / "estate.snapshot")
    return folder


ESTATE = ["-s", "estate.snapshot", "--network", "estate"]

UNKNOWN = [
    (["raech", "A"], 2, "Did you mean reach or trace?"),
    (["reach", "A", "--rely"], 2, "'--reply'"),
    (["reach", "A", "--expect", "reacheable"], 2, "Did you mean reachable"),
    (["reach", "A", "--engine", "memry"], 2, "Did you mean memory?"),
    (["show", "zonse"], 2, "Did you mean zones?"),
    (["db", "strat"], 2, "'start'"),
    (["cypher", "reech"], 2, "Did you mean reach?"),
    (["reach", "HQ", "-s", "estat.snapshot"], 3, "Did you mean estate.snapshot?"),
    (["reach", "HQ", "-s", "other"], 3, "Beside it: estate.snapshot."),
    (["reach", "HQ", "-s", "estate.snapshot", "--network", "orderz"], 2, "Did you mean orders?"),
    (["reach", "CANDA", *ESTATE], 2, "Did you mean CANADA?"),
    (["reach", "HQ", "madrid", *ESTATE], 2, "Did you mean MADRID?"),
    (["interests", "MADRED", *ESTATE], 2, "Did you mean MADRID?"),
    (["propagate", "HQ", "--destination", "orders", *ESTATE], 2, "Did you mean topic:orders?"),
    (["propagate", "HQ", "--destination", "topc:orders", *ESTATE], 2, "Did you mean topic:orders?"),
    (
        [
            "propagate",
            "HQ",
            "--destination",
            "topic:orders",
            "--subscriber",
            "MADRDI:topic:x",
            *ESTATE,
        ],
        2,
        "Did you mean MADRID",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "code", "hint"), UNKNOWN, ids=[" ".join(row[0]) for row in UNKNOWN]
)
def test_the_nearest_name_is_offered(
    arguments: list[str],
    code: int,
    hint: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TOPOGRAPH_HOME", str(folder))
    assert exit_code(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert hint in err


def test_a_topic_that_no_entry_allows_is_answered_with_the_nearest_that_is_configured() -> None:
    answer = topograph.read(EXAMPLES / "estate").propagate("HQ", "topic:ordres")
    assert [stop.guard for stop in answer.stopped] == [
        "no entry of HQ's topics.conf allows a topic ordres. Did you mean orders?"
    ]


def test_what_cannot_be_shown_is_refused_in_python_too() -> None:
    with pytest.raises(UsageError, match=r"Did you mean zones\?"):
        topograph.read(EXAMPLES / "orders").show("zone")


def test_a_name_that_differs_in_case_alone_comes_before_all_others() -> None:
    assert nearest("hq", ["HQS", "HQ", "hQ"]) == ["HQ", "hQ"]
    assert nearest("usa-west", ["USA", "USA-EAST", "CANADA"]) == ["USA-EAST", "USA"]
    assert nearest("x", []) == []
