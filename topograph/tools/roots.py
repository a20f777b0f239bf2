"""Which files and folders a call may name: those in the roots, once every link is followed."""

from __future__ import annotations

import os
from pathlib import Path

from topograph.questions.question import Parameter, ParameterKind
from topograph.records import record
from topograph.store.names import may_be_snapshot
from topograph.tools.definitions import called
from topograph.tools.errors import ToolError


@record
class Roots:
    """Folders, each with its links resolved. Relative names are looked up in the first one."""

    folders: tuple[Path, ...]

    @property
    def first(self) -> Path:
        """The folder that relative names are looked up in, and that calls run in."""
        return self.folders[0] if self.folders else Path("/")

    def check(self, parameter: Parameter, value: str) -> None:
        """Raises ToolError unless what the value names lies in a root, or is not there."""
        if not self.folders:
            raise ToolError(
                f"{called(parameter)}: this server reads no further files. Start it with "
                "--root DIR."
            )
        places = [value]
        if parameter.metavar.startswith("[SERVER=]"):
            places.append(value.partition("=")[2])
        if parameter.kind is ParameterKind.STATE:
            self._check_state(parameter, value)
        for place in filter(None, places):
            if not self._inside(self.first / place):
                raise self._outside(parameter, value)

    def _check_state(self, parameter: Parameter, value: str) -> None:
        """A state is a folder, an archive or a snapshot in the roots: no database, and no commit,
        whose repository may lie above the roots.
        """
        if ":" in value and not value.startswith(("./", "/")):
            raise ToolError(
                f"{called(parameter)}: {value!r} is not a folder, archive or snapshot. This server "
                "reads neither git revisions nor databases; write ./ before a name with a colon."
            )
        folder = self.first / value
        if folder.is_dir() and may_be_snapshot({one.name for one in folder.iterdir()}):
            for above, folders, files in os.walk(folder):
                if not all(self._inside(Path(above, name)) for name in (*folders, *files)):
                    raise self._outside(parameter, value)

    def _inside(self, place: Path) -> bool:
        try:
            real = place.resolve()
        except (OSError, RuntimeError):  # a ring of links
            return False
        return any(real.is_relative_to(one) for one in self.folders)

    def _outside(self, parameter: Parameter, value: str) -> ToolError:
        listed = ", ".join(map(str, self.folders))
        return ToolError(
            f"{called(parameter)}: {value!r} is outside the folders that this server reads "
            f"({listed})."
        )
