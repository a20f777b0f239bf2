"""Git repositories with the history of an estate, in which one commit breaks something: which, in
which file and line, is known because it was planted. The same numbers give the same repository.

An EMS estate is a tree of servers in one mhop zone. Its commits come from people who change what
the planted expectation does not depend on: topics, limits, comments, selectors and servers
elsewhere, files that are no configuration, and branches that are merged. The commit that breaks
the expectation changes other things too.

::

    python tests/drawn/histories.py 1000 100 /tmp/history
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = "conf"
"""The folder of the configuration in the repository."""

BREAKS = ("route removed", "topic local", "selector", "routing off", "commented out")


@dataclass(frozen=True, slots=True)
class Planted:
    """What was planted: ``expect`` holds at all commits before ``first_bad`` and at none from it
    on; ``lines`` are those of the entry that decides, in the commit itself or (``removed``) in the
    one
    before.
    """

    repository: Path
    commits: tuple[str, ...]
    """The commits of the branch, the first one first."""
    first_bad: str
    expect: str
    file: str
    lines: range
    removed: bool
    kind: str


Place = tuple[str, range, bool]
"""A file, the lines of an entry in it, and whether they are those of before."""

MAIN = """server     = {server}
listen     = tcp://7222
routing    = enabled
topics     = topics.conf
queues     = queues.conf
routes     = routes.conf
"""


def planted(
    folder: Path, commits: int, servers: int, seed: int, kind: str = "", *, merges: bool = True
) -> Planted:
    """Write a repository whose branch ``main`` has so many commits. Linear in them."""
    return _Maker(folder, servers, random.Random(seed), merges=merges).run(commits, kind)


def _route(to: str, selector: str = "", topic: str = "news") -> str:
    text = f"[{to}]\n  url=tcp://{to.lower()}.example.net:7222\n  zone_name=WAN\n"
    text += "  zone_type=mhop\n"
    return text + (f'  outgoing_topic={topic} selector="{selector}"\n' if selector else "")


class _Maker:
    """An estate that changes, and the stream of its commits."""

    def __init__(self, folder: Path, servers: int, chance: random.Random, *, merges: bool) -> None:
        self.folder, self.chance, self.merges = folder, chance, merges
        self.names = [f"S{number:03d}" for number in range(servers)]
        self.parents = {
            name: self.names[chance.randrange(number)]
            for number, name in enumerate(self.names)
            if number
        }
        self.most = servers + servers // 5
        self.way = max(map(self.way_up, self.names), key=len)
        self.texts = {"README.md": "The estate.\n"}
        for name in self.names:
            self.add(name)
        self.stream: list[str] = []
        self.trees: list[dict[str, str]] = []

    def way_up(self, name: str) -> list[str]:
        """A server, and those above it up to the root."""
        way = [name]
        while way[-1] in self.parents:
            way.append(self.parents[way[-1]])
        return way

    def add(self, name: str) -> None:
        up = self.parents.get(name)
        self.put(name, "tibemsd.conf", MAIN.format(server=name))
        self.put(name, "topics.conf", ">\nnews global\norders global\n")
        self.put(name, "queues.conf", ">\n")
        self.put(name, "routes.conf", _route(up) if up else "# no route from here\n")

    def path(self, server: str, name: str) -> str:
        return f"{FOLDER}/{server}/{name}"

    def get(self, server: str, name: str) -> str:
        return self.texts[self.path(server, name)]

    def put(self, server: str, name: str, text: str) -> None:
        self.texts[self.path(server, name)] = text

    def run(self, commits: int, kind: str) -> Planted:
        chance = self.chance
        bad = chance.randrange(1, commits)
        kind = kind or chance.choice(BREAKS)
        branch = [self.commit("The estate as it is", [])]
        place: Place = ("", range(0), False)
        while len(branch) < commits:
            self.harmless()
            words, parents = "A change", branch[-1:]
            if len(branch) == bad:
                place = self.break_(kind)
                words = chance.choice(["Clean up", "Ticket 4711", kind])
            elif self.merges and chance.random() < 0.05:
                parents = [*parents, self.commit("On a branch", parents, "side")]
                words = "Merge branch 'side'"
            branch.append(self.commit(words, parents))
        names = self.imported(branch)
        expect = f"{self.way[0]} delivers topic:orders to {self.way[-1]}"
        file, lines, removed = place
        return Planted(self.folder, names, names[bad], expect, file, lines, removed, kind)

    def harmless(self) -> None:
        """One change that the expectation does not depend on."""
        chance = self.chance
        anybody, number = chance.choice(self.names), chance.randrange(10_000)
        aside = [name for name in self.names if name not in self.way]
        match chance.randrange(7):
            case 0:
                self.append(anybody, "topics.conf", f"t.{number}\n")
            case 1:
                text = f"# note {number}\n" + self.get(anybody, "routes.conf")
                self.put(anybody, "routes.conf", text)
            case 2:
                self.put(anybody, "queues.conf", f">\nq.{number} maxbytes={number + 1}KB\n")
            case 3 if aside:
                one = chance.choice(aside)
                self.put(one, "routes.conf", _route(self.parents[one], f"amount < {number}"))
            case 4:
                self.texts["README.md"] += f"Note {number}.\n"
            case 5 if len(self.names) < self.most:
                new = f"N{len(self.names):03d}"
                self.parents[new] = chance.choice(self.names)
                self.names.append(new)
                self.add(new)
            case _:
                self.append(anybody, "tibemsd.conf", f"# by hand {number}\n")

    def append(self, server: str, name: str, text: str) -> None:
        self.put(server, name, self.get(server, name) + text)

    def break_(self, kind: str) -> Place:
        """Break the way of the expectation, and perhaps change something else in the same file."""
        at = self.chance.randrange(len(self.way) - 1)
        here, up = self.way[at], self.way[at + 1]
        routes = self.get(here, "routes.conf")
        own = _route(up)
        assert own in routes
        match kind:
            case "route removed":
                return self.replaced(here, "routes.conf", own, "")
            case "selector":
                return self.replaced(
                    here, "routes.conf", own, _route(up, "kind = 'none'", topic="orders")
                )
            case "commented out":
                file, _, _ = place = self.replaced(here, "routes.conf", own, "")
                self.texts[file] += "".join(f"# {line}\n" for line in own.splitlines())
                return place
            case "topic local":
                return self.replaced(here, "topics.conf", "orders global\n", "orders\n")
            case _:
                return self.replaced(
                    here, "tibemsd.conf", "routing    = enabled\n", "routing    = disabled\n"
                )

    def replaced(self, server: str, name: str, old: str, new: str) -> Place:
        before, path = self.get(server, name), self.path(server, name)
        after = before.replace(old, new)
        if self.chance.random() < 0.3:
            after = f"# changed by hand\n{after}"
        self.texts[path] = after
        text, entry = (after, new) if new else (before, old)
        first = text[: text.index(entry)].count("\n") + 1
        return path, range(first, first + entry.count("\n")), not new

    def commit(self, words: str, parents: Sequence[int], branch: str = "main") -> int:
        """A commit for ``git fast-import``; its mark. Marks begin at 1."""
        mark = len(self.trees) + 1
        last = self.trees[parents[0] - 1] if parents else {}
        self.trees.append(dict(self.texts))
        when = f"A <a@example.net> {1_700_000_000 + 3600 * mark} +0000"
        told = [f"commit refs/heads/{branch}", f"mark :{mark}", f"author {when}"]
        told += [f"committer {when}", f"data {len(words)}", words]
        told += [f"{'merge' if at else 'from'} :{one}" for at, one in enumerate(parents)]
        for path, text in self.texts.items():
            if last.get(path) != text:
                told += [f"M 100644 inline {path}", f"data {len(text)}", text]
        self.stream.append("\n".join(told) + "\n")
        return mark

    def imported(self, marks: Sequence[int]) -> tuple[str, ...]:
        """Make the repository; the names of the commits with these marks."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _git(self.folder, "init", "-q", "-b", "main")
        exported = self.folder / ".git" / "marks"
        _git(
            self.folder,
            *("fast-import", "--quiet", f"--export-marks={exported}"),
            data="".join(self.stream).encode(),
        )
        names = dict(line.split() for line in exported.read_text().splitlines())
        return tuple(names[f":{mark}"] for mark in marks)


def _git(folder: Path, *words: str, data: bytes = b"") -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=folder, input=data, check=True, env=environment)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a repository with a planted break.")
    parser.add_argument("commits", type=int)
    parser.add_argument("servers", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    made = planted(given.folder, given.commits, given.servers, given.seed)
    print(f"{made.expect}: {made.kind} in {made.first_bad}, {made.file} {made.lines}")


if __name__ == "__main__":
    main()
