"""A survey as a topograph.yaml: what could be guessed, each entry with its evidence. What changes
an answer is a comment until somebody has looked at it, but for names that are nearly certain."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.side_inputs import yaml_text
from topograph.surveying.found import is_old
from topograph.surveying.records import Survey
from topograph.words.visible import clean

SCHEMA = "# yaml-language-server: $schema=topograph.schema.json"
"""The first line: editors check and complete the file by a schema of that name beside it, which
``topograph schema topograph.yaml`` gives."""


def draft(survey: Survey) -> str:
    """The text of a topograph.yaml, ending in a line feed. Entries that are guesses stand behind
    ``#``: remove it from those that are right."""
    lines = [
        SCHEMA,
        "# (That schema: topograph schema topograph.yaml > topograph.schema.json)",
        "# What topograph found in this folder and could not be sure of. Entries behind # are",
        "# guesses: remove the # of those that are right. All keys: docs/side-inputs.md.",
    ]
    for section in (_exclude, _environments, _names, _hosts):
        found = list(section(survey))
        if found:
            lines += ["", *found]
    if len(lines) == 4:
        lines += ["", "# Nothing had to be guessed: this file may stay as it is, or be deleted."]
    return "\n".join(lines) + "\n"


def _exclude(survey: Survey) -> Iterator[str]:
    """Copies that the import leaves aside: to leave them out says that this is right."""
    copies = [one for one in survey.copies if one.by in ("name", "date")]
    old = [one.folder for one in survey.environments if is_old(one.folder)]
    if not (copies or old):
        return
    yield "# Files that are not read. Without an entry answers say that there is a copy."
    yield "exclude:" if copies else "# exclude:"
    for one in copies:
        by = "older, by the date in it, than" if one.by == "date" else "by its name a copy of"
        yield f"  - {yaml_text(_pattern(one.file))}  # {by} {_line(one.of)}"
    for folder in old:
        pattern = yaml_text(f"{_pattern(folder)}/")
        yield f"#  - {pattern}  # an earlier state, by the name of the folder"


def _environments(survey: Survey) -> Iterator[str]:
    estates = [one for one in survey.environments if not is_old(one.folder)]
    if len(survey.environments) < 2 or not estates:
        return
    yield "# These folders describe the same servers: they are separate estates."
    yield "# Ask one of them, or include one here."
    for one in estates:
        yield f"#   {_line(one.folder)}: {_line(', '.join(one.servers))} ({_line(one.ask)})"
    inside = [one for one in estates if one.folder != "."]
    if inside:
        chosen = next((one for one in inside if "prod" in one.folder.lower()), inside[0])
        yield f"# include: [{yaml_text(f'{_pattern(chosen.folder)}/')}]"


def _names(survey: Survey) -> Iterator[str]:
    if not survey.guessed:
        return
    yield "# The names of these servers are in no file. They were made of names of files and"
    yield "# folders."
    yield "# servers:"
    for one in survey.guessed:
        main = one.files[0]
        meant = f"; {_line(one.did_you_mean)} in other files" if one.did_you_mean else ""
        name = one.did_you_mean or one.server
        yield (
            f"#   {yaml_text(name)}: {yaml_text(main.file)}  # by "
            f"{'the name of the file' if main.evidence == 'file-name' else 'its folder'}{meant}"
        )


def _hosts(survey: Survey) -> Iterator[str]:
    if not survey.hosts:
        return
    yield "# Hosts that connections name, and the servers that they may be."
    yield "# hosts:"
    for one in survey.hosts:
        yield f"#   {yaml_text(one.host)}: {yaml_text(one.server)}  # {_line(one.because)}"


_SPECIAL = "\\*?[]!#"


def _pattern(path: str) -> str:
    r"""A pattern that matches one path below the folder and no other.

    >>> print(_pattern("a/Copy of x [1].conf"))
    /a/Copy of x \[1\].conf
    """
    return "/" + "".join(f"\\{one}" if one in _SPECIAL else one for one in path)


def _line(text: str) -> str:
    """A text within a comment: of one line."""
    return clean(" ".join(text.split()))
