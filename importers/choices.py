"""What an import chooses where the files leave it open: which of several copies is read, which file
is a change of servers and not one of them, and whether a name that was made of a path may be that
of a server which other files name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from topograph.findings import Finding, Source
from topograph.importers.copies import beside_originals, named_alike, older, system_of
from topograph.importers.reading import Bundle, Copy, Recognised, Use
from topograph.rules.unnumbered import COPY_NOT_READ
from topograph.side_inputs import Choice, SideInputs, yaml_text


def copies_of(
    mains: Sequence[Recognised], passed_over: Mapping[str, str], side_inputs: SideInputs
) -> list[Copy]:
    """The main files that others take the place of: by name, or by the date in them; not of a
    server whose files topograph.yaml names."""
    chosen = {entry.server for entry in side_inputs.servers}
    left = [one for one in mains if one.path not in passed_over and one.server not in chosen]
    by_name = named_alike(left)
    paths = {one.path for one in by_name}
    return [*by_name, *older([one for one in left if one.path not in paths])]


_CHANGE = (
    "looks like a change script, and does not say which server it is of: judge it with topograph "
    "audit --change SERVER=FILE, or name its server in topograph.yaml (servers)"
)


def changes(mains: Sequence[Recognised], side_inputs: SideInputs) -> dict[str, str]:
    """The main files that hold a change to servers and do not say of which, where there are other
    files of that system: alone they are all that there is."""
    chosen = {path for entry in side_inputs.servers for path in entry.files}
    others = {system_of(file) for file in mains if not file.change}
    return {
        file.path: _CHANGE
        for file in mains
        if file.change and file.unnamed and file.path not in chosen and system_of(file) in others
    }


_AFFIX = re.compile(r"(?:qmgr|qm|mq)(?=..)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[_./%-]++")


def alike(name: str) -> str:
    """A name without what tells spellings of one name apart: case, separators, and QM before it.

    >>> alike("QM_ORANGE"), alike("orange"), alike("QM")
    ('orange', 'orange', 'qm')
    """
    plain = _SEPARATORS.sub("", name).casefold()
    begin = _AFFIX.match(plain)
    return plain[begin.end() :] or plain if begin else plain


def names_in_doubt(
    files: Sequence[Recognised], bundles: Sequence[Bundle], side_inputs: SideInputs
) -> Iterator[Choice]:
    """The names made of paths that are those of servers which other files name, but for case, for
    separators or for QM before them: nobody can say whether they are the same. Linear."""
    founded = {bundle.id for bundle in bundles}
    own = {(bundle.system, bundle.server) for bundle in bundles}
    hosts = {entry.server for entry in side_inputs.servers}
    spoken: dict[tuple[str, str], set[str]] = {}
    for file in files:
        for name in file.speaks_of:
            spoken.setdefault((system_of(file), alike(name)), set()).add(name)
    for file in files:
        if file.unnamed and file.path in founded and file.server not in hosts:
            system = system_of(file)
            fitting = spoken.get((system, alike(file.server)), set()) - {file.server}
            open_names = sorted(name for name in fitting if (system, name) not in own)
            if open_names:
                yield Choice("name", file.server, Source(file.path), open_names[0])


def copies_of_parts(files: Sequence[Recognised], bundles: Sequence[Bundle]) -> list[Copy]:
    """The sub-files that are copies, by their names, of sub-files that are read, by path."""
    parts = {file.path for bundle in bundles for file in bundle.files}
    copies = beside_originals(file.path for file in files)
    return [
        Copy(file.path, copies[file.path], "part")
        for file in files
        if file.role.use in (Use.SUB_FILE, Use.OTHER)
        and file.path not in parts
        and copies.get(file.path) in parts
    ]


def copy_not_read(one: Copy) -> Finding:
    """A copy that differs from what is read: which one counts is a matter of names and dates."""
    entry = f"servers: {{{yaml_text(one.server)}: {yaml_text(one.path)}}}"
    other = (
        f"name it in topograph.yaml ({entry})" if one.server else "leave the other out (exclude)"
    )
    message = f"This file is not used: it is {one.why}. If this one counts, {other}."
    return COPY_NOT_READ.at(Source(one.path), message, server=one.server)
