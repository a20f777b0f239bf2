"""Whole estates as they may come: of every system, drawn from a number or kept with the tests, one
or two beside each other, changed at random in lines, words, bytes, trees and names of files; with
change scripts, policies, saved changes and side inputs that are changed alike.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from answer_tables import cases
from drawn.all_systems import DRAWN, drawn
from drawn.estates import Question
from fuzz.inputs import WORDS, seeds

ROOT = Path(__file__).resolve().parents[2]

Files = dict[str, bytes]

NUMBERS = (
    *("²", "1.²", "٣", "٣٤", "①", "½", "Ⅷ", "1" * 5000, "9" * 20, "-1", "-0", "+7", "0x1F", "0b1"),
    *("1_0", "1e999", "-1e999", "nan", "NaN", "inf", "-Infinity", "1.5", "1e5", ".5", "00", "١"),
    *("9223372036854775808", "18446744073709551616", "2147483648", "65536", "1." * 400, "8.6."),
    *("0000-00-00", "9999-99-99", "2026-02-30", "2026-11-30T25:61:61Z", "32/13/2026", "24:00"),
)
HOSTILE = (
    *NUMBERS,
    *(
        "\0",
        "\x1b[2J",
        "\u202e",
        "\ufeff",
        "\u2028",
        "\x85",
        "é",
        "\U0001f600",
        "\udc80",
        "İ",
        "ı",
        "ß",
    ),
    *("tcp://[::1", "tcp://", "://", "http://[", "a(b(c", "h(99999)", "h(²)", "h()", "u:p@h:1"),
    *("user:word@host", "amqps://user:word@host", "password=word", "a.token=word.>", "pass:word"),
    *("hidden-6ad0", "amqps://hidden-6ad0@host", "hidden-6ad0@B"),
    *(
        "$TMP$.A.>",
        "$TMP$",
        ">",
        "*",
        "#",
        ".",
        "..",
        "../..",
        "/",
        "\\",
        "%s",
        "{}",
        "{0}",
        "${X}",
    ),
    *(
        "'",
        '"',
        "`",
        "''",
        "--",
        "/*",
        "]]>",
        "<!--",
        "&lt;",
        "&#x0;",
        "&#999999999;",
        "<?xml",
        "EOF",
    ),
    *("null", "true", "~", "{}", "[]", "!!python/object:os.system", "&a", "*a", "<<", "---", "? "),
    *(
        "A" * 300,
        "a." * 200,
        "(" * 200,
        "[" * 200,
        "{" * 200,
        " " * 500,
        "\t",
        "NOT " * 200,
        "+",
        "-",
    ),
    *(
        "country = 'Canada'",
        "a = ",
        "NOT",
        "LIKE '%'",
        "qty BETWEEN",
        "1 = 1",
        "a IS NULL",
        "x IN ()",
    ),
)
"""Words that a reader may take for what they are not: digits that are none, dates that are none,
ends of texts, commands and patterns."""

_TOKEN = re.compile(r"[\w$-]++|[^\w\s]")


@dataclass(frozen=True)
class Estate:
    """An estate: its files by path, what its generator asks about it, and commands with the server
    that each is given to."""

    files: Files
    questions: Sequence[Question] = ()
    commands: Sequence[tuple[str, str]] = ()


@cache
def _kept() -> tuple[Files, ...]:
    """The estates of the tables and of the examples."""
    found: list[Files] = []
    for table in sorted((ROOT / "tests" / "estates").glob("*/*.txt")):
        found += [
            {name: text.encode("utf-8", "surrogatepass") for name, text in case.files}
            for case in cases(table)
            if case.kind in ("", "estate")
        ]
    for folder in sorted((ROOT / "examples").iterdir()):
        if folder.is_dir() and not folder.name.endswith(("_system", "changes", "questions")):
            files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*"))
                if path.is_file()
            }
            if files and sum(map(len, files.values())) < 200_000:
                found.append(files)
    return tuple(found)


def estate(at: random.Random) -> Estate:
    """An estate, changed nowhere or in up to eight places."""
    found = _sound(at)
    if at.random() < 0.2:
        other = _sound(at)
        beside = {f"beside/{name}": data for name, data in other.files.items()}
        found = Estate({**found.files, **beside}, found.questions, found.commands)
    files = dict(found.files)
    for _ in range(at.choice((0, 1, 1, 2, 3, 5, 8))):
        files = at.choice(_CHANGES)(files, at)
    return Estate(files, found.questions, found.commands)


def _sound(at: random.Random) -> Estate:
    if at.random() < 0.25:
        return Estate(dict(at.choice(_kept())))
    system = at.choice(list(DRAWN))
    one = drawn(system, at.choice(list(DRAWN[system])), at.randrange(1_000_000))
    files = {name: text.encode("utf-8", "surrogatepass") for name, text in one.files.items()}
    return Estate(files, list(one.questions()), one.commands())


def script(found: Estate, at: random.Random) -> tuple[bytes, str | None]:
    """A change script, as its generator wrote it or changed, and the server it is given to."""
    if found.commands and at.random() < 0.6:
        server, text = at.choice(found.commands)
        data = text.encode("utf-8", "surrogatepass")
    else:
        name = at.choice([*(f"change.{end}" for end in ("txt", "mqsc", "sh", "py", "jacl"))])
        server, data = at.choice((None, "A")), at.choice(seeds(name))
    for _ in range(at.choice((0, 1, 2, 4))):
        data = changed_text(data, at)
    return data, server


POLICY = b"""subscribers: known-only
policies:
  - id: one
    because: it must
    reaches: {from: A, to: B}
  - id: two
    never_delivers: {from: A, destination: 'topic:orders', to: '*', set: {country: Canada, qty: 5}}
  - id: three
    severity: warn
    max_hops: {hops: 1, from: A, to: [B, C], except: {from: A, to: B}}
  - id: four
    no_loss: true
    waivers: [{until: 2026-12-31, reason: known}]
  - id: five
    delivers: {from: A, destination: 'queue:Q', to: B}
    not_worse: true
  - id: six
    legal: true
  - id: seven
    passes: {from: A, to: C, through: B}
  - id: eight
    ends_in: {from: A, destination: 'queue:Q', outcomes: [DLQ]}
  - id: nine
    survives_any_single: {of: link, from: A, to: B}
"""
SIDE_INPUTS = b"""hosts: {a:7222: A, 'b(1414)': B}
paths: {/opt: .}
servers: {A: {system: ems}}
machines: {one: [A, B]}
clients:
  - {server: A, destination: "topic:orders", role: subscriber, selector: "qty > 5"}
  - {server: A, destination: "queue:Q", role: receiver, client_id: c, user: u}
versions: {A: "8.6.0", B: 1.19.0, ibm_mq: '9.3'}
suspended: [{server: A, route: B}]
new: {rates: {A: '5'}}
sites: {north: [A], south: [B]}
mediations: [{bus: B, destination: Q, forward: [X]}]
include: ['*']
exclude: ['*.bak']
waivers: [{rule: TL-20, reason: known, server: A, until: 2026-12-31}]
overrides: {A9: last, A27: stays}
"""


def policy(at: random.Random) -> str:
    """A policy file, mostly one with a mistake in it."""
    data = POLICY
    for _ in range(at.choice((0, 1, 2, 4))):
        data = at.choice((changed_text, _tree))(data, at)
    return data.decode("utf-8", "replace") + "\n"


def changed_text(data: bytes, at: random.Random) -> bytes:
    """A text with one change in its lines, words or bytes."""
    return at.choice((_lines, _words, _words, _bytes))(data, at)


def _lines(data: bytes, at: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    place = at.randrange(len(lines))
    match at.randrange(5):
        case 0:
            del lines[place]
        case 1:
            lines[place:place] = [lines[place]] * at.choice((1, 2, 50))
        case 2:
            other = at.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            lines[place] = lines[place].rstrip(b"\r\n")
        case _:
            lines[place] = lines[place][: at.randrange(len(lines[place]) + 1)]
    return b"".join(lines)


def _words(data: bytes, at: random.Random) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    places = [found.span() for found in _TOKEN.finditer(text)]
    if not places:
        return data
    numbers = [place for place in places if any("0" <= one <= "9" for one in text[slice(*place)])]
    if numbers and at.random() < 0.3:
        begin, end = at.choice(numbers)
        word = at.choice(NUMBERS)
        return (text[:begin] + word + text[end:]).encode("utf-8", "surrogatepass")
    begin, end = at.choice(places)
    match at.randrange(4):
        case 0:
            first, last = at.choice(places)
            word = text[first:last]
        case 1:
            word = at.choice(WORDS).decode("utf-8", "replace")
        case _:
            word = at.choice(HOSTILE)
    begin = end if at.random() < 0.2 else begin
    return (text[:begin] + word + text[end:]).encode("utf-8", "surrogatepass")


def _bytes(data: bytes, at: random.Random) -> bytes:
    place = at.randrange(len(data) + 1)
    match at.randrange(5):
        case 0:
            return data[:place] + at.randbytes(at.randint(1, 6)) + data[place:]
        case 1:
            return data[:place]
        case 2:
            return data[:place] + data[place + at.randint(1, 40) :]
        case 3 if place < len(data):
            return data[:place] + bytes([data[place] ^ (1 << at.randrange(8))]) + data[place + 1 :]
        case _:
            return data[:place] + data[place : place + 40] * at.choice((2, 20)) + data[place:]


def _encoded(data: bytes, at: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    match at.randrange(5):
        case 0:
            return text.encode("utf-16")
        case 1:
            return text.encode("latin-1", "replace")
        case 2:
            return b"\xef\xbb\xbf" + data
        case 3:
            return data.replace(b"\n", b"\r\n")
        case _:
            return data.replace(b"\n", b"\r")


def _tree(data: bytes, at: random.Random) -> bytes:
    """A JSON or YAML text with one node of its tree gone, doubled or replaced; of a text that is
    neither, or whose tree cannot be written, a word."""
    try:
        return _of_tree(data, at)
    except (yaml.YAMLError, TypeError, ValueError, AttributeError, RecursionError):
        return changed_text(data, at)


def _of_tree(data: bytes, at: random.Random) -> bytes:
    try:
        tree = json.loads(data)
        write: Callable[[Any], str] = json.dumps
    except ValueError:
        tree = yaml.safe_load(data)
        write = yaml.safe_dump
    nodes = list(_nodes(tree))
    if not nodes:
        return changed_text(data, at)
    holder, key = at.choice(nodes)
    other, name = at.choice(nodes)
    match at.randrange(6):
        case 0:
            del holder[key]
        case 1:
            holder[key] = copy.deepcopy(other[name])
        case 2:
            holder[key] = [holder[key]] * at.choice((1, 2, 30))
        case 3:
            holder[key] = {at.choice(HOSTILE): holder[key]}
        case 4:
            holder[key] = at.choice((None, True, 0, -1, 1.5, 1e308, 10**30, "", [], {}))
        case _:
            holder[key] = at.choice(HOSTILE)
    return write(tree).encode("utf-8", "surrogatepass")


def _nodes(tree: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    left = [tree]
    while left and len(found) < 5000:
        node = left.pop()
        keys = (
            node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        )
        for key in keys:
            found.append((node, key))
            left.append(node[key])
    return found


def _one_file(change: Callable[[bytes, random.Random], bytes]) -> Callable[..., Files]:
    def apply(files: Files, at: random.Random) -> Files:
        path = at.choice(list(files))
        return {**files, path: change(files[path], at)}

    return apply


def _in_tree(files: Files, at: random.Random) -> Files:
    trees = [name for name in files if name.endswith((".json", ".yaml", ".yml"))]
    path = at.choice(trees or list(files))
    return {**files, path: _tree(files[path], at)}


def _renamed(files: Files, at: random.Random) -> Files:
    path = at.choice(list(files))
    name = at.choice([*files, "x", "a/b/c.conf", "é.conf", "-rf", "a b.json", "%2e.txt", ".hidden"])
    renamed = {**{one: data for one, data in files.items() if one != path}, name: files[path]}
    # A name cannot be that of a file and of a folder.
    if any(one.startswith(f"{name}/") or name.startswith(f"{one}/") for one in renamed):
        return files
    return renamed


def _mixed(files: Files, at: random.Random) -> Files:
    """A file in the place of another, behind it, or copied beside it."""
    path, other = at.choice(list(files)), at.choice(list(_sound(at).files.items()))
    match at.randrange(3):
        case 0:
            return {**files, path: other[1]}
        case 1:
            return {**files, path: files[path] + other[1]}
        case _:
            return {**files, f"{path}.bak": files[path]}


def _side_inputs(files: Files, at: random.Random) -> Files:
    data = files.get("topograph.yaml", SIDE_INPUTS)
    for _ in range(at.choice((1, 1, 3))):
        data = at.choice((changed_text, _tree))(data, at)
    return {**files, "topograph.yaml": data}


_CHANGES: tuple[Callable[[Files, random.Random], Files], ...] = (
    *[_one_file(changed_text)] * 5,
    *[_in_tree] * 2,
    _one_file(_encoded),
    _renamed,
    _mixed,
    _side_inputs,
)


def written(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files below a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
