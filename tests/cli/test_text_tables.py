"""Tables of text answers: aligned column by column, and equal to what a cell after a cell gives."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from topograph.questions.texts.layout import ALIGNED, Cell, Page, Style, Tone
from topograph.words.visible import clean

TEXTS = st.one_of(
    st.text("ab→…· ", max_size=6),
    st.text("a\x1b\n\u202e日é\u0301", max_size=4),
    st.sampled_from(["", "x" * ALIGNED, "→" * (ALIGNED + 1)]),
)
PIECES = st.one_of(TEXTS, st.builds(Cell, TEXTS, st.sampled_from(Tone)))


def columns(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return len(text) + wide - sum(unicodedata.combining(one) > 0 for one in text)


def slowly(rows: Sequence[Sequence[str | Cell]], right: Sequence[int]) -> str:
    """The lines of a table, a cell after a cell."""
    texts = [[clean(one if isinstance(one, str) else one.text) for one in row] for row in rows]
    sizes = [[columns(text) for text in row] for row in texts]
    numbers = [number for number in range(len(rows[0])) if any(row[number] for row in sizes)]
    lines = []
    for row, taken in zip(texts, sizes, strict=True):
        line, waiting, aligned = "", 2, True
        for number in numbers:
            fitting = [size[number] for size in sizes if size[number] <= ALIGNED]
            width = max(fitting, default=ALIGNED)
            aligned = aligned and taken[number] <= width
            if not aligned and not taken[number]:
                continue
            room = " " * (width - taken[number] if aligned else 0)
            shown = row[number] if taken[number] else ""
            cell = room + shown if number in right else shown + room
            line += " " * waiting + cell
            waiting = 2
        lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\n") + "\n"


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.tuples(*[PIECES] * width), min_size=1, max_size=5)
    ),
    st.sets(st.integers(0, 3)),
)
def test_a_table_is_what_a_cell_after_a_cell_gives(
    rows: list[tuple[str | Cell, ...]], right: set[int]
) -> None:
    page = Page()
    page.table(rows, right=tuple(right))
    assert page.text() == slowly(rows, tuple(right))
    coloured = Page(Style(colour=True, width=10_000))
    coloured.table(rows, right=tuple(right))
    bare = coloured.text()
    for tone in Tone:
        bare = bare.replace(f"\x1b[{tone.value}m", "")
    lines = [line.rstrip() for line in bare.replace("\x1b[0m", "").split("\n")]
    assert "\n".join(lines).rstrip("\n") == page.text().rstrip("\n")
