"""The words of a script: quotes, escapes, variables and what commands print into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from topograph.importers.shell.streams import Stream, Word, joined, lines_of, not_known, word
from topograph.importers.shell.syntax import tree_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPED_IN_QUOTES = '"\\$`'
_QUOTE = "\x01"
"""Stands for a quote where a here-document is taken for a text in quotes."""
_ANSI = {"n": "\n", "t": "\t", "'": "'", '"': '"', "\\": "\\"}
_EXPANDED = frozenset({"simple_expansion", "expansion", "command_substitution"})

Run = Callable[["Words", "Node"], Stream]


_PLAIN = frozenset({"word", "number", "variable_name"})
"""Nodes that stand for themselves."""


class Words:
    """Puts words together. ``variables`` are those whose value is known, to which ``${name:=word}``
    adds; ``run`` says what a command prints; ``offset`` is added to each line.
    """

    def __init__(self, source: bytes, variables: dict[str, Word], run: Run, offset: int) -> None:
        self.source, self.variables, self.run, self.offset = source, variables, run, offset

    def line(self, node: Node) -> int:
        """The line that a node begins in."""
        return node.start_point[0] + 1 + self.offset

    def text(self, node: Node) -> str:
        """A node as it is written."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def is_whole_line(self, node: Node) -> bool:
        """Whether nothing stands behind a node in its line."""
        behind = self.source.find(b"\n", node.end_byte)
        return not self.source[node.end_byte : behind if behind >= 0 else None].strip()

    def word(self, node: Node) -> Word:
        """What the shell makes of a word. Linear."""
        number, column, text = self.line(node), node.start_point[1], self.text(node)
        match node.type:
            case "concatenation":
                return joined(list(self._parts(node.children)))
            case "string" | "translated_string":
                return self._between(node, node.start_byte + text.index('"') + 1, node.end_byte - 1)
            case "raw_string":
                return word(text[1:-1], number, column + 1)
            case "ansi_c_string":
                return word(_unescaped(text[2:-1], _ANSI), number, column + 2)
            case "simple_expansion" | "expansion" | "command_substitution":
                return self._expanded(node)
            case "command_name":
                return self.word(node.children[0])
            case _ if node.type in _PLAIN:
                return word(_plain(text), number, column)
        return not_known(text, number, opaque=True)

    def _parts(self, nodes: Iterable[Node]) -> Iterator[Word]:
        """The words that nodes beside each other are; plain ones in one line are one word, for a
        text of ten thousand brackets has as many nodes. Linear.
        """
        for (kind, line), group in groupby(nodes, lambda one: (one.type, one.start_point[0])):
            some = list(group)
            if len(some) == 1 or kind not in _PLAIN or some[-1].end_point[0] != line:
                yield from map(self.word, some)
                continue
            texts = [_plain(self.text(one)) for one in some]
            first = next((at for at, text in enumerate(texts) if text), len(some) - 1)
            yield word("".join(texts), self.line(some[first]), some[first].start_point[1])

    def document(self, body: Node, *, expands: bool) -> Word:
        """The text of a here-document, without the end of its last line: a shell expands it as it
        does a text in quotes, but that a quote is none.
        """
        if not expands:
            return word(self.text(body).removesuffix("\n"), self.line(body))
        text = self.text(body).removesuffix("\n").replace('"', _QUOTE)
        source = f'"{text}"'.encode("utf-8", "surrogatepass")
        inner = Words(source, self.variables, self.run, self.line(body) - 1)
        node: Node | None = tree_of(source)
        while node is not None and node.type != "string":
            node = node.named_children[0] if node.named_children else None
        found = word("", self.line(body)) if node is None else inner.word(node)
        lines = (
            line._replace(text=line.text.replace(_QUOTE, '"'), column=0) for line in found.lines
        )
        return Word(tuple(lines), found.opaque)

    def _between(self, node: Node, start: int, end: int) -> Word:
        """The text of a node from byte to byte, with what its expansions stand for."""
        parts: list[Word] = []
        at, row, column = start, self.line(node), node.start_point[1] + start - node.start_byte
        for child in node.children:
            if child.type in _EXPANDED and child.start_byte >= at:
                blank = len(self.text(child)) - len(self.text(child).lstrip())  # belongs before it
                parts.append(self._literal(at, child.start_byte + blank, row, column))
                parts.append(self._expanded(child))
                at, column = child.end_byte, child.end_point[1]
                row = child.end_point[0] + 1 + self.offset
        parts.append(self._literal(at, end, row, column))
        return joined(parts)

    def _literal(self, start: int, end: int, number: int, column: int) -> Word:
        text = self.source[start:end].decode("utf-8", "replace")
        if "\\" not in text:
            return word(text, number, column)
        kept: list[str] = []
        at = 0
        while (found := text.find("\\", at)) >= 0:
            kept.append(text[at:found])
            behind = text[found + 1 : found + 2]
            kept.append(
                {"\n": ""}.get(behind, behind if behind in _ESCAPED_IN_QUOTES else f"\\{behind}")
            )
            at = found + 2
        return word("".join((*kept, text[at:])), number, column)

    def _expanded(self, node: Node) -> Word:
        number, text = self.line(node), self.text(node).lstrip()
        if node.type == "command_substitution":
            outputs = [part for child in node.named_children for part in self.run(self, child)]
            lines = lines_of(outputs)
            if lines is None or not outputs:
                return not_known(" ".join(text.split()), number, opaque=True)
            return Word(lines or word("", number).lines)
        name = next(
            (self.text(one) for one in node.children if one.type.endswith("variable_name")), ""
        )
        if node.type == "expansion":
            return self._default(node, name)
        known = self.variables.get(name)
        return known or not_known(text, number, unset=True)

    def _default(self, node: Node, name: str) -> Word:
        """``${name}``, ``${name:-word}`` and ``${name:=word}``; anything else nobody knows."""
        number, text = self.line(node), self.text(node)
        operator = next((one.type for one in node.children[2:-1] if not one.is_named), "")
        known = self.variables.get(name)
        if not operator:
            return known or not_known(text, number, unset=True)
        others = [one for one in node.named_children if not one.type.endswith("variable_name")]
        if operator not in (":-", "-", ":=", "=") or not (known or others):
            return not_known(text, number, opaque=True)
        found = known or joined([self.word(one) for one in others])
        if "=" in operator and not found.opaque:
            self.variables[name] = found
        return found


def _plain(text: str) -> str:
    """A word outside of quotes without its backslashes."""
    if "\\" not in text:
        return text
    parts: list[str] = []
    at = 0
    while (found := text.find("\\", at)) >= 0:
        parts.append(text[at:found])
        parts.append(text[found + 1 : found + 2].replace("\n", ""))
        at = found + 2
    return "".join((*parts, text[at:]))


def _unescaped(text: str, escapes: Mapping[str, str]) -> str:
    parts: list[str] = []
    at = 0
    while (found := text.find("\\", at)) >= 0:
        parts.append(text[at:found])
        behind = text[found + 1 : found + 2]
        parts.append(escapes.get(behind, f"\\{behind}"))
        at = found + 2
    return "".join((*parts, text[at:]))
