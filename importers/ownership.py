"""Whose output a file is: the server that `show routes` text is of, by its prompt, its file name
or its folder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from topograph.importers.reading import Bundle, Recognised
from topograph.records import record
from topograph.side_inputs import SideInputs

_EDGE = re.compile(r"(?<![A-Za-z0-9])(?=[^\W_])|(?<=[^\W_])(?![A-Za-z0-9])|^|$")
"""Where a name in a file name may begin or end: not within a word."""

_LONGEST = 255
"""Characters of a file name that are searched for a server's name: what file systems allow,
members of an archive may have more.
"""


@record
class Owner:
    """The bundle that the output in a file belongs to. ``assumed`` says why, where nothing in
    the file or its name does; else it is empty.
    """

    bundle: Bundle
    assumed: str = ""


class Servers:
    """The servers of an import, indexed once: a look-up does not grow with their number."""

    def __init__(
        self,
        bundles: Sequence[Bundle],
        side_inputs: SideInputs,
        listens: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """``listens`` are the addresses at which the server of a main file listens, by path."""
        self.listening: dict[str, list[Bundle]] = {}
        self.hosts = {entry.host.casefold(): entry.server for entry in side_inputs.hosts}
        self.named: dict[str, list[Bundle]] = {}
        """By name; and without regard to case, behind a NUL."""
        self.below: dict[str, dict[str, list[Bundle]]] = {}
        """By folder: the servers with a main file in it or below it, each with its bundles."""
        for bundle in bundles:
            for address in listens.get(bundle.id, ()):
                self.listening.setdefault(address, []).append(bundle)
            self.named.setdefault(bundle.server, []).append(bundle)
            self.named.setdefault("\0" + bundle.server.casefold(), []).append(bundle)
            for folder in PurePosixPath(bundle.id).parents:
                self.below.setdefault(str(folder), {}).setdefault(bundle.server, []).append(bundle)

    def owner(self, file: Recognised) -> Owner | str:
        """The owner that the output in ``file`` belongs to, or why that is not said.

        The prompt in the text decides: a name, or the URL of the server (by ``hosts`` of
        topograph.yaml, or because one server alone listens there); without one the server's name in
        the file name; else the nearest folder with servers in it, if it has one alone.
        """
        if file.server:
            name = self.hosts.get(file.server.casefold(), file.server)
            own = self.named.get(name) or self.named.get("\0" + name.casefold(), [])
            if not own:
                return (
                    f"its prompt names the server {file.server}, of which no main file is imported"
                )
            return Owner(_nearest(file, own))
        if file.at and (here := self._at(file.at)):
            return Owner(_nearest(file, here))
        if named := self.in_name(PurePosixPath(file.path).name):
            return Owner(_nearest(file, named))
        for folder in PurePosixPath(file.path).parents:
            inside = self.below.get(str(folder), {})
            if len(inside) == 1:
                bundle = _nearest(file, next(iter(inside.values())))
                where = "here" if str(folder) == "." else f"in {folder}"
                return Owner(
                    bundle,
                    f"it is taken for that of {bundle.server or bundle.id}, the only one {where}",
                )
            if inside:
                return (
                    "it does not say which of the servers in its folder it is of: put the "
                    "server's name into the file name"
                )
        return "no server is imported that it could be of"

    def _at(self, address: str) -> list[Bundle]:
        """The bundles of the one server at an address: by ``hosts`` of topograph.yaml, else by
        where it listens; none where several do."""
        host = address.rpartition(":")[0]
        name = self.hosts.get(address) or self.hosts.get(host)
        found = self.named.get(name, []) if name else self.listening.get(address, [])
        return found if len({bundle.server for bundle in found}) == 1 else []

    def in_name(self, text: str) -> list[Bundle]:
        """The server whose name stands in a file name as a word; of several the longest name,
        none if two are equally long.
        """
        edges = [match.start() for match in _EDGE.finditer(text[:_LONGEST])]
        words = {text[start:end].casefold() for start in edges for end in edges if start < end}
        found = [word for word in words if "\0" + word in self.named]
        longest = [word for word in found if len(word) == max(map(len, found))]
        bundles = self.named["\0" + longest[0]] if len(longest) == 1 else []
        return bundles if len({bundle.server for bundle in bundles}) == 1 else []


def _nearest(file: Recognised, bundles: Sequence[Bundle]) -> Bundle:
    """Of the bundles of one server (a fault-tolerant pair has two) the one whose folder is
    nearest, else the first by path.
    """
    folder = PurePosixPath(file.path).parent.parts

    def distance(bundle: Bundle) -> tuple[int, str]:
        other = PurePosixPath(bundle.id).parent.parts
        shared = 0
        while shared < min(len(folder), len(other)) and folder[shared] == other[shared]:
            shared += 1
        return len(folder) + len(other) - 2 * shared, bundle.id

    return min(bundles, key=distance)
