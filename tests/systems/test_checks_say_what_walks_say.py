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


ARRIVES = ("DELIVERED", "DEPOSITED")


@pytest.mark.parametrize("seed", range(30))
def test_a_remote_queue_of_devices_without_a_target_is_named(seed: int, tmp_path: Path) -> None:
    """E-10 to E-12: what the other queue manager has no queue for is refused there; a message that
    was put asynchronously stays where it was put."""
    chance = random.Random(seed)
    there = {f"Q{number}" for number in range(3) if chance.random() < 0.6}
    shop = ["kind: mqe", "queueManager: SHOP", "connections:"]
    shop += ["  - {name: HQ, type: direct, address: hq, port: 8081}", "queues:"]
    wanted = set()
    names = chance.sample(["Q0", "Q1", "Q2", "Q3"], chance.randint(1, 4))
    for name in names:
        mode = chance.choice(("sync", "async"))
        shop.append(f"  - {{type: remote, name: {name}, qmgr: HQ, mode: {mode}}}")
        if name not in there:
            wanted.add(name)
    hq = ["kind: mqe", "queueManager: HQ", "listeners:", "  - {name: public, port: 8081}"]
    hq += ["queues:", *(f"  - {{type: local, name: {name}}}" for name in sorted(there))]
    (tmp_path / "shop.yaml").write_text("\n".join(shop) + "\n")
    (tmp_path / "hq.yaml").write_text("\n".join(hq if there else hq[:-1]) + "\n")
    network = topograph.read(tmp_path)
    found = [str(one["message"]) for one in network.check().findings if one["rule"] == "EL-09"]
    assert {text.split("@")[0].rsplit(" ", 1)[1] for text in found} == wanted
    for name in names:
        outcomes = str(network.trace("SHOP", f"{name}@HQ").outcomes)
        assert any(word in outcomes for word in ARRIVES) == (name not in wanted)


def test_a_remote_queue_of_a_device_that_is_not_loaded_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(
        "kind: mqe\nqueueManager: SHOP\nconnections:\n"
        "  - {name: HQ, type: direct, address: hq, port: 8081}\n"
        "queues:\n  - {type: remote, name: Q, qmgr: HQ, mode: sync}\n"
    )
    assert "EL-09" not in {one["rule"] for one in topograph.read(tmp_path).check().findings}


@pytest.mark.parametrize("seed", range(30))
def test_an_alias_of_nothing_on_a_bus_is_named(seed: int, tmp_path: Path) -> None:
    """S-24: a message to an alias whose target is not there is refused."""
    chance = random.Random(seed)
    queues = {f"Q{number}" for number in range(3) if chance.random() < 0.6}
    lines = ["AdminTask.createSIBus('[-bus B]')"]
    lines.append("AdminTask.addSIBusMember('[-bus B -node n -server s]')")
    lines += [
        f"AdminTask.createSIBDestination('[-bus B -name {name} -type Queue -node n -server s]')"
        for name in sorted(queues)
    ]
    leads = {}
    for number in range(chance.randint(1, 4)):
        target = chance.choice([*(f"Q{each}" for each in range(4)), *leads])
        leads[f"A{number}"] = target
        lines.append(
            f"AdminTask.createSIBDestination('[-bus B -name A{number} -type Alias -aliasBus B "
            f"-targetBus B -targetName {target}]')"
        )
    (tmp_path / "b.py").write_text("\n".join([*lines, "AdminConfig.save()"]) + "\n")
    network = topograph.read(tmp_path)
    found = [str(one["message"]) for one in network.check().findings if one["rule"] == "SL-16"]
    for name, first in leads.items():
        target = first
        while target in leads:
            target = leads[target]
        outcomes = str(network.trace("B", f"{name}@B").outcomes)
        assert ("DELIVERED" in outcomes) == (target in queues)
        named = any(text.startswith(f"No message to {name} arrives") for text in found)
        # What leads to an alias that is named already is not named again.
        assert named == (target not in queues and not (first in leads and first < name))


def test_an_alias_to_a_bus_that_is_not_loaded_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text(
        "AdminTask.createSIBus('[-bus B]')\n"
        "AdminTask.addSIBusMember('[-bus B -node n -server s]')\n"
        "AdminTask.createSIBForeignBus('[-bus B -name FAR -routingType Direct -type SIBus]')\n"
        "AdminTask.createSIBDestination('[-bus B -name A -type Alias -aliasBus B -targetBus FAR "
        "-targetName Q]')\nAdminConfig.save()\n"
    )
    rules = {one["rule"] for one in topograph.read(tmp_path).check().findings}
    assert "SL-16" not in rules
