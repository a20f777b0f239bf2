"""A budget that ends at any point of any question: the answer is the whole one wherever it says
that it is exact, else part of it; and the next question is answered as if nothing had been cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import adversarial
import every_question
import pytest
from draws import share
from ending_budgets import FOR_EVER, ending_after

import topograph
from topograph.network import Network
from topograph.questions.answers import Answer

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Ask = Callable[[Network], Answer]
Json = Mapping[str, Any]

FIRST, SPREAD = 12, 8
"""Budgets of 0, 1, 2, ... looks at the clock that are tried, and others over all that it takes."""

OF_A_KIND = 3
"""Questions of one kind that are asked of one network."""


def _grid(side: int) -> Callable[[Path], Path]:
    return lambda folder: adversarial.written(adversarial.grid(side), folder)


def _zoned(folder: Path) -> Path:
    """Each server linked with each, in zones of one hop and one of several."""

    def zone(a: int, b: int) -> tuple[str, str]:
        return (f"Z{(a * b) % 4}", "1hop") if (a + b) % 5 else ("M", "mhop")

    return adversarial.written(adversarial.complete(7), folder, zone)


LONG = ("grid-3", "grid-4", "queue_managers", "zoned")
NETWORKS: Mapping[str, Callable[[Path], Path]] = {
    "grid-3": _grid(3),
    "grid-4": _grid(4),
    "zoned": _zoned,
    **{
        name: lambda _, name=name: EXAMPLES / name
        for name in (
            "estate",
            "retail",
            "routers",
            "queue_managers",
            "sibus_orders",
            "mqe_devices",
            "mixed",
        )
    },
}

CHANGES: Mapping[str, tuple[str | Path, ...]] = {
    "grid-3": ("create route S004 url=tcp://s004:7222 zone_name=M zone_type=mhop\n", "S000"),
    "grid-4": ("delete route S001\n", "S000"),
    "zoned": ("delete route S001\n", "S000"),
    "retail": (EXAMPLES / "changes" / "orchard-meadow.txt", "ORCHARD"),
    "routers": (EXAMPLES / "changes" / "london.sh",),
    "queue_managers": (EXAMPLES / "changes" / "store2-orders.mqsc",),
    "sibus_orders": (EXAMPLES / "changes" / "orders-without-pricing.jy",),
}
"""A script, and the server that it is for where the script does not say it."""

POLICIES = """\
policies:
  - {id: apart, never_reaches: {from: '*', to: '*'}}
  - {id: together, reaches: {from: '*', to: '*'}}
  - {id: near, max_hops: {hops: 1, from: '*', to: '*'}}
"""
"""Policies that fail before and after, with much that speaks against them."""


def _questions(name: str, network: Network) -> Iterator[tuple[str, Ask]]:
    """Some questions of each kind that a budget may cut."""
    servers = network.server_names()
    asked: dict[str, int] = {}
    ems = name.startswith(("grid", "zoned"))
    if ems or name in ("estate", "retail"):
        yield "impact sweep", lambda n: n.impact(sweep=True)
        yield "impact one", lambda n: n.impact([f"server:{servers[1]}"])
    if ems:
        yield "impact some", lambda n: n.impact([f"server:{servers[4]}", "route:S000-S001"])
        yield (
            "impact subscribers",
            lambda n: n.impact(
                [f"route:{servers[0]}-{servers[1]}"],
                subscribers=[f"{servers[-1]}:topic:orders", f"{servers[0]}:topic:orders"],
            ),
        )
    for title, ask in every_question.questions(network):
        kind = title.partition(" ")[0]
        asked[kind] = asked.get(kind, 0) + 1
        if kind not in ("show", "check") and asked[kind] <= OF_A_KIND:
            yield title, ask
    if name in CHANGES:
        yield "audit", lambda n: n.audit(*CHANGES[name])
        yield "audit with policies", lambda n: n.audit(*CHANGES[name], policy=POLICIES)


def _budgets(most: int) -> list[float]:
    few = [0.5, *range(1, min(FIRST, most + 2))]
    return sorted({*few, *(most * n // SPREAD for n in range(1, SPREAD + 1)), most - 1, most} - {0})


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one, marks=pytest.mark.slow if one in LONG else ())
        for one in share(NETWORKS, 2)
    ],
)
def test_an_answer_is_whole_wherever_it_says_so_whenever_the_budget_ends(
    name: str, tmp_path: Path
) -> None:
    network = topograph.read(NETWORKS[name](tmp_path / name))
    cut = 0
    for title, ask in _questions(name, network):
        with ending_after(FOR_EVER) as clocks:
            whole = ask(network).to_dict()
        assert "budget" not in _causes(whole), title
        for looks in _budgets(max(clock.looks for clock in clocks)):
            with ending_after(looks):
                answer = ask(network).to_dict()
            if answer["exact"]:
                assert answer == whole, (title, looks)
            elif "budget" in _causes(answer):
                cut += 1
                assert "budget" in {one["rule"] for one in answer["warnings"]}, (title, looks)
                PARTS.get(title.partition(" ")[0], _nothing)(answer, whole)
            else:
                assert answer == whole, (title, looks)
        with ending_after(FOR_EVER):
            assert ask(network).to_dict() == whole, title
    assert cut


def test_two_states_are_compared_as_far_as_the_budget_goes(
    tmp_path: Path,
) -> None:
    links = adversarial.grid(3)
    before = topograph.read(adversarial.written(links[1:], tmp_path / "before"))
    after = topograph.read(adversarial.written(links, tmp_path / "after"))
    with ending_after(FOR_EVER) as clocks:
        whole = topograph.compare(before, after).to_dict()
    assert whole["verdict"] == "reject"
    for looks in _budgets(max(clock.looks for clock in clocks)):
        with ending_after(looks):
            answer = topograph.compare(before, after).to_dict()
        if answer["exact"]:
            assert answer == whole, looks
        else:
            _audit(answer, whole)


def _causes(answer: Json) -> set[str]:
    return {one["cause"] for one in answer["inexact_because"]}


def _nothing(cut: Json, whole: Json) -> None:
    """Of these it is enough that they say that they are not exact."""


def _reach(cut: Json, whole: Json) -> None:
    assert _named(cut, "servers") <= _named(whole, "servers")
    assert set(cut["unreachable"]) <= set(whole["unreachable"])


def _named(answer: Json, field: str) -> set[tuple[str, str]]:
    return {(one["system"], one["server"]) for one in answer[field]}


def _hops(cut: Json, whole: Json) -> None:
    assert cut["reachable"] in ("unknown", whole["reachable"])
    assert cut["route_hops"] in (None, whole["route_hops"])


def _matrix(cut: Json, whole: Json) -> None:
    for row, other in zip(cut["hops"], whole["hops"], strict=True):
        assert all(hop in ("unknown", known) for hop, known in zip(row, other, strict=True))


def _cycles(cut: Json, whole: Json) -> None:
    assert cut["legal"] in ("unknown", whole["legal"])
    known = {(one["server"], one["name"]): set(one["via"]) for one in whole["duplicates"]}
    assert all(set(one["via"]) <= known[one["server"], one["name"]] for one in cut["duplicates"])


def _interests(cut: Json, whole: Json) -> None:
    open_ = {one["server"] for one in cut["undetermined"]}
    for server, names in whole["servers"].items():
        listed = cut["servers"].get(server, [])
        assert all(one in names for one in listed)
        assert server in open_ or listed == names
    for field in ("missing", "unexpected"):
        assert all(one in whole[field] for one in cut[field])


def _propagate(cut: Json, whole: Json) -> None:
    known = {one["server"] for one in whole["deliveries"]}
    assert {one["server"] for one in cut["deliveries"]} <= known


def _impact(cut: Json, whole: Json) -> None:
    pairs = [{(one["from"], one["to"]) for one in answer["lost"]} for answer in (cut, whole)]
    assert pairs[0] <= pairs[1]
    counted = {one["failed"]: one for one in whole["failures"]}
    assert all(one == counted[one["failed"]] for one in cut["failures"])
    assert cut["left_out"] or not whole["failures"]
    assert set(cut["left_out"]).isdisjoint(one["failed"] for one in cut["failures"])
    for field in ("gaps", "retained", "changed", "rerouted", "held"):
        assert all(one in whole[field] for one in cut[field]), field


def _audit(cut: Json, whole: Json) -> None:
    assert cut["verdict"] in (whole["verdict"], "undetermined")
    for one in cut["rejections"]:
        if not one["undetermined"]:
            assert whole["rejections"]
    assert cut["before"]["legal"] in ("unknown", whole["before"]["legal"])
    for part, fields in (("reach", ("gained", "lost")), ("interest", ("gained", "lost"))):
        for field in fields:
            assert all(one in whole[part][field] for one in cut[part][field]), (part, field)
    for field in ("gained", "lost", "duplicated"):
        assert all(one in whole["deliveries"][field] for one in cut["deliveries"][field]), field
    for field in ("would_gain", "would_lose", "outcomes"):
        assert all(one in whole[field] for one in cut[field]), field


PARTS: Mapping[str, Callable[[Json, Json], None]] = {
    "reach": _reach,
    "reply": _reach,
    "hops": _hops,
    "hops_matrix": _matrix,
    "cycles": _cycles,
    "interests": _interests,
    "propagate": _propagate,
    "impact": _impact,
    "audit": _audit,
}


def test_services_are_left_open_and_never_judged_otherwise_where_the_budget_ends() -> None:
    network = topograph.read(EXAMPLES / "services")
    with ending_after(FOR_EVER) as clocks:
        whole = _judged(network)
    cut = 0
    for looks in _budgets(max(clock.looks for clock in clocks)):
        with ending_after(looks):
            judged = _judged(network)
        for place, judgement in judged.items():
            assert judgement in (whole[place], "unknown", "not_looked_at"), (place, looks)
            cut += judgement != whole[place]
    assert cut


def _judged(network: Network) -> dict[tuple[str, ...], str]:
    """The judgement of each listener, and of each connector as it sees it."""
    found: dict[tuple[str, ...], str] = {}
    for service in network.services().services:
        for one in service.listeners:
            found[service.destination, one.server] = one.judgement
            for each in one.connectors:
                found[service.destination, one.server, each.server] = each.judgement
    return found
