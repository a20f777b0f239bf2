"""Text becomes a number in one place, which takes any text (``topograph.digits``)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = ROOT / "topograph" / "digits.py"
ASKED = re.compile(r"\.(?:isdigit|isdecimal|isnumeric)\(")


def modules() -> list[Path]:
    folders = (ROOT / name for name in ("topograph", "importers", "viz", "cypher"))
    return sorted({path.resolve() for folder in folders for path in folder.rglob("*.py")})


def test_no_module_asks_a_text_whether_it_is_digits() -> None:
    asking = [path for path in modules() if ASKED.search(path.read_text("utf-8"))]
    assert asking == [ALLOWED]


@pytest.mark.slow
@pytest.mark.parametrize("number", ["int", "float"])
@pytest.mark.parametrize(
    ("value", "refused"),
    [
        ("'7'", True),
        ("b'7'", True),
        ("re.match('a', 'a')[0]", True),
        ("x if x else '1'", True),
        ("2.5", False),
        ("True", False),
    ],
)
def test_the_type_checker_refuses_a_number_of_a_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, refused: bool, number: str
) -> None:
    monkeypatch.setenv("MYPY_CONFIG_FILE_DIR", "")  # mypy sets it
    module = tmp_path / "module.py"
    module.write_text(
        f"import re\nx: int | str | None = None\ny = {number}({value})  # type: ignore[index]\n"
    )
    settings = tmp_path / "mypy.ini"
    settings.write_text(f"[mypy]\nplugins = {ROOT}/tests/project/text_to_numbers.py\n")
    said, errors, _ = api.run(
        ["--config-file", str(settings), "--cache-dir", "/dev/null", str(module)]
    )
    assert errors == ""
    assert ("use topograph.digits" in said) is refused, said
