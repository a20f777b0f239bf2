"""Repositories whose last commit is a change of a kind, as a pull request is."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@example.net", "-c", "commit.gpgsign=false"]


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *IDENTITY, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=True,
    )
    return done.stdout.strip()


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def comments(conf: Path) -> None:
    file = conf / "paris" / "tibemsd.conf"
    file.write_text("# a comment\n" + file.read_text())


def deleted_server(conf: Path) -> None:
    shutil.rmtree(conf / "paris")


def renamed(conf: Path) -> None:
    (conf / "paris").rename(conf / "paris-2")


def broken_file(conf: Path) -> None:
    (conf / "paris" / "tibemsd.conf").write_bytes(b"\0\1\2\xff" * 100)


def five_at_once(conf: Path) -> None:
    deleted_server(conf)
    shutil.rmtree(conf / "frankfurt")
    (conf / "canada" / "routes.conf").write_text("")
    file = conf / "london" / "tibemsd.conf"
    file.write_text(file.read_text().replace("routing", "#routing"))
    file = conf / "shared" / "topics.conf"
    file.write_text(file.read_text() + "\nparcels global\n")


def repository(folder: Path, change: Callable[[Path], None]) -> Path:
    """A repository whose last commit changes the configuration of an estate."""
    shutil.copytree(ROOT / "examples" / "estate", folder / "conf")
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "before")
    change(folder / "conf")
    commit(folder, "after")
    return folder
