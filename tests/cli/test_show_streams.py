"""``show destinations`` of a large network of routers is written while its rows are made."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace

import pytest

from topograph.cli.output import json_document, json_lines
from topograph.importers.amq_interconnect import parse_text
from topograph.questions.answers import ShowAnswer
from topograph.questions.answers.listings import MadeRows
from topograph.systems.amq_interconnect.network.facts import RouterFacts
from topograph.systems.amq_interconnect.show import Destinations
from topograph.systems.fact_sources import FactList

ROUTERS, ADDRESSES = 10, 30


def facts():
    found = []
    for number in range(ROUTERS):
        sections = [["router", {"id": f"R{number}"}]]
        sections += [
            ["address", {"prefix": f"topic{n}", "distribution": "closest"}]
            for n in range(ADDRESSES)
        ]
        found += parse_text("json", json.dumps(sections), f"R{number}.json").entities
    return found


def answer_of(rows):
    return ShowAnswer(
        snapshot="s",
        network="n",
        engine="memory",
        what="destinations",
        columns=("server", "name"),
        rows=rows,
    )


def answers(found):
    made = MadeRows([("amq_interconnect", Destinations(RouterFacts(FactList(found))))])
    return answer_of(made), answer_of(tuple(made))


def test_rows_made_one_by_one_are_written_as_rows_that_are_kept():
    made, kept = answers(facts())
    assert len(made.rows) == ROUTERS * ADDRESSES
    assert list(json_lines(made)) == list(json_lines(kept))
    assert list(json_document(made)) == list(json_document(kept))
    assert (made.to_dict(), made) == (kept.to_dict(), answer_of(list(kept.rows)))
    assert (made.rows[7], made.rows[-2:]) == (kept.rows[7], list(kept.rows[-2:]))
    assert made.to_frame().equals(kept.to_frame())


def test_what_a_dump_repeats_is_neither_listed_nor_counted():
    own = facts()
    dumped = [
        replace(fact, origin="dump", bundle=f"dumps/{fact.server}")
        for fact in own
        if fact.server in ("R1", "X")
    ]
    tables = [replace(fact, origin="dump", bundle="qdstat", server="X") for fact in own[:4]]
    queried = [
        replace(fact, bundle="qdmanage", attributes=(*fact.attributes, ("identity", "1")))
        for fact in tables[:3]
    ]
    made, kept = answers([*own, *dumped, *tables, *queried])
    assert len(made.rows) == len(kept.rows) == ROUTERS * ADDRESSES + 2


@pytest.mark.slow
def test_a_longer_list_takes_no_more_memory_to_write():
    own = facts()

    class Anew(FactList):
        """Makes its facts while they are gone through."""

        def stream(self, kinds=()):
            return (replace(fact) for fact in self.all)

    def written(number):
        source = Anew(own * number)
        rows = MadeRows([("amq_interconnect", Destinations(RouterFacts(source)))])
        len(rows)  # what is known without the rows stands ready
        tracemalloc.start()
        count = sum(1 for _ in json_lines(answer_of(rows)))
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == 1 + 2 + len(rows)
        return taken

    written(1)  # what is loaded at first use
    short, long = written(2), written(40)
    assert long < 1.5 * short, (short, long)
