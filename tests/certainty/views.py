"""Partial views of a drawn estate: without the files of a server that the others name, without a
file that a main file names, with a file that ends in its middle, or with less of what servers
listed (``listings``)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from certainty.listings import listings_of_less

WHOLE_FORMS = (".json", ".xml", ".yaml")
"""Of these a file that ends in its middle cannot be taken for a whole one, YAML if it ends within a
line."""

_NO_SERVERS = ("topograph.yaml", "users.conf", "groups.conf", "acl_list.conf")
"""Files in which a name is not that of a server that others are joined with, but of a user."""


@dataclass(frozen=True)
class View:
    """Part of an estate: the files that are there, and the servers that are not."""

    title: str
    files: Mapping[str, str]
    gone: tuple[str, ...] = ()


def is_of(path: str, server: str) -> bool:
    """Whether a file of a drawn estate is one of a server, dumps included: those that are drawn
    show another moment, at which a router may have run with other entries than its file has."""
    first = path.partition("/")[0]
    return first in (server, f"{server}.mqsc", f"{server}2.mqsc", f"{server}.txt") or bool(
        re.match(rf"(?:{server}\.\w+$|.*/{server}/|seen/{server}\.)", path)
    )


def views(files: Mapping[str, str], servers: list[str], at: random.Random) -> Iterator[View]:
    """Partial views of an estate, one of each kind that it has."""
    for server in at.sample(servers, len(servers)):
        left = {path: text for path, text in files.items() if not is_of(path, server)}
        told = (text for path, text in left.items() if not path.endswith(_NO_SERVERS))
        if left and any(re.search(rf"\b{server}\b", text) for text in told):
            yield View(f"without the files of {server}", left, (server,))
            break
    named = [
        path
        for path in files
        for main in [f"{path.partition('/')[0]}/tibemsd.conf"]
        if path != main and path.rpartition("/")[2] in files.get(main, "")
    ]
    if named:
        path = at.choice(named)
        yield View(f"without {path}", {one: text for one, text in files.items() if one != path})
    structured = [path for path in files if path.endswith(WHOLE_FORMS) and path != "topograph.yaml"]
    if structured:
        path = at.choice(structured)
        text = files[path]
        cut = text[: at.randrange(len(text) // 3, max(len(text) - 2, len(text) // 3 + 1))]
        cut = cut.rstrip("\n")
        within = cut[:-1] if text.startswith(f"{cut}\n") else cut
        yield View(f"with {path} cut off", {**files, path: within})
    for title, less in listings_of_less(files, at):
        yield View(title, less)
