"""What is in the repository: no machine's paths, and versions that agree with each other."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import topograph

ROOT = Path(__file__).resolve().parents[2]


def tracked() -> dict[str, str]:
    """The text of every tracked file."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in paths
        if path.is_file()
    }


def test_no_file_names_a_path_of_the_machine_it_was_written_on():
    homes = {
        str(ROOT),
        *(str(home) for home in (Path.home(), Path("/", "root")) if len(home.parts) > 1),
    }
    machine = re.compile(rf"(?<![\w.<-])({'|'.join(map(re.escape, homes))})\b(?![-\w])")
    found = [
        f"{name}: {match[0]}"
        for name, text in tracked().items()
        for match in machine.finditer(text)
    ]

    assert found == []


def test_the_lock_names_no_host_and_pins_every_dependency_within_its_bounds():
    text = (ROOT / "requirements" / "lock.txt").read_text()
    pins = {
        canonicalize_name(name): version
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [Requirement(line) for line in project["dependencies"]]
    asked += [
        Requirement(line) for lines in project["optional-dependencies"].values() for line in lines
    ]

    assert "://" not in text
    assert [
        str(need)
        for need in asked
        if not need.specifier.contains(pins.get(canonicalize_name(need.name), "0"))
    ] == []
    assert text.count("\n    --hash=sha256:") >= len(pins)


def test_the_changelog_has_an_entry_for_the_version():
    assert f"## [{topograph.__version__}]" in (ROOT / "CHANGELOG.md").read_text()
