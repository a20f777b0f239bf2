"""The markup of a page, read by a parser that knows which elements are closed."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate
from typing import Any


def rows_of(table: dict[str, Any]) -> list[list[Any]]:
    """The rows of a table as ``topograph.viz.page.compact`` writes it."""

    def values(column: Any) -> list[Any]:
        if isinstance(column, list):
            return column
        return (
            [column["all"]] * table["rows"]
            if "all" in column
            else list(accumulate(column["steps"]))
        )

    return list(map(list, zip(*map(values, table["columns"]), strict=True)))


def unpacked(text: str) -> str:
    """The script or data of an element that ``topograph.viz.page.packing`` packed."""
    return zlib.decompress(base64.b85decode(text.translate(str.maketrans(",./", "<>&")))).decode()


VOID = {"meta", "link", "input", "br", "hr", "img", "path", "circle", "rect"}


@dataclass
class Markup(HTMLParser):
    """The elements of a page: open ones are checked against the ends that come."""

    text: str
    open: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)
        self.close()

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open[-1:] == [tag], (tag, self.open[-3:], self.getpos())
        self.open.pop()

    def handle_data(self, data):
        self.texts.append(data)
