"""Ctrl-C and SIGTERM: never lost, never mistaken for a failure of Spark, and everything is
cleaned up.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from topograph.cli.main import exit_code
from topograph.errors import BackendError
from topograph.pipeline.session import spark_errors
from topograph.process.interrupts import (
    Terminated,
    clean_up_when_terminated,
    held_back,
    remembered,
)


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def stage(log: Path, work: Callable[[], None]) -> None:
    """A stage of an import that does ``work``."""
    with remembered() as arrived, spark_errors("recognising files", log, arrived):
        work()


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)]
)
def test_an_interrupt_that_an_error_of_spark_hides_is_still_one(
    number: signal.Signals, raised: type[BaseException], tmp_path: Path
) -> None:
    def work() -> None:
        try:
            os.kill(os.getpid(), number)
        except KeyboardInterrupt:
            raise ConnectionError("Job 3 cancelled") from None

    clean_up_when_terminated()
    with pytest.raises(raised):
        stage(tmp_path / "log", work)


def test_an_interrupt_that_a_callback_swallows_is_raised_at_the_end_of_the_stage(
    tmp_path: Path,
) -> None:
    def work() -> None:
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        stage(tmp_path / "log", work)


def test_without_an_interrupt_spark_is_to_blame(tmp_path: Path) -> None:
    def work() -> None:
        raise ConnectionError("gone")

    with pytest.raises(BackendError, match="Spark failed while recognising files"):
        stage(tmp_path / "log", work)


def test_what_is_held_back_arrives_at_the_end() -> None:
    reached = []

    def work() -> None:
        with held_back():
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("end")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert reached == ["end"]


def test_sigterm_ends_a_command_with_143_after_cleaning_up(tmp_path: Path) -> None:
    program = (
        "import click, os, signal, sys\n"
        "from topograph.cli import main\n"
        "@click.command()\n"
        "def wait():\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "    finally:\n"
        "        print('cleaned up')\n"
        "import topograph.cli.group as group\n"
        "group.topograph = wait\n"
        "main.run([])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (143, "cleaned up\n")
    assert ended.stderr.strip() == "Terminated."


def test_ctrl_c_while_a_class_is_made_of_text_ends_a_command_with_130(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(
        "import click\n"
        "from topograph.cli import main\n"
        "@click.command()\n"
        "def work():\n"
        "    exec('import os, signal; os.kill(os.getpid(), signal.SIGINT)')\n"
        "import topograph.cli.group as group\n"
        "group.topograph = work\n"
        "main.run([])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr.strip() == "Interrupted."


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_a_class_is_made_is_one(
    number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python 3.11 makes a RuntimeError of what arrives in ``__set_name__``."""

    class Named:
        def __set_name__(self, owner: type, name: str) -> None:
            os.kill(os.getpid(), number)

    @click.command()
    def work() -> None:
        type("Owner", (), {"name": Named()})

    clean_up_when_terminated()
    assert exit_code([], work) == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert capsys.readouterr().err.strip() in ("Interrupted.", "Terminated.")
