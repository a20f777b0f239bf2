"""Which process it is, and locks between processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from topograph.store.processes import identity, is_running, locked


def test_a_process_is_known_by_its_start_until_it_ends() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    known = identity(process.pid)
    assert known
    assert known == identity(process.pid) != identity(os.getpid())
    assert is_running(process.pid, known)
    assert not is_running(process.pid, known + "0")
    assert not is_running(process.pid, "")
    assert process.stdin is not None
    process.stdin.close()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert identity(process.pid) == ""  # ended, and not collected yet
    process.wait()
    assert not is_running(process.pid, known)


def test_a_lock_keeps_another_process_out_and_ends_with_its_holder(tmp_path: Path) -> None:
    lock = tmp_path / "folder" / "lock"
    text = (
        "import sys, pathlib, topograph.store.processes as p\n"
        "with p.locked(pathlib.Path(sys.argv[1])):\n    print('held', flush=True)\n    input()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", text, str(lock)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    got = threading.Event()

    def take() -> None:
        with locked(lock):
            got.set()

    waiting = threading.Thread(target=take)
    waiting.start()
    assert not got.wait(0.3)
    holder.kill()
    holder.communicate()
    assert got.wait(30)
    waiting.join()
