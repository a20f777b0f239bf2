"""Completion in a shell: of commands and options as click knows them, of names out of the snapshot
that the line is about.

Whatever fails, nothing is said: a message would land in the middle of the line that is being typed.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, ShellComplete

from topograph.cli.completion_scripts import SCRIPTS
from topograph.cli.defaults import DEFAULT_SNAPSHOT, SNAPSHOT_VARIABLE
from topograph.records import record

if TYPE_CHECKING:
    from topograph.store.snapshot import Snapshot
from topograph.cli.terminal import say
from topograph.words.visible import clean

VARIABLE = "_TOPOGRAPH_COMPLETE"
"""``<shell>_source`` prints the shell's script; ``<shell>_complete`` answers a TAB."""

_LATER_OPTIONS = ("-s", "--snapshot", "--network")
"""Options that say what is asked about, heeded after the cursor too."""


def run(command: click.Command, environment: Mapping[str, str] = os.environ) -> int:
    """Do what ``VARIABLE`` says, and say the exit code: 2 for a shell that is not known, else 0."""
    shell, _, task = environment[VARIABLE].partition("_")
    if task == "source" and shell in SCRIPTS:
        sys.stdout.write(SCRIPTS[shell].lstrip())
        return 0
    if task != "complete":
        say(
            f"Error: {VARIABLE} is one of {', '.join(f'{name}_source' for name in SCRIPTS)}.",
            err=True,
        )
        return 2
    try:
        rows = list(answer(command, shell, environment))
    except Exception:  # a half-typed line, a snapshot that is not there: nothing to offer
        return 0
    sys.stdout.write("".join(f"{row}\n" for row in rows))
    return 0


def answer(command: click.Command, shell: str, environment: Mapping[str, str]) -> Iterator[str]:
    """The rows for a shell's script: kind, value and help. Raises whatever a half-typed line
    brings about.
    """
    words = list(split(environment["COMP_LINE"]))
    typed = words.pop()
    arguments = [word.text for word in words[1:]]
    arguments[1:1] = _later(environment.get("COMP_AFTER", ""))
    items = ShellComplete(command, {}, "topograph", VARIABLE).get_completions(arguments, typed.text)
    option, equals, _ = typed.text.partition("=")
    glued = (
        f"{option}=" if equals and option.startswith("--") else ""
    )  # click completes what is behind it
    for item in items:
        if clean(item.value) != item.value:
            continue  # cannot be typed, or would act on the terminal
        value = f"{glued}{item.value}"
        if shell == "bash" and item.type in ("plain", "open"):
            value = _for_bash(value, typed, environment.get("COMP_REPLACED", ""))
        yield f"{item.type}\t{value}\t{clean(item.help or '')}"


@record
class LineWord:
    """A word of a line: what it stands for, how it is written, and the quote that is open at its
    end.
    """

    text: str = ""
    written: str = ""
    quote: str = ""


def split(line: str) -> Iterator[LineWord]:
    r"""The words of a line up to the cursor, as a shell reads them; the last is the one being
    typed. Linear.

    >>> [word.text for word in split('topograph reach "HQ 1" MAD')], list(split("reach "))[-1]
    (['topograph', 'reach', 'HQ 1', 'MAD'], LineWord(text='', written='', quote=''))
    """
    text = written = quote = ""
    escaped = False
    for character in line:
        if character == " " and not quote and not escaped:
            if written:
                yield LineWord(text, written)
            text = written = ""
            continue
        written += character
        if escaped:
            text, escaped = text + character, False
        elif character == "\\" and quote != "'":
            escaped = True
        elif character == quote:
            quote = ""
        elif character in "'\"" and not quote:
            quote = character
        else:
            text += character
    yield LineWord(text, written, quote)


def _later(after: str) -> list[str]:
    """The options after the cursor that say what is asked about."""
    words = [word.text for word in split(after)]
    found: list[str] = []
    for option, value in itertools.pairwise(words):
        if option in _LATER_OPTIONS and value:
            found += [option, value]
    return found


def _for_bash(value: str, typed: LineWord, replaced: str) -> str:
    """The part of ``value`` that takes the place of ``replaced``, quoted as the word was begun."""
    kept = typed.written.removesuffix(replaced) if replaced else typed.written
    before = next(reversed(list(split(kept)))).text if kept else ""
    rest = value[len(before) :]
    if typed.quote == "'":
        return rest.replace("'", "'\\''")
    if typed.quote == '"':
        return re.sub(r'([\\"$`])', r"\\\1", rest)
    return re.sub(r"([^\w@%+=:,./>*-])", r"\\\1", rest) if rest else rest


def servers(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The servers and routers of the snapshot."""
    return _items(_servers(context), incomplete)


def destinations(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The configured destinations that a message can be published to: those whose names stand
    for themselves alone.
    """
    names = _destinations(context)
    return _items((name for name in names if not _stands_for_several(name)), incomplete)


def subscribers(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """``SERVER:``, and after it what can be subscribed to: not queues."""
    server, colon, _topic = incomplete.partition(":")
    if not colon:
        return _items((f"{name}:" for name in _servers(context)), incomplete, "open")
    names = (name for name in _destinations(context) if not name.startswith("queue:"))
    return _items((f"{server}:{name}" for name in names), incomplete)


def networks(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The networks of the snapshot."""
    from topograph.store.names import network_names

    path = _asked_about(context)[0]
    read = _configuration(path)
    return _items(network_names(path) if read is None else read.networks, incomplete)


def snapshots(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The snapshots and archives in the folder that is being typed, and the folders on the way
    to one.
    """
    from topograph.store.archives import is_archive
    from topograph.store.names import is_snapshot

    typed = Path(incomplete)
    folder = typed if incomplete.endswith("/") or not incomplete else typed.parent
    begun = incomplete.rpartition("/")[2]
    written = incomplete.removesuffix(begun) if begun else incomplete
    found = []
    for entry in sorted(folder.expanduser().iterdir()):
        if not entry.name.startswith(begun) or (not begun and entry.name.startswith(".")):
            continue
        if entry.is_dir() or is_archive(entry.name):
            if is_snapshot(entry) or not entry.is_dir():
                found.append(CompletionItem(f"{written}{entry.name}"))
            else:
                found.append(CompletionItem(f"{written}{entry.name}/", type="open"))
    return found


def statements(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The Cypher statements that people can ask for by name."""
    from topograph.cypher import names

    return _items(names("questions"), incomplete)


def _servers(context: click.Context) -> list[str]:
    from topograph.store.names import server_names

    path, network = _asked_about(context)
    read = _configuration(path)
    if read is None:
        return server_names(path, network)
    return sorted(
        {
            server.name
            for name in read.networks
            for each in read.graph_tables(name)
            for server in each.servers
        }
    )


def _destinations(context: click.Context) -> list[str]:
    from topograph.store.names import destination_names, destinations_among

    path, network = _asked_about(context)
    read = _configuration(path)
    if read is None:
        return destination_names(path, network)
    from topograph.facts.rows import encode

    return destinations_among(
        lambda kind: {
            encode(fact)["payload"]
            for name in read.networks
            for fact in read.facts(name, kinds=(kind,))
        }
    )


def _configuration(path: Path) -> Snapshot | None:
    """What a folder or archive of configuration holds, which is read unless the cache has it;
    None for a snapshot.
    """
    from topograph.opening.models import is_configuration

    if not is_configuration(str(path)):
        return None
    from topograph.opening.folders import open_folder

    return open_folder(path)


def _asked_about(context: click.Context) -> tuple[Path, str | None]:
    """The snapshot that the line, the environment or the default names, and the network."""
    snapshot = (
        context.params.get("snapshot") or os.environ.get(SNAPSHOT_VARIABLE) or DEFAULT_SNAPSHOT
    )
    return Path(snapshot).expanduser(), context.params.get("network")


def _items(values: Iterable[str], incomplete: str, kind: str = "plain") -> list[CompletionItem]:
    return [CompletionItem(value, type=kind) for value in values if value.startswith(incomplete)]


def _stands_for_several(destination: str) -> bool:
    return any(element in ("*", ">", "#") for element in re.split(r"[.:/]", destination))
