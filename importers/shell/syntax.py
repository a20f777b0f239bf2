"""The grammar of a shell."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


class NotFollowed(Exception):
    """A script is longer, deeper or runs more than is followed, or is none of this shell."""


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def tree_of(source: bytes) -> Node:
    """The syntax tree of a script. Raises NotFollowed where it is none by the grammar."""
    root = _parser().parse(source).root_node
    if root.has_error:
        raise NotFollowed
    return root
