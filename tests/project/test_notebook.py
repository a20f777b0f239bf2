"""docs/notebook.ipynb runs from its first cell to its last, says nothing on standard error, and
is kept without outputs.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
import pytest

from topograph.opening.folders import read_snapshot
from topograph.store.database import Database
from topograph.store.publication import publish_snapshot
from topograph.store.where import DatabaseAddress
from topograph.systems import assemble

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTEBOOK = DOCS / "notebook.ipynb"


@pytest.fixture
def jupyter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of its own for Jupyter and topograph, and a kernel that runs in this Python."""
    for name in (
        "JUPYTER_CONFIG_DIR",
        "JUPYTER_DATA_DIR",
        "JUPYTER_RUNTIME_DIR",
        "IPYTHONDIR",
        "TOPOGRAPH_HOME",
    ):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    spec = tmp_path / "jupyter_data_dir" / "kernels" / "tour"
    spec.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "tour", "language": "python"})
    )
    return tmp_path


def run() -> Any:
    """The notebook with its outputs. Raises CellExecutionError for a cell that fails."""
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)

    async def execute(sockets: str) -> None:
        # Sockets in a folder of this test: the kernel listens on no network address at all.
        manager = AsyncKernelManager(kernel_name="tour", transport="ipc", ip=f"{sockets}/kernel")
        client = NotebookClient(
            notebook, km=manager, timeout=300, resources={"metadata": {"path": str(DOCS)}}
        )
        await client.async_execute(cleanup_kc=True)

    with tempfile.TemporaryDirectory() as sockets:
        asyncio.run(execute(sockets))
    return notebook


def printed(cell: Any) -> str:
    return "".join(output["text"] for output in cell.outputs if output.output_type == "stream")


def test_the_notebook_is_kept_without_outputs_or_paths_of_a_machine() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert [(cell.outputs, cell.execution_count) for cell in code] == [([], None)] * len(code)


@pytest.mark.slow
@pytest.mark.alone
def test_the_notebook_runs_without_a_database(
    jupyter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)
    code = [cell for cell in run().cells if cell.cell_type == "code"]
    outputs = [output for cell in code for output in cell.outputs]
    assert [output for output in outputs if output.get("name") == "stderr"] == []
    shown = [
        output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})
    ]
    assert any("is delivered at Canada" in html for html in shown)
    assert any("<iframe" in html for html in shown)
    assert printed(code[-1]).startswith("There is no Neo4j")


@pytest.mark.neo4j
@pytest.mark.alone
def test_the_notebook_asks_in_cypher_what_is_published(
    jupyter: Path, neo4j_environment: DatabaseAddress, database: Database
) -> None:
    pytest.importorskip("py2neo", reason="py2neo is an optional extra", exc_type=ImportError)
    publish_snapshot(database, read_snapshot(DOCS.parent / "examples" / "orders"), assemble)
    last = run().cells[-1]
    assert [line.split()[1:] for line in printed(last).splitlines()[1:]] == [
        ["Canada", "ems", "1", "True"],
        ["Mexico", "ems", "1", "True"],
        ["USA", "ems", "1", "True"],
    ]
