"""Commands whose standard streams are closed, and disks without room."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from topograph.cli.main import exit_code
from topograph.errors import BackendError, no_room
from topograph.pipeline.import_run import _check_room
from topograph.pipeline.session import spark_errors
from topograph.process.interrupts import Interrupts

TOPOGRAPH = str(Path(sys.executable).with_name("topograph"))


@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_question_ends_with_the_code_of_its_answer(tmp_path: Path, closed: str) -> None:
    (tmp_path / "tibemsd.conf").write_text("server = A\n")
    line = f"exec {TOPOGRAPH} cycles -s {tmp_path} {closed}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def full(_arguments: object, _command: object) -> int:
        raise OSError(number, os.strerror(number), "/data/out")

    monkeypatch.setattr("topograph.cli.main._answered", full)
    assert exit_code(["cycles"]) == 4
    assert capsys.readouterr().err == (
        f"Error: /data/out cannot be written: {os.strerror(number)}. "
        "Make room there, and run the command again.\n"
    )


def test_an_import_names_what_it_was_to_write(tmp_path: Path) -> None:
    full = OSError(errno.ENOSPC, "Error writing bytes to file")  # as Arrow says it, without a name
    with pytest.raises(BackendError, match="out cannot be written: No space left on device"):
        _check_room(full, tmp_path / "out")
    _check_room(OSError(errno.EACCES, "no"), tmp_path / "out")
    assert no_room(full).startswith("A file cannot be written")


@pytest.mark.parametrize("details", [True, False])
def test_a_worker_without_room_is_no_fault_of_topograph(tmp_path: Path, details: bool) -> None:
    told = "Traceback (most recent call last):\nOSError: [Errno 28] No space left on device: '/x'"
    with (
        pytest.raises(BackendError, match="no room left to write while compiling"),
        spark_errors("compiling", tmp_path / "log", Interrupts(), details=details),
    ):
        raise RuntimeError(told)


@pytest.mark.parametrize("line", [["view", "-o", "v.png"], ["report", "-o", "r.pdf"]])
def test_a_file_is_not_written_under_the_name_of_another_format(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    line: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tibemsd.conf").write_text("server = A\n")
    assert exit_code([*line, "-s", "."]) == 2
    assert "topograph writes no" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tibemsd.conf"]
