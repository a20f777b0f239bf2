"""``importers/``, ``viz/`` and ``cypher/`` stand at the top level and are parts of the package,
whichever way it is used.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from type_checks import mypy

ROOT = Path(__file__).resolve().parents[2]
LINKED = ("importers", "viz", "cypher")


def run(*words: object, cwd: Path = ROOT, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False, **more
    )


def project_files() -> list[Path]:
    """What git tracks or would: relative paths, the links themselves and not what is behind
    them.
    """
    listed = run(
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "-z",
    )
    assert listed.returncode == 0, listed.stderr
    return [
        path
        for name in listed.stdout.split("\0")
        if name and os.path.lexists(ROOT / (path := Path(name)))
    ]


def package_files() -> set[str]:
    """The files of the package by the name under which it is installed."""
    files = set()
    for path in project_files():
        if path.parts[0] in LINKED:
            files.add(Path("topograph", path).as_posix())
        elif path.parts[0] == "topograph" and not (ROOT / path).is_symlink():
            files.add(path.as_posix())
    return files


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the source archive and the wheel that is built from it."""
    source = tmp_path_factory.mktemp("source")
    for path in project_files():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, source / path, follow_symlinks=False)
    out = tmp_path_factory.mktemp("built")
    done = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ".", cwd=source)
    assert done.returncode == 0, done.stdout + done.stderr
    loud = [line for line in (done.stdout + done.stderr).splitlines() if "warning" in line.lower()]
    assert [line for line in loud if "byte-compiling is disabled" not in line] == []
    return out


@pytest.mark.parametrize("name", LINKED)
def test_the_link_is_relative_and_leads_to_the_folder(name):
    link = ROOT / "topograph" / name

    assert link.readlink() == Path("..", name)
    assert (link / "__init__.py").samefile(ROOT / name / "__init__.py")


@pytest.mark.parametrize("name", LINKED)
def test_a_linked_package_refuses_to_be_imported_under_its_bare_name(name):
    done = run(sys.executable, "-c", f"import {name}")

    assert done.returncode == 1
    assert f"ImportError: import this package as topograph.{name}" in done.stderr


@pytest.mark.parametrize("name", LINKED)
def test_the_installed_package_finds_the_linked_folders(name):
    module = importlib.import_module(f"topograph.{name}")

    assert Path(module.__file__).samefile(ROOT / name / "__init__.py")


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        links = [
            entry.filename for entry in archive.infolist() if entry.external_attr >> 28 == 0o12
        ]

    assert names == package_files()
    assert links == []


@pytest.mark.slow
def test_the_source_archive_holds_real_files_instead_of_links(built):
    (archive_path,) = built.glob("*.tar.gz")
    with tarfile.open(archive_path) as archive:
        members = archive.getmembers()

    assert [member.name for member in members if not (member.isfile() or member.isdir())] == []
    inside = {member.name.partition("/")[2] for member in members if member.isfile()}
    assert package_files() <= inside


@pytest.mark.slow
def test_every_module_of_the_wheel_can_be_imported_from_where_it_is_installed(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    target = tmp_path / "installed"
    installed = run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        target,
        wheel,
        cwd=tmp_path,
    )
    assert installed.returncode == 0, installed.stderr
    modules = sorted(
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in package_files()
        if name.endswith(".py") and not name.endswith("__main__.py")
    )
    script = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    module = importlib.import_module(name)\n"
        "    print(name, module.__file__)\n"
    )
    done = run(
        sys.executable,
        "-c",
        script,
        *modules,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(target)},
    )

    assert done.returncode == 0, done.stderr
    found = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert sorted(found) == modules
    assert [name for name, place in found.items() if not place.startswith(str(target))] == []


@pytest.mark.slow
def test_mypy_sees_the_types_behind_a_link(tmp_path):
    user = tmp_path / "user.py"
    user.write_text(
        "from topograph.importers.reading import "
        "BundleFile\n\nreveal_type(BundleFile('main', 'a').part)\n"
    )
    code, said = mypy(tmp_path, user)

    assert 'Revealed type is "str"' in said, said
    assert code == 0, said


@pytest.mark.slow
def test_pytest_collects_the_linked_folders_as_parts_of_the_package():
    folders = [f"topograph/{name}" for name in LINKED]
    done = run(
        sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *folders
    )

    assert done.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED), done.stdout
    assert "error" not in done.stdout.lower()


def test_ruff_checks_each_file_of_the_linked_folders_once():
    done = run(sys.executable, "-m", "ruff", "check", "--show-files", ".")
    shown = [Path(line).relative_to(ROOT).as_posix() for line in done.stdout.splitlines()]

    assert shown.count("importers/reading.py") == 1
    assert [
        name
        for name in shown
        if name.startswith(tuple(f"topograph/{linked}/" for linked in LINKED))
    ] == []
