"""``./dev same``: what differs is seen, and what does not is not."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAME = ROOT / "benchmarks" / "same"

ROUTE = '{"name": "B", "url": "tcp://b:7222"}'
CHECK = json.dumps({"findings": [{"rule": "TL-1", "at": "A"}], "engine": "memory"}, indent=1)


@cache
def comparing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("same_comparing", SAME / "comparing.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def said(path: Path, kind: str, **texts: str) -> Path:
    path.mkdir()
    rows = (json.dumps(["orders", item, text]) + "\n" for item, text in texts.items())
    (path / f"{kind}.jsonl").write_text("".join(rows))
    return path


def expected(folder: Path, toml: str = ""):
    file = folder / "known.toml"
    file.write_text(toml)
    return comparing().read_expected(file)


def compared(folder: Path, kind: str, before: dict[str, str], after: dict[str, str], toml=""):
    sides = said(folder / "a", kind, **before), said(folder / "b", kind, **after)
    return comparing().compared(*sides, kind, expected(folder, toml))


def test_equal_items_in_another_order_do_not_differ(tmp_path: Path) -> None:
    before = {"route": ROUTE, "queue": "{}", "zone": "{}"}
    found = compared(tmp_path, "facts", before, dict(reversed(before.items())))

    assert (found.items, found.differences) == (3, [])
    assert comparing().report([found], show=3) == ("facts: 3 compared, 0 differ", True)


def test_an_added_row_is_shown_as_a_line_of_its_table(tmp_path: Path) -> None:
    found = compared(tmp_path, "facts", {"route": ROUTE}, {"route": f'{ROUTE}\n{{"name": "C"}}'})

    text, is_same = comparing().report([found], show=3)

    assert not is_same
    assert text.splitlines() == [
        "== facts of orders: route",
        "--- before",
        "+++ after",
        "@@ -1 +1,2 @@",
        f" {ROUTE}",
        '+{"name": "C"}',
        "",
        "facts: 1 compared, 1 differ",
    ]


def test_an_item_that_only_one_revision_has_differs(tmp_path: Path) -> None:
    found = compared(tmp_path, "facts", {"zone": "1", "route": ROUTE}, {"queue": "{}", "zone": "1"})

    assert found.items == 3
    assert [(one.key, one.before, one.after) for one in found.differences] == [
        (("orders", "route"), ROUTE, None),
        (("orders", "queue"), None, "{}"),
    ]


def test_what_is_replaced_in_both_does_not_differ(tmp_path: Path) -> None:
    toml = "[[replaced]]\nreason = 'its place'\npattern = 'TL-\\d'\nby = 'RULE'\n"
    changed = {"check": CHECK.replace("TL-1", "TL-2")}

    assert compared(tmp_path, "answers", {"check": CHECK}, changed, toml).differences == []


KNOWN = """[[known]]
reason = "rules have other numbers"
kinds = ["answers"]
items = "check*"
lines = ' *"rule": "TL-\\d",?'
"""


def test_a_known_difference_is_counted_with_its_reason(tmp_path: Path) -> None:
    changed = {"check": CHECK.replace("TL-1", "TL-2")}

    found = compared(tmp_path, "answers", {"check": CHECK}, changed, KNOWN)

    assert comparing().report([found], show=3) == (
        "answers: 1 compared, 0 differ\nknown, in 1 items: rules have other numbers",
        True,
    )


@pytest.mark.parametrize(
    ("kind", "item", "other"),
    [
        ("answers", "check", CHECK.replace("TL-1", "TL-2").replace('"A"', '"B"')),
        ("texts", "check", CHECK.replace("TL-1", "TL-2")),
        ("answers", "cycles", CHECK.replace("TL-1", "TL-2")),
    ],
    ids=["another line besides", "another kind", "another item"],
)
def test_a_difference_is_known_only_where_each_line_is(
    tmp_path: Path, kind: str, item: str, other: str
) -> None:
    found = compared(tmp_path, kind, {item: CHECK}, {item: other}, KNOWN)

    assert len(found.differences) == 1
    assert not found.known


def test_an_item_that_one_side_lacks_is_not_known_by_its_lines(tmp_path: Path) -> None:
    toml = KNOWN.replace('lines = \' *"rule": "TL-\\d",?\'', "lines = '.+ .+'")
    assert len(compared(tmp_path, "answers", {"check": "a b"}, {}, toml).differences) == 1


def test_differences_beyond_those_shown_are_counted(tmp_path: Path) -> None:
    before = {f"kind{n}": "1" for n in range(5)}
    found = compared(tmp_path, "facts", before, dict.fromkeys(before, "2"))

    text, _ = comparing().report([found], show=2)

    assert "== facts: 3 more differences" in text
    assert text.endswith("facts: 5 compared, 5 differ")


def test_the_known_differences_of_this_checkout_can_be_read_and_have_reasons() -> None:
    given = comparing().read_expected(SAME / "known.toml")

    assert given.plain(f"snapshot {'0a' * 16}") == "snapshot ID"
    assert all(one.reason.endswith(".") for one in given.known)


@pytest.mark.slow
def test_another_line_of_a_file_is_seen_in_every_kind(tmp_path: Path) -> None:
    """A route to another server, which is not loaded: facts, findings, tables, answers as JSON and
    as text, what commands print, and pages.
    """
    sides = []
    for name in ("before", "after"):
        estate = tmp_path / name / "orders"
        shutil.copytree(ROOT / "examples" / "orders", estate)
        if name == "after":
            routes = estate / "hub" / "routes.conf"
            routes.write_text(routes.read_text().replace("[Canada]", "[Cuba]"))
        asked = {"name": "orders", "folder": "orders", "pages": True}
        asked["questions"] = [["check", [], {}], ["show", ["routes"], {}]]
        asked["commands"] = [["show", "routes", "-s", "orders"]]
        (estate.parent / "asked.jsonl").write_text(json.dumps(asked) + "\n")
        home = {"PYTHONPATH": str(ROOT), "TOPOGRAPH_HOME": str(tmp_path / f"home-{name}")}
        key = {"TOPOGRAPH_REDACT_KEY": "a key for both sides", "TOPOGRAPH_CACHE_MB": "64"}
        subprocess.run(
            [sys.executable, "-P", SAME / "said.py", ROOT, estate.parent, tmp_path / f"to-{name}"],
            env={**os.environ, **home, **key},
            check=True,
        )
        sides.append(tmp_path / f"to-{name}")

    nothing = expected(tmp_path)
    differing = {
        path.stem: comparing().compared(*sides, path.stem, nothing).differences
        for path in sorted(sides[0].iterdir())
    }

    assert [one.key[1] for one in differing.pop("facts")] == ["facts ems route"]
    (finding,) = differing.pop("findings")
    assert "Cuba" in finding.after
    assert sorted(differing) == ["answers", "commands", "pages", "redacted", "tables", "texts"]
    for kind, found in differing.items():
        assert any("Cuba" in (one.after or "") for one in found), kind


def test_a_revision_whose_packages_are_not_found_is_refused(tmp_path: Path) -> None:
    words = [sys.executable, "-P", SAME / "said.py", tmp_path, tmp_path, tmp_path / "to"]
    done = subprocess.run(
        words,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert f"not from {tmp_path}" in done.stderr


@pytest.mark.slow
def test_a_revision_says_the_same_as_itself() -> None:
    words = ["-m", "benchmarks.same.run", "HEAD", "HEAD", "--only", "examples/orders"]
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "answers: " in done.stdout
    assert "Nothing differs: 1 estate, " in done.stdout


def test_a_revision_that_does_not_exist_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.same.run", "no-such-revision"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "'no-such-revision' is not a git revision" in done.stderr
