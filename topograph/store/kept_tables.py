"""The tables of a snapshot as bytes in a database: Arrow streams, compressed, cut into parts of at
most 1 MB.

A table may come in several partitions (of a cluster's tasks), each a stream of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from topograph.facts.plain import from_plain, to_plain
from topograph.side_inputs import SideInputs
from topograph.store.tables import empty, from_arrow, in_order

PART_BYTES = 1_000_000

_SIDE_INPUTS = pa.schema([pa.field("json", pa.string(), nullable=False)])


def pack(
    name: str, table: pa.Table, *, network: str, system: str = "", partition: int = 0
) -> Iterator[dict[str, Any]]:
    """The rows of ``write_tables`` that hold one partition of a table."""
    data = stream_of(table)
    for part, start in enumerate(range(0, data.size, PART_BYTES)):
        yield {
            "network": network,
            "system": system,
            "name": name,
            "partition": partition,
            "part": part,
            "arrow": data.slice(start, min(PART_BYTES, data.size - start)).to_pybytes(),
        }


def stream_of(table: pa.Table) -> pa.Buffer:
    """A table as one compressed Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(
        sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")
    ) as writer:
        # One dictionary a column for the whole stream: a stream cannot take one back.
        writer.write_table(table.unify_dictionaries().combine_chunks())
    return sink.getvalue()


def pack_side_inputs(side_inputs: SideInputs, *, network: str) -> Iterator[dict[str, Any]]:
    """The rows of ``write_tables`` that hold the side inputs of a network."""
    text = json.dumps(to_plain(side_inputs), ensure_ascii=False)
    yield from pack("side_inputs", pa.table({"json": [text]}, schema=_SIDE_INPUTS), network=network)


def unpack(name: str, parts: Sequence[Mapping[str, Any]]) -> Sequence[Any]:
    """The records of a table from its parts (``partition``, ``arrow``), which are in order.
    Empty where there are none.
    """
    tables = list(_streams(parts))
    if not tables:
        return from_arrow(name, empty(name))
    whole = pa.concat_tables(tables) if len(tables) > 1 else tables[0]
    return from_arrow(name, in_order(name, whole) if len(tables) > 1 else whole)


def unpack_side_inputs(parts: Sequence[Mapping[str, Any]]) -> SideInputs:
    """The side inputs of a network from their parts; the empty ones where there are none."""
    for table in _streams(parts):
        found: SideInputs = from_plain(SideInputs, json.loads(table.column("json")[0].as_py()))
        return found
    return SideInputs()


def _streams(parts: Sequence[Mapping[str, Any]]) -> Iterator[pa.Table]:
    for _, own in groupby(parts, itemgetter("partition")):
        with pa.ipc.open_stream(b"".join(part["arrow"] for part in own)) as reader:
            yield reader.read_all()
