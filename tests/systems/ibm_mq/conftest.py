"""Queue managers written as MQSC."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.network import Network


@pytest.fixture
def estate(tmp_path: Path) -> Any:
    """Queue managers by name, each its MQSC."""

    def write(config: str = "", **managers: str) -> Network:
        for name, text in managers.items():
            (tmp_path / f"{name}.mqsc").write_text(
                f"* Queue manager name: {name}\nALTER QMGR DESCR('x')\n{text}\n"
            )
        if config:
            (tmp_path / "topograph.yaml").write_text(config)
        return topograph.read(tmp_path)

    return write
