"""A history and a bisection as text: the answer in the first line, then what led to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from topograph.findings import Source
from topograph.histories.records import (
    ALIKE,
    CHANGED,
    FIRST,
    OPEN,
    SAME,
    UNREAD,
    Bisection,
    CommitChange,
    CommitTold,
    Culprit,
    History,
)
from topograph.inexact import Cause
from topograph.questions.answers.audit import FindingBrought, LinkMoved
from topograph.questions.texts.audits import to_look_at
from topograph.questions.texts.layout import count, listed, place

_WIDTH = 80
_MOST_COMMITS = 20
"""Commits that are written without ``full``."""
_MOST_LINES = 6
"""Lines of a commit without ``full``."""


def history_text(history: History, *, full: bool = False) -> str:
    """The text form, ending in a line feed, the last commit first: those that change what the
    network does, or cannot be read. With ``full`` every one of them with all that is known.
    """
    lines = [*_wrapped(first_line(history)), ""]
    told = [one for one in reversed(history.commits) if one.result != ALIKE]
    shown = told if full else told[:_MOST_COMMITS]
    for one in shown:
        lines.append(one.commit.title)
        entries = [*change_lines(one)]
        kept = entries if full else entries[:_MOST_LINES]
        for entry in kept:
            lines += _entry(entry)
        if len(kept) < len(entries):
            lines.append(f"  and {len(entries) - len(kept):,} more (use --all)")
        lines.append("")
    if len(shown) < len(told):
        lines += [f"and {count(len(told) - len(shown), 'commit')} more (use --all)", ""]
    lines += ["Look next", f"  {_next(history)}"]
    return "\n".join(lines) + "\n"


def first_line(history: History) -> str:
    """The answer in a sentence or two."""
    counts = history.counts
    number = sum(counts.values()) - counts[SAME]
    if not number:
        told = f"None of {count(counts[SAME], 'commit')} changes the folder"
    else:
        change = "changes" if number == 1 else "change"
        told = f"{count(number, 'commit')} {change} the folder: "
        told += f"{counts[CHANGED]:,} what the network does, "
        told += f"{counts[ALIKE]:,} only what does not matter to it"
    if counts[OPEN]:
        told += f", of {counts[OPEN]:,} nobody can say whether they do"
    if counts[UNREAD]:
        told += f", and in {counts[UNREAD]:,} it cannot be read"
    told += "."
    causes = {because.cause for one in history.commits for because in one.inexact_because}
    if causes & {Cause.BUDGET, Cause.LIMIT}:
        told += " Not all was compared: see the commits."
    elif not history.exact:
        told += " What no loaded file shows may differ as well."
    if history.cut:
        told += f" Earlier commits are left out: {history.cut}."
    return told


def change_lines(one: CommitChange) -> Iterator[str]:
    """What a commit changed, worst first, a sentence each."""
    if one.result == UNREAD:
        yield f"cannot be read: {one.because}"
        return
    if one.result == FIRST:
        yield f"the first state: {count(one.servers, 'server')}"
        if one.because:
            yield one.because
        return
    found = one.behaviour
    if found is None or one.audit is None:
        return
    yield from to_look_at(one.audit)
    for one_does, many_do, rows, number in (
        ("comes", "come", found.servers.added, found.servers.added_count),
        ("goes", "go", found.servers.removed, found.servers.removed_count),
    ):
        if rows:
            names = listed([row.server for row in rows], 8)
            what = "the server" if number == 1 else f"{number:,} servers"
            does = one_does if number == 1 else many_do
            yield f"{what} {names} {does} ({place(rows[0].source)})"
    for change, links, number in (
        ("comes", found.links.added, found.links.added_count),
        ("goes", found.links.removed, found.links.removed_count),
        ("is altered", found.links.changed, found.links.changed_count),
    ):
        for link in links[:3]:
            yield f"the link {_link(link)} {change}{_altered(link)} ({place(link.source)})"
        if number > 3:
            yield f"and {number - 3:,} more links: {change}"
    held = {(row.server, row.name) for row in found.interest.lost}
    moved = [row for row in found.interest.gained if (row.server, row.name) in held]
    if moved:
        first = moved[0]
        yield (
            f"{count(len(moved), 'name')} from another neighbour than before, such as {first.name} "
            f"at {first.server}, now from {first.via}"
        )
    if found.single_points.gone:
        yield f"there is another way around {listed(found.single_points.gone)} now"
    yield from _findings(found.findings_gone)
    for open_ in found.left_open:
        behind = f" ({place(open_.source)})" if open_.source.file else ""
        yield f"left open: {open_.because}{behind}"
    known = {open_.because for open_ in found.left_open}
    for because in one.inexact_because:
        if because.message in known:
            continue
        yield f"not exact: {because.message}"


def _findings(gone: Sequence[FindingBrought]) -> Iterator[str]:
    for one in gone:
        yield f"no longer: {one.severity} {one.rule}: {one.message} ({place(one.source)})"


def _link(link: LinkMoved) -> str:
    return link.name or f"{link.from_} to {link.to}"


def _altered(link: LinkMoved) -> str:
    said = [f"before: {text}" for text in link.before] + [f"now: {text}" for text in link.after]
    return f", {'; '.join(said)}" if said else ""


def bisection_text(found: Bisection) -> str:
    """The text form, ending in a line feed."""
    lines = [*_wrapped(bisection_line(found)), ""]
    if found.first_bad is not None:
        lines += [found.first_bad.title]
        for one in found.culprits:
            lines += _entry(culprit_line(one))
        for evidence in found.evidence[:3]:
            lines += _entry(f"{evidence.text}{_at(evidence.source)}")
        if found.because:
            lines += _entry(f"no entry is named: {found.because}; the files above differ")
        lines.append("")
    if found.candidates:
        lines.append("One of")
        lines += [f"  {one.title}" for one in found.candidates]
        lines.append("")
    lines.append("Judged")
    for tested in found.tested:
        because = f": {tested.because}" if tested.because else ""
        lines += _entry(f"{tested.result:7} {tested.commit.title}{because}")
    if found.first_bad is not None and found.first_bad.parents:
        name = found.first_bad.short
        folder = f":{found.folder}" if found.folder else ":"
        lines += [
            "",
            "Look next",
            f"  topograph audit --before {name}~1{folder} --after {name}{folder}",
        ]
    return "\n".join(lines) + "\n"


def bisection_line(found: Bisection) -> str:
    """The answer in a sentence or two."""
    expected = listed([f"'{one.id}'" for one in found.expectations])
    if found.first_bad is None:
        because = f": {found.because}" if found.because else ""
        return (
            f"Nobody can say which commit broke {expected}; it is one of "
            f"{count(len(found.candidates), 'commit')}{because}."
        )
    told = f"{_called(found.first_bad)} broke {expected}"
    named = [one for one in found.culprits if one.kind != "file"]
    if len(named) == 1:
        told += f", in {place(named[0].source)}"
    elif named:
        how = "each of which does alone" if found.each_alone else "together"
        told += f", by {count(len(named), 'entry', 'entries')} {how}"
    return f"{told}."


def culprit_line(one: Culprit) -> str:
    """An entry that decides, in words with its lines."""
    what = f"the file {one.name}" if one.kind == "file" else f"{one.kind} {one.name}"
    if one.server and one.kind != "file":
        what += f" of {one.server}"
    if one.change == "removed" and one.kind != "file":
        return f"{what} was removed: it was at {place(one.source)}"
    was = f", before {place(one.was)}" if one.was.file and one.was != one.source else ""
    return f"{what} was {one.change}: {place(one.source)}{was}"


def _called(commit: CommitTold) -> str:
    subject = f" ({commit.subject})" if commit.subject else ""
    when = f" of {commit.when[:10]}" if commit.when else ""
    return f"{commit.short}{when}{subject}"


def _at(source: Source) -> str:
    return f" ({place(source)})" if source.file else ""


def _next(history: History) -> str:
    last = next((one for one in reversed(history.commits) if one.result == CHANGED), None)
    folder = f":{history.folder}"
    if last is None:
        return f"topograph show servers -s {history.commits[-1].commit.short}{folder}"
    name = last.commit.short
    return f"topograph audit --before {name}~1{folder} --after {name}{folder}"


def _entry(text: str) -> list[str]:
    return wrap(
        text,
        _WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _wrapped(text: str) -> list[str]:
    return wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
