"""Git repositories for tests: made with git itself, or object by object where git would refuse
to make them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.net",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.net",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def git(folder: Path, *words: str, data: bytes | None = None) -> str:
    """What git prints, for a repository of a test."""
    done = subprocess.run(
        ["git", *words], cwd=folder, env=ENVIRONMENT, input=data, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def repository(folder: Path, *, sha256: bool = False) -> Path:
    """An empty repository whose branch is ``main``."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", f"--object-format={'sha256' if sha256 else 'sha1'}")
    return folder


def commit(folder: Path, message: str = "change") -> str:
    """The commit of everything in the working tree."""
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def blob(folder: Path, data: bytes) -> str:
    return git(folder, "hash-object", "-w", "--stdin", data=data)


def tree(folder: Path, entries: Sequence[tuple[str, bytes, str]]) -> str:
    """A tree of (mode, name, object), whatever they are."""
    data = b"".join(
        mode.encode() + b" " + name + b"\0" + bytes.fromhex(made) for mode, name, made in entries
    )
    return raw_tree(folder, data)


def raw_tree(folder: Path, data: bytes) -> str:
    return git(folder, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", data=data)


def commit_tree(folder: Path, made: str, branch: str = "main") -> str:
    """A commit of a tree, which becomes the branch; git itself does not look into the tree."""
    text = (
        f"tree {made}\nauthor A <a@example.net> 0 +0000\ncommitter A <a@example.net> 0 +0000\n\nm\n"
    )
    name = git(
        folder, "hash-object", "-t", "commit", "-w", "--literally", "--stdin", data=text.encode()
    )
    git(folder, "update-ref", f"refs/heads/{branch}", name)
    return name


def everything(folder: Path) -> Mapping[str, bytes]:
    """Every file below a folder with its content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def with_a_history(folder: Path) -> None:
    """Make a folder a repository with the history of ``conf``, in which A reaches B up to the tag
    v1.0, and does not in the commit after it."""
    repository(folder)
    (folder / "policies.yaml").write_text("policies: [{id: p, reaches: {from: A, to: B}}]\n")
    routes = "[B]\nurl = tcp://b:7222\nzone_name = Z\nzone_type = mhop\n"
    for text, words in ((routes, "The estate"), ("# none\n", "Clean up")):
        for name in "AB":
            own = folder / "conf" / name
            own.mkdir(parents=True, exist_ok=True)
            (own / "tibemsd.conf").write_text(
                f"server = {name}\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
            )
            (own / "topics.conf").write_text("orders global\n")
            (own / "routes.conf").write_text(text if name == "A" else "")
        git(folder, "add", "conf")
        git(folder, "commit", "-q", "-m", words)
        if text == routes:
            git(folder, "tag", "v1.0")
