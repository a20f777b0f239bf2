"""Layouts: where servers stand in pictures, by the server's label, as one JSON file.

::

    {"format": "topograph-layout", "version": 1, "servers": {"HQ": [0, -120], "MADRID": [240, 35]}}

A layout is kept with a snapshot in Parquet, beside the tables of its run, when a picture first
needs it: all pictures of the snapshot then have the same places, those of a later topograph too,
and an import into the snapshot begins with them. A person saves one from a page. Units are about
100 between neighbours; y points downwards.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from topograph.errors import InputError
from topograph.store.whole_files import part_of, remove_parts_of

FORMAT = "topograph-layout"
VERSION = 1

MOST_BYTES = 64 * 2**20
"""Of a layout file: some hundred thousand servers."""

FARTHEST = 10_000_000.0
"""The largest coordinate of a place, in layout units."""

Spot = tuple[float, float]


def layout_text(spots: Mapping[str, Spot]) -> str:
    """Places as the text of a layout file, one server a line, by name."""
    rows = [
        f"{json.dumps(name, ensure_ascii=False)}: [{_number(x)}, {_number(y)}]"
        for name, (x, y) in spots.items()
    ]
    inside = "".join(f"\n  {row}," for row in sorted(rows)).removesuffix(",")
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "servers": {{{inside}\n}}}}\n'


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def read_layout(path: str | os.PathLike[str]) -> dict[str, Spot]:
    """The places of a layout file. Raises InputError, with what is wrong in it and what to do.
    Linear in the file.
    """
    file = Path(path)
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"The layout {file} cannot be read: {error.strerror or error}.") from error
    if len(data) > MOST_BYTES:
        raise InputError(
            f"The layout {file} is larger than {MOST_BYTES // 2**20} MB: no page writes "
            "such a file."
        )
    try:
        return _parsed(data)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f'{file} is not a layout: {error}. Use a file that "Save places" in a page '
            "of topograph view wrote."
        ) from error


def _parsed(data: bytes) -> dict[str, Spot]:
    given = json.loads(data.decode("utf-8-sig"))
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise ValueError(f'there is no "format": "{FORMAT}" in it')
    if given.get("version") != VERSION:
        raise ValueError(
            f"its version is {given.get('version')!r}, this topograph reads version {VERSION}"
        )
    servers = given.get("servers")
    if not isinstance(servers, dict):
        raise ValueError('"servers" is not an object of places by name')
    return {name: _spot(name, place) for name, place in servers.items()}


def _spot(name: str, place: object) -> Spot:
    match place:
        case [(int() | float()) as x, (int() | float()) as y] if not isinstance(
            x, bool
        ) and not isinstance(y, bool):
            if abs(x) <= FARTHEST and abs(y) <= FARTHEST:
                return float(x), float(y)
    raise ValueError(
        f"the place of {name!r} is not a list of two numbers between -{FARTHEST:.0f} and "
        f"{FARTHEST:.0f}"
    )


@dataclass
class KeptLayout:
    """The places of the servers of one network, in memory once they were needed, and in the file
    ``path`` if there is one.

    ``given`` are places that a person gave, for servers of the network or others: the start of
    the pictures, of which nothing is kept in the file. ``name`` is what that file is called."""

    path: Path | None = None
    given: Mapping[str, Spot] | None = None
    name: str = ""
    _spots: dict[str, Spot] = field(default_factory=dict, init=False, repr=False)

    def places(
        self, labels: Collection[str], place: Callable[[Mapping[str, Spot]], dict[str, Spot]]
    ) -> Mapping[str, Spot]:
        """A place for each of ``labels``: as kept, or by ``place``, which is then kept.
        ``place`` is given the places that are kept of other servers, those of the snapshot that
        an import replaced. A file that is damaged counts as absent; where none can be written,
        the next picture computes the same places again."""
        if self._spots.keys() != set(labels):
            kept = self._read()
            if kept.keys() == set(labels):
                self._spots = kept
            else:
                self._spots = place(kept)
                self._write()
        return self._spots

    def _read(self) -> dict[str, Spot]:
        if self.path is None or self.given is not None:
            return {}
        try:
            return read_layout(self.path)
        except InputError:
            return {}

    def _write(self) -> None:
        if self.path is None or self.given is not None:
            return
        data = layout_text(self._spots).encode("utf-8", "surrogatepass")
        with contextlib.suppress(OSError):  # a snapshot that can only be read, or is being removed
            remove_parts_of(self.path)
            with part_of(self.path, data) as part:
                part.rename(self.path)
