"""What ``topograph cypher --param`` takes, and what it refuses with exit code 2 before any
database is asked.
"""

from __future__ import annotations

from pathlib import Path

import adversarial
import pytest
from click.testing import CliRunner

from topograph.cli.group import topograph
from topograph.cli.main import exit_code
from topograph.cli.parameter_values import DEEPEST, read_value
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-9223372036854775808", -(2**63)),
        ("1.5", 1.5),
        ('"7"', "7"),
        ("null", None),
        ("true", True),
        ('["a", 1]', ["a", 1]),
        ("Canada", "Canada"),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("[", "["),
        ("{'a': 1}", "{'a': 1}"),
        (r'"\ud83d\ude00"', "\U0001f600"),
        ("[" * DEEPEST + "]" * DEEPEST, None),
    ],
)
def test_a_value_is_json_where_it_reads_as_such(text: str, value: object) -> None:
    assert read_value("v", text) == value or text.startswith("[[")


HOSTILE = [
    ("9223372036854775808", "does not fit a 64-bit integer"),
    ("1" * 5_000, "does not fit a 64-bit integer"),
    ('[1, {"a": -99999999999999999999}]', "does not fit a 64-bit integer"),
    ("1e400", "does not fit a double"),
    (r'"\ud800"', "is not Unicode text"),
    (r'{"\udfff": 1}', "is not Unicode text"),
    ("\udcff", "is not Unicode text"),
    ("[" * 500 + "]" * 500, "nested"),
    ("[" * 200_000 + "]" * 200_000, "nested"),
    ('{"a":' * 500 + "1" + "}" * 500, "nested"),
]


@pytest.mark.parametrize(("text", "said"), HOSTILE)
@pytest.mark.parametrize("printed", [[], ["--print"]])
def test_a_value_that_no_parameter_can_have_is_refused(
    text: str, said: str, printed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["cypher", "RETURN $v", "--param", f"v={text}", *printed]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error) < 400


@pytest.mark.parametrize(
    "arguments",
    [
        ["RETURN '\udcff'"],
        ["RETURN 1", "--param", "\udcff=1"],
        ["propagate", "--destination", "topic:\udcff"],
    ],
)
def test_a_statement_that_is_not_unicode_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["cypher", *arguments]) == 2
    assert "is not Unicode text" in capsys.readouterr().err


def test_values_are_printed_as_they_were_given() -> None:
    done = CliRunner().invoke(
        topograph, ["cypher", "RETURN $v", "--param", "v=[1, 2.5, null]", "--print"]
    )
    assert done.exit_code == 0
    assert "1, 2.5, null" in done.stdout


def test_a_number_beyond_a_double_in_a_message_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "message.json"
    file.write_text('{"destination": "topic:orders", "properties": {"a": 1e999}}')
    assert exit_code(["trace", "HQ", "--message", str(file), "--format", "json"]) == 3
    assert "1e999 does not fit a double" in capsys.readouterr().err


def test_a_file_name_that_is_too_long_is_an_error_of_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    snapshot = tmp_path / "snapshot"
    keep(read_snapshot(adversarial.written(adversarial.complete(3), tmp_path / "estate")), snapshot)
    assert exit_code(["view", "-s", str(snapshot), "-o", str(tmp_path / ("x" * 300))]) == 2
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / ("h" * 300)))
    assert exit_code(["reach", "S000", "-s", str(snapshot)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("cannot be written: File name too long.")
    assert "A file name is too long" in second
