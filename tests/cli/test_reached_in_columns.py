"""Servers that are reached are columns where they can be; the answer is what it is without."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import drawn
from drawn.networks import estates, read_files
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.cli.output import json_document
from topograph.questions import reach
from topograph.questions.answers import ReachAnswer
from topograph.questions.answers.reached import ReachedServers
from topograph.questions.text import text
from topograph.questions.texts import layout
from topograph.questions.texts.layout import PLAIN, Page, Style

STYLES = (PLAIN, Style(symbols=False), Style(colour=True, width=60), Style(width=100))


def asked(network: topograph.Network, server: str, tree: Any) -> tuple[ReachAnswer, list[str]]:
    """The answer about a server with ``tree`` to find the tree of paths, and all its forms."""
    with pytest.MonkeyPatch.context() as patched:
        if tree is not None:
            patched.setattr(reach, "certain_tree", tree)
        answer = network.reach(server)
    forms = [text(answer, style) for style in STYLES]
    return answer, [*forms, *json_document(answer)]


def compare(network: topograph.Network, servers: list[str]) -> int:
    """Ask about servers both ways; how many answers were columns."""
    columns = 0
    for server in servers:
        answer, forms = asked(network, server, None)
        plain, plain_forms = asked(network, server, lambda *_: None)
        assert forms == plain_forms
        assert answer.servers == plain.servers
        assert not isinstance(plain.servers, ReachedServers)
        columns += isinstance(answer.servers, ReachedServers)
    return columns


@pytest.mark.parametrize("number", range(12))
def test_drawn_networks_answer_the_same(number: int, tmp_path: Path) -> None:
    estate = drawn("ems", "one", number)
    network = read_files(tmp_path, estate.files)
    compare(network, list(network.server_names()))


def test_a_company_answers_the_same_in_columns(tmp_path: Path) -> None:
    estates().write(estates().company(12), tmp_path)
    network = topograph.read(tmp_path)
    names = random.Random(7).sample(network.server_names(), 5)
    assert compare(network, names) == len(names)


CELLS = st.text("aä→ 日\u0301b", max_size=7)
ROWS = st.integers(1, 5).flatmap(lambda wide: st.lists(st.tuples(*[CELLS] * wide), max_size=6))


@given(ROWS, st.sets(st.integers(0, 4)), st.integers(1, 8))
def test_tables_place_every_row_as_it_would_be_placed_alone(
    rows: list[tuple[str, ...]], right: set[int], most: int
) -> None:
    page, in_columns = Page(), Page()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(layout, "ALIGNED", most)
        page.table(rows, right=tuple(right))
        in_columns.columns([*zip(*rows, strict=True)], right=tuple(right))
    sizes = [[layout._columns(cell) for cell in row] for row in rows]
    kept = [at for at, taken in enumerate(zip(*sizes, strict=True)) if any(taken)]
    spans = [(layout._aligned([row[at] for row in sizes], most), at in right) for at in kept]
    lines = []
    for row, taken in zip(rows, sizes, strict=True):
        placed = layout._placed([taken[at] for at in kept], spans)
        lines.append("  " + "".join(" " * gap + row[kept[at]] for at, gap in placed))
    assert page.text() == "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"
    assert in_columns.text() == page.text()
