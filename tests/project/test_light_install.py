"""What a user gets who installs topograph alone: every question, picture, report and audit on a
folder, without Java, Spark, pandas or pyarrow; and what to type where a command needs more.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from draws import some
from store.git_repositories import with_a_history

from topograph.process.packages import EXTRAS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MOST_MEGABYTES = 120
LEFT_OUT = (
    "pyspark",
    "py4j",
    "pandas",
    "scipy",
    "pyarrow",
    "IPython",
    "neo4j",
    "networkx",
    "pyvis",
)
OF_THE_VENV = ("pip", "setuptools", "pkg_resources", "_distutils_hack")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """What is under version control, or would be, as a checkout of its own."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    folder = tmp_path_factory.mktemp("checkout")
    for name in filter(None, listed.split("\0")):
        if os.path.lexists(ROOT / name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("home")


def run(words: str, cwd: Path, home: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """A line of a shell of a user who has a home, and no Java."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("PIP_", "SSL_", "REQUESTS_", "UV_", "http", "LANG")) and value
    }
    return subprocess.run(
        ["/bin/sh", "-c", words],
        cwd=cwd,
        env={**kept, "HOME": str(home), "PATH": path or os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="module")
def first_lines() -> list[str]:
    """The commands of the README's first block."""
    block = re.search(
        r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE
    )
    assert block
    return [re.sub(r"\s{2,}#.*", "", line) for line in block[1].splitlines()]


@pytest.fixture(scope="module")
def installed(checkout: Path, home: Path, first_lines: list[str]) -> Path:
    """The environment that the README's first line makes."""
    line = first_lines[0].replace("python3 ", f"{shlex.quote(sys.executable)} ", 1)
    done = run(line, checkout, home)
    assert done.returncode == 0, done.stdout + done.stderr
    return home / "topograph"


def topograph(
    installed: Path, home: Path, words: str, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    # Nothing but the environment's own programs: no Java, no git.
    return run(f"topograph {words}", cwd, home, str(installed / "bin"))


def test_the_first_lines_of_the_readme_give_an_answer(
    installed: Path, checkout: Path, home: Path, first_lines: list[str]
) -> None:
    assert len(first_lines) == 2
    answered = run(first_lines[1], checkout, home)
    assert answered.returncode == 0, answered.stderr
    assert answered.stdout.startswith("HQ reaches PARIS")


def test_what_is_installed_is_little(installed: Path) -> None:
    (packages,) = installed.glob("lib/python3*/site-packages")
    names = {entry.name for entry in packages.iterdir()}
    assert not names.intersection(LEFT_OUT)
    size = sum(
        file.lstat().st_size
        for entry in packages.iterdir()
        if not entry.name.startswith(OF_THE_VENV)
        for file in ([entry] if entry.is_file() else entry.rglob("*"))
    )
    assert size < MOST_MEGABYTES * 10**6


HELP = re.compile(r"^ +((?:topograph|export) .*)$", re.MULTILINE)
NEEDS_MORE = ("import", "db", "cypher", "snapshots", "mcp")


def test_examples_of_every_command_run(installed: Path, home: Path, tmp_path: Path) -> None:
    """Those in ``--help``, in a folder with the examples, but for the commands that need more: of
    each command half of them, drawn by chance (``test_help`` runs all)."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    with_a_history(tmp_path)
    listed = topograph(installed, home, "--help").stdout
    commands = re.findall(r"^  ([a-z]+)  ", listed, re.MULTILINE)
    assert {"reach", "audit", "view", "report", "check", *NEEDS_MORE} <= set(commands)
    ran = 0
    for command in commands:
        if command in NEEDS_MORE:
            continue
        shown = topograph(installed, home, f"{command} --help").stdout
        settings = ""
        lines = HELP.findall(
            re.split(
                r"^.*[Oo]ptions:$", shown.partition("Examples")[2], maxsplit=1, flags=re.MULTILINE
            )[0]
        )
        tried = [at for at, line in enumerate(lines) if line.startswith("topograph")]
        run_now = some(tried, (len(tried) + 1) // 2)
        for at, line in enumerate(lines):
            if at in tried and at not in run_now:
                continue
            if line.startswith("export "):
                settings = f"{line}; "
                continue
            done = run(
                f"{settings}{line}",
                tmp_path,
                home,
                str(installed / "bin"),
            )
            if "git" in done.stderr and "not installed" in done.stderr:
                continue  # a revision is read with git, which is no package of Python
            assert done.returncode in (0, 1), (line, done.stderr)
            ran += 1
    assert ran > 20


@pytest.mark.parametrize("words", ["import examples/estate -o x", "db start"])
def test_a_command_that_needs_more_says_what_to_type(
    installed: Path, home: Path, words: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "examples" / "estate", tmp_path / "examples" / "estate")
    done = topograph(installed, home, words, tmp_path)
    assert done.returncode == 4
    extra = "spark" if words.startswith("import") else "neo4j"
    line = shlex.split(done.stderr.partition("To install it: ")[2])
    assert Path(line[0]).parent == installed / "bin"
    assert line[1:4] == ["-m", "pip", "install"]
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert sorted(line[4:]) == sorted(stated[extra])


def test_python_says_what_to_type(installed: Path, home: Path) -> None:
    script = (
        "import topograph, json\n"
        "network = topograph.read('examples/orders')\n"
        "said = {}\n"
        "for name, ask in {'pandas': lambda: network.reach('HUB').to_frame(),\n"
        "        'networkx': network.to_networkx, 'pyvis': network.view}.items():\n"
        "    try:\n"
        "        ask()\n"
        "    except topograph.errors.NotInstalled as error:\n"
        "        said[name] = str(error)\n"
        "print(json.dumps(said))\n"
    )
    done = run(
        f"python -c {shlex.quote('import topograph.errors' + chr(10) + script)}",
        ROOT,
        home,
        str(installed / "bin"),
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert list(said) == ["pandas", "networkx", "pyvis"]
    for name, message in said.items():
        assert f"needs {name}, which is not installed. To install it: " in message


def test_every_package_of_an_extra_is_known() -> None:
    """So that a command that lacks it says so, whichever it is."""
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for extra, packages in stated.items():
        if extra in ("dev", "all"):
            continue
        for package in packages:
            name = re.split(r"[\[><=]", package)[0]
            assert name == "topograph" or name in EXTRAS, name
