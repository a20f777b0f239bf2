"""docs/extending.md shows what stands in the files of the toy system."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text("utf-8")
EXCERPTS = re.findall(r"<!-- from (\S+) -->\n```\w*\n(.*?)```", PAGE, re.DOTALL)
TOY = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "examples/toy_system/relay").glob("*.py")
)


@pytest.mark.parametrize(
    ("path", "text"),
    EXCERPTS,
    ids=[f"{n}-{Path(path).name}" for n, (path, _) in enumerate(EXCERPTS)],
)
def test_an_excerpt_stands_in_the_file_it_is_from(path: str, text: str) -> None:
    assert text in (ROOT / path).read_text("utf-8")


def test_every_module_of_the_toy_system_is_walked_through() -> None:
    shown = {path for path, _ in EXCERPTS}
    assert set(TOY) <= shown
    assert "examples/toy_system/pyproject.toml" in shown


def test_links_of_the_page_lead_somewhere() -> None:
    targets = [target for target in re.findall(r"\]\(([^)#]+)", PAGE) if "://" not in target]
    assert [target for target in targets if not (ROOT / "docs" / target).exists()] == []
