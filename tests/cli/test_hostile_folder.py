"""Every command runs nothing of the folder that it is started in, nor of the estate that it is
asked about, and reads no settings there: whatever lies in them, and whatever it starts.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from planted_code import PROGRAM, Watch, plant
from shared_classes import SHORT_LIVED
from store.git_repositories import commit, repository

from topograph.cli.group import topograph
from topograph.store import neo4j_server
from topograph.store.homes import home

TOPOGRAPH = str(Path(sys.executable).with_name("topograph"))
ROOT = Path(__file__).resolve().parents[2]

CASES: dict[str, list[tuple[str, str]]] = {
    "reach": [("reach A -s ESTATE", "B")],
    "hops": [("hops A B -s ESTATE", "1")],
    "paths": [("paths A B -s ESTATE", "A → B")],
    "cycles": [("cycles -s ESTATE", "Legal")],
    "interests": [("interests A -s ESTATE", "via B")],
    "propagate": [("propagate A --destination topic:orders -s ESTATE", "B")],
    "trace": [("trace A --destination topic:orders -s ESTATE", "B")],
    "services": [("services -s ROUTERS", "orders")],
    "impact": [("impact --fail server:B -s ESTATE", "B"), ("impact --sweep -s ESTATE", "B")],
    "audit": [
        ("audit --change A=CHANGE -s ESTATE", "Accept"),
        ("audit --before ESTATE --after ESTATE", "Accept"),
    ],
    "check": [("check -s ESTATE", "TL-04")],
    "show": [("show servers -s ESTATE", "A"), ("show findings -s ESTATE", "planted")],
    "view": [("view -o - --format mermaid -s ESTATE", "A"), ("view -o OUT/v.html -s ESTATE", "")],
    "survey": [("survey ESTATE", "A")],
    "summary": [("summary ESTATE", "A"), ("ESTATE", "A")],
    "schema": [("schema policy", "schema"), ("schema answer reach", "schema")],
    "mcp": [("mcp -s ESTATE", "")],
    "init": [("init ESTATE --stdout", "yaml-language-server")],
    "report": [("report -o OUT/r.html -s ESTATE", "")],
    "history": [("history ESTATE -o OUT/h.html", "changed something")],
    "bisect": [("bisect ESTATE --good HEAD~1 --policy POLICY", "changed something")],
    "import": [
        (
            # Executors of a cluster are a Java of their own, here for a minute. Inside the estate
            # one imports without a cluster below.
            "import ESTATE -o OUT/0 --neo4j none --master local-cluster[1,1,1024] "
            f"--spark-conf spark.executor.extraJavaOptions={SHORT_LIVED[-1]}",
            "2 servers",
        )
    ],
}
"""Command lines by command, and what their answer holds (a word alone)."""

WITH_DATABASE = {
    "db start": ("db start --heap 512m --port PORT", "bolt"),
    "db status": ("db status", "runs"),
    "snapshots publish": ("snapshots publish ESTATE", "estate"),
    "snapshots list": ("snapshots list", "estate"),
    "cypher": ("cypher reach --param network=estate --param from=A", "B"),
    "snapshots delete": ("snapshots delete ID", ""),
    "db stop": ("db stop", ""),
}
"""The commands that need a database, in the order in which they can be run."""

TOO_MUCH = {
    "UNWIND range(1, 1000000000) AS i RETURN count(i)": ("2", "after"),
    "UNWIND range(1, 100000000) AS i WITH collect(i) AS c RETURN size(c)": ("600", "limit"),
    f"RETURN {'(' * 20_000}1{')' * 20_000}": ("600", "nested"),
}
"""Statements that would never end, or take all memory, the seconds they have, and a word of why
they are not answered."""

CODES = {"check": 1, "show": 0}


def leaves(command: click.Command, *names: str) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(names)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, *names, name)


def test_every_command_has_a_case() -> None:
    assert {*CASES, *WITH_DATABASE} == set(leaves(topograph))


class Places:
    """A folder to be in, an estate of two servers and one of a router, all full of planted code."""

    def __init__(self, root: Path) -> None:
        self.root, self.marker = root, root / "marker"
        self.here, self.estate, self.routers = (root / n for n in ("here", "estate", "routers"))
        for folder in (self.here, self.estate, self.routers):
            plant(folder, self.marker)
        for name, other in (("A", "B"), ("B", "A")):
            own = self.estate / "net" / name
            own.mkdir(parents=True)
            files = {
                "tibemsd.conf": (
                    f"server = {name}\nrouting = enabled\n"
                    "routes = routes.conf\ntopics = topics.conf\n"
                ),
                "routes.conf": f"[{other}]\n  url = tcp://{other}:7222\n",
                "topics.conf": "orders global\n",
            }
            for file, text in files.items():
                (own / file).write_text(text)
        (self.routers / "qdrouterd.conf").write_text(
            "router {\n  mode: interior\n  id: R\n}\n"
            "listener {\n  host: 0.0.0.0\n  port: 5672\n  role: normal\n}\n"
            "tcpListener {\n  host: 0.0.0.0\n  port: 9000\n  address: orders\n}\n"
            "tcpConnector {\n  host: h\n  port: 9001\n  address: orders\n}\n"
        )
        (root / "change").write_text("create topic news\n")
        (root / "policy.yaml").write_text("policies:\n  - {id: p, reaches: {from: A, to: B}}\n")
        self._commit_twice()
        (root / "out").mkdir()
        self.home = root / "home"
        self.home.mkdir()
        (self.home / "cache").symlink_to(home().cache, target_is_directory=True)

    def _commit_twice(self) -> None:
        """A repository around the estate, in whose last commit A has no routes."""
        repository(self.root)
        (self.root / ".gitignore").write_text("/out\n/home\n/marker\n")
        commit(self.root, "all is well")
        routes = self.estate / "net" / "A" / "routes.conf"
        whole = routes.read_text()
        other = self.estate / "net" / "B" / "routes.conf"
        theirs = other.read_text()
        for file in (routes, other):
            file.write_text("# none\n")
        commit(self.root, "changed something")
        routes.write_text(whole)
        other.write_text(theirs)

    def variables(self, **more: str) -> dict[str, str]:
        unset = ("PYTHONSAFEPATH", "PYTHONPATH", "SPARK_HOME", "SPARK_CONF_DIR")
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in unset and not name.startswith("TOPOGRAPH_")
        }
        path = f":.:bin:{os.environ['PATH']}:"
        return {**kept, "PATH": path, "TOPOGRAPH_HOME": str(self.home), **more}

    def words(self, line: str, **more: str) -> list[str]:
        names = {
            "ESTATE": self.estate,
            "ROUTERS": self.routers,
            "CHANGE": self.root / "change",
            "POLICY": self.root / "policy.yaml",
            "OUT": self.root / "out",
            **more,
        }
        return re.sub("|".join(names), lambda found: str(names[found.group()]), line).split()

    def run(
        self, *words: str, at: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a program: nothing that was planted runs, and in the folder where it is started
        nothing is even opened."""
        watch = Watch(self.here)
        try:
            done = subprocess.run(
                words,
                cwd=at or self.here,
                env=self.variables(**more),
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                check=False,
            )
            opened = sorted(set(watch.opened()))
        finally:
            watch.close()
        ran = self.marker.read_text().splitlines() if self.marker.exists() else []
        assert (ran, opened) == ([], []), done.stderr
        return done


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    return Places(tmp_path_factory.mktemp("hostile"))


def right(done: subprocess.CompletedProcess[str], name: str, expected: str) -> None:
    assert done.returncode == CODES.get(name, 0), (done.stdout, done.stderr)
    assert not expected or re.search(rf"\b{expected}\b", done.stdout), done.stdout


LINES = [
    pytest.param(
        name,
        line,
        expected,
        id=line,
        marks=[pytest.mark.spark, pytest.mark.slow] if name == "import" else pytest.mark.slow,
    )
    for name, lines in CASES.items()
    for line, expected in lines
]


@pytest.mark.parametrize(("name", "line", "expected"), LINES)
def test_a_command_runs_nothing_and_answers(
    places: Places, name: str, line: str, expected: str
) -> None:
    right(places.run(TOPOGRAPH, *places.words(line)), name, expected)


@pytest.mark.slow
@pytest.mark.parametrize("start", [[TOPOGRAPH], [sys.executable, "-P", "-m", "topograph"]])
def test_inside_the_estate_and_however_it_is_started(places: Places, start: list[str]) -> None:
    right(places.run(*start, "reach", "A", "-s", ".", at=places.estate), "reach", "B")


@pytest.mark.spark
@pytest.mark.slow
def test_an_import_inside_the_estate(places: Places) -> None:
    out = str(places.root / "out" / "inside")
    words = [TOPOGRAPH, "import", ".", "-o", out, "--neo4j", "none"]
    right(places.run(*words, at=places.estate), "import", "2 servers")


def ask_too_much(places: Places) -> None:
    """Each of these statements is refused or ended, and the server goes on."""
    for statement, (seconds, why) in TOO_MUCH.items():
        done = places.run(TOPOGRAPH, "cypher", statement, "--budget", seconds)
        assert (done.returncode, done.stdout) == (2 if why == "nested" else 4, ""), done
        assert why in done.stderr
        right(places.run(TOPOGRAPH, "db", "status"), "db status", "runs")


@pytest.mark.neo4j
@pytest.mark.slow
def test_the_commands_that_need_a_database(places: Places) -> None:
    port = str(neo4j_server.free_port())
    id_ = ""
    try:
        for name, (line, expected) in WITH_DATABASE.items():
            if name == "db stop":
                ask_too_much(places)
            done = places.run(TOPOGRAPH, *places.words(line, PORT=port, ID=id_))
            right(done, name, expected)
            if name == "snapshots list":
                found = re.search(r"\b[0-9a-f]{32}\b", done.stdout)
                assert found is not None
                id_ = found.group()
    finally:
        subprocess.run([TOPOGRAPH, "db", "stop"], env=places.variables(), check=False)


@cache
def script(shell: str) -> str:
    variables = {**os.environ, "_TOPOGRAPH_COMPLETE": f"{shell}_source"}
    done = subprocess.run([TOPOGRAPH], env=variables, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("typed", "expected"),
    [("rea", "reach"), ("reach ", "A"), ("propagate A --destination ", "topic:orders")],
)
def test_completion_runs_nothing_and_offers_names(
    places: Places, shell: str, typed: str, expected: str
) -> None:
    done = places.run(
        TOPOGRAPH,
        _TOPOGRAPH_COMPLETE=f"{shell}_complete",
        COMP_LINE=f"topograph {typed}",
        COMP_AFTER="",
        TOPOGRAPH_SNAPSHOT=str(places.estate),
    )
    right(done, "completion", expected)
    assert script(shell)


GIT_SETTINGS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.gitProxy",
    "core.askPass", "core.alternateRefsCommand", "diff.external", "diff.planted.command",
    "diff.planted.textconv", "filter.planted.clean", "filter.planted.smudge",
    "filter.planted.process", "alias.cat-file", "alias.rev-parse", "credential.helper",
    "gpg.program", "pager.cat-file", "uploadpack.packObjectsHook", "remote.origin.uploadpack",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("where", ["config", "included"])
def test_revisions_of_a_hostile_repository(tmp_path: Path, where: str) -> None:
    """Settings that name programs, in the file of the repository and in one that it includes."""
    places = Places(tmp_path)
    marks = tmp_path / "marks"
    marks.write_text(PROGRAM.format(marker=places.marker))
    marks.chmod(0o755)
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null"]

    def git(*words: str) -> None:
        subprocess.run(["git", *own, *words], cwd=places.estate, check=True, capture_output=True)

    (places.estate / ".gitattributes").write_text("* filter=planted diff=planted merge=planted\n")
    git("init", "-q")
    git("add", "net")
    git("commit", "-qm", "one")
    git("add", "-f", ".")
    git("commit", "-qm", "two")
    file = places.estate / ".git" / "config" if where == "config" else places.estate / "included"
    for key in GIT_SETTINGS:
        git("config", "--file", str(file), key, str(marks))
    git("config", "--file", str(file), "core.hooksPath", str(places.estate / "hooks"))
    git("config", "--file", str(file), "safe.directory", "*")
    if where == "included":
        git("config", "include.path", "../included")
    for folder in (places.estate / "hooks", places.estate / ".git" / "hooks"):
        folder.mkdir(exist_ok=True)
        for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
            (folder / hook).write_text(PROGRAM.format(marker=places.marker))
            (folder / hook).chmod(0o755)
    for line, expected in (
        ("reach A -s HEAD:net", "B"),
        ("show servers -s HEAD~1:net", "B"),
        ("audit --before HEAD~1:net --after HEAD:net", "Accept"),
    ):
        right(places.run(TOPOGRAPH, *line.split(), at=places.estate), line, expected)


@pytest.mark.slow
def test_what_is_planted_does_leave_its_mark(tmp_path: Path) -> None:
    """The control: a Python that searches the folder runs a module, a shell a program, and what
    is opened is seen."""
    places = Places(tmp_path)
    for words in ([sys.executable, "-m", "json"], ["/bin/sh", "-c", "git"], ["/bin/cat", ".env"]):
        with pytest.raises(AssertionError):
            places.run(*words)
        places.marker.unlink(missing_ok=True)
