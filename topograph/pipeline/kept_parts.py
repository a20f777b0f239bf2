"""What an import keeps beside a snapshot's tables for the import after it (``pipeline.earlier``):
parts of networks, one behind the other in one file, and where each of them is in another.

They are no part of the snapshot, so that its id and digests do not depend on them, and are removed
with its run. A part is read only if it is what was written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LISTED = "listed.json"
"""In a run: by network where its parts are, and what else they follow from."""

PARTS = "listed.parts"
"""In a run: the parts."""


class NotKept(Exception):
    """Nothing that could be used is kept; the text says why."""


class Keeper:
    """Writes what is kept, while the import goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = (folder / PARTS).open("wb")
        self._networks: dict[str, dict[str, Any]] = {}

    def keep(self, network: str, part: str, data: bytes) -> None:
        """Keep a part of a network."""
        known = self._networks.setdefault(network, {})
        known[part] = [self._file.tell(), len(data), hashlib.sha256(data).hexdigest()]
        self._file.write(data)

    def end(self, tool: str, about: Mapping[str, str]) -> None:
        """All is kept; ``about`` says of each network what its files were read with."""
        self._file.close()
        with (self.folder / LISTED).open("w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(f'{{"tool": {json.dumps(tool)}, "networks": {{')
            for number, (name, text) in enumerate(about.items()):
                own = {"about": text, "parts": self._networks.get(name, {})}
                file.write(f"{',' if number else ''}\n{json.dumps(name)}: {json.dumps(own)}")
            file.write("\n}}\n")

    def close(self) -> None:
        """Give up what was written."""
        self._file.close()


class Kept:
    """What the import that wrote a run kept."""

    def __init__(self, folder: Path, tool: str) -> None:
        """Raises NotKept where there is nothing, or where it was written by another ``tool``."""
        self._path = folder / PARTS
        try:
            listed = json.loads((folder / LISTED).read_text("utf-8", "surrogatepass"))
        except FileNotFoundError:
            raise NotKept("it does not say when its files were changed") from None
        except (OSError, ValueError):
            raise NotKept(_DAMAGED) from None
        if not isinstance(listed, dict) or listed.get("tool") != tool:
            raise NotKept("it was made by another version of topograph")
        self._networks: dict[str, dict[str, Any]] = listed["networks"]

    def about(self, network: str) -> str:
        """What the files of a network were read with; empty for one that is not there."""
        return str(self._networks[network]["about"]) if network in self._networks else ""

    def parts(self, network: str) -> list[str]:
        """The names of the parts of a network."""
        return list(self._networks[network]["parts"]) if network in self._networks else []

    def part(self, network: str, name: str) -> bytes:
        """A part of a network. Raises NotKept where it is not what was written."""
        try:
            at, size, digest = self._networks[network]["parts"][name]
            with self._path.open("rb") as file:
                file.seek(at)
                data = file.read(size)
        except (OSError, KeyError, ValueError):
            raise NotKept(_DAMAGED) from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise NotKept(_DAMAGED)
        return data


_DAMAGED = "what it says of its files is damaged"
