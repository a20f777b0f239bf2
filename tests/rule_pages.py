"""The pages of lint rules (docs/rules): the files of their examples, and what those give."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))
FILE = re.compile(r"^`([^`\n]+)`:\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```findings\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def write_example(page: Path, folder: Path) -> None:
    """Write the files of the example of a page."""
    files = FILE.findall(page.read_text("utf-8"))
    assert files
    for name, content in files:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")


def findings_shown(page: Path) -> str:
    """The findings that a page shows."""
    return "".join(SHOWN.findall(page.read_text("utf-8")))
