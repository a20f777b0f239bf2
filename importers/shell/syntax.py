"""The grammar of a shell."""

from __future__ import annotations

import re
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


def tree_of(source: bytes) -> Node:
    """The syntax tree of a script. Raises NotFollowed where it is none by the grammar, and for a
    line of ``MOST_MARKS``, of which the parser makes a tree in quadratic time."""
    for line in source.split(b"\n"):
        if len(line) > MOST_MARKS and sum(map(line.count, (b"<", b">", b"|"))) > MOST_MARKS:
            raise NotFollowed
    root = _parser().parse(source).root_node
    if root.has_error:
        raise NotFollowed
    return root
