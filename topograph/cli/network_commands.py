"""The commands of questions about the network that do more than ask: ``reach``, ``hops``,
``cycles``, ``interests``, ``services``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from topograph.cli.options import Asking, ended
from topograph.cli.output import write_hop_rows
from topograph.cli.question_commands import question_command
from topograph.cli.terminal import say
from topograph.errors import InputError
from topograph.files import names_file
from topograph.judgement import NO, YES, Judgement, Polarity
from topograph.questions.doubts import not_reached_if_assumed
from topograph.questions.records.interests import INTERESTS, LISTED
from topograph.questions.records.routes import CYCLES, HOPS, REACH
from topograph.questions.records.services import SERVICES
from topograph.questions.text import apart

if TYPE_CHECKING:
    from topograph.network import Network
    from topograph.questions.answers import ReachAnswer, ServicesAnswer


@question_command(REACH)
def reach(asking: Asking, from_: str, to: str | None, reply: bool, expect: str | None) -> None:
    """Ask ``reach``, and hold the answer against what is expected."""
    if expect and to is None:
        raise click.UsageError(
            "--expect is about one server: name it as TO (topograph reach FROM TO "
            "--expect reachable)."
        )
    network = asking.open()
    answer = network.reach(from_, to, reply=reply)
    judged = YES if expect is None else _expected(network, answer, expect)
    if judged.polarity is Polarity.NO:
        say(f"Not as expected: {to} was expected to be {expect} from {from_}.", err=True)
    elif not judged.decided:
        say(f"Cannot be decided: whether {to} is {expect} from {from_}: {judged.why}.", err=True)
    asking.tell(answer, violation=judged.polarity is not Polarity.YES)


def _expected(network: Network, answer: ReachAnswer, expect: str) -> Judgement:
    """Whether the answer, which is about one server, says what is expected of it, under the
    assumptions that it lists. What rests on servers or files that are not read is not decided."""
    several = apart(answer)
    if several:
        return Judgement(Polarity.UNKNOWN, why=several[0].rstrip("."))
    unread = unread_files(network)
    if unread:
        return Judgement(Polarity.UNKNOWN, why=f"{unread[0]} could not be read")
    decided = answer.exact and not answer.undetermined
    if expect == "reachable":
        if not answer.servers:
            return NO if decided else _open(answer)
        not_certain = [one for one in answer.servers if not one.certain]
        if any(one.later for one in not_certain):
            return Judgement(Polarity.UNKNOWN, why="messages wait on the way and get there later")
        if not_certain:
            return Judgement(Polarity.UNKNOWN, why="it is decided at run time")
        known = {row["server"]: row["loaded"] for row in network.show("servers").rows}
        passed = [name for one in answer.servers for name in one.path if known.get(name) is False]
        why = f"the files of {passed[0]} are not loaded" if passed else ""
        return Judgement(Polarity.UNKNOWN, why=why) if passed else YES
    if answer.unreachable or not_reached_if_assumed(answer.undetermined):
        return YES if answer.exact else _open(answer)
    certain = any(one.certain for one in answer.servers)
    return NO if certain or (answer.servers and not answer.undetermined) else _open(answer)


def _open(answer: ReachAnswer) -> Judgement:
    because = (one.because for one in answer.undetermined)
    cut = (one.message for one in answer.inexact_because)
    return Judgement(Polarity.UNKNOWN, why=next(iter((*because, *cut)), "nothing decides it"))


def unread_files(network: Network) -> list[str]:
    """The files that were recognised and of which nothing could be read, by path."""
    rows = network.show("files").rows
    return sorted({str(row["path"]) for row in rows if row["status"] == "not-read"})


@question_command(HOPS)
def hops(asking: Asking, from_: str | None, to: str | None, matrix: bool) -> None:
    """Ask ``hops`` of two servers, or of all with ``matrix``."""
    if matrix and from_ is None:
        network = asking.open()
        if asking.form == "jsonl":  # row by row: of any size
            write_hop_rows(network.hops_head(), network.hop_texts(), network.rows_cut)
            asking.write_cypher()
            context = click.get_current_context()
            context.exit(ended(context, 0))
        else:
            asking.tell(network.hops_matrix())
    elif from_ is not None and to is not None and not matrix:
        asking.tell(asking.open().hops(from_, to))
    else:
        from topograph.cli.server_names import servers_of

        which = "" if matrix else servers_of(asking.snapshot, asking.network)
        raise click.UsageError(
            "Name two servers (topograph hops FROM TO), or ask for all of them with --matrix "
            f"alone. {which}".rstrip()
        )


@question_command(CYCLES)
def cycles(asking: Asking, strict: bool, pairs: bool) -> None:
    """Ask ``cycles``."""
    asking.tell(asking.open().cycles(strict=strict), full=pairs)


@question_command(INTERESTS)
def interests(asking: Asking, server: str | None, observed: str | None) -> None:
    """Ask ``interests``, with the observed names of a file or what servers listed."""
    from topograph.cli.question_files import read_observed

    if observed is None or observed == LISTED:
        asking.tell(asking.open().interests(server, observed=None if observed is None else LISTED))
        return
    try:
        held = read_observed(observed)
    except InputError as error:
        if server is not None or names_file(observed):
            raise
        raise InputError(
            f"{error} To ask about a server, write its name before --observed."
        ) from None
    asking.tell(asking.open().interests(server, observed=held))


@question_command(SERVICES)
def services(
    asking: Asking,
    address: str | None,
    server: str | None,
    listener: str | None,
    expect: str | None,
) -> None:
    """Ask ``services``, and hold each listener against what is expected."""
    network = asking.open()
    answer = network.services(address or "", server=server or "", listener=listener or "")
    judged = YES if expect is None else _services_expected(network, answer, expect)
    if judged.polarity is Polarity.NO:
        say(f"Not as expected: {judged.why} was expected to be {expect}.", err=True)
    elif not judged.decided:
        say(f"Cannot be decided: whether every listener is {expect}: {judged.why}.", err=True)
    asking.tell(answer, violation=judged.polarity is not Polarity.YES)


def _services_expected(network: Network, answer: ServicesAnswer, expect: str) -> Judgement:
    """Whether every listener of the answer is as expected; the first one that is not is why."""
    several = apart(answer)
    if several:
        return Judgement(Polarity.UNKNOWN, why=several[0].rstrip("."))
    if unread := unread_files(network):
        return Judgement(Polarity.UNKNOWN, why=f"{unread[0]} could not be read")
    if not answer.listeners:
        return Judgement(Polarity.UNKNOWN, why="no listener is loaded")
    wanted, other = ("yes", "no") if expect == "served" else ("no", "yes")
    named = {
        one.judgement: f"the listener {one.name} of {one.server}"
        for one in reversed(answer.with_own_clients)
    }
    if other in named:
        return Judgement(Polarity.NO, why=named[other])
    left = next((named[one] for one in named if one != wanted), "")
    if left:
        return Judgement(Polarity.UNKNOWN, why=f"{left} cannot be determined")
    if not answer.exact:
        return Judgement(Polarity.UNKNOWN, why=answer.inexact_because[0].message)
    return YES
