"""A survey as text: the answer in its first line, at most 80 columns."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from textwrap import wrap

from topograph.surveying.found import is_old
from topograph.surveying.records import Survey
from topograph.systems.registry import title

_WIDTH = 80
_MOST = 20
"""Entries of a section that are listed without ``full``."""
_MOST_FILES = 6


def text(survey: Survey, *, full: bool = False) -> str:
    """The text form, ending in a line feed. With ``full`` every entry is listed."""
    lines = [*_wrapped(first_line(survey)), ""]
    for heading, entries in (
        ("Estates", _estates(survey)),
        ("Servers", _servers(survey, full=full)),
        ("Copies that are not read", _copies(survey)),
        ("Named, but not configured here", _named(survey)),
        ("Not read", _not_read(survey)),
    ):
        rows = list(entries)
        if rows:
            lines.append(heading)
            shown = rows if full or len(rows) <= _MOST else rows[:_MOST]
            for row in shown:
                lines += row
            if len(shown) < len(rows):
                lines.append(f"  and {len(rows) - len(shown):,} more (use --all)")
            lines.append("")
    lines += ["Look next", f"  {next_command(survey)}"]
    return "\n".join(lines) + "\n"


def first_line(survey: Survey) -> str:
    """The answer in a sentence or two."""
    if not survey.servers:
        return (
            f"{survey.path} holds {_count(survey.files, 'file')}, and none configures a server "
            "or router."
        )
    systems = sorted({one.system for one in survey.servers})
    count = _count(len(survey.servers), "server")
    told = f"{survey.path} holds {count} of {_listed([title(one) for one in systems])}"
    if survey.environments:
        folders = _listed([_folder(one.folder) for one in survey.environments])
        told += f", in {len(survey.environments)} estates: {folders}. Ask one of them"
    told += "."
    notes = []
    if survey.guessed:
        notes.append(f"{_count(len(survey.guessed), 'name')} guessed")
    if differing := [one for one in survey.copies if one.by in ("name", "date")]:
        notes.append(f"{_count(len(differing), 'differing copy', 'differing copies')} left aside")
    left = sum(
        "left out by" in one.because or "left out:" in one.because for one in survey.left_out
    )
    if left:
        notes.append(f"{_count(left, 'file')} left out by patterns")
    return f"{told} {'; '.join(notes).capitalize()}." if notes else told


def next_command(survey: Survey) -> str:
    """What to type next."""
    path = shlex.quote(survey.path)
    if not survey.servers:
        return "docs/inputs.md, for the files that are read"
    if survey.environments:
        chosen = next((one for one in survey.environments if not is_old(one.folder)), None)
        return f"topograph survey {(chosen or survey.environments[0]).ask.removeprefix('-s ')}"
    if survey.guessed or any(one.by in ("name", "date") for one in survey.copies):
        return f"topograph init {path}"
    return f"topograph check -s {path}"


def _estates(survey: Survey) -> Iterator[list[str]]:
    for one in survey.environments:
        old = ", an earlier state by its name" if is_old(one.folder) else ""
        told = f"describes {_listed(one.servers)}; ask it with"
        yield [*_entry(f"{_folder(one.folder)}{old}", told), f"    {one.ask}"]


def _servers(survey: Survey, *, full: bool) -> Iterator[list[str]]:
    for one in survey.servers:
        guess = ", a guessed name" if one.guessed else ""
        meant = f"; did you mean {one.did_you_mean}?" if one.did_you_mean else ""
        lines = _wrapped(f"{one.server} ({title(one.system)}{guess}{meant})", "  ")
        shown = one.files if full or len(one.files) <= _MOST_FILES else one.files[:_MOST_FILES]
        for file in shown:
            lines += _wrapped(f"{file.file}: {file.because}", "    ")
        if len(shown) < len(one.files):
            lines.append(f"    and {len(one.files) - len(shown):,} more files")
        yield lines


_BY = {
    "bytes": "has the same bytes as",
    "name": "differs from",
    "part": "is a copy by its name of",
    "date": "is older than",
}


def _copies(survey: Survey) -> Iterator[list[str]]:
    for one in survey.copies:
        yield _entry(one.file, f"{_BY[one.by]} {one.of}, which is read")


def _named(survey: Survey) -> Iterator[list[str]]:
    for one in survey.named_only:
        told = f"named at {one.source}" if one.source else "named"
        if one.did_you_mean:
            told += f"; did you mean {one.did_you_mean}, whose name is a guess?"
        if one.may_be:
            told += f"; may be its: {_listed(one.may_be)}"
        yield _entry(one.server, told)


def _not_read(survey: Survey) -> Iterator[list[str]]:
    for one in survey.left_out:
        yield _entry(one.file, one.because)


def _entry(name: str, told: str) -> list[str]:
    return _wrapped(f"{name}: {told}", "  ")


def _wrapped(line: str, indent: str = "") -> list[str]:
    """A line within the width; words that are longer stay whole, as paths have to."""
    found = wrap(
        line,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  " if indent else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return found or [indent]


def _folder(name: str) -> str:
    return "the folder itself" if name == "." else name


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def _listed(texts: Iterable[str]) -> str:
    found = list(texts)
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
