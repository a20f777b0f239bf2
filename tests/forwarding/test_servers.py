"""Servers as columns say what the servers themselves say, and paths as a tree are those paths."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.findings import Source
from topograph.forwarding import servers as asked
from topograph.forwarding.graph import Server, Walk
from topograph.forwarding.path_tree import PathTree
from topograph.forwarding.servers import ServerColumns
from topograph.forwarding.texts import Texts
from topograph.store.entries import pack, unpack
from topograph.store.records import columns_of, rows_of
from topograph.store.tables import ArrowTable, to_arrow

NAMES = st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0x300), max_size=4)
SERVERS = st.lists(
    st.builds(
        Server,
        NAMES,
        st.sampled_from(["ems", "sibus", "mqe"]),
        st.booleans(),
        st.builds(Source, NAMES, st.integers(0, 9), st.integers(0, 9)),
        st.sampled_from(["", "", "routes not found", "ä"]),
        st.booleans(),
    ),
    max_size=12,
)


def in_arrow(servers: list[Server]) -> ServerColumns:
    """The servers as they come out of a snapshot, of several chunks."""
    table = to_arrow("servers", servers, network="n", system="ems")
    halves = [table.slice(0, len(servers) // 2), table.slice(len(servers) // 2)]
    return rows_of("servers", ArrowTable(pa.concat_tables(halves)))


def in_cache(servers: list[Server]) -> ServerColumns:
    """The servers as they come out of the cache of readings."""
    key = ("servers", "n", "ems", "")
    _, tables = unpack(memoryview(pack({}, [(key, columns_of("servers", servers))])))
    return rows_of("servers", tables[key])


@pytest.mark.parametrize("kept", [in_arrow, in_cache])
@given(servers=SERVERS, name=NAMES)
def test_columns_say_what_the_servers_say(kept, servers: list[Server], name: str) -> None:
    columns = kept(servers)
    assert [columns[number] for number in range(len(servers))] == servers
    assert kept(servers) == servers
    assert kept(servers)[1:] == servers[1:]
    numbers = range(len(servers))
    for ask in (asked.names_of, asked.systems_of, asked.not_loaded, asked.open_ended):
        assert ask(columns) == ask(servers)
    for some in (numbers, numbers[::2], (*numbers, *numbers)):
        assert asked.incomplete(columns, some) == asked.incomplete(servers, some)
    for text in (name, *(one.name for one in servers)):
        same = [number for number, one in enumerate(servers) if one.name == text]
        assert columns.name.rows_of(text) == same


@given(st.lists(NAMES, max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_texts_are_a_list(texts: list[str], begin: int, end: int) -> None:
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)])
    column = Texts(ends, b"".join(encoded))
    assert list(column) == texts
    assert [column[row] for row in range(len(column))] == texts
    assert column[begin:end] == texts[begin:end]
    assert column.filled().tolist() == [row for row, text in enumerate(texts) if text]


@given(st.data())
def test_a_tree_holds_the_paths_of_its_walk(data: st.DataObject) -> None:
    many = data.draw(st.integers(1, 12))
    before = [0, *(data.draw(st.integers(0, place - 1)) for place in range(1, many))]
    servers = data.draw(st.permutations(range(many + 2)))[:many]
    points = [100 + server for server in servers]
    hops = [0]
    paths = {servers[0]: (points[0],)}
    for place in range(1, many):
        hops.append(hops[before[place]] + 1)
        paths[servers[place]] = (*paths[servers[before[place]]], points[place])
    del paths[servers[0]]
    walk = Walk(np.array(points, np.int32), np.array(hops, np.int32))
    from_ = np.array([servers[place] for place in before], np.int32)
    tree = PathTree(walk, np.array(servers, np.int32), from_, many + 2)
    for one in data.draw(st.permutations(range(many + 3))):  # one by one first, then all
        assert (one in tree) is (one in paths)
        assert tree.get(one) == paths.get(one)
    assert dict(tree.items()) == dict(tree) == paths
    assert list(tree.values()) == list(paths.values())
    assert list(tree) == list(paths)
    assert -1 not in tree
    assert [servers[place] for place in tree.by_server().tolist()] == sorted(paths)


def test_a_walk_that_enters_a_server_from_nowhere_has_no_tree() -> None:
    walk = Walk(np.array([0, 5], np.int32), np.array([0, 1], np.int32))
    with pytest.raises(ValueError, match="has not entered"):
        PathTree(walk, np.array([0, 1], np.int32), np.array([-1, 2], np.int32), 3)
