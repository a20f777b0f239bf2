"""``summary``: the first screen of a network, which says what other questions say, and its
commands.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.questions.text import sentence, text

EXAMPLES = Path(__file__).parents[2] / "examples"
ESTATES = (
    "estate",
    "retail",
    "routers",
    "services",
    "mixed",
    "queue_managers",
    "mqe_devices",
    "sibus_orders",
    "orders",
    "mhop-star/with-b-d",
    "mhop-star/legal",
    "two-1hop-zones",
)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def asked(*words: object) -> tuple[int, str, str]:
        code = exit_code([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return asked


@pytest.mark.parametrize("estate", ESTATES)
def test_its_commands_run_as_printed(run: Run, estate: str) -> None:
    code, out, _ = run(EXAMPLES / estate)
    printed = [line.strip() for line in out.splitlines() if line.startswith("  topograph ")]
    assert (code, len(printed)) == (0, 3)
    for line in printed:
        _, *words = shlex.split(line)
        code, out, err = run(*words)
        assert code in (0, 1), err
        assert out
        assert not err


@pytest.mark.parametrize("estate", ESTATES)
def test_it_says_what_the_other_questions_say(estate: str) -> None:
    network = topograph.read(EXAMPLES / estate)
    answer, checked, cycles = network.summary(), network.check(), network.cycles()
    assert answer.counts == checked.counts
    assert (answer.exact, answer.inexact_because) == (cycles.exact, cycles.inexact_because)
    assert sentence(cycles).startswith(answer.legality)
    assert answer.legal == (cycles.legal if cycles.judged else "not judged")
    servers = network.show("servers").rows
    assert sum(one.loaded for one in answer.systems) == sum(bool(row["loaded"]) for row in servers)
    named = {str(row["server"]) for row in servers if not row["loaded"]}
    assert {name for one in answer.systems for name in one.named} == named
    assert named <= {one.server for one in answer.unknown}
    links = [row["system"] for row in network.show("links").rows]
    assert {one.system: one.links for one in answer.systems} == {
        one.system: links.count(one.system) for one in answer.systems
    }
    for worst in answer.worst:
        own = network.check(rule=worst.rule, severity=worst.severity).findings
        own = tuple(one for one in own if one["severity"] == worst.severity)
        assert worst.count == len(own)
        assert worst.source.to_dict() in [one["source"] for one in own]


@pytest.mark.parametrize("estate", ESTATES)
def test_the_text_takes_80_columns(estate: str) -> None:
    answer = topograph.read(EXAMPLES / estate).summary()
    for line in text(answer).splitlines():
        assert len(line) <= 80 or " -s " in line or line.startswith("  topograph "), line


def test_a_path_in_place_of_a_command_is_summed_up(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, expected, _ = run("summary", EXAMPLES / "estate")
    assert run(EXAMPLES / "estate") == (0, expected, "")
    monkeypatch.chdir(EXAMPLES / "estate")
    code, out, _ = run(".")
    assert code == 0
    assert "topograph reach HQ -s ." in out


def test_the_snapshot_is_named_where_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(EXAMPLES / "estate"))
    _, out, _ = run("summary")
    assert "topograph reach HQ\n" in out
    _, out, _ = run("summary", "-s", EXAMPLES / "retail", "--network", "retail")
    printed = [line for line in out.splitlines() if line.startswith("  topograph ")]
    assert all(line.endswith(f"-s {EXAMPLES / 'retail'} --network retail") for line in printed)


def test_a_path_is_named_once(run: Run) -> None:
    code, out, err = run("summary", EXAMPLES / "estate", "-s", EXAMPLES / "retail")
    assert (code, out) == (2, "")
    assert "not both" in err


@pytest.mark.parametrize("word", ["nosuchfolder/", "repot", "a\0b"])
def test_what_is_neither_a_command_nor_a_path_is_an_error(run: Run, word: str) -> None:
    code, out, err = run(word)
    assert (code, out) == (2, "")
    assert "No such command" in err


def test_a_command_goes_before_a_folder_of_its_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "reach").mkdir()
    monkeypatch.chdir(tmp_path)
    code, _, err = run("reach", "HQ", "-s", EXAMPLES / "estate")
    assert (code, err) == (0, "")


def test_the_json_has_the_words_of_each_command(run: Run) -> None:
    _, out, _ = run("summary", EXAMPLES / "estate", "--format", "json")
    answer = json.loads(out)
    for one in answer["next"]:
        assert run(*one["words"], *shlex.split(answer["where"]))[0] in (0, 1)


def test_a_path_is_completed_where_no_command_begins_so() -> None:
    from topograph.cli.group import topograph as group

    def completed(typed: str) -> list[tuple[str, str]]:
        context = group.make_context("topograph", [], resilient_parsing=True)
        return [(item.type, item.value) for item in group.shell_complete(context, typed)]

    assert completed("./ex") == [("file", "./ex")]
    assert completed("rea") == [("plain", "reach")]
