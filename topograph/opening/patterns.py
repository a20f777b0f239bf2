"""Which of the files in a folder are read: patterns as in ``.gitignore`` that leave files out, or
that alone let files in, from ``.topographignore``, topograph.yaml and the command line.

They are applied to a listing before anything is read, so that what is left out is no part of a
snapshot but for its row in ``show files``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from topograph.errors import UsageError
from topograph.findings import Source
from topograph.importers import lexical
from topograph.importers.side_inputs import FILE_NAMES
from topograph.opening.selection import Selection
from topograph.records import record
from topograph.rules.unnumbered import PATTERN_INVALID
from topograph.store.listing import IGNORE_FILE, Listing

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

    from topograph.side_inputs import SideInputs


@record
class _Pattern:
    """A pattern, and where it is from in words."""

    text: str
    place: str
    source: Source | None = None


def selected(
    listing: Listing,
    given: Selection,
    side_inputs: SideInputs,
    read: Callable[[str], bytes | None],
) -> Listing:
    """The listing without the files that the patterns leave out; ``read`` gives the content of a
    listed file. A file of side inputs always stays.

    Raises UsageError for a pattern of ``given`` that is none; of one in a file there is a finding.
    Linear in the files, times the patterns.
    """
    ignore = [file for file in listing.files if file.path == IGNORE_FILE]
    exclude = [
        *_ignored(read(IGNORE_FILE) if ignore else None),
        *(_Pattern(one.text, str(one.source), one.source) for one in side_inputs.exclude),
        *(_Pattern(text, "--exclude") for text in given.exclude),
    ]
    include = [
        *(_Pattern(one.text, str(one.source), one.source) for one in side_inputs.include),
        *(_Pattern(text, "--include") for text in given.include),
    ]
    if not (exclude or include or ignore):
        return listing
    findings = []
    left_out: dict[str, str] = {}
    kept_out = _Patterns(exclude)
    let_in = _Patterns(include)
    for one in (*kept_out.faults, *let_in.faults):
        if one.source is None:
            raise UsageError(
                f"{one.place} {one.text!r} is not a pattern as in .gitignore. Write a name such "
                "as *.bak, a folder such as old/, or a path such as /DEV/a.conf."
            )
        message = (
            f"{one.text!r} is not a pattern as in .gitignore: it has no effect. Write a name such "
            "as *.bak, or a folder such as old/."
        )
        findings.append(PATTERN_INVALID.at(one.source, message))
    for file in listing.files:
        if file.path == IGNORE_FILE:
            left_out[file.path] = "patterns of files to leave out"
        elif file.path not in FILE_NAMES and (why := _why_not(file.path, kept_out, let_in)):
            left_out[file.path] = why
    apart = {one.source.file for one in listing.findings if one.source.file not in left_out}
    gone = {path for path in apart if path != "." and kept_out.match(path) is not None}
    return replace(
        listing,
        files=tuple(file for file in listing.files if file.path not in left_out),
        findings=tuple(
            sorted(
                [
                    *(
                        one
                        for one in listing.findings
                        if one.source.file not in left_out and one.source.file not in gone
                    ),
                    *findings,
                ],
                key=lambda finding: (finding.source, finding.kind),
            )
        ),
        left_out=tuple(sorted(left_out.items())),
    )


def _why_not(path: str, kept_out: _Patterns, let_in: _Patterns) -> str:
    """Why a file is left out; empty where it is not."""
    by = kept_out.match(path)
    if by is not None:
        return f"left out by the pattern {by.text} ({by.place})"
    if let_in.patterns and let_in.match(path) is None:
        first = let_in.patterns[0]
        more = f" and {len(let_in.patterns) - 1} more" if len(let_in.patterns) > 1 else ""
        return f"left out: not among what is included ({first.text}{more}, {first.place})"
    return ""


class _Patterns:
    """Patterns, of which the last that matches a path decides."""

    def __init__(self, patterns: Sequence[_Pattern]) -> None:
        made = [(one, _spec([one.text])) for one in patterns]
        self.faults = [one for one, spec in made if spec is None]
        self.patterns = [one for one, spec in made if spec is not None]
        self._spec = _spec([one.text for one in self.patterns]) if self.patterns else None

    def match(self, path: str) -> _Pattern | None:
        """The pattern by which a path is among them; None where none is, or one takes it out."""
        found = self._spec.check_file(path) if self._spec is not None else None
        if found is None or not found.include or found.index is None:
            return None
        return self.patterns[found.index]


def _spec(lines: Iterable[str]) -> GitIgnoreSpec | None:
    """The compiled patterns; None where one of them is none."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return None


def _ignored(data: bytes | None) -> Iterator[_Pattern]:
    """The patterns of a ``.topographignore``, by line."""
    decoded = lexical.decode(data) if data is not None else None
    for line in lexical.lines(decoded.text.removeprefix("\ufeff")) if decoded is not None else ():
        text = line.text.rstrip()
        if text and not text.startswith("#"):
            source = Source(IGNORE_FILE, line.number, 1)
            yield _Pattern(text, f"{IGNORE_FILE}:{line.number}", source)
