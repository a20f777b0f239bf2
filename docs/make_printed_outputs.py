"""Prints anew what stands below commands in README.md and the pages of the examples.

``python docs/make_printed_outputs.py`` writes it; ``tests/project/test_printed_outputs.py``
compares it. Look at the difference before it is committed.
"""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from topograph.cli.group import topograph

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "tutorial.md",
    *sorted((ROOT / "examples").glob("*.md")))
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
"""A block that begins with ``$ topograph``, with what the command prints below it."""

_SNAPSHOT = re.compile(r"\n+snapshot \w+ · .*\n\Z")


def printed(command: str) -> tuple[str, str]:
    """What ``$ topograph ...`` prints, without the last line, which names the snapshot; and what
    it says on stderr.
    """
    name, *arguments = shlex.split(command.removeprefix("$ "))
    if name != "topograph":
        raise ValueError(f"{command} is no command of topograph")
    with contextlib.chdir(ROOT):
        done = CliRunner().invoke(topograph, arguments, catch_exceptions=False)
    return _SNAPSHOT.sub("\n", done.stdout), done.stderr


def _anew(block: re.Match[str]) -> str:
    command = block[1].partition("\n")[0]
    return f"```console\n{command}\n{printed(command)[0]}```"


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(BLOCK.sub(_anew, page.read_text("utf-8")), "utf-8")
