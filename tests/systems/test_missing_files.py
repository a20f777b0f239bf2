"""Answers about an example without one of its files or servers, beside those with all: what is
certain without a file may not be otherwise with it.

Where no loaded file names any of the servers that are gone, nothing could tell that the network has
more: such a removal is left out. What an answer lists as undetermined, as an assumption of its own
or as not exact is not certain.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from draws import some

import topograph
from topograph.errors import TopographError
from topograph.network import Network
from topograph.questions.answers import Answer
from topograph.questions.text import text

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUICK = (
    *("mixed", "mqe_devices", "queue_managers", "sibus_orders", "routers", "orders"),
    *("pipeline/conf", "mhop-star/legal"),
)
LONG = ("two-1hop-zones/legal", "retail", "estate")
"""Of these a run removes some, drawn by chance."""

STEPPING = ("ibm_mq", "mqe", "sibus")
"""Systems with names of queues and destinations of other servers."""

NOT_ENDINGS = ("NOT_FORWARDED", "EXTERNAL", "UNDETERMINED")
"""Outcomes that say what the loaded files do not show, or that a link does not pass a message on:
without the file of the other end it is not even there."""


def removals(root: Path) -> Iterator[tuple[str, list[Path]]]:
    """Each file alone, and each folder that holds a server."""
    files = [one for one in sorted(root.rglob("*")) if one.is_file()]
    files = [one for one in files if one.name != "topograph.yaml"]
    for one in files:
        yield str(one.relative_to(root)), [one]
    for folder in sorted({one.parent for one in files} - {root}):
        yield f"{folder.relative_to(root)}/", [one for one in files if one.parent == folder]


def loaded(network: Network) -> set[tuple[str, str]]:
    rows = network.show("servers").rows
    return {(str(row["system"]), str(row["server"])) for row in rows if row["loaded"]}


def named(network: Network) -> set[str]:
    return {str(row["server"]) for row in network.show("servers").rows}


def hedged(answer: Answer, whole: Answer) -> bool:
    """Whether an answer says itself that it is not certain, or rests on more than that about all
    files does."""
    return not answer.exact or bool(set(answer.assumptions) - set(whole.assumptions))


def ask(network: Network, question: str, *words: str) -> Answer | None:
    try:
        answer: Answer = getattr(network, question)(*words)
    except TopographError:
        return None
    return answer


def plain(label: str) -> str:
    return label.rpartition(":")[2]


class Comparison:
    """One removal: what is certain without the files, and otherwise with them."""

    def __init__(self, whole: Network, without: Network) -> None:
        self.whole, self.without = whole, without
        labels = {plain(one): one for one in whole.server_names()}
        self.pairs = {
            one: labels[plain(one)] for one in without.server_names() if plain(one) in labels
        }

    def wrong(self) -> Iterator[str]:
        for one, as_whole in self.pairs.items():
            for other, other_whole in self.pairs.items():
                if as_whole != other_whole:
                    yield from self._hops(one, other, as_whole, other_whole)
            for destination in self._destinations():
                yield from self._message(one, as_whole, destination)

    def _hops(self, one: str, other: str, as_whole: str, other_whole: str) -> Iterator[str]:
        told = ask(self.without, "hops", one, other)
        true = ask(self.whole, "hops", as_whole, other_whole)
        if told is None or true is None or told.reachable == "unknown" or hedged(told, true):
            return
        if (told.reachable, told.route_hops) != (true.reachable, true.route_hops):
            yield f"{one} {other}"
        reached = ask(self.without, "reach", one, other)
        assert reached is not None
        assert bool(reached.unreachable) is (told.reachable is False), f"{one} {other}"

    def _message(self, one: str, as_whole: str, destination: str) -> Iterator[str]:
        told = ask(self.without, "trace", one, destination)
        true = ask(self.whole, "trace", as_whole, destination)
        if told is None or true is None or told.undetermined or hedged(told, true):
            return
        certain, all_files = (
            {each for each in answer.outcomes if not each.startswith(NOT_ENDINGS)}
            for answer in (told, true)
        )
        lost = any(each.startswith(NOT_ENDINGS[1:]) for each in told.outcomes)
        if certain - all_files or (all_files - certain and not lost):
            yield f"{one} {destination}"

    def _destinations(self) -> list[str]:
        found: dict[str, None] = {}
        for what in ("destinations", "queues"):
            for row in self.whole.show(what).rows:
                kind, name = str(row.get("type", "queue")), str(row["name"])
                kind = kind if kind in {"topic", "queue", "address"} else "queue"
                if not set(name) & set(" *>#") and not name.startswith("SYSTEM."):
                    found.setdefault(f"{kind}:{name}")
                    if row["system"] in STEPPING:
                        found.setdefault(f"{name}@{row['server']}")
        return list(found)


def wrong_answers(example: str, folder: Path) -> set[tuple[str, str, str]]:
    """(example, what is removed, question) of each answer that is certain and wrong."""
    root = EXAMPLES / example
    whole = topograph.read(root)
    found = set()
    tried = list(removals(root))
    if example in LONG:
        tried = some(tried, 12)
    for number, (label, gone) in enumerate(tried):
        copy = folder / str(number) / root.name
        shutil.copytree(root, copy)
        for one in gone:
            (copy / one.relative_to(root)).unlink()
        try:
            without = topograph.read(copy)
        except TopographError:  # no file of a server is left
            continue
        lost = {server for _, server in loaded(whole) - loaded(without)}
        if lost and lost.isdisjoint(named(without)):
            continue
        found |= {(example, label, each) for each in Comparison(whole, without).wrong()}
    return found


@pytest.mark.parametrize(
    "example", [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in LONG)]
)
def test_nothing_is_certain_without_a_file_and_otherwise_with_it(example, tmp_path):
    assert wrong_answers(example, tmp_path) == set()


@pytest.fixture
def without_devices(tmp_path):
    """The example with IBM MQ, a bus and scanners, without the file of the scanners' gateway, which
    reads a transmission queue of HQ.
    """
    root = tmp_path / "mixed"
    shutil.copytree(EXAMPLES / "mixed", root)
    (root / "devices.yaml").unlink()
    return topograph.read(root)


NOTHING_READS = "nothing that is not loaded reads the transmission queue GATE.XMITQ of HQ"


@pytest.mark.parametrize("start", ["HQ", "Shop"])
def test_a_transmission_queue_may_be_read_by_what_is_not_loaded(without_devices, start):
    answer = without_devices.reach(start)
    assert answer.unreachable == ()
    assert [
        (one.server, one.system, one.because, one.decided_if.rule, one.decided_if.reached)
        for one in answer.undetermined
    ] == [
        (
            "SCANNER1",
            system,
            "a program that is not loaded may read the transmission queue GATE.XMITQ of HQ",
            "M-11",
            False,
        )
        for system in ("ibm_mq", "sibus")
    ]
    assert [one.text for one in answer.assumptions if one.rule == "M-11"] == [NOTHING_READS]
    assert "Not reached, if assumption M-11 holds" in text(answer)
    hops = without_devices.hops(start, "ibm_mq:SCANNER1")
    assert (hops.reachable, hops.undetermined[0].decided_if.reached) == ("unknown", False)
    (entry,) = without_devices.paths(start, "ibm_mq:SCANNER1").undetermined
    assert entry.decided_if.text == NOTHING_READS


def test_a_message_that_waits_there_may_be_taken_on(without_devices):
    whole = topograph.read(EXAMPLES / "mixed")
    for ask_ in ("trace", "propagate"):
        answer = getattr(without_devices, ask_)("HQ", "ANSWERS@SCANNER1")
        assert NOTHING_READS in {one.text for one in answer.assumptions}
        answer = getattr(whole, ask_)("HQ", "ANSWERS@SCANNER1")
        assert NOTHING_READS not in {one.text for one in answer.assumptions}
    assert whole.reach("HQ").undetermined == ()


def test_of_a_queue_for_a_loaded_queue_manager_nothing_else_is_thought_to_read_it(tmp_path):
    (tmp_path / "A.mqsc").write_text(
        "* Queue manager name: A\nDEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE QREMOTE(R) RNAME(X) "
        "RQMNAME(B)\n"
    )
    (tmp_path / "B.mqsc").write_text("* Queue manager name: B\nDEFINE QLOCAL(X)\n")
    network = topograph.read(tmp_path)
    assert network.reach("A").unreachable == ("B",)
    answer = network.trace("A", "queue:R")
    assert answer.outcomes == ("HELD(B, A, no channel)",)
    assert "M-11" not in {one.rule for one in answer.assumptions}
