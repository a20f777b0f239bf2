"""The grammar of a shell."""

from __future__ import annotations

import re
import time
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


class NotFollowed(Exception):
    """A script is longer, deeper or runs more than is followed, or is none of this shell."""


_ANOTHER_SHELL = re.compile(
    r"^(?:@echo\b|@?rem\b|set \w++=|setlocal\b|goto |call |type \S++ *+\||if exist |Get-Content )"
    r"|%\w{2,}+%",
    re.IGNORECASE | re.MULTILINE,
)
"""What batch files and PowerShell have alone. Their lines may look to the grammar like a script."""


def is_of_another_shell(text: str) -> bool:
    """Whether a text is a batch file or one of PowerShell. Linear."""
    return not text.startswith("#!") and _ANOTHER_SHELL.search(text) is not None


MOST_MARKS = 1000
"""Characters that begin a redirection or a pipe, in one line."""


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


SECONDS_AT_LEAST, SECONDS_PER_BYTE = 0.5, 5e-6
"""What the parser may take of the processor: five to ten times what it takes for a script. Only a
text that is none by the grammar takes it longer, in which the parser tries each way to go on."""


def tree_of(source: bytes) -> Node:
    """The syntax tree of a script. Raises NotFollowed where it is none by the grammar, for a
    line of ``MOST_MARKS``, of which the parser makes a tree in quadratic time, and where the parser
    takes too long. Linear."""
    for line in source.split(b"\n"):
        if len(line) > MOST_MARKS and sum(map(line.count, (b"<", b">", b"|"))) > MOST_MARKS:
            raise NotFollowed
    root = _root_of(source)
    if root is None or root.has_error:
        raise NotFollowed
    return root


def _root_of(source: bytes) -> Node | None:
    """What the parser makes of a text; None where it takes too long."""
    ends = time.thread_time() + SECONDS_AT_LEAST + SECONDS_PER_BYTE * len(source)
    late = False

    def looked(_at: int, _error: bool) -> bool:
        nonlocal late
        late = time.thread_time() > ends
        return late

    parser = _parser()
    try:
        tree = parser.parse(
            lambda at, _: source[at : at + _PIECE], encoding="utf8", progress_callback=looked
        )
    except ValueError:  # what a parser that was stopped ends with
        if not late:
            raise
        parser.reset()
        return None
    return tree.root_node


_PIECE = 1 << 16
"""Bytes that the parser is given at once."""
