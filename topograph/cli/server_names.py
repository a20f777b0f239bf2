"""Which servers a command line could name, where it names none."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from topograph.cli.defaults import DEFAULT_SNAPSHOT, SNAPSHOT_VARIABLE
from topograph.errors import TopographError
from topograph.questions.texts.layout import listed

MOST = 12
"""Names that a message lists."""


def there_are(command: click.Command, context: click.Context, args: Sequence[str]) -> str:
    """The servers of what a command line asks about, in a sentence; empty where that cannot be
    opened, which is another mistake than the one at hand.
    """
    options, _, _ = command.make_parser(context).parse_args(args=list(args))
    snapshot = options.get("snapshot") or os.environ.get(SNAPSHOT_VARIABLE) or DEFAULT_SNAPSHOT
    return servers_of(str(snapshot), options.get("network"))


def servers_of(snapshot: str, network: str | None) -> str:
    """The servers of a network, in a sentence. See ``there_are``."""
    from topograph.network import open_network

    try:
        opened = open_network(snapshot, network, "memory")
    except TopographError:
        return ""
    names = opened.server_names()
    return f"Servers of network {opened.name}: {listed(names, MOST)}." if names else ""
