"""What is fuzzed: each reader as a function of the bytes of a file. Whatever they are, it
returns, and what it made can be kept and compiled.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from functools import partial

from fuzz.inputs import LARGEST

from topograph.errors import InvalidSelector
from topograph.facts.rows import decode, encode
from topograph.findings import Finding
from topograph.importers import side_inputs
from topograph.importers.amq_interconnect import commands as qdmanage
from topograph.importers.amq_interconnect import parse_text as parse_router
from topograph.importers.ems import parse_text
from topograph.importers.ems.commands import read_script
from topograph.importers.ems.kinds import PARTS
from topograph.importers.ibm_mq import commands as mqsc
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.rabbitmq import commands as rabbitmq
from topograph.importers.reading import Options, Recognised
from topograph.importers.sibus import commands as wsadmin
from topograph.selectors import parse
from topograph.side_inputs import SideInputs
from topograph.systems import compile_network
from topograph.systems.amq_interconnect import changes as router_changes
from topograph.systems.contract.changes import after_both
from topograph.systems.contract.system import Change
from topograph.systems.ems import changes
from topograph.systems.fact_sources import ChangedFacts, FactList
from topograph.systems.ibm_mq import changes as mqsc_changes
from topograph.systems.rabbitmq import changes as rabbitmq_changes
from topograph.systems.sibus import changes as wsadmin_changes

PATIENCE = 5.0
"""Seconds of processor time that no input of this size may take."""
OURS = ("importer-failed", "compile-failed", "check-failed")
"""Kinds of findings that tell of a mistake in topograph."""

MAIN = b"server = A\nrouting = enabled\n"


def _import(files: Mapping[str, bytes], options: Options = Options()) -> None:  # noqa: B008
    """The way of an import, in one process: recognise, plan, read, compile."""
    recognised = [recognise(path, data) for path, data in files.items()]
    assert not [one for one in recognised if one.note.startswith("could not be recognised")]
    planned = plan(recognised, SideInputs())
    readings = [
        read_bundle(bundle, {file.path: files[file.path] for file in bundle.files}, options)
        for bundle in planned.bundles
    ]
    facts = [fact for reading in readings for fact in reading.facts]
    for fact in facts:
        assert decode(encode(fact)) == fact
        json.dumps(encode(fact), ensure_ascii=False).encode()
    for reading in readings:
        _sound(reading.findings, files)
    _sound(planned.findings, files)
    compiled = compile_network(facts, SideInputs())
    assert not compiled.errors
    _sound(compiled.findings, files)


def _sound(findings: tuple[Finding, ...], files: Mapping[str, bytes]) -> None:
    for finding in findings:
        assert finding.kind not in OURS, finding
        assert finding.source.file in ("", *files)
        assert 0 <= finding.source.line <= len(files.get(finding.source.file, b"")) + 1
        assert finding.source.column >= 0
        json.dumps(finding.to_dict(), ensure_ascii=False).encode()


def _file(name: str, data: bytes) -> None:
    for strict in (False, True):
        _import({name: data}, Options(strict=strict))


def _sub_file(name: str, data: bytes) -> None:
    _import({"tibemsd.conf": MAIN, name: data})


def _side_inputs(data: bytes) -> None:
    found, findings = side_inputs.parse("topograph.yaml", data)
    _sound(findings, {"topograph.yaml": data})
    assert (
        plan([Recognised("topograph.yaml", recognise("topograph.yaml", data).role)], found)
        is not None
    )


def _clients(data: bytes) -> None:
    _, findings = side_inputs.parse_clients_csv("c.csv", data)
    _sound(findings, {"c.csv": data})


def _selector(data: bytes) -> None:
    try:
        selector = parse(data.decode("utf-8", "replace"))
    except InvalidSelector:
        return
    for properties in (
        {},
        dict.fromkeys(selector.identifiers, 7),
        dict.fromkeys(selector.identifiers, "x"),
    ):
        selector.evaluate(properties)
        selector.judge(properties)


_EDITED = FactList(
    parse_text("tibemsd.conf", MAIN.decode(), strict=False, server="A").facts
    + parse_text("routes.conf", "[B]\n url = tcp://b:1\n", strict=False, server="A").facts
)


def _script(data: bytes) -> None:
    script = read_script(data, "c.txt")
    _sound(script.findings, {"c.txt": data})
    for command in script.commands:
        json.dumps(command.text).encode()
        edit = changes.edit(_EDITED, "A", command)
        if edit.refused is not None:
            assert edit.refused.message
            assert edit.refused.undetermined or edit.change == Change()


MQSC = b"""* Queue manager name: A
DEFINE QLOCAL(X) CLUSTER(K) MAXDEPTH(5)
DEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(T)
DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(T) CONNAME('b(1414)')
DEFINE CHANNEL(K.A) CHLTYPE(CLUSRCVR) CLUSTER(K)
"""


def _mqsc_facts() -> FactList:
    (bundle,) = plan([recognise("A.mqsc", MQSC)], SideInputs()).bundles
    return FactList(read_bundle(bundle, {"A.mqsc": MQSC}, Options()).facts)


_MANAGERS = _mqsc_facts()


def _mqsc_script(data: bytes) -> None:
    assert mqsc.recognises(data) in (True, False)
    script = mqsc.read_script(data, "c.mqsc")
    _sound(script.findings, {"c.mqsc": data})
    change = Change()
    for command in script.commands[:200]:
        json.dumps([command.text, command.fault, command.name]).encode()
        assert 0 <= command.source.line <= len(data) + 1
        edit = mqsc_changes.edit(ChangedFacts(_MANAGERS, change), "A", command)
        assert edit.refused is None or (edit.change == Change() and edit.refused.message)
        for fact in edit.change.added:
            assert decode(encode(fact)) == fact
        change = after_both(change, edit.change)


ROUTER = b"""router {
    id: A
    mode: interior
}
listener {
    name: in
    port: 5001
    role: inter-router
}
connector {
    name: broker
    host: h
    role: route-container
}
address {
    name: a
    prefix: a
    waypoint: yes
}
address {
    pattern: b/#
}
autoLink {
    name: l
    address: q
    direction: in
    connection: broker
}
"""
_ROUTER = FactList(parse_router("conf", ROUTER.decode(), "a.conf").entities)


def _router_script(data: bytes) -> None:
    assert qdmanage.recognises(data) in (True, False)
    script = qdmanage.read_script(data, "c.sh")
    _sound(script.findings, {"c.sh": data})
    change = Change()
    for command in script.commands[:200]:
        json.dumps([command.text, command.fault, command.connected]).encode()
        assert 0 <= command.source.line <= len(data) + 1
        now = ChangedFacts(_ROUTER, change)
        assert router_changes.servers_at(now, command.connected) <= {"A"}
        edit = router_changes.edit(now, "A", command)
        assert edit.refused is None or (edit.change == Change() and edit.refused.message)
        for fact in edit.change.added:
            assert decode(encode(fact)) == fact
        change = after_both(change, edit.change)


BUS = b"""AdminTask.createSIBus('[-bus B]')
AdminTask.addSIBusMember('[-bus B -cluster C]')
AdminTask.createSIBDestination('[-bus B -name Q -type Queue -cluster C]')
AdminTask.createSIBDestination('[-bus B -name AL -type Alias -targetBus B -targetName Q]')
AdminTask.createSIBMediation('[-bus B -mediationName M]')
AdminTask.createSIBForeignBus('[-bus B -name F -routingType Direct -type SIBus]')
AdminTask.createSIBLink('[-bus B -name L -messagingEngine C.000-B -foreignBusName F]')
"""


def _bus_facts() -> FactList:
    (bundle,) = plan([recognise("bus.py", BUS)], SideInputs()).bundles
    return FactList(read_bundle(bundle, {"bus.py": BUS}, Options()).facts)


_BUSES = _bus_facts()


def _wsadmin_script(data: bytes) -> None:
    assert wsadmin.recognises(data) in (True, False)
    script = wsadmin.read_script(data, "c.py")
    _sound(script.findings, {"c.py": data})
    change = Change()
    for command in script.commands[:200]:
        assert command.scope
        json.dumps([command.text, command.fault, command.scope]).encode()
        assert 0 <= command.source.line <= len(data) + 1
        edit = wsadmin_changes.edit(ChangedFacts(_BUSES, change), "", command)
        assert edit.refused is None or edit.refused.message
        assert edit.refused is None or edit.refused.undetermined or edit.change == Change()
        for fact in edit.change.added:
            assert decode(encode(fact)) == fact
        change = after_both(change, edit.change)


RABBITMQ = b"""{"rabbit_version": "3.13.7", "vhosts": [{"name": "/"}, {"name": "v"}],
"users": [{"name": "guest", "tags": "administrator"}],
"permissions": [{"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}],
"queues": [{"name": "q", "vhost": "/", "durable": true, "auto_delete": false, "arguments": {}}],
"exchanges": [{"name": "x", "vhost": "/", "type": "topic", "auto_delete": true}],
"bindings": [{"source": "x", "vhost": "/", "destination": "q", "destination_type": "queue",
"routing_key": "a.#", "arguments": {}}]}
"""


def _broker_facts() -> FactList:
    (bundle,) = plan([recognise("A.json", RABBITMQ)], SideInputs()).bundles
    return FactList(read_bundle(bundle, {"A.json": RABBITMQ}, Options()).facts)


_BROKERS = _broker_facts()


def _rabbitmq_script(data: bytes) -> None:
    assert rabbitmq.recognises(data) in (True, False)
    script = rabbitmq.read_script(data, "c.sh")
    _sound(script.findings, {"c.sh": data})
    change = Change()
    for command in script.commands[:200]:
        json.dumps([command.text, command.fault, command.connected]).encode()
        assert 0 <= command.source.line <= len(data) + 1
        now = ChangedFacts(_BROKERS, change)
        assert rabbitmq_changes.servers_at(now, command.connected) <= {"A"}
        edit = rabbitmq_changes.edit(now, "A", command)
        assert edit.refused is None or edit.refused.message
        assert edit.refused is None or edit.refused.undetermined or edit.change == Change()
        for fact in edit.change.added:
            assert decode(encode(fact)) == fact
        change = after_both(change, edit.change)


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "tibemsd.conf": partial(_file, "tibemsd.conf"),
    "tibemsd.json": partial(_file, "tibemsd.json"),
    **{name: partial(_sub_file, name) for name, part in PARTS.items() if part != "main"},
    "show-routes.txt": partial(_sub_file, "A.show-routes.txt"),
    "show.txt": partial(_sub_file, "A.show.txt"),
    "router.conf": partial(_file, "router.conf"),
    "router.json": partial(_file, "router.json"),
    "dump.json": partial(_file, "dump.json"),
    "qdstat.txt": partial(_file, "qdstat.txt"),
    "manifest.yaml": partial(_file, "manifest.yaml"),
    "devices.yaml": partial(_file, "devices.yaml"),
    "sib-destinations.xml": partial(_file, "buses/B/sib-destinations.xml"),
    "sib-bus.xml": partial(_file, "buses/B/sib-bus.xml"),
    "sib-engines.xml": partial(_file, "nodes/n/servers/s/sib-engines.xml"),
    "server.xml": partial(_file, "servers/s/server.xml"),
    "bus.py": partial(_file, "bus.py"),
    "bus.jacl": partial(_file, "bus.jacl"),
    "session.txt": partial(_file, "session.txt"),
    "mqsc.mqsc": partial(_file, "mqsc.mqsc"),
    "display.txt": partial(_file, "display.txt"),
    "mqsc.sh": partial(_file, "mqsc.sh"),
    "mqsc.yaml": partial(_file, "mqsc.yaml"),
    "rest.json": partial(_file, "rest.json"),
    "qm.ini": partial(_file, "qm.ini"),
    "change.txt": _script,
    "change.mqsc": _mqsc_script,
    "change.sh": _router_script,
    "change-rabbitmq.sh": _rabbitmq_script,
    "change.py": _wsadmin_script,
    "change.jacl": _wsadmin_script,
    "topograph.yaml": _side_inputs,
    "clients.csv": _clients,
    "selector": _selector,
}
"""By the file that the bytes are of."""


def run(name: str, data: bytes) -> None:
    """Give bytes to a target. Raises AssertionError, or whatever the reader raises, where it is
    wrong.
    """
    begun = time.process_time()
    TARGETS[name](data[:LARGEST])
    taken = time.process_time() - begun
    assert taken < PATIENCE, f"{taken:.1f} s for {len(data)} bytes"
