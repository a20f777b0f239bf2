"""How much of a router each form of output shows (amq_interconnect.md D-1, 3.5)."""

from __future__ import annotations

import json

import pytest

from topograph.importers.amq_interconnect.dump import read_dump
from topograph.importers.amq_interconnect.qdstat import read_qdstat
from topograph.importers.positions.places import Placing

LONG = "org.apache.qpid.dispatch."
ROUTER = {"type": f"{LONG}router", "id": "A"}
OF_THE_TOOL = [
    {"type": f"{LONG}{type_}", "identity": "1"}
    for type_ in ("connection", "router.address", "router.link")
]
LISTENER = {"type": f"{LONG}listener", "identity": "l"}
ROUTE = {"type": f"{LONG}router.config.linkRoute", "identity": "r"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (json.dumps([ROUTER, *OF_THE_TOOL]), [(("*",), "whole")]),
        (json.dumps([ROUTER, LISTENER]), [(("listener", "router"), "whole")]),
        (
            json.dumps([ROUTER, *OF_THE_TOOL[1:]]),
            [(("router", "router.address", "router.link"), "whole")],
        ),
        (json.dumps(ROUTER), [(("router",), "none")]),
        ("$ qdmanage query\n" + json.dumps([ROUTER]), [(("*",), "whole")]),
        ("$ qdmanage -b h:1 query -r A --type linkRoute\n[]\n", [(("linkRoute",), "whole")]),
        (
            f"$ qdmanage query -r A --type={LONG}router.config.autoLink\n[]\n",
            [(("autoLink",), "whole")],
        ),
        ("$ qdmanage query | jq .\n" + json.dumps([ROUTER]), [(("router",), "whole")]),
        (
            "$ qdmanage query --type router\n"
            + json.dumps([ROUTER])
            + "\n"
            + json.dumps([LISTENER]),
            [(("router",), "whole"), (("listener",), "whole")],
        ),
        (
            json.dumps([ROUTER, *OF_THE_TOOL])[:-30],
            [(("connection", "router", "router.address"), "condition")],
        ),
    ],
)
def test_a_list_shows_the_types_that_were_asked_for(text, shown):
    told = read_dump(text, Placing("d")).shown
    assert [(one.classes, one.extent) for one in told] == shown
    assert {one.server for one in told} == {"A"}


ASKED = "$ qdmanage query --type connector -r A name host port{}\n"
CONNECTOR = {"type": f"{LONG}connector", "name": "c", "host": "h", "port": "5001"}


def test_a_query_of_some_attributes_shows_a_part_and_has_no_defaults():
    """Without its role a connector would count as one of role normal, as in a file."""
    dumped = read_dump(ASKED.format("") + json.dumps([CONNECTOR]), Placing("d"))
    assert [(one.classes, one.extent) for one in dumped.shown] == [(("connector",), "condition")]
    assert dumped.entities == ()
    assert [one.message for one in dumped.findings] == [
        "The query of connector does not ask for role: it is not used"
    ]
    row = CONNECTOR | {"role": "inter-router"}
    (entity,) = read_dump(ASKED.format(" role") + json.dumps([row]), Placing("d")).entities
    assert entity.get("role") == "inter-router"


HEAD = "2026-11-29 04:00:00.000 UTC\nA\n\n"
LINKS = "Router Links\n  type      dir\n  ==============\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("No AutoLinks found\n", [("autoLink", "whole")]),
        ("No Link Routes found\n", [("linkRoute", "whole")]),
        ("Router is Standalone - No Router List\n", [("router.node", "whole")]),
        ("Link Routes\n", [("linkRoute", "whole")]),
        (f"{LINKS}  endpoint  in\n", [("router.link", "whole")]),
        (LINKS + "  endpoint  in\n" * 1000, [("router.link", "condition")]),
        (
            "Router Statistics\n  attr       value\n  ==============\n  Router Id  A\n",
            [("router", "whole")],
        ),
    ],
)
def test_a_table_of_qdstat_shows_the_type_of_its_rows(text, shown):
    told = read_qdstat(HEAD + text, Placing("q")).shown
    assert [(one.classes, one.extent) for one in told] == [((type_,), how) for type_, how in shown]
    assert {one.server for one in told} == {"A"}
