"""What the Dockerfiles promise can be read off them: locked versions, another user than root,
nothing in the image that was not meant for it.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import containers
import pytest
import yaml
from setuptools import find_packages

ROOT = Path(__file__).resolve().parents[2]
TOPOGRAPH = ROOT / "Dockerfile"
NEO4J = ROOT / "tests" / "docker" / "neo4j" / "Dockerfile"
PAGE = (ROOT / "docs" / "containers.md").read_text(encoding="utf-8")

both = pytest.mark.parametrize("dockerfile", [TOPOGRAPH, NEO4J], ids=["topograph", "neo4j"])


def instructions(dockerfile: Path) -> list[tuple[str, str]]:
    """(word, rest) of each instruction, continued lines joined, comments left out."""
    lines = [
        line
        for line in dockerfile.read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ]
    joined = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    return [
        (word, rest)
        for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)
    ]


def last_stage(dockerfile: Path) -> list[tuple[str, str]]:
    found = instructions(dockerfile)
    start = max(at for at, (word, _) in enumerate(found) if word == "FROM")
    return found[start:]


def commands(found: list[tuple[str, str]]) -> list[str]:
    return [
        command.strip() for word, rest in found if word == "RUN" for command in rest.split("&&")
    ]


@both
def test_every_stage_stands_on_the_base_that_was_given(dockerfile):
    assert {
        rest.partition(" ")[0] for word, rest in instructions(dockerfile) if word == "FROM"
    } == {"${BASE}"}


def test_the_base_is_a_debian_of_a_named_release():
    assert ("ARG", f"BASE={containers.DEBIAN}") in instructions(TOPOGRAPH)
    assert re.fullmatch(r"debian:\d+-slim", containers.DEBIAN)


@both
def test_it_does_not_run_as_root(dockerfile):
    user = [rest for word, rest in last_stage(dockerfile) if word == "USER"][-1]
    made = [
        shlex.split(command)
        for command in commands(last_stage(dockerfile))
        if command.startswith("useradd")
    ]

    assert [command[-1] for command in made] == [user]
    assert int(made[0][made[0].index("--uid") + 1]) >= 1000


@both
def test_it_runs_on_the_java_that_spark_and_neo4j_share_without_a_desktop(dockerfile):
    installed = [
        word
        for command in commands(last_stage(dockerfile))
        if "apt-get install" in command
        for word in command.split()
    ]

    assert [word for word in installed if "jdk" in word or "jre" in word] == [
        "openjdk-17-jre-headless"
    ]
    assert "--no-install-recommends" in installed


@both
def test_package_lists_do_not_stay_in_a_layer(dockerfile):
    for word, rest in instructions(dockerfile):
        assert (
            word != "RUN" or "apt-get update" not in rest or "rm -rf /var/lib/apt/lists/*" in rest
        )


@both
def test_nothing_is_fetched_but_by_apt_and_pip(dockerfile):
    found = instructions(dockerfile)

    assert [word for word, _ in found if word == "ADD"] == []
    assert [
        command for command in commands(found) if re.search(r"\b(curl|wget|git)\b|://", command)
    ] == []


def test_all_that_pip_fetches_has_its_hash_in_the_lock():
    pips = [
        shlex.split(command)
        for command in commands(instructions(TOPOGRAPH))
        if re.search(r"/pip .*\b(install|wheel)\b", command)
    ]

    assert len(pips) == 4
    for words in pips:
        assert ("--require-hashes" in words) != ("--no-index" in words), words
        assert "--no-build-isolation" in words or "wheel" not in words, (
            words
        )  # else what builds a package is fetched without a hash
    requirements = [words[words.index("-r") + 1] for words in pips if "-r" in words]
    assert requirements == ["requirements/tools.txt", "requirements/lock.txt"]


def test_the_packages_that_build_the_others_are_taken_from_the_lock():
    (command,) = [
        command for command in commands(instructions(TOPOGRAPH)) if command.startswith("awk")
    ]
    taken = subprocess.run(
        ["sh", "-c", command.partition(" >")[0]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    assert re.fullmatch(r"setuptools==[\d.]+ \\", taken[0])
    assert len(taken) > 1
    assert all(line.startswith("    --hash=sha256:") for line in taken[1:])


def test_the_command_is_topograph_and_its_home_is_a_volume():
    found = dict(last_stage(TOPOGRAPH))

    assert found["ENTRYPOINT"] == '["topograph"]'
    home = re.search(r"TOPOGRAPH_HOME=(\S+)", found["ENV"])
    assert home is not None
    assert found["VOLUME"] == f'["{home[1]}"]'


def test_the_context_holds_what_the_package_is_built_from_and_nothing_else():
    lines = [
        line
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line and line[0] != "#"
    ]
    let_in = [line[1:] for line in lines if line.startswith("!")]
    linked = [path.resolve().name for path in (ROOT / "topograph").iterdir() if path.is_symlink()]
    roots = {name.partition(".")[0] for name in find_packages(str(ROOT), include=["topograph*"])}

    assert lines[0] == "*"
    assert sorted(let_in) == sorted(
        {"LICENSE", "README.md", "pyproject.toml", "requirements/lock.txt", *roots, *linked}
    )
    assert fnmatch("a/b/estate.snapshot", "**/*.snapshot")
    assert {"**/*.snapshot", "**/__pycache__"} <= set(lines)


def test_the_scripts_are_shell_that_every_system_reads():
    for script in (
        ROOT / "tests" / "docker" / "build",
        ROOT / "tests" / "docker" / "neo4j" / "entrypoint",
    ):
        assert script.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
        assert script.stat().st_mode & 0o111
        subprocess.run(["sh", "-n", str(script)], check=True)


def test_the_script_says_what_it_builds():
    done = subprocess.run(
        [str(ROOT / "tests" / "docker" / "build")], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert re.findall(r"^  tests/docker/build (\w+)", done.stdout, re.MULTILINE) == [
        "topograph",
        "neo4j",
        "base",
    ]


def test_the_settings_of_the_environment_become_those_of_neo4j():
    entrypoint = (ROOT / "tests" / "docker" / "neo4j" / "entrypoint").read_text(encoding="utf-8")
    (translate,) = re.findall(r"env \| (sed -n '.*')", entrypoint)
    environment = (
        "NEO4J_AUTH=neo4j/x\nNEO4J_HOME=/x\nPATH=/bin\nNEO4J_server_memory_heap_max__size="
        "1g\nNEO4J_a_b=c=d_e\n"
    )
    done = subprocess.run(
        ["sh", "-c", translate], input=environment, capture_output=True, text=True, check=True
    )

    assert done.stdout == "server.memory.heap.max_size=1g\na.b=c=d_e\n"


def test_the_compose_file_of_the_page_publishes_on_loopback_only_and_holds_no_password():
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    services = yaml.safe_load(text)["services"]

    assert sorted(services) == ["neo4j", "topograph"]
    assert services["neo4j"]["image"] == containers.OFFICIAL
    assert services["neo4j"]["ports"] == ["127.0.0.1:7687:7687"]
    assert "ports" not in services["topograph"]
    assert "${TOPOGRAPH_NEO4J_PASSWORD:?" in services["neo4j"]["environment"]["NEO4J_AUTH"]


def test_the_page_names_the_image_user_and_folders_that_the_dockerfile_has():
    found = dict(last_stage(TOPOGRAPH))

    assert found["WORKDIR"] in PAGE
    assert "/var/lib/topograph" in PAGE
    assert "1000" in PAGE
