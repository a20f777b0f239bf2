"""topograph's own image: built from ./Dockerfile, it imports and answers without a network, and
with a Neo4j beside it.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import time
from pathlib import Path

import containers
import pytest

import topograph

ROOT = Path(__file__).resolve().parents[2]
HOME = "/var/lib/topograph"
SNAPSHOT = f"{HOME}/estate.snapshot"
LOCKED_DOWN = [
    "--read-only",
    "--tmpfs",
    "/tmp",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
]

# Two fetches of half a gigabyte and a Spark on whatever machine this is.
pytestmark = [pytest.mark.slow, pytest.mark.spark, pytest.mark.timeout(3600)]


def docker(*words: str) -> subprocess.CompletedProcess[str]:
    """The docker command, on the daemon that ``containers.built`` builds with."""
    return subprocess.run(
        ["docker", *words],
        env={**os.environ, "DOCKER_HOST": containers.where()},
        capture_output=True,
        text=True,
        check=False,
    )


def wait_for_line(container: str, line: str) -> None:
    """Wait until ``container`` has said ``line``, at most five minutes."""
    deadline = time.monotonic() + 300
    while line not in (said := docker("logs", container).stdout):
        assert time.monotonic() < deadline, said
        time.sleep(0.5)


def label() -> str:
    return "{}={}".format(*next(iter(containers.labels().items())))


@pytest.fixture(scope="module")
def image() -> str:
    if missing := containers.missing_for_builds():
        pytest.skip(missing)
    return containers.built("topograph")


@pytest.fixture(scope="module")
def volume(image):
    name = f"topograph-test-{secrets.token_hex(6)}"
    assert docker("volume", "create", "--label", label(), name).returncode == 0
    yield name
    docker("volume", "rm", "--force", name)


@pytest.fixture(scope="module")
def run(image, volume, tmp_path_factory):
    """``topograph`` in a container that may do nothing but read the examples and write to its
    volume.
    """
    estate = tmp_path_factory.mktemp("estate") / "examples"
    shutil.copytree(ROOT / "examples", estate)
    for place in (estate, *estate.rglob("*")):
        place.chmod(
            0o755 if place.is_dir() else 0o644
        )  # for the image's own user, whatever the umask here

    def run(
        *words: str, network: str = "none", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        given = [
            word
            for item in {"TOPOGRAPH_SNAPSHOT": SNAPSHOT, **variables}.items()
            for word in ("--env", "=".join(item))
        ]
        places = ["--volume", f"{estate}:/estate:ro", "--volume", f"{volume}:{HOME}"]
        return docker(
            "run",
            "--rm",
            "--init",
            "--label",
            label(),
            "--network",
            network,
            *LOCKED_DOWN,
            *given,
            *places,
            image,
            *words,
        )

    return run


@pytest.fixture(scope="module")
def imported(run):
    done = run(
        "import", "estate", "two-1hop-zones/with-g-a", "--output", SNAPSHOT, "--neo4j", "none"
    )
    assert done.returncode == 0, done.stderr
    return run


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    """The JSON answer, without what says where it was asked."""
    assert done.returncode == 0, done.stderr
    return {
        name: value
        for name, value in json.loads(done.stdout).items()
        if name not in ("engine", "snapshot")
    }


def test_it_says_its_version(image, run):
    assert image == f"topograph:{topograph.__version__}"
    assert run("--version").stdout == f"topograph {topograph.__version__}\n"


def test_it_is_not_root_and_can_write_only_where_it_is_meant_to(image):
    script = (
        "id -un; cd; for place in / /usr /opt/topograph /estate /var/lib/topograph; do test "
        "-w $place && echo $place; done"
    )
    done = docker("run", "--rm", "--network", "none", "--entrypoint", "sh", image, "-c", script)

    assert done.stdout.split() == ["topograph", "/estate", "/var/lib/topograph"]


def test_it_holds_neither_compilers_nor_installers_nor_what_only_tests_need(image):
    script = (
        "ls /opt/topograph/lib/python3*/site-packages; command -v gcc pip pip3 curl wget git; true"
    )
    found = docker(
        "run", "--rm", "--network", "none", "--entrypoint", "sh", image, "-c", script
    ).stdout.split()

    assert "topograph" in found
    assert "pyspark" in found
    assert [
        name
        for name in found
        if name.startswith(("/", "pip", "pytest", "mypy", "playwright", "hypothesis", "docker"))
    ] == []


def test_without_a_network_it_imports_and_answers_as_this_process_does(imported):
    here = json.loads(
        json.dumps(topograph.read(ROOT / "examples" / "estate").reach("USA-EAST").to_dict())
    )
    there = answer(imported("reach", "USA-EAST", "--network", "estate", "--format", "json"))

    assert there == {
        name: value for name, value in here.items() if name not in ("engine", "snapshot")
    }
    assert len(there["servers"]) == 10


def test_the_exit_code_of_a_violation_comes_through(imported):
    assert imported("cycles", "--network", "with-g-a").returncode == 1
    assert imported("cycles", "--network", "estate").returncode == 0
    assert imported("reach", "NOBODY", "--network", "estate").returncode == 2


@pytest.mark.neo4j
def test_beside_a_neo4j_on_a_network_of_their_own_both_engines_answer_alike(imported):
    server = containers.built("neo4j")
    name = f"topograph-test-{secrets.token_hex(6)}"
    password = secrets.token_hex(16)
    variables = {"TOPOGRAPH_NEO4J_URI": f"bolt://{name}:7687", "TOPOGRAPH_NEO4J_PASSWORD": password}
    assert docker("network", "create", "--internal", "--label", label(), name).returncode == 0
    try:
        started = docker(
            *("run", "--detach", "--name", name, "--label", label(), "--network", name),
            *("--env", f"NEO4J_AUTH=neo4j/{password}", server),
        )
        assert started.returncode == 0, started.stderr
        wait_for_line(name, "Started.")
        published = imported("snapshots", "publish", SNAPSHOT, network=name, **variables)
        assert published.returncode == 0, published.stderr
        reach = ("reach", "USA-EAST", "--network", "estate", "--format", "json")
        from_neo4j = imported(*reach, "--engine", "neo4j", network=name, **variables)

        assert json.loads(from_neo4j.stdout)["engine"] == "neo4j"
        assert answer(from_neo4j) == answer(imported(*reach, "--engine", "memory"))
    finally:
        docker("rm", "--force", "--volumes", name)
        docker("network", "rm", name)
