"""The commands that ask about the network: ``reach``, ``hops``, ``paths``, ``cycles``, ``interests``, ``check``."""

from __future__ import annotations

import click

from topograph.cli.options import Asking, question_options
from topograph.cli.output import write_hop_rows


@click.command()
@click.argument("from_", metavar="FROM")
@click.argument("to", metavar="[TO]", required=False)
@click.option("--reply", is_flag=True, help="Ask for the way of a reply: from the replier back to FROM.")
@click.option(
    "--expect",
    type=click.Choice(["reachable", "unreachable"]),
    help="End with exit code 1 unless TO is found to be so; what cannot be decided is never as expected.",
)
@question_options
def reach(asking: Asking, from_: str, to: str | None, reply: bool, expect: str | None) -> None:
    """Which servers does FROM reach? With TO: does FROM reach TO, and over which path?

    \b
    Examples:
      topograph reach A
      topograph reach A B --expect reachable
    """
    if expect and to is None:
        raise click.UsageError(
            "--expect is about one server: name it as TO (topograph reach FROM TO --expect reachable)."
        )
    answer = asking.open().reach(from_, to, reply=reply)
    unexpected = expect is not None and _unexpected(answer, to, expect)
    if unexpected:
        click.echo(f"Not as expected: {to} was expected to be {expect} from {from_}.", err=True)
    asking.tell(answer, violation=unexpected)


def _unexpected(answer: object, to: str | None, expect: str) -> bool:
    """True unless the answer says what is expected of ``to``."""
    from topograph.questions.answers import ReachAnswer

    assert isinstance(answer, ReachAnswer)
    if expect == "reachable":
        return all(server.server != to for server in answer.servers)
    return to not in answer.unreachable


@click.command()
@click.argument("from_", metavar="[FROM]", required=False)
@click.argument("to", metavar="[TO]", required=False)
@click.option(
    "--matrix", is_flag=True, help="The hops between all servers; of more than 2,000 servers with --format jsonl."
)
@question_options
def hops(asking: Asking, from_: str | None, to: str | None, matrix: bool) -> None:
    """How many hops is it from FROM to TO, and in which zones?

    \b
    Examples:
      topograph hops A B
      topograph hops --matrix --format jsonl
    """
    if matrix and from_ is None:
        network = asking.open()
        if asking.form == "jsonl":  # row by row: of any size
            write_hop_rows(network.hops_head(), network.hop_rows())
        else:
            asking.tell(network.hops_matrix())
    elif from_ is not None and to is not None and not matrix:
        asking.tell(asking.open().hops(from_, to))
    else:
        raise click.UsageError("Name two servers (topograph hops FROM TO), or ask for all of them with --matrix alone.")


@click.command()
@click.argument("from_", metavar="FROM")
@click.argument("to", metavar="TO")
@click.option(
    "--max", "maximum", type=click.IntRange(min=1), default=10, show_default=True, help="The most paths to list."
)
@question_options
def paths(asking: Asking, from_: str, to: str, maximum: int) -> None:
    """Which paths lead from FROM to TO? Shortest first.

    \b
    Example:
      topograph paths A B --max 3
    """
    asking.tell(asking.open().paths(from_, to, maximum=maximum))


@click.command()
@click.option("--strict", is_flag=True, help="Also refuse what the vendor's temporary-topic rule would accept.")
@question_options
def cycles(asking: Asking, strict: bool) -> None:
    """Does any server have more than one path to another (a multi-path cycle)?

    Exit code 1 if a server would hold a name over more than one route.

    \b
    Example:
      topograph cycles --strict
    """
    asking.tell(asking.open().cycles(strict=strict))


@click.command()
@click.argument("server", metavar="[SERVER]", required=False)
@click.option(
    "--observed",
    metavar="FILE",
    help='Compare with what servers were observed to hold: JSON, {"SERVER": ["$TMP$.A.>", ...]} or '
    '{"SERVER": [{"name": ..., "via": ...}]}.',
)
@question_options
def interests(asking: Asking, server: str | None, observed: str | None) -> None:
    """Which names does SERVER (or each server) hold, and which neighbour did it learn them from?

    \b
    Examples:
      topograph interests B
      topograph interests --observed observed.json
    """
    from topograph.cli.question_files import read_observed

    held = read_observed(observed) if observed else None
    asking.tell(asking.open().interests(server, observed=held))


@click.command()
@question_options
def check(asking: Asking) -> None:
    """What is wrong or risky in the configuration? The lint rules, worst first.

    Exit code 1 if anything is found that is worse than information.

    \b
    Example:
      topograph check --format jsonl
    """
    asking.tell(asking.open().check())
