"""The options of ``propagate`` and ``trace`` that systems from outside add (``MessageOption``)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from topograph.cli.sections import Sectioned, SectionedOption
from topograph.cli.terminal import say
from topograph.errors import UnknownSystem

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from topograph.message import MessageOption

FOUND = "topograph.further_options"
"""Where a click context has the options of systems from outside, once they are looked for."""

PREFIX = "further__"
"""What the names of their parameters begin with: any other name is an option of topograph's own."""


class MessageCommand(Sectioned):
    """A command about a message. Systems from outside are looked for where the command line has
    an option that none of topograph's own systems knows, for ``--help`` and for completion.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters of the command and, where they were looked for, those from outside."""
        return [*super().get_params(ctx), *ctx.meta.get(FOUND, ())]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does. Raises UnknownSystem where a package that may know an option cannot be
        used."""
        own = super().get_params(ctx)
        words = {word.partition("=")[0] for word in args if word.startswith("--")} - {"--"}
        helps = not set(ctx.help_option_names).isdisjoint(args)
        if helps or words.difference(_spelled(own)):
            try:
                ctx.meta[FOUND] = list(_further(own))
            except UnknownSystem as error:
                if not helps:
                    raise
                say(f"Error: {error}", err=True)
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """As click does. What is wrong with a package the command says, not completion."""
        if incomplete.startswith("--"):
            with contextlib.suppress(UnknownSystem):
                ctx.meta[FOUND] = list(_further(super().get_params(ctx)))
        return super().shell_complete(ctx, incomplete)


def _further(own: list[click.Parameter]) -> Iterator[click.Option]:
    from topograph import extensions
    from topograph.systems.registry import system

    taken = dict.fromkeys(_spelled(own), "topograph")
    seen: dict[str, MessageOption] = {}
    for name in extensions.packages():
        record = system(name)
        for one in record.further_options:
            if seen.get(one.option) == one:  # two systems mean the same
                continue
            if one.option in taken:
                raise UnknownSystem(
                    f"The package that answers for {name} cannot be used: {taken[one.option]} has "
                    f"an option {one.option} already."
                )
            taken[one.option], seen[one.option] = record.title, one
            yield SectionedOption(
                [one.option, PREFIX + one.name],
                metavar=one.metavar,
                help=one.help,
                section=f"Options for {record.title}",
            )


def _spelled(parameters: list[click.Parameter]) -> Iterator[str]:
    return (word for one in parameters for word in (*one.opts, *one.secondary_opts))


def taken_apart(said: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """What a command line says, without what the options from outside say; and that, by the name
    of the option."""
    own = {name: value for name, value in said.items() if not name.startswith(PREFIX)}
    further = {
        name.removeprefix(PREFIX): value
        for name, value in said.items()
        if name not in own and value is not None
    }
    return own, further
