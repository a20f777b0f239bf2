"""Nothing installs topograph by its bare name: the name is not its own on any package index, and
what is installed today could be somebody else's tomorrow.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_INSTALL = re.compile(
    r"(?:\bpip3?|\buv tool|\buv pip|\bpipx|\buv)[ ]+(?:install|add|run|wheel)\b(.*)"
)
_BARE = re.compile(
    r"""(?:^|[\s'"`\\])topograph(?:\[[\w,-]*\])?(?:[=<>~!][^\s]*)?(?=$|[\s'"`;.,)\\])"""
)
NOT_OURS = ("tests/cases/", "tests/project/test_install_lines.py")


def bare(line: str) -> bool:
    """Whether a line installs a package of that name from an index."""
    found = _INSTALL.search(line)
    return bool(found and "--no-index" not in line and _BARE.search(found[1].partition(" #")[0]))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pip install topograph", True),
        ("python -m pip install --quiet topograph==0.1.0", True),
        ("pip install 'topograph[spark]'", True),
        ("uv tool install topograph", True),
        ("pipx install topograph", True),
        ("pip install .", False),
        ("pip install 'topograph-0.1.0-py3-none-any.whl[spark]' venv-pack", False),
        ("pip install git+https://example.com/topograph@v0.1.0", False),
        ('pip install "topograph @ git+https://example.com/topograph@v0.1.0"', True),
        ("~/topograph/bin/pip install .", False),
        ("pip install --no-index --find-links wheels topograph", False),
    ],
)
def test_a_bare_name_is_seen(line: str, expected: bool) -> None:
    assert bare(line) == expected


def test_nothing_installs_topograph_by_its_bare_name() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    found = []
    for name in listed.rstrip("\0").split("\0"):
        path = ROOT / name
        if name.startswith(NOT_OURS) or path.is_symlink() or not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{name}: {line.strip()}" for line in text.splitlines() if bare(line)]
    assert found == []
