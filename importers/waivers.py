"""Comments in configuration files that waive a rule: ``# topograph: waive TL-03 the reason``.

A comment begins with ``#``, ``*``, ``//`` or ``<!--``, whichever the format has, and stands
on a line of its own. It counts for the findings of that rule in its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from topograph.credentials import without_arguments
from topograph.findings import Finding, Source
from topograph.importers import lexical
from topograph.rules.waivers import waived_here

_COMMENT = re.compile(r"[ \t]*(?:#|\*|//|<!--)[ \t]*topograph:[ \t]*waive\b(.*)\Z", re.DOTALL)

_MARKS = (b"topograph:", "topograph:".encode("utf-16-le"), "topograph:".encode("utf-16-be"))


def waivers_in(contents: Mapping[str, bytes]) -> Iterator[Finding]:
    """A finding for each such comment in files, by path and line: what it waives, or that it gives
    no reason. Linear in the files; files without the word are not decoded.
    """
    for path, data in sorted(contents.items()):
        if not any(mark in data for mark in _MARKS):
            continue
        decoded = lexical.decode(data)
        if decoded is None:
            continue
        for line in lexical.lines(decoded.text):
            if "topograph:" in line.text and (found := _COMMENT.match(line.text)):
                comment = without_arguments(found[1])
                rule, _, reason = comment.strip().removesuffix("-->").strip().partition(" ")
                column = len(line.text) - len(line.text.lstrip()) + 1
                place = Source(path, line.number, column)
                yield waived_here(place, rule.rstrip(":"), reason.strip(" \t:-"))
