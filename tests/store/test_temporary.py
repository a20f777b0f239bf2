"""Temporary folders: removed at the end, and after a process that was killed by the next one
that makes such a folder.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from topograph.store.temporary import temporary_folder

HOLDS = """
import sys
from topograph.store.temporary import temporary_folder
with temporary_folder("topograph-test-") as folder:
    (folder / "big").write_text("x")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_a_folder_is_gone_after_its_block_also_if_that_fails(tmp_path: Path) -> None:
    def fail() -> None:
        with temporary_folder("topograph-test-") as folder:
            assert folder.parent == tmp_path
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_a_killed_process_is_removed_by_the_next_and_that_of_a_living_one_is_not(
    tmp_path: Path,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        held = Path(other.stdout.readline().strip())
        with temporary_folder("topograph-test-"):
            assert (held / "big").exists()
        other.send_signal(signal.SIGKILL)
    assert held.exists()
    with temporary_folder("topograph-test-"):
        assert not held.exists()


def test_folders_of_others_and_links_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "topograph-test-without-lease").mkdir()
    (tmp_path / "topograph-test-of-another").mkdir()
    (tmp_path / "topograph-test-of-another" / "kept").touch()
    (tmp_path / "topograph-test-abandoned").mkdir()
    for name in ("of-another", "abandoned"):
        os.utime(tmp_path / f"topograph-test-{name}", (1, 1))
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / ".lease").touch()
    (tmp_path / "topograph-test-link").symlink_to(tmp_path / "precious")
    with temporary_folder("topograph-test-"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "precious",
        "topograph-test-link",
        "topograph-test-of-another",
        "topograph-test-without-lease",
    ]
