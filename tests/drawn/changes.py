"""Changes of drawn estates of any system: one entry of a file goes, comes or is replaced, a zone
gets another type, or all files of a server go."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from drawn.all_systems import drawn

Files = Mapping[str, str]


TRIES = 40
"""How often a change is drawn, until one is drawn that changes anything."""


def changed(system: str, files: Files, at: random.Random, times: int) -> list[Files]:
    """The states after each of some changes."""
    found: list[Files] = []
    for _ in range(TRIES):
        state = found[-1] if found else files
        after = _one_change(system, state, at)
        if len(found) < times and after and after != state:
            found.append(after)
    return found


def _one_change(system: str, files: Files, at: random.Random) -> Files:
    if at.random() < 0.08:
        return _without_a_server(files, at)
    if system == "ems" and at.random() < 0.15:
        return _zone_type(files, at)
    path = at.choice(sorted(files))
    if path.endswith(("show.txt", "topograph.yaml")) or path.startswith("seen/"):
        return files
    entries = entries_of(path, files[path])
    other = drawn(system, "one", at.randrange(100_000)).files
    alike = [
        one
        for name in other
        if _kind(name) == _kind(path)
        for one in entries_of(name, other[name])[1:]
    ]
    place = at.randrange(len(entries)) if entries else 0
    if _is_first(system, path, entries, place):
        return files
    match at.randrange(3):
        case 0:
            entries = [*entries[:place], *entries[place + 1 :]]
        case 1 if alike and entries:
            new = at.choice(alike)
            same = [one for one in alike if _named(one) == _named(entries[place])]
            entries = [*entries[:place], at.choice(same or [new]), *entries[place + 1 :]]
        case _ if alike:
            entries = [*entries[: place + 1], at.choice(alike), *entries[place + 1 :]]
    return {**files, path: text_of(path, entries)}


def _kind(path: str) -> str:
    name = path.rpartition("/")[2]
    return name if "/" in path else name.rpartition(".")[2]


def _is_first(system: str, path: str, entries: Sequence[str], place: int) -> bool:
    """Whether an entry says what server the file is of."""
    if path.endswith("tibemsd.conf"):
        return entries[place : place + 1] == [] or entries[place].startswith("server")
    return not path.startswith(tuple("ABCD")) or ("/" not in path and place == 0)


def _named(entry: str) -> str:
    found = re.search(r"-name (\S+)|identifier=\"(\w+)\"|\((\w+)\)|\[(\S+)\]|(\w+)", entry)
    return next((one for one in found.groups() if one), "") if found else ""


def entries_of(path: str, text: str) -> list[str]:
    """The entries of a file, which ``text_of`` puts together."""
    if path.endswith(".json") and text.startswith("["):
        return [json.dumps(one) for one in json.loads(text)]
    if path.endswith((".yaml", ".json")):
        said = yaml.safe_load(text) if path.endswith(".yaml") else json.loads(text)
        found = []
        for key, value in said.items():
            if isinstance(value, list):
                found += [json.dumps([key, one]) for one in value]
            else:
                found.append(json.dumps({key: value}))
        return found
    if path.endswith(("routes.conf", "bridges.conf")):
        return [one for one in re.split(r"(?m)^(?=\[)|(?<=\n)(?=  )", text) if one]
    if path.endswith(".conf") and "/" not in path:
        return [f"{one}}}\n" for one in text.split("}\n") if one.strip()]
    return text.splitlines(keepends=True)


def text_of(path: str, entries: Sequence[str]) -> str:
    """The file of some entries."""
    definitions = any(one.startswith('["') for one in entries)
    if path.endswith(".json") and not definitions:
        return json.dumps([json.loads(one) for one in entries])
    if path.endswith((".yaml", ".json")):
        said: dict[str, Any] = {}
        for one in map(json.loads, entries):
            if isinstance(one, dict):
                said |= one
            else:
                said.setdefault(one[0], []).append(one[1])
        return json.dumps(said) if definitions else str(yaml.safe_dump(said, sort_keys=False))
    return "".join(one if one.endswith("\n") else f"{one}\n" for one in entries)


def _zone_type(files: Files, at: random.Random) -> Files:
    zone = at.choice("MN")
    swap = {"mhop": "1hop", "1hop": "mhop"}
    return {
        path: re.sub(
            rf"(zone_name = {zone}\n  zone_type = )(\w+)", lambda one: one[1] + swap[one[2]], text
        )
        for path, text in files.items()
    }


def _without_a_server(files: Files, at: random.Random) -> Files:
    """All files of a server gone."""
    server = at.choice("ABCD")
    own = {path for path in files if re.search(rf"(^|/){server}\d?(/|\.)", path)}
    if not own or own == set(files):
        return files
    return {path: text for path, text in files.items() if path not in own}
