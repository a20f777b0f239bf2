"""The first line and the exit code of ``audit`` for changes that decide nothing, and for ones that
leave something open.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.questions.answers import AuditAnswer
from topograph.questions.text import text

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("estate", "queue_managers", "routers", "sibus_orders", "mqe_devices")
SAME = "Accept: the two states have the same configuration."


def two(name: str, root: Path) -> tuple[Path, Path]:
    """An example twice."""
    for side in "ab":
        shutil.copytree(EXAMPLES / name, root / side)
    return root / "a", root / "b"


def first_line(answer: AuditAnswer) -> str:
    return text(answer).partition("\n")[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_comment_before_everything_changes_nothing(name: str, tmp_path: Path) -> None:
    """Each line stands one further down, and so does each place that a fact has."""
    before, after = two(name, tmp_path)
    for file in filter(Path.is_file, after.rglob("*")):
        mark = "*" if file.suffix == ".mqsc" else "#"
        file.write_text(f"{mark} A comment.\n{file.read_text('utf-8')}", "utf-8")
    answer = topograph.compare(before, after)
    assert (first_line(answer), answer.exact) == (SAME, True)


@pytest.mark.parametrize("name", NAMES)
def test_files_that_move_to_another_folder_change_nothing(name: str, tmp_path: Path) -> None:
    before, after = two(name, tmp_path)
    kept = [one for one in after.iterdir() if one.name != "topograph.yaml"]
    (after / "moved").mkdir()
    for one in kept:
        one.rename(after / "moved" / one.name)
    answer = topograph.compare(before, after)
    assert (first_line(answer), answer.exact) == (SAME, True)


def test_a_connector_that_leads_nowhere_known_any_longer_is_not_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = two("routers", tmp_path)
    london = after / "london.conf"
    london.write_text(london.read_text("utf-8").replace("host: par.mesh", "host: parr.mesh"))
    words = ["audit", "--before", str(before), "--after", str(after)]
    assert exit_code(words) == 1
    first = capsys.readouterr().out.partition("\n")[0]
    assert first == "Undetermined: where 1 connector leads is not known."
    words = ["audit", "--before", str(after), "--after", str(before)]
    assert exit_code(words) == 0  # it becomes known
    assert capsys.readouterr().out.startswith("Accept: ")


def test_several_errors_keep_something_from_working(tmp_path: Path) -> None:
    before, after = two("routers", tmp_path)
    for name in ("rome", "madrid"):
        file = after / f"{name}.conf"
        file.write_text(file.read_text("utf-8").replace("mode: interior", "mode: edge"))
    first = first_line(topograph.compare(before, after))
    assert first.startswith("Reject: the change brings 4 errors that keep something from working")


NEAR = 'max_hops: {from: "USA*", to: HQ, hops: 1}'
WAIVED = "waivers: [{owner: ops, reason: known, expires: %s}]"


def looked_at(answer: AuditAnswer) -> str:
    """The line about the policies that do not hold."""
    return next(one for one in text(answer).splitlines() if one.startswith("  * policy"))


def test_the_policy_that_a_change_breaks_stands_before_one_that_failed_already(
    tmp_path: Path,
) -> None:
    before, after = two("estate", tmp_path)
    for name in ("hq-1", "hq-2"):
        file = after / name / "routes.conf"
        file.write_text(file.read_text("utf-8").replace("'Canada'", "'Canadaa'"))
    gate = tmp_path / "gate.yaml"
    gate.write_text(
        f"policies:\n  - {{id: near, {NEAR}}}\n"
        '  - {id: canada, delivers: {from: HQ, destination: "topic:orders", '
        "properties: {country: Canada}, to: CANADA}}\n"
    )
    answer = topograph.compare(before, after, gate)
    assert first_line(answer) == "Reject: 2 of 2 policies fail."
    assert looked_at(answer).startswith("  * policy canada fails (and 1 more): ")
    assert "was failing before" not in looked_at(answer)


def test_a_waiver_that_stands_is_not_counted_and_one_that_is_over_is_named(tmp_path: Path) -> None:
    before, after = two("estate", tmp_path)
    gate = tmp_path / "gate.yaml"
    gate.write_text(
        f"policies:\n  - {{id: near, {NEAR}, {WAIVED % '9999-01-01'}}}\n"
        f"  - {{id: far, {NEAR}, {WAIVED % '2020-01-01'}}}\n"
    )
    answer = topograph.compare(before, after, gate)
    assert first_line(answer) == "Reject: 1 of 2 policies fails."
    line = looked_at(answer)
    assert line.startswith("  * policy far fails: ")
    assert line.endswith("(was failing before; no longer waived: known (ops, until 2020-01-01))")
