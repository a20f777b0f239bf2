"""What a comparison says of messages that go step by step equals sending one to every destination
at every server, as ``trace`` does it, before and after. The entries of two servers' files are
drawn from a number."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from draws import draws

import topograph
from topograph.errors import TopographError
from topograph.network import Network
from topograph.questions.answers import TraceAnswer

pytestmark = pytest.mark.slow

PAIRS = draws(50)

NAMES = ("IN", "OUT", "MID", "ALIAS")
NOBODY = "NO.SUCH.QUEUE"
"""A name that no queue has."""


def buses(random: Random) -> Mapping[str, str]:
    """Two buses with a link each way, their destinations with what a sender meets first."""
    found = {}
    for bus, other in (("North", "South"), ("South", "North")):
        lines = [
            f"AdminTask.createSIBus('[-bus {bus}]')",
            f"AdminTask.addSIBusMember('[-bus {bus} -node n{bus} -server s]')",
        ]
        for name in NAMES[:3]:
            words = f"-bus {bus} -name {name} -type Queue -node n{bus} -server s"
            if random.random() < 0.25:
                words += " -sendAllowed false"
            if random.random() < 0.2:
                words += " -receiveAllowed false"
            if random.random() < 0.4:
                path = " ".join(
                    f"[{random.choice((bus, bus, other))} {random.choice(NAMES[:3])}]"
                    for _ in range(random.randint(1, 2))
                )
                words += f" -defaultForwardRoutingPath [{path}]"
            if random.random() < 0.85:
                lines.append(f"AdminTask.createSIBDestination('[{words}]')")
        if random.random() < 0.6:
            lines.append(
                f"AdminTask.createSIBDestination('[-bus {bus} -name ALIAS -type Alias -aliasBus "
                f"{bus} -targetBus {bus} -targetName {random.choice(NAMES[:3])}]')"
            )
        lines += [
            f"AdminTask.createSIBForeignBus('[-bus {bus} -name {other} -routingType Direct -type "
            "SIBus]')",
            f"AdminTask.createSIBLink('[-bus {bus} -messagingEngine n{bus}.s-{bus} -name To{other} "
            f"-foreignBusName {other} -remoteMessagingEngineName n{other}.s-{other}]')",
        ]
        found[f"{bus}.py"] = "\n".join(lines) + "\n"
    return found


def queue_managers(random: Random) -> Mapping[str, str]:
    """Two queue managers with a channel each way."""
    found = {}
    for name, other in (("QA", "QB"), ("QB", "QA")):
        lines = [
            f"DEFINE QLOCAL({other}) USAGE(XMITQ)",
            f"DEFINE CHANNEL({name}.{other}) CHLTYPE(SDR) CONNAME('{other.lower()}(1414)') "
            f"XMITQ({other})",
            f"DEFINE CHANNEL({other}.{name}) CHLTYPE(RCVR)",
            "DEFINE QLOCAL(DLQ)",
            "ALTER QMGR DEADQ(DLQ)",
        ]
        for queue in NAMES[:3]:
            words = random.choice(("", "", " PUT(DISABLED)", " GET(DISABLED)"))
            if random.random() < 0.85:
                lines.append(f"DEFINE QLOCAL({queue}){words}")
        if random.random() < 0.6:
            lines.append(f"DEFINE QALIAS(ALIAS) TARGET({random.choice(NAMES[:3])})")
        for queue in NAMES[:3]:
            if random.random() < 0.5:
                lines.append(
                    f"DEFINE QREMOTE({queue}.FAR) RNAME({random.choice(NAMES[:3])}) "
                    f"RQMNAME({other}) XMITQ({other})"
                )
        found[f"{name}.mqsc"] = "\n".join(lines) + "\n"
    return found


def changed(random: Random, files: Mapping[str, str]) -> Mapping[str, str]:
    """One or two lines of destinations gone, or as another number has them."""
    found = dict(files)
    other = (buses if "North.py" in files else queue_managers)(Random(random.random()))
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice(sorted(files))
        lines = found[name].splitlines()
        at = random.choice(
            [
                n
                for n, line in enumerate(lines)
                if " IN" in line or "IN)" in line or any(f"{one}" in line for one in NAMES)
            ]
        )
        words = lines[at].split()
        alike = [line for line in other[name].splitlines() if line.split()[:1] == words[:1]]
        instead = [line for line in alike if key(line) == key(lines[at])]
        lines[at : at + 1] = instead[:1] if random.random() < 0.7 else []
        found[name] = "\n".join(lines) + "\n"
    return found


def key(line: str) -> str:
    """What a line defines."""
    if "-name" in line:
        return line.partition("-name ")[2].split()[0]
    return line.partition("(")[2].partition(")")[0]


def written(files: Mapping[str, str], root: str) -> Network:
    for name, content in files.items():
        (Path(root) / name).write_text(content, encoding="utf-8")
    return topograph.read(root).within(None)


def sent(network: Network) -> Iterator[tuple[str, str]]:
    """Every server and destination, at its own server and from the other."""
    names = network.server_names()
    for server in names:
        for name in (*NAMES, *(f"{one}.FAR" for one in NAMES[:3]), "DLQ", *names):
            for destination in (f"queue:{name}", *(f"{name}@{one}" for one in names)):
                yield server, destination


def outcome(network: Network, server: str, destination: str) -> tuple[str, ...] | None:
    try:
        answer = network.trace(server, destination)
    except TopographError:
        return None
    assert isinstance(answer, TraceAnswer)
    readings: set[int] = set()
    last = []
    for one in answer.branches:
        if one.kind == "reading" or one.of in readings:
            readings.add(one.id)
        elif one.ending:
            last.append((one.ending, answer.steps[one.last].at if one.last >= 0 else ""))
    return tuple(sorted(map(str, last)))


@pytest.mark.parametrize("first", range(0, PAIRS, 50))
@pytest.mark.parametrize("system", ["sibus", "ibm_mq"])
def test_whoever_sends_a_message_that_ends_otherwise_is_told(system: str, first: int) -> None:
    differing = 0
    for number in range(first, min(first + 50, PAIRS)):
        random = Random(f"{system} {number}")
        before = (buses if system == "sibus" else queue_managers)(random)
        after = changed(random, before)
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            was, now = written(before, one), written(after, other)
            answer = topograph.compare(was, now)
            told = {
                (row.server, row.destination) for row in answer.outcomes if not row.goes_otherwise
            }
            right, differs = set(), set()
            for server, destination in sent(was):
                if outcome(was, server, destination) == outcome(now, server, destination):
                    continue
                name, _, at = destination.removeprefix("queue:").partition("@")
                address = name if at in ("", server) else f"{name}@{at}"
                if (
                    system == "ibm_mq"
                    and at not in ("", server)
                    and not any(
                        f"({name})" in line
                        for files in (before, after)
                        for line in files[f"{at}.mqsc"].splitlines()
                        if line.startswith("DEFINE Q")
                    )
                ):
                    continue  # a name that no queue has
                # A row about any queue of a queue manager stands for all that end alike.
                wide = server, f"any queue of {at}"
                differs |= {wide, (server, address)}
                right.add(wide if wide in told else (server, address))
            for server, at in permutations(was.server_names(), 2):
                if outcome(was, server, f"{NOBODY}@{at}") != outcome(now, server, f"{NOBODY}@{at}"):
                    differs |= {
                        (server, f"any queue of {at}"),
                        (server, f"a queue that {at} does not have"),
                    }
        if answer.exact:
            assert right <= told, (number, right - told)
        assert told <= right | differs, (number, told - right - differs)
        differing += bool(right)
    assert differing >= 15
