"""Dumps of which a part cannot be read: what was lost may have been a connection to anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import topograph
from topograph import Network

LONG = "org.apache.qpid.dispatch."
CONNECTOR = {
    "type": f"{LONG}connector",
    "identity": "c",
    "name": "c",
    "role": "inter-router",
    "host": "b.example",
    "port": "55672",
}
LISTENER = {
    "type": f"{LONG}listener",
    "identity": "l",
    "name": "l",
    "role": "inter-router",
    "host": "b.example",
    "port": "55672",
}


ELSEWHERE = {
    "type": f"{LONG}connector",
    "identity": "e",
    "name": "e",
    "role": "normal",
    "host": "elsewhere.example",
    "port": "5672",
}


def dump(id_: str, *entities: dict[str, str]) -> str:
    """A dump that shows the connectors of its router."""
    router = {"type": f"{LONG}router", "identity": "1", "id": id_, "mode": "interior"}
    return json.dumps([router, ELSEWHERE, *entities], indent=1)


def read(folder: Path, a: str) -> Network:
    (folder / "a.json").write_text(a, encoding="utf-8")
    (folder / "b.json").write_text(dump("B", LISTENER), encoding="utf-8")
    return topograph.read(folder)


@pytest.mark.parametrize(
    "hurt",
    [lambda text: text[:-30], lambda text: text.replace('"c",', '"c,', 1)],
    ids=["cut", "broken"],
)
def test_no_router_is_certainly_not_reached_where_a_dump_lost_an_entity(
    tmp_path: Path, hurt
) -> None:
    whole = dump(
        "A",
        CONNECTOR,
        {"type": f"{LONG}listener", "identity": "x", "name": "x", "host": "h", "port": "5672"},
    )
    assert [entry.server for entry in read(tmp_path, whole).reach("A").servers] == ["B"]
    without = dump(
        "A", {"type": f"{LONG}listener", "identity": "x", "name": "x", "host": "h", "port": "5672"}
    )
    assert read(tmp_path, without).reach("A").unreachable == ("B",)

    network = read(tmp_path, hurt(dump("A", LISTENER | {"port": "1"}, CONNECTOR)))
    for start, end in (("A", "B"), ("B", "A")):
        answer = network.reach(start)
        assert (answer.servers, answer.unreachable) == ((), ())
        (open_,) = answer.undetermined
        assert open_.server == end
        assert open_.because.startswith(
            "A may have connections that the loaded files do not show (not all of its "
            "dump could be read (a.json:"
        )
    assert network.hops("A", "B").reachable == "unknown"
    assert "invalid-json" in {
        row["kind"] for row in network.check().findings if row["severity"] == "error"
    }


ROUTER_A = (
    "router {\n  mode: interior\n  id: A\n}\nlistener {\n  port: 5672\n}\naddress {\n  prefix: q\n"
    "}\nconnector {\n  host: b.example\n  port: 55672\n  role: inter-router\n}\n"
)


@pytest.mark.parametrize("end", [*range(ROUTER_A.index("id: A") + 6, len(ROUTER_A), 7)])
def test_of_a_configuration_that_ends_in_its_middle_nothing_is_certain_that_may_stand_behind(
    tmp_path: Path, end: int
) -> None:
    """The whole file joins A with B, and so does none of its beginnings for certain."""
    (tmp_path / "a.conf").write_text(ROUTER_A[:end], encoding="utf-8")
    (tmp_path / "b.json").write_text(dump("B", LISTENER), encoding="utf-8")
    network = topograph.read(tmp_path)
    cut = "cut-off" in {row["kind"] for row in network.check().findings}
    assert cut is not ROUTER_A[:end].rstrip().endswith("}")
    if cut:
        for start, end_ in (("A", "B"), ("B", "A")):
            answer = network.reach(start)
            assert (answer.servers, answer.unreachable) == ((), ())
            assert [one.server for one in answer.undetermined] == [end_]
        sent = network.propagate("B", "address:q", subscribers=["B:address:q"])
        assert "A" in {one.server for one in sent.undetermined}
        sent = network.propagate("A", "address:q", subscribers=["A:address:q"])
        assert any("is not shown of A" in one.text for one in sent.assumptions)
        audit = network.audit("qdmanage delete --type address --name n\n", at="A")
        assert audit.verdict == "undetermined"
