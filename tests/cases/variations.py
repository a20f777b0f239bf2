"""Further estates of a case: the same one under other names, in other files' order and layout
(``layout``), with other line ends and comments, and beside a server that has nothing to do with it.

What is expected follows without topograph: none of these changes what messages do, so the expected
value is the case's own with the same words put into it.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cases.layout import laid_out

import topograph
from topograph.errors import TopographError

WORD = re.compile(r"[A-Za-z0-9_]+")

KEPT = frozenset(
    WORD.findall(
        "queue topic address server router route mesh link bus node sys any ANY BUS QM TO FROM IN"
        " OUT SYSTEM DEFAULT DEAD LETTER QUEUE XMIT DLQ EXTERNAL REJECTED LOCAL tcp ssl tibemsd"
        " conf json mqsc yaml txt queues topics routes estate main change before after mqe ems"
        " sibus ibm_mq amq mq"
    )
)
"""Words that name something in the product, a format or the folders of a case."""

COMMENTS = {".conf": "#", ".mqsc": "*", ".yaml": "#", ".jy": "#", ".sh": "#"}
"""How a comment begins, by the end of a file's name."""

ISOLATED = {
    "ems": {
        "zz-isolated/tibemsd.conf": "server = {name}\nlisten = tcp://{host}:7222\n"
        "routing = enabled\ntopics = topics.conf\nroutes = routes.conf\n",
        "zz-isolated/topics.conf": "",
        "zz-isolated/routes.conf": "",
    },
    "amq_interconnect": {
        "zz-isolated.conf": "router {{\n    mode: interior\n    id: {name}\n}}\n"
        "listener {{\n    host: {host}\n    port: 5672\n}}\n"
    },
    "ibm_mq": {"zz-isolated.mqsc": "* Queue manager name: {name}\nDEFINE QLOCAL(OF.{name})\n"},
}
"""The files of a server of which nobody knows, and which knows nobody."""

COUNTED = frozenset(
    (
        "amq/dump-has-each-file-twice",
        "amq/skupper-v2-says-what-to-load",
        "ems/member-fails-and-the-route-names-both",
        "use/a-backup-of-a-dump-makes-no-choice",
    )
)
"""Cases in which what is expected is said of all servers: one more makes another answer right."""


IN_ORDER = frozenset(("ems/urls-of-two-routes-exchanged",))
"""Cases in which what is expected is the first of several findings alike: `check` shows that of
each server and counts the others."""


def names(case: Path, told: Mapping[str, Any]) -> list[str]:
    """The words that only name something of the estate: of the names of servers, and of what is
    asked for."""
    text = "\n".join(_text(file) for file in _files(case))
    said: set[str] = set()
    for folder in sorted(case.iterdir()):
        if folder.is_dir():
            try:
                said |= set(topograph.read(folder).within(None).server_names())
            except TopographError:
                continue
    for run in told["runs"]:
        for arg in run["args"]:
            if not arg.startswith(("-", "{case}", "/")) and (":" in arg or arg.isupper()):
                said |= set(arg.partition(":")[2].split(",") if ":" in arg else [arg])
    words = {word for name in said for word in WORD.findall(name)}
    in_text = set(WORD.findall(text))
    return sorted(
        word
        for word in words & in_text - KEPT
        if not word.isdigit() and word.lower() not in {"a", "global", "secure", "exclusive"}
    )


def varied(case: Path, told: Mapping[str, Any], to: Path, number: int) -> dict[str, Any]:
    """Writes one further estate to a folder and returns what is asked of it and expected. Nothing
    is drawn but from the case's name and the number."""
    at = random.Random(f"{case.parent.name}/{case.name} {number}")
    new = _renaming(names(case, told), at, ordered=_counts_places(told))
    ends, comment = at.choice(("\n", "\r\n")), at.choice(("the end", "kept by hand"))
    for file in _files(case):
        path = to / _renamed(file.relative_to(case).as_posix(), new)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            text = file.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            shutil.copy(file, path)
            continue
        text = _renamed(text, new)
        if f"{case.parent.name}/{case.name}" not in IN_ORDER:  # copies stay copies
            text = laid_out(path.name, text, random.Random(f"{number} {text}"))
        if (begins := COMMENTS.get(file.suffix)) and not text.startswith("#!"):
            text = f"{text.rstrip()}\n{begins} {comment}\n"
        path.write_bytes(text.replace("\r\n", "\n").replace("\n", ends).encode())
    system = told["system"]
    alone = f"{case.parent.name}/{case.name}" in COUNTED
    if at.random() < 0.5 and system in ISOLATED and not alone:
        _isolated(case, to, system, at)
    said = json.dumps(told["runs"], ensure_ascii=False)
    return {**told, "runs": json.loads(_renamed(said, new))}


def _isolated(case: Path, to: Path, system: str, at: random.Random) -> None:
    name, host = _word(at, 9).upper(), f"{_word(at, 9)}.example"
    for folder in sorted(one for one in case.iterdir() if one.is_dir()):
        for file, text in ISOLATED[system].items():
            path = to / folder.name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.format(name=name, host=host), encoding="utf-8")


def _counts_places(told: Mapping[str, Any]) -> bool:
    """Whether something is expected at a place of a list: these are sorted by name."""
    return any(
        re.search(r"\.-?\d+(\.|$)", check["at"])
        for run in told["runs"]
        for check in run.get("json", ())
    )


def _renaming(old: Iterable[str], at: random.Random, *, ordered: bool) -> dict[str, str]:
    """Another word for each, as long; in the same order, if that is asked for."""
    words = list(old)
    fresh: set[str] = set()
    while len(fresh) < len(words):
        fresh.add(_word(at, at.randint(4, 6)))
    drawn = sorted(fresh)
    if not ordered:
        at.shuffle(drawn)
    return {
        word: one.upper() if word.upper() == word else one
        for word, one in zip(sorted(words, key=str.lower), drawn, strict=True)
    }


FOLDER = "{case}"


def _word(at: random.Random, length: int) -> str:
    """A word that is none: consonants and vowels that no format uses so."""
    return "".join(at.choice("bdfgkmprvz" if n % 2 == 0 else "aou") for n in range(length)) + "x"


def _renamed(text: str, new: Mapping[str, str]) -> str:
    """The text with its words renamed, but for the place of the case's folder."""
    parts = text.split(FOLDER)
    return FOLDER.join(WORD.sub(lambda found: new.get(found[0], found[0]), part) for part in parts)


def _files(case: Path) -> list[Path]:
    return [
        file
        for file in sorted(case.rglob("*"))
        if file.is_file() and file.name != "case.json" and "__pycache__" not in file.parts
    ]


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return ""
