"""The estates that both revisions read, and the questions about each: ``python -m
benchmarks.same.inputs FOLDER``, with the checkout, its ``tests`` and its ``benchmarks`` on
``PYTHONPATH``.

Written once, by the checkout that the command runs in, so that a changed generator changes nothing
of the comparison. ``FOLDER/asked.jsonl`` has a line for each estate (``Asked``).
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from answer_tables import Case, cases
from asked_answers import Question
from growing import FILES, KINDS, PAGES, Grown, in_folder

import topograph
from benchmarks.same.questions import (
    AUDIT_FILES,
    commands,
    printed_commands,
    questions,
)
from topograph.errors import TopographError
from topograph.message import Address

ROOT = Path(__file__).resolve().parents[2]

DRAWN = 6
"""Estates that are drawn in each way of each system."""

DRAWN_WITH_PAGES = 2

NO_ESTATES = frozenset({"changes", "questions", "pipeline", "toy_system"})
"""Folders of examples that are not one network of the systems that topograph itself knows."""

COMMANDED = {
    "ems": ("examples/orders", "HUB"),
    "amq_interconnect": ("examples/routers", "LON"),
    "ibm_mq": ("examples/queue_managers", "HUB"),
    "sibus": ("examples/sibus_orders", "Orders"),
}
"""By system, the estate and the server that are given the scripts of ``tests/estates``."""

Files = Mapping[str, str]


@dataclass(frozen=True)
class Asked:
    """An estate as it is asked about: its folder below that of the inputs, questions as methods of
    ``Network``, commands, and whether pages are made of it.
    """

    name: str
    folder: str
    questions: Sequence[Question] = ()
    commands: Sequence[list[str]] = ()
    pages: bool = False


def main(words: list[str] | None = None) -> None:
    """Write all estates, or those whose names match."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same.inputs")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    parser.add_argument("--drawn", type=int, default=DRAWN, metavar="N")
    given = parser.parse_args(words)
    given.folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "examples", given.folder / "examples", symlinks=True)
    seen: set[frozenset[tuple[str, str]]] = set()
    with (given.folder / "asked.jsonl").open("w", encoding="utf-8") as file:
        for asked in _estates(given.folder, given.only, given.drawn, seen):
            file.write(json.dumps(asdict(asked), default=_plain) + "\n")


def _plain(value: object) -> object:
    if isinstance(value, Address):
        return {"bus": value.bus, "destination": value.destination}
    raise TypeError(f"no JSON form of {value!r}")


def _estates(folder: Path, only: list[str], drawn: int, seen: set[Any]) -> Iterator[Asked]:
    def wanted(name: str) -> bool:
        return any(fnmatch(name, pattern) for pattern in only)

    yield from (one for one in _examples(folder) if wanted(one.name))
    for source in (_tables, _vectors, _with_secrets, _recorded):
        for name, files in source():
            if wanted(name) and frozenset(files.items()) not in seen:
                seen.add(frozenset(files.items()))
                write(folder / name, files)
                pages = source is _recorded
                yield Asked(name, name, _asked(folder / name), pages=pages)
    for makes in (_drawn_estates(drawn), _scripts(), _audited(), _refused()):
        for name, files, make in makes:
            if wanted(name):
                write(folder / name, files)
                yield make(name)
    for title, (_, sizes, make_grown) in KINDS.items():
        for size in sizes:
            name = f"growth/{title.replace(' ', '-')}-{size}"
            if wanted(name):
                yield _grown(folder, name, size, make_grown)


def _grown(folder: Path, name: str, size: int, make: Grown) -> Asked:
    """The estates of ``./dev bench growth``, with its commands."""
    (folder / name).mkdir(parents=True)
    estate = f"{name}/{FILES}"
    lines = [
        [
            *in_folder(words, Path(name)),
            *("-s", estate),
            *(["-o", "OUT.html"] if title in PAGES else []),
        ]
        for title, words in make(size, folder / name).items()
    ]
    return Asked(name, estate, commands=lines)


def write(place: Path, files: Files) -> None:
    """Write files below a folder, with the ends of lines that they have."""
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def files_below(folder: Path) -> Files:
    """The texts of a folder by path; a byte that is not UTF-8 as a lone surrogate."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "surrogateescape")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _asked(place: Path) -> list[Question]:
    try:
        return list(questions(topograph.read(place)))
    except TopographError:
        return []  # how it is refused is compared all the same


def _examples(folder: Path) -> Iterator[Asked]:
    """Each example with the commands of all pages about it, which run in ``folder``."""
    pages = sorted((ROOT / "examples").glob("*.md")) + sorted((ROOT / "docs").glob("**/*.md"))
    printed = printed_commands(pages)
    named = {words[words.index("-s") + 1] for words in printed if "-s" in words[:-1]}
    own = {
        f"examples/{path.name}"
        for path in (ROOT / "examples").iterdir()
        if path.is_dir() and path.name not in NO_ESTATES
    }
    for name in sorted(own | named):
        if name.startswith("examples/") and (folder / name).is_dir():
            asked = _asked(folder / name)
            lines = [*commands(name, asked), *(words for words in printed if name in words)]
            lines += [[*words, *AUDIT_FILES] for words in lines if words[0] == "audit"]
            yield Asked(name, name, asked, lines, pages=True)


def _tables() -> Iterator[tuple[str, Files]]:
    """The small estates of the tests; single files stand as their system would have them."""
    for table in sorted((ROOT / "tests" / "estates").glob("*/*.txt")):
        for case in cases(table):
            if case.kind in ("", "estate", "file"):
                files = _around(case) if case.kind == "file" else dict(case.files)
                yield f"{table.parent.name}/{table.stem}-{case.number}", files


def _around(case: Case) -> Files:
    """A file that the table calls by what it is, in an estate that makes it one of that."""
    ((kind, text),) = case.files
    if case.system == "amq_interconnect":
        return {f"A/qdrouterd.{kind}": text}
    if kind.startswith("tibemsd"):
        return {f"A/{kind}": text}
    stem = kind.removesuffix(".conf")
    named = {"acl": "acl_list", "tibrvcm": "tibrvcm_file"}.get(stem, stem)
    entry = f"{named} = {kind}\n" if kind.endswith(".conf") else ""
    return {"A/tibemsd.conf": f"server = A\nrouting = enabled\n{entry}", f"A/{kind}": text}


def _vectors() -> Iterator[tuple[str, Files]]:
    """The networks of the vectors of the rules."""
    from conformance import ems_files, ibm_mq_cases, mqe_cases
    from conformance.amq_interconnect_files import Files as RouterFiles
    from conformance.sibus_files import cell_documents, server_xml

    def written(write_to: Callable[[Any, Path], None]) -> Callable[[Any], Files]:
        def files(given: Any) -> Files:
            with TemporaryDirectory() as folder:
                write_to(given, Path(folder))
                return files_below(Path(folder))

        return files

    def of_routers(given: Any) -> Files:
        sections = enumerate(RouterFiles(given).sections)
        return {f"{at:03}_{name}.json": json.dumps(of) for at, (name, of) in sections}

    def of_buses(given: Any) -> Files:
        if given.get("edition") == "liberty":
            return {f"{bus['name']}/server.xml": server_xml(bus) for bus in given["buses"]}
        return {name: text for bus in given["buses"] for name, text in cell_documents(bus).items()}

    ways: dict[str, tuple[str, Callable[[Any], Files]]] = {
        "ems": ("zones", written(ems_files.write)),
        "amq_interconnect": ("routers", of_routers),
        "ibm_mq": ("queueManagers", written(ibm_mq_cases.write)),
        "mqe": ("queueManagers", written(mqe_cases.write)),
        "sibus": ("buses", of_buses),
    }
    for file in sorted((ROOT / "tests" / "vectors").glob("*vectors.json")):
        key, way = next(ways[system] for system in ways if file.name.startswith(system))
        for number, vector in enumerate(json.loads(file.read_text(encoding="utf-8"))):
            given = vector.get("given", {})
            if key in given:
                yield f"vectors/{file.stem}-{number}", way(given)


def _with_secrets() -> Iterator[tuple[str, Files]]:
    """Every kind of file with secrets in it, and with commands and addresses that hold one."""
    from redaction.holes import FILES, FORMS, with_secret
    from redaction.planted import planted_estate

    with TemporaryDirectory() as folder:
        planted_estate(Path(folder))
        yield "secrets/planted", files_below(Path(folder))
    for file in FILES:
        for number, form in enumerate(FORMS):
            yield f"secrets/{file.replace('/', '-')}-{number}", with_secret(file, form)


def _recorded() -> Iterator[tuple[str, Files]]:
    """The recorded router networks: what is configured, and what running routers showed."""
    for case in sorted((ROOT / "tests" / "golden" / "amq_interconnect").iterdir()):
        for part in ("configs", "dump"):
            if (case / part).is_dir():
                yield f"recorded/{case.name}-{part}", files_below(case / part)


Made = tuple[str, Files, Callable[[str], Asked]]
"""A name, the files below it, and what is asked."""


def _drawn_estates(number: int) -> Iterator[Made]:
    from drawn.all_systems import DRAWN as WAYS
    from drawn.all_systems import drawn

    for system, ways in WAYS.items():
        for way in ways:
            for seed in range(number):
                estate = drawn(system, way, seed)
                asked: list[Question] = [
                    ("audit", (text,), {"at": at}) for at, text in estate.commands()
                ]
                asked += [one for one in estate.questions() if one[0] != "message_guards"]
                pages = seed < DRAWN_WITH_PAGES
                name = f"drawn/{system}-{way}-{seed}"
                yield name, estate.files, partial(_of_drawn, asked, pages)


def _of_drawn(questions: Sequence[Question], pages: bool, name: str) -> Asked:
    return Asked(name, name, questions, pages=pages)


def _scripts() -> Iterator[Made]:
    """The change scripts of the tables, judged on an example; the lists of clients, beside one."""
    for table in sorted((ROOT / "tests" / "estates" / "read").glob("*.txt")):
        scripts: dict[str, str] = {}
        lists: dict[str, str] = {}
        for case in cases(table):
            if case.kind in ("script", "whose script"):
                scripts[f"{case.number}.txt"] = case.files[0][1]
            elif case.kind == "clients":
                lists[f"{case.number}.csv"] = case.files[0][1]
        for system in COMMANDED:
            if scripts and table.stem in (system, "any"):
                yield f"scripts/{table.stem}-{system}", scripts, partial(_judged, system, scripts)
        if lists:
            yield "scripts/clients", lists, partial(_with_clients, lists)


def _judged(system: str, scripts: Files, name: str) -> Asked:
    estate, server = COMMANDED[system]
    asked = [("audit", (f"{name}/{file}",), {"at": server}) for file in scripts]
    return Asked(name, estate, asked)


def _with_clients(lists: Files, name: str) -> Asked:
    estate, server = COMMANDED["ems"]
    words = ["propagate", server, "--destination", "topic:orders", "-s", estate, "--clients"]
    return Asked(name, estate, commands=[[*words, f"{name}/{file}"] for file in lists])


def _audited() -> Iterator[Made]:
    """The networks of the cases of audits, each with the changes that are judged on it."""
    given = json.loads((ROOT / "tests" / "vectors" / "ems_audit_cases.json").read_text("utf-8"))
    alike: dict[str, list[Any]] = defaultdict(list)
    for case in given["cases"]:
        alike[case["id"] if "files" in case else case["network"]].append(case)
    for name, of_network in alike.items():
        files = {**given["networks"][of_network[0]["network"]], **of_network[0].get("files", {})}
        below = {f"estate/{path}": text for path, text in files.items()}
        for number, case in enumerate(of_network):
            for part, script in enumerate(case["scripts"]):
                below[f"change-{number}-{part}.txt"] = script["text"]
        yield f"audited/{name}", below, partial(_with_changes, of_network)


def _with_changes(of_network: Sequence[Any], name: str) -> Asked:
    lines = []
    for number, case in enumerate(of_network):
        words = ["audit", "-s", f"{name}/estate"]
        for part, script in enumerate(case["scripts"]):
            words += ["--change", f"{script['at']}={name}/change-{number}-{part}.txt"]
        for link in case.get("down", ()):
            words += ["--down", link]
        lines += [words, [*words, *AUDIT_FILES]]
    return Asked(name, f"{name}/estate", commands=lines)


REFUSED = (
    "reach HUP -s examples/orders",
    "reach HUB Kanada -s examples/orders",
    "raech HUB -s examples/orders",
    "reach HUB -s examples/nowhere",
    "reach HUB -s s3a://bucket/estate",
    "check -s file:examples/orders",
    "check --rule TL-999 -s examples/orders",
    "check --server HUP -s examples/orders",
    "check --severity bad -s examples/orders",
    "show queus -s examples/orders",
    "propagate HUB --destination orders -s examples/orders",
    "propagate HUB --destination topic:orders --set qty -s examples/orders",
    "trace HUB --destination address:orders -s examples/orders",
    "impact -s examples/orders",
    "impact --fail server:HUP -s examples/orders",
    "audit -s examples/orders",
    "audit -s examples/orders --change HUB=examples/changes/nothing.txt",
    "audit -s examples/orders --change HUP=examples/changes/canada.txt",
    "hops HUB -s examples/orders",
    "paths HUB Canada --max 0 -s examples/orders",
    "cycles --strikt -s examples/orders",
)
"""Commands with a mistake in them, and paths that are none."""


def _refused() -> Iterator[Made]:
    lines = [command.split() for command in REFUSED]
    yield "refused", {}, lambda name: Asked(name, "examples/orders", commands=lines)


if __name__ == "__main__":
    main()
