"""The planted estate, and a redaction key of the tests' own."""

from __future__ import annotations

from pathlib import Path

import pytest
from redaction.planted import Planted, planted_estate

KEY = "a key of the tests, long enough"


@pytest.fixture(autouse=True)
def redaction_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOPOGRAPH_REDACT_KEY", KEY)
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))


@pytest.fixture
def estate(tmp_path: Path) -> tuple[Path, Planted]:
    root = tmp_path / "estate"
    return root, planted_estate(root)
