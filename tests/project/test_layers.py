"""The parts import each other only as docs/architecture.md draws it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]


def test_the_import_contracts_hold():
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_contracts_see_what_is_behind_the_links():
    graph = grimp.build_graph("topograph", cache_dir=None)

    assert {"topograph.importers.reading", "topograph.viz", "topograph.cypher"} <= graph.modules
    assert "topograph.facts" in graph.find_modules_directly_imported_by(
        "topograph.importers.reading"
    )


def test_one_module_of_the_importers_reads_yaml():
    graph = grimp.build_graph(
        "topograph",
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )

    readers = {
        name
        for name in graph.find_modules_that_directly_import("yaml")
        if name.startswith("topograph.importers")
    }

    assert readers == {"topograph.importers.positions.yaml_text"}
