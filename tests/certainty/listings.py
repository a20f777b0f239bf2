"""Less of what servers listed: a listing that is filtered by a name, cut off, or of which a class
is left out, as ``views`` of ``test_showing_less`` shows it.

Drawn estates hold listings of EMS (``SERVER/show.txt``: blocks that begin with the command as the
prompt repeats it) and of routers (``seen/SERVER.json``: a query of all types). Of a bus of a cell
wsadmin lists the destinations that its files define.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping

_PROMPT = re.compile(r"(?m)^(?=\w+> )")
_COMMAND = re.compile(r"(?P<server>\w+)> show (?P<what>\w+)\n")
_LISTED = {"queues": "", "topics": "", "durables": "", "routes": ""}
"""What ``show`` lists by name, so that a name can follow."""

_WHO_SUBSCRIBES = ({"subscriptions"}, {"consumers", "durables"})
"""The tables that list all subscribers of a server."""

_SUSPENDED = re.compile(r"(?m) (?:-1|\d+) yes tcp:")
"""The columns of a list of routes that say of one that it is suspended."""

_MOMENT = "router.link"
"""The type of which a listing shows what no file does: who receives, where answers take those who
are known (amq_interconnect.md 5, position 10)."""

_DESTINATION = re.compile(r'<sibresources:(SIB\w+) [^>]*?identifier="([^"]*)"')
_PLAIN = re.compile(
    r"<sibresources:SIBQueue xmi:id='x' ([^>]*)>(?:<localizationPointRefs [^>]*/>)?</"
)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')

Listing = tuple[str, dict[str, str]]
"""What a view is called, and all files of it."""


def listings_of_less(files: Mapping[str, str], at: random.Random) -> Iterator[Listing]:
    """One view of each kind that the listings of an estate have."""
    shown = sorted(path for path in files if path.endswith("/show.txt"))
    if shown:
        path = at.choice(shown)
        for title, text in _less_of_ems(files[path], at):
            if _is_less(files[path], text):
                yield f"with {path} {title}", {**files, path: text}
    seen = sorted(path for path in files if re.fullmatch(r"seen/\w+\.json", path))
    if seen:
        path = at.choice(seen)
        rows = json.loads(files[path])
        itself = {_named(row) for row in rows} - {""}
        types = sorted({row["type"] for row in rows} - itself)
        of_file = {f"{path[5:-5]}.conf", f"{path[5:-5]}.json"} & {*files}
        left_out = at.choice([one for one in types if not (of_file and one.endswith(_MOMENT))])
        told_of = [*sorted(itself), *(one for one in types if one != left_out)]
        text = "".join(_queried(rows, one) for one in told_of)
        others, told = _without(files, path), f"{path[:-5]}.txt"
        yield f"with {path} without {left_out}", {**others, told: text}
        names = [{one: row[one] for one in ("type", "name") if one in row} for row in rows]
        asked = _queried(names, left_out).replace("\n", " name\n", 1)
        yield f"with {path} and names of {left_out}", {**others, told: text + asked}
    of_cell = sorted(path for path in files if re.search(r"(?:^|/)sib-\w+\.xml$", path))
    if of_cell:
        path = at.choice(of_cell)
        yield f"without {path}", _without(files, path)
    of_bus = [path for path in of_cell if path.endswith("/sib-destinations.xml")]
    if of_bus:
        path = at.choice(of_bus)
        folder = path.rpartition("/")[0]
        others = {one: text for one, text in files.items() if not one.startswith(f"{folder}/")}
        for title, text in _of_wsadmin(folder, files[path], at):
            told = f"{folder.rpartition('/')[2]}.txt"
            yield f"with {title} of {folder}", {**others, told: text}
            yield f"with {title} for {path}", {**_without(files, path), told: text}


def _less_of_ems(text: str, at: random.Random) -> Iterator[tuple[str, str]]:
    blocks = _PROMPT.split(text)
    known = [place for place, block in enumerate(blocks) if _COMMAND.match(block)]
    if not known:
        return
    place = at.choice(known)
    found = _COMMAND.match(blocks[place])
    assert found is not None
    left_out = [block for number, block in enumerate(blocks) if number != place]
    yield f"without show {found['what']}", "".join(left_out)
    lines = text.splitlines(keepends=True)
    yield "cut off", "".join(lines[: at.randrange(1, len(lines))])
    if found["what"] in _LISTED:
        head, title, *rows = blocks[place].splitlines(keepends=True)
        name = at.choice(("T.>", "Q*", "NONE"))
        kept = [row for row in rows if name != "NONE" and re.search(rf"\b{name[0]}\.?\w*", row)]
        filtered = "".join([f"{head.rstrip()} {name}\n", title, *kept])
        told = [filtered if number == place else block for number, block in enumerate(blocks)]
        yield f"with show {found['what']} {name}", "".join(told)


def _is_less(whole: str, part: str) -> bool:
    """Whether a part of what a server printed says less of who subscribes, or as much. Drawn tables
    disagree, as those of several moments do: where one that lists everybody stays, the others are
    of another moment, and not the rest of it. Nor is a part one that has no list of routes where
    the whole has suspended ones: files say of a route that it runs, and only a list otherwise.
    """
    if _SUSPENDED.search(whole) and "> show routes" not in part:
        return False
    tables, left = _subscribing(whole), _subscribing(part)
    same = {what for what, rows in left.items() if tables.get(what) == rows}
    return same == tables.keys() or not any(everybody <= same for everybody in _WHO_SUBSCRIBES)


def _subscribing(text: str) -> dict[str, str]:
    """The tables of subscribers of a text, by the command that lists them."""
    found = [(_COMMAND.match(block), block) for block in _PROMPT.split(text)]
    named = {one["what"]: block for one, block in found if one is not None}
    return {what: block for what, block in named.items() if what in set().union(*_WHO_SUBSCRIBES)}


def _of_wsadmin(folder: str, text: str, at: random.Random) -> Iterator[tuple[str, str]]:
    """What wsadmin lists of the destinations of a bus, and shows of one of them."""
    bus = folder.rpartition("/")[2]
    ids = [
        (kind, name, f"{name}({folder}|sib-destinations.xml#{kind}_{number})\n")
        for number, (kind, name) in enumerate(_DESTINATION.findall(text))
    ]
    every = f"wsadmin>AdminTask.listSIBDestinations('[-bus {bus}]')\n"
    yield "the list", every + "".join(one for _, _, one in ids)
    queues = "".join(one for kind, _, one in ids if kind == "SIBQueue")
    yield "the list of queues", every.replace("]')", " -type Queue]')") + queues
    yield "ids alone", "".join(one for _, _, one in ids)
    plain = [one for one in _PLAIN.findall(text) if "exceptionDestination" in one]
    if plain:
        shown = _ATTRIBUTE.findall(at.choice(plain))
        name = dict(shown)["identifier"]
        asked = f"wsadmin>AdminTask.showSIBDestination('[-bus {bus} -name {name}]')\n"
        told = "{" + ", ".join(f"{key}={value}" for key, value in shown) + "}\n"
        yield "the list and one destination", every + "".join(one for *_, one in ids) + asked + told


def _named(row: Mapping[str, object]) -> str:
    """The type of the router itself, which says whose the listing is: it is never left out."""
    return str(row["type"]) if str(row["type"]).endswith("dispatch.router") else ""


def _queried(rows: list[dict[str, object]], type_: str) -> str:
    own = [row for row in rows if row["type"] == type_]
    return f"$ qdmanage query --type {type_}\n{json.dumps(own)}\n"


def _without(files: Mapping[str, str], path: str) -> dict[str, str]:
    return {one: text for one, text in files.items() if one != path}
