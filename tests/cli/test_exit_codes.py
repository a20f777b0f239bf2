"""Exit codes (docs/exit-codes.md): whatever happens is one message on stderr, nothing on stdout,
never a traceback.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from topograph import errors
from topograph.cli.main import exit_code


def raising(error: BaseException) -> click.Command:
    @click.command()
    def fail() -> None:
        raise error

    return fail


def ending(code: int) -> click.Command:
    @click.command()
    @click.pass_context
    def end(ctx: click.Context) -> None:
        ctx.exit(code)

    return end


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("said"), 2),
        (errors.UnknownServer("said"), 2),
        (errors.UnknownNetwork("said"), 2),
        (errors.UnknownDestination("said"), 2),
        (errors.InvalidSelector("said", 3), 2),
        (errors.NotApplicable("said"), 2),
        (errors.InputError("said"), 3),
        (errors.SnapshotNotFound("said"), 3),
        (errors.SnapshotIncomplete("said"), 3),
        (errors.BackendError("said"), 4),
        (errors.DatabaseUnavailable("said"), 4),
        (errors.SnapshotNotPublished("said"), 4),
        (errors.TopographError("said"), 5),
        (click.ClickException("said"), 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_an_error_is_its_message_and_its_exit_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code([], raising(error)) == code
    assert capsys.readouterr() == ("", "Error: said\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()], ids=["Ctrl-C", "abort"])
def test_an_interrupt_is_130_and_one_line(
    error: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code([], raising(error)) == 130
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("", "Interrupted.")


def test_a_command_that_ends_itself_keeps_its_code() -> None:
    assert [exit_code([], ending(code)) for code in (0, 1, 4)] == [0, 1, 4]


def test_a_closed_pipe_is_no_failure() -> None:
    program = "from topograph.cli.main import run; run(['--help'])"
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [sys.executable, "-c", program], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_an_internal_error_leaves_a_report_without_secrets_and_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path))
    command = raising(ZeroDivisionError("password=hidden of bolt://neo4j:hidden@localhost"))
    assert exit_code([], command) == 5
    out, err = capsys.readouterr()
    (report,) = (tmp_path / "reports").iterdir()
    assert (out, err) == (
        "",
        "Error: topograph failed inside itself (ZeroDivisionError); this is a fault of topograph. "
        f"The report for its authors: {report}\n",
    )
    written = report.read_text("utf-8")
    assert "Traceback (most recent call last)" in written
    assert "ZeroDivisionError: password=(removed) of bolt://(removed)@localhost" in written
    assert "hidden" not in written
    assert report.stat().st_mode & 0o777 == 0o600


def test_a_report_goes_to_the_temporary_folder_where_no_other_takes_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    assert exit_code([], raising(RecursionError("deep"))) == 5
    (report,) = (tmp_path / "temporary").iterdir()
    assert str(report) in capsys.readouterr().err


USAGE = [
    ([], 0, "", True),
    (["--version"], 0, "", True),
    (["--help"], 0, "", True),
    (["raech", "A"], 2, "Error: No such command 'raech'. Did you mean reach or trace?", False),
    (["--nonsense"], 2, "Error: No such option '--nonsense'.", False),
    (["reach"], 2, "Error: Missing argument 'FROM'.", False),
    (["reach", "A", "--expect", "reachable"], 2, "Error: --expect is about one server", False),
    (["reach", "A", "--engine", "none"], 2, "Error: Invalid value for '--engine'", False),
    (["reach", "A", "--format", "xml"], 2, "Error: Invalid value for '--format'", False),
    (["hops"], 2, "Error: Name two servers", False),
    (["hops", "A"], 2, "Error: Name two servers", False),
    (["hops", "A", "B", "--matrix"], 2, "Error: Name two servers", False),
    (["paths", "A", "B", "--max", "0"], 2, "Error: Invalid value for '--max'", False),
    (["show", "queue"], 2, "Error: Invalid value for", False),
    (["propagate", "A"], 2, "Error: Say where the message goes", False),
    (
        ["propagate", "A", "--destination", "topic:t", "--set", "country"],
        2,
        "Error: --set takes name=VALUE",
        False,
    ),
    (
        ["propagate", "A", "--destination", "topic:t", "--set", "qty:int=7"],
        2,
        "Error: --set takes name=VALUE without a type, not 'qty:int=7'",
        False,
    ),
    (
        ["propagate", "A", "--message", "none.json"],
        3,
        "Error: none.json cannot be read: No such file",
        False,
    ),
    (
        ["interests", "--observed", "none.json"],
        3,
        "Error: none.json cannot be read: No such file",
        False,
    ),
    (["mail", "A"], 2, "Error: No such command 'mail'.", False),
    (
        ["audit"],
        2,
        (
            "Error: Say what is to be judged: --change [SERVER=]FILE (with --save FILE to "
            "keep it), --replay FILE, or --before PATH and --after PATH."
        ),
        False,
    ),
]


@pytest.mark.parametrize(
    ("arguments", "code", "message", "out"),
    USAGE,
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_line_ends_with_its_exit_code(
    arguments: list[str],
    code: int,
    message: str,
    out: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code(arguments) == code
    written, said = capsys.readouterr()
    assert bool(written) == out
    assert message in said
    assert "Traceback" not in said


def test_ctrl_c_while_a_question_waits_is_one_line(tmp_path: Path) -> None:
    """The message file is a pipe that nobody writes to, so that the command waits."""
    os.mkfifo(tmp_path / "waits.json")
    program = (
        "import sys; from topograph.cli.main import run; print('started', file=sys.stderr, "
        "flush=True); run()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, "propagate", "A", "--message", "waits.json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "started\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, "", "Interrupted.")


def test_a_question_loads_neither_spark_nor_pandas_nor_the_database_driver(tmp_path: Path) -> None:
    program = """
import sys
from topograph.cli.main import exit_code
code = exit_code(sys.argv[1:])
print(code, sorted({"pyspark", "pandas", "neo4j", "networkx", "pyvis"} & set(sys.modules)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program, "reach", "A", "-s", "none.snapshot"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == "3 []\n"


@pytest.mark.parametrize(
    ("setting", "command"),
    [
        ({"TOPOGRAPH_HOME": "~nosuchuser/x"}, ["db", "status"]),
        ({"TOPOGRAPH_HOME": "~nosuchuser/x"}, ["snapshots", "list"]),
        ({"TOPOGRAPH_NEO4J_URI": "bolt://[x"}, ["cypher", "RETURN 1"]),
        ({"TOPOGRAPH_NEO4J_URI": "bolt://h:99999"}, ["snapshots", "list"]),
    ],
)
def test_a_setting_that_cannot_be_used_is_a_usage_error(setting, command, tmp_path):
    environment = {**os.environ, "TOPOGRAPH_HOME": str(tmp_path), **setting}
    ended = subprocess.run(
        [sys.executable, "-m", "topograph", *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert next(iter(setting)) in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_damaged_compiled_module_is_no_interrupt(capsys: pytest.CaptureFixture[str]) -> None:
    """click takes the end of a file for Ctrl-C."""
    assert exit_code([], raising(EOFError("marshal data too short"))) == 4
    assert "__pycache__" in capsys.readouterr().err
    assert exit_code([], raising(EOFError("of something else"))) == 5
