"""Checks of definitions by the walk: what ``check`` warns of ends as ``trace`` says, and what it
does not warn of arrives.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import topograph


@pytest.mark.parametrize("seed", range(30))
def test_a_remote_queue_without_a_target_is_named(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    there = {f"Q{number}" for number in range(3) if chance.random() < 0.6}
    dead = chance.random() < 0.5
    shop = [
        "* Queue manager name: SHOP",
        "DEFINE QLOCAL(BOOKS) USAGE(XMITQ)",
        "DEFINE CHANNEL(SHOP.BOOKS) CHLTYPE(SDR) XMITQ(BOOKS) CONNAME('books(1414)')",
    ]
    wanted = set()
    for number in range(chance.randint(1, 4)):
        target = f"Q{chance.randint(0, 3)}"
        shop.append(f"DEFINE QREMOTE(R{number}) RNAME({target}) RQMNAME(BOOKS)")
        if target not in there:
            wanted.add((f"R{number}", target))
        if chance.random() < 0.4:
            shop.append(f"DEFINE QALIAS(A{number}) TARGET(R{number})")
    books = ["* Queue manager name: BOOKS", "DEFINE CHANNEL(SHOP.BOOKS) CHLTYPE(RCVR)"]
    books += ["ALTER QMGR DEADQ(DLQ)", "DEFINE QLOCAL(DLQ)"] if dead else []
    books += [f"DEFINE QLOCAL({name})" for name in sorted(there)]
    (tmp_path / "shop.mqsc").write_text("\n".join(shop) + "\n")
    (tmp_path / "books.mqsc").write_text("\n".join(books) + "\n")
    network = topograph.read(tmp_path)
    found = [one for one in network.check().findings if one["rule"] == "ML-27"]
    assert len(found) == len(wanted)
    for name, target in wanted:
        assert any(
            f"remote queue {name} " in str(one["message"]) and target in str(one["message"])
            for one in found
        )
        assert "DELIVERED" not in str(network.trace("SHOP", f"queue:{name}").outcomes)


def test_a_remote_queue_of_a_queue_manager_that_is_not_loaded_is_left_open(tmp_path: Path) -> None:
    text = (
        "* Queue manager name: SHOP\nDEFINE QLOCAL(X) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('far(1414)')\n"
        "DEFINE QREMOTE(R) RNAME(Q) RQMNAME(FAR) XMITQ(X)\n"
    )
    (tmp_path / "shop.mqsc").write_text(text)
    assert "ML-27" not in {one["rule"] for one in topograph.read(tmp_path).check().findings}


@pytest.mark.parametrize("seed", range(30))
def test_a_service_with_one_half_is_named(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    halves: dict[str, set[str]] = {"tcpListener": set(), "tcpConnector": set()}
    for name in ("A", "B"):
        entities: list[object] = [["router", {"id": name, "mode": "interior"}]]
        for number in range(chance.randint(0, 3)):
            kind, address = chance.choice([*halves]), f"s{chance.randint(0, 3)}"
            halves[kind].add(address)
            port = str(1024 + number)
            entity = {"name": f"{kind}{number}", "host": "h", "port": port, "address": address}
            entities.append([kind, entity])
        (tmp_path / f"{name}.json").write_text(json.dumps(entities))
    found = [one for one in topograph.read(tmp_path).check().findings if one["rule"] == "S-3"]
    listeners, connectors = halves["tcpListener"], halves["tcpConnector"]
    for kind, alone in (
        ("tcp-listener-alone", listeners - connectors),
        ("tcp-connector-alone", connectors - listeners),
    ):
        messages = [str(one["message"]) for one in found if one["kind"] == kind]
        assert {
            address for address in alone if any(f" {address}, " in text for text in messages)
        } == alone
        assert all(any(f" {address}, " in text for address in alone) for text in messages)
