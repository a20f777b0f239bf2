"""A choice among known words, with the nearest word for one that is unknown."""

from __future__ import annotations

from typing import Any

import click

from topograph.did_you_mean import did_you_mean


class KnownChoice(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on only
    """As ``click.Choice``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The choice. Fails with the choices and the nearest of them."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            self.fail(error.message + did_you_mean(str(value), [str(choice) for choice in self.choices]), param, ctx)
