"""Help texts with the options in sections: those of the command, those for one kind of server,
those that all questions share.
"""

from __future__ import annotations

from typing import Any

import click

COMMON = "Common options"


class SectionedOption(click.Option):
    """An option that a ``Sectioned`` command lists under ``section``."""

    def __init__(self, *args: Any, section: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.section = section


class Sectioned(click.Command):
    """A command whose help lists its own options first, and the common ones last. Where the name
    of a server is missing, it says which there are: ``servers`` are the parameters that are one."""

    servers: frozenset[str] = frozenset()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as missing:
            if missing.param is None or missing.param.name not in self.servers:
                raise
            from topograph.cli.server_names import there_are

            message = there_are(self, ctx, given)
            raise click.MissingParameter(message or None, ctx, missing.param) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As click does, a list for each section."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for option in self.get_params(ctx):
            row = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if row is not None:
                sections.setdefault(_section(option), []).append(row)
        common = sections.pop(COMMON)
        for section, rows in (*sections.items(), (COMMON, common)):
            if rows:
                with formatter.section(section):
                    formatter.write_dl(rows)


def _section(option: click.Parameter) -> str:
    if isinstance(option, SectionedOption):
        return option.section
    return COMMON if "--help" in option.opts else "Options"
