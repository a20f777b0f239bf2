"""Types of options: a choice among known words, with the nearest word for one that is unknown; a
time; a path.
"""

from __future__ import annotations

import os
from typing import Any

import click

from topograph.digits import double
from topograph.errors import UsageError
from topograph.local_paths import is_storage, refused, storage_or_path
from topograph.words.did_you_mean import did_you_mean

CYCLES = "cycles"
"""The command about what people look for under ``show rings``."""

LONGEST = 1_000_000
"""Seconds; eleven days."""


class KnownChoice(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on only
    """As ``click.Choice``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The choice. Fails with the choices and the nearest of them."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            self.fail(
                error.message
                + (
                    f" For rings of routes, use: topograph {CYCLES}."
                    if str(value) in ("ring", "rings", CYCLES)
                    else did_you_mean(str(value), [str(choice) for choice in self.choices])
                ),
                param,
                ctx,
            )


class LocalPath(click.Path):
    """A path of this machine, as ``click.Path``; with ``readable=False`` whatever is there, for
    what else a place may be (``REV:FOLDER``, ``neo4j:ID``).

    In ``[SERVER=]FILE`` the file is judged.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Fails for a URL."""
        text = os.fsdecode(value)
        places = [text]
        if param is not None and (param.metavar or "").startswith("[SERVER=]"):
            places.append(text.partition("=")[2])
        for place in places:
            if (why := refused(place)) and not self._in_database(place, param):
                self.fail(why, param, ctx)
        return super().convert(value, param, ctx) if self.readable else value

    @staticmethod
    def _in_database(place: str, param: click.Parameter | None) -> bool:
        return "neo4j:ID" in ((param and param.metavar) or "") and place.startswith("neo4j:")


class StoragePath(LocalPath):
    """As ``LocalPath``, or the URL of storage that Spark reads and writes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path or URL. Fails for the URL of anything else."""
        try:
            place = storage_or_path(os.fsdecode(value))
        except UsageError as error:
            self.fail(str(error), param, ctx)
        return place if is_storage(place) else super().convert(place, param, ctx)


class Seconds(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on only
    """A positive, finite number of seconds."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Fails for anything else, NaN and infinity included."""
        seconds = value if isinstance(value, float) else double(str(value).strip())
        if seconds is None or not 0 < seconds <= LONGEST:
            self.fail(
                (
                    f"{value!r} is not a number of seconds. Use a number above 0, up to "
                    f"{LONGEST:,}, as in 30 or 0.5."
                ),
                param,
                ctx,
            )
        return seconds
