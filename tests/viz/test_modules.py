"""The modules of the pages: who imports whom. That each name is exported where it is imported from
is for tsc.
"""

from __future__ import annotations

import graphlib
import re
from pathlib import Path

import pytest

from topograph.viz.page import bundle

VIZ = Path(__file__).resolve().parents[2] / "viz"
MODULES = sorted(
    path.relative_to(VIZ).as_posix()
    for folder in (
        "page/script",
        "page/engine",
        "page/asking",
        "page/packed",
        "report/script",
        "timeline/script",
    )
    for path in (VIZ / folder).glob("*.js")
)
ENTRIES = {
    "picture": "page/asking/picture.js",
    "report": "report/script/report.js",
    "unpack": "page/packed/unpack.js",
    "engine": "page/engine/engine.js",
    "timeline": "timeline/script/timeline.js",
}
IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";$', re.MULTILINE)
EXPORTED_FOR_TESTS = {
    ("page/engine/selectors.js", "selectorTruth"),
    ("page/asking/judged.js", "MARKS"),
    ("page/asking/judged.js", "FIRST"),
}
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def text(module: str) -> str:
    return (VIZ / module).read_text(encoding="utf-8")


def imports(module: str) -> list[tuple[str, set[str]]]:
    """Each imported module with the names that are taken of it."""
    assert text(module).count("\nimport ") + text(module).startswith("import ") == len(
        IMPORT.findall(text(module))
    ), f"an import of {module} is written in another way than this test reads"
    folder = (VIZ / module).parent
    return [
        (
            (folder / address).resolve().relative_to(VIZ).as_posix(),
            {name.strip() for name in names.split(",") if name.strip()},
        )
        for names, address in IMPORT.findall(text(module))
    ]


def reached(entry: str) -> set[str]:
    found, due = {entry}, [entry]
    while due:
        new = {module for module, _ in imports(due.pop())} - found
        found |= new
        due += new
    return found


def test_no_module_imports_itself_by_way_of_others():
    graph = {module: [other for other, _ in imports(module)] for module in MODULES}

    assert set(graphlib.TopologicalSorter(graph).static_order()) == set(MODULES)


def test_every_module_is_in_a_page():
    assert set().union(*(reached(entry) for entry in ENTRIES.values())) == set(MODULES)


def test_every_export_is_imported_by_another_module():
    taken = {
        (other, name) for module in MODULES for other, names in imports(module) for name in names
    }
    exported = {(module, name) for module in MODULES for name in EXPORT.findall(text(module))}

    assert exported - taken == EXPORTED_FOR_TESTS


def test_a_module_exports_its_declarations_and_nothing_else():
    """No default export, no list of names and no export of another module's."""
    odd = {
        line
        for module in MODULES
        for line in text(module).splitlines()
        if line.startswith("export") and not EXPORT.match(line)
    }

    assert odd == set()


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [
        ("page/engine", ("page/engine",)),
        ("page/script", ("page/script",)),
        ("page/packed", ("page/script", "page/packed")),
        ("page/asking", ("page/engine", "page/script", "page/packed", "page/asking")),
        ("report/script", ("page/", "report/script")),
    ],
)
def test_modules_import_only_what_is_below_them(folder: str, allowed: tuple[str, ...]):
    others = {
        other
        for module in MODULES
        if module.startswith(folder)
        for other, _ in imports(module)
        if not other.startswith(allowed)
    }

    assert others == set()


@pytest.mark.parametrize("name", ENTRIES)
def test_a_bundle_may_stand_in_a_script_element(name: str):
    script = bundle(name)

    assert script.startswith('"use strict";')
    lower = script.lower()
    assert [one for one in ("</script", "<!--", "<script", "\r") if one in lower] == []


def test_every_bundle_has_an_entry():
    assert {path.stem for path in (VIZ / "bundles").iterdir()} == set(ENTRIES)
