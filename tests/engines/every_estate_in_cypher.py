"""Every statement of ``cypher/questions`` compared with memory on many networks: ``./dev cypher``.

The networks are the examples, the recorded networks of routers, and estates of every system that
are drawn from numbers. Each is published to the database that is configured or runs
(``topograph db start``), and taken out again; what differs is printed. The tests compare a few of
them (``test_questions_in_cypher``).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import objects_in_memory
from drawn.all_systems import DRAWN, drawn
from engines import test_questions_in_cypher as asked_of_few
from engines.corpus import EXAMPLES, GOLDEN, GROUPS, RECORDED, Published, published

from topograph import cypher
from topograph.errors import InputError
from topograph.opening.folders import read_snapshot
from topograph.store.database import Database, connect
from topograph.store.graph_rows import described
from topograph.store.publication import delete_snapshot
from topograph.systems import systems_in

Estate = tuple[str, Callable[[Path], Path]]
"""A name, and what gives the folder of its files (written into a folder that is empty)."""


def estates(numbers: int) -> Iterator[Estate]:
    """The examples and records, then so many drawn estates of each system and way."""
    for example in GROUPS["examples"]:
        yield f"examples/{example}", _there(EXAMPLES / example)
    for case in RECORDED:
        yield f"recorded/{case}", _there(GOLDEN / case / "configs")
    for system, ways in DRAWN.items():
        for way in ways:
            for number in range(1, numbers + 1):
                yield f"drawn/{system}/{way}/{number}", _drawn(system, way, number)


def _there(place: Path) -> Callable[[Path], Path]:
    return lambda _: place


def _drawn(system: str, way: str, number: int) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        for name, content in drawn(system, way, number).files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, "utf-8")
        return folder

    return write


def offered(network: Published) -> list[str]:
    """The statements that the systems of a network offer, each once."""
    tables = network.snapshot.graph_tables(network.name)
    systems = [name for each in tables for name in systems_in(each)]
    found = [name for each in map(described, systems) if each for name in each.STATEMENTS]
    return list(dict.fromkeys(found))


def compare(network: Published, database: Database, wanted: set[str]) -> Iterator[str]:
    """What of the wanted statements differs from memory, and how often each was compared."""
    asked = asked_of_few.Asked(database, network)
    for name in offered(network):
        if wanted and name not in wanted:
            continue
        with_memory = {**asked_of_few.COMPARED, **objects_in_memory.COMPARED}[name]
        try:
            with_memory(asked)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            text = " ".join(str(error).split())[:400]
            yield f"{name}: {type(error).__name__} in line {last.lineno}: {text}"
        else:
            COUNTED[name] += 1


COUNTED: Counter[str] = Counter()


def main() -> int:
    """Prints what differs, and how many comparisons there were; 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="./dev cypher", description=__doc__)
    parser.add_argument("drawn", type=int, nargs="?", default=10, help="of each system and way")
    parser.add_argument("--statements", nargs="+", default=[], choices=cypher.names("questions"))
    parser.add_argument("--only", default="", help="networks whose name has this text")
    given = parser.parse_args()
    began, differing, networks = time.monotonic(), 0, 0
    with connect() as database:
        for number, (name, write) in enumerate(estates(given.drawn)):
            if given.only not in name:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    snapshot = read_snapshot(write(Path(scratch)))
                except InputError:
                    continue
                network = published(database, snapshot, f"compared-{number}")
                found = list(compare(network, database, set(given.statements)))
                delete_snapshot(database, network.snapshot.id)
            networks += 1
            differing += len(found)
            print(f"{name}: {'; '.join(found) or 'equal'}", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sorted(COUNTED.items())))
    total = sum(COUNTED.values())
    seconds = time.monotonic() - began
    print(f"{networks} networks, {total} equal, {differing} differ, {seconds:.0f} s")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
