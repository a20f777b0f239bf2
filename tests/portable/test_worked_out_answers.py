"""The answers that a report works out beforehand are the command's: every field of every one, or
the page says how many there are and which command answers.
"""

from __future__ import annotations

import copy
import json
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from portable.addressed import write_addressed_routers
from portable.columns import repacked, unpacked
from portable.comparing import Counts, commanded, compare_data, models_of
from portable.networks import MANY
from portable.node_engine import NodeEngine, node_engine

import topograph
from topograph.errors import UsageError
from topograph.forwarding.budget import DEFAULT_ANSWERS
from topograph.network import Network
from topograph.opening.folders import read_snapshot
from topograph.portable import engine_data
from topograph.portable.alike import Classes
from topograph.questions.known_destinations import known_destinations
from topograph.questions.model import Model

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
NETWORKS = (
    "routers",
    "mixed",
    "sibus_orders",
    "queue_managers",
    "mqe_devices",
    "retail",
    "estate",
    "orders",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def model_of_example(name: str) -> Model:
    (model,) = models_of(read_snapshot(EXAMPLES / name))
    return model


def every_message(model: Model, **more: Any) -> list[dict[str, Any]]:
    """A message to each known destination from each server."""
    return [
        {"question": "propagate", "from": name, "destination": one.text, "properties": {}} | more
        for one in known_destinations(model)
        for name in model.server_names()
    ]


DECLINED = (
    "É/x",
    "amqp:/orders",
    "_local/x",
    "_topo/0/x",
    "/orders",
    "orders/",
    "a//b",
    "it's",
    "$management",
    "a b",
)
"""Addresses that a page leaves to the command line."""

UNNAMED = (
    *(
        "nowhere",
        "nowhere/at.all",
        "orders",
        "orders/x",
        "orders.x.y",
        "orders.x.retail",
        "jobs",
        "jobs/x",
        "jobs.x.y",
        "a/eu",
        "eu",
        "alerts.uk",
    ),
    *(
        "archive",
        "archive/2027",
        "archive.2027.x",
        "archive.orders",
        "top",
        "top/x",
        "retired.x",
        "prices.eu",
        "unnamed0",
        "jobs/unnamed0",
    ),
    *DECLINED,
    *(
        "MAD",
        "x" * 70,
        "jobs-1",
        "address",
    ),
)
"""Addresses that files need not name: alone, behind, between and in front of what patterns name,
and such as routers take for others.
"""


def to_unnamed(model: Model) -> list[dict[str, Any]]:
    """A message to each of these from each server."""
    return [
        {
            "question": "propagate",
            "from": server,
            "destination": f"address:{name}",
            "properties": {},
        }
        for name in UNNAMED
        for server in model.server_names()
    ]


def wanted(network: Network, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the command answers; of what it refuses the refusal."""
    try:
        return commanded(network, asked)
    except UsageError as error:
        return {"refused": str(error)}


def compared(
    engine: NodeEngine,
    model: Model,
    asked: Sequence[Mapping[str, Any]],
    counts: Counts,
    most: int = 10_000,
) -> list[str]:
    """What differs, refusals included: a page that answers what the command refuses is wrong."""
    network = Network(model)
    return compare_data(
        engine, engine_data(model, None, most), asked, lambda at: wanted(network, asked[at]), counts
    )


@pytest.mark.parametrize("example", NETWORKS)
def test_every_destination_of_an_example_is_answered_from_every_server(
    example: str, engine: NodeEngine
) -> None:
    model, counts = model_of_example(example), Counts()
    assert compared(engine, model, every_message(model), counts, DEFAULT_ANSWERS) == []
    print(f"\n{example}: {counts}; {counts.why.most_common(2)}")
    refused = sum("refused" in wanted(Network(model), one) for one in every_message(model))
    assert counts.declined.total() == refused


def answered_at_random(engine: NodeEngine, seeds: Iterable[int]) -> Counts:
    counts = Counts()
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            write_addressed_routers(Path(folder), seed)
            (model,) = models_of(read_snapshot(folder))
        chance = random.Random(seed)
        unnamed = to_unnamed(model)
        asked = every_message(model) + chance.sample(unnamed, min(len(unnamed), 60))
        heeded = {"subject": {"type": "string", "value": "a.b"}}
        passed = {
            "country": {"type": "string", "value": "Canada"},
            "qty": {"type": "long", "value": str(2**60)},
        }
        for one in chance.sample(asked, min(len(asked), 12)):
            asked += [
                one | {"properties": heeded},
                one | {"properties": passed},
                one | {"user": "ada"},
            ]
        found = compared(engine, model, asked, counts)
        assert found == [], (seed, found[:3])
    print(f"\n{counts}; {[why for why, _ in counts.why.most_common(3)]}")
    return counts


@pytest.mark.slow
def test_routers_with_addresses_of_every_kind(engine: NodeEngine) -> None:
    counts = answered_at_random(engine, range(7, 13))
    assert counts.answered.total() > 0.7 * counts.asked.total()
    assert "What subject changes is not decided in this page." in counts.why


@pytest.mark.slow
def test_many_routers_with_addresses_of_every_kind(engine: NodeEngine) -> None:
    counts = answered_at_random(engine, [*range(7), *range(13, 13 + MANY // 3)])
    assert counts.answered.total() > 0.7 * counts.asked.total()


def test_addresses_that_no_file_names_are_answered_by_their_class(engine: NodeEngine) -> None:
    model, counts = model_of_example("routers"), Counts()
    asked = to_unnamed(model)
    assert compared(engine, model, asked, counts, DEFAULT_ANSWERS) == []
    print(f"\n{counts}; {counts.why.most_common(3)}")
    told = dict(
        zip(
            (one["destination"] for one in asked if one["from"] == "LON"),
            engine.ask([one for one in asked if one["from"] == "LON"]),
            strict=True,
        )
    )
    assert {
        name.removeprefix("address:") for name, one in told.items() if not one["answered"]
    } == set(DECLINED)
    assert "nowhere" in json.dumps(told["address:nowhere"]["answer"])
    assert "unnamed" not in json.dumps([told["address:nowhere"], told["address:jobs/x"]])


def test_a_pattern_with_a_hash_before_its_end_and_renaming_link_routes_have_no_classes(
    tmp_path: Path,
) -> None:
    router = "router {\n  mode: interior\n  id: R\n}\n"
    cases = (
        ("address {\n  pattern: '#/eu'\n  distribution: closest\n}\n", [None]),
        (
            "connector {\n  name: store\n  host: store\n  port: 1\n  role: route-container\n}\n"
            "linkRoute {\n  prefix: a\n  direction: in\n  connection: store\n  "
            "delExternalPrefix: a/\n}\n",
            [["unnamed0"]],
        ),
    )
    for text, wanted_examples in cases:
        (tmp_path / "r.conf").write_text(router + text.replace("'", ""))
        (model,) = models_of(read_snapshot(tmp_path))
        classes = engine_data(model, None, 100)["answers"]["classes"]
        assert [one and [name for _, name in one["examples"]] for one in classes] == wanted_examples


@pytest.mark.parametrize("example", ["mixed", "queue_managers", "sibus_orders", "retail"])
def test_what_properties_and_users_change_is_the_commands_where_anything_may_depend_on_them(
    example: str, engine: NodeEngine
) -> None:
    model = model_of_example(example)
    engine.load(engine_data(model, None, 10_000))
    (asked, *_) = [one for one in every_message(model) if one["destination"].startswith("queue:")]
    typed = {"country": {"type": "string", "value": "Canada"}}
    told = engine.ask([asked, asked | {"properties": typed}, asked | {"user": "ada"}])
    assert told[0]["answered"]
    assert [one["why"] for one in told[1:]] == [
        "What country changes is not decided in this page.",
        "What the user ada changes is not decided in this page.",
    ]
    assert told[1]["command"].endswith("--set country=Canada -s " + model.snapshot)


def test_without_a_budget_nothing_is_answered_and_the_page_says_of_how_many(
    engine: NodeEngine,
) -> None:
    model, counts = model_of_example("routers"), Counts()
    data = engine_data(model, None, 0)
    assert data["answers"]["counts"] == [["address", 6, 0, 0]]
    assert data["answers"]["entries"] == []
    asked = every_message(model)
    assert compare_data(engine, data, asked, lambda _: {}, counts) == []
    assert counts.declined.total() == len(asked)
    (told,) = engine.ask([asked[0]])
    assert told["why"] == (
        "What becomes of a message to address:alerts at FRA is not decided in this page: "
        "0 of 6 addresses are answered in this file."
    )
    assert (
        told["command"]
        == f"topograph propagate FRA --destination address:alerts -s {model.snapshot}"
    )


@pytest.mark.parametrize("most", [1, 7, 13, 20, 30])
def test_a_budget_that_ends_leaves_out_destinations_and_says_so(
    most: int, engine: NodeEngine
) -> None:
    model, counts = model_of_example("routers"), Counts()
    data = engine_data(model, None, most)
    ((_, known, everywhere, named),) = data["answers"]["counts"]
    assert sum(len(unpacked(senders)) for _, senders, _ in data["answers"]["stored"]) <= most
    assert (known, everywhere < known) == (6, True)
    asked = every_message(model)
    assert compared(engine, model, asked, counts, most) == []
    told = engine.ask(asked)
    by_name: dict[str, list[bool]] = {}
    for one, answer in zip(asked, told, strict=True):
        by_name.setdefault(one["destination"], []).append(answer["answered"])
    assert everywhere == sum(all(answers) for answers in by_name.values())
    partly = f", and {named} from the servers whose files name them" if named else ""
    left_out = {
        answer["why"]
        for one, answer in zip(asked, told, strict=True)
        if not any(by_name[one["destination"]])
    }
    assert left_out
    assert all(
        why.endswith(f": {everywhere} of 6 addresses are answered in this file{partly}.")
        for why in left_out
    )


def test_an_answer_that_the_budget_cuts_is_not_kept(tmp_path: Path, engine: NodeEngine) -> None:
    """Receivers of equal cost take turns: every order of events is looked at, and 20 at most for
    one answer of the budget.
    """
    names = [f"R{number}" for number in range(6)]
    for at, name in enumerate(names):
        links = "".join(
            f"connector {{\n  host: h{other}\n  port: 1\n  role: inter-router\n}}\n"
            for other in range(at)
        )
        (tmp_path / f"{name}.conf").write_text(
            f"router {{\n  mode: interior\n  id: {name}\n}}\nlistener {{\n  host: "
            f"h{at}\n  port: 1\n  role: inter-router\n}}\n{links}"
            "address {\n  prefix: jobs\n  distribution: closest\n}\n"
        )
    clients = [
        f"  - {{server: {name}, destination: 'address:jobs', role: receiver}}"
        for name in names[1:] * 8
    ]
    (tmp_path / "topograph.yaml").write_text("clients:\n" + "\n".join(clients) + "\n")
    (model,) = models_of(read_snapshot(tmp_path))
    asked = {"question": "propagate", "from": "R0", "destination": "address:jobs", "properties": {}}
    assert len(commanded(Network(model), asked)["deliveries"]) > 20
    for most in (1, 10_000):
        engine.load(engine_data(model, None, most))
        (told,) = engine.ask([asked])
        assert told["answered"] == (most > 1)


def test_equal_models_give_equal_answers() -> None:
    made = [
        json.dumps(engine_data(model_of_example("routers"), None, 30)["answers"]) for _ in range(2)
    ]
    assert made[0] == made[1]


Change = Callable[[dict[str, Any]], None]


def another_answer(section: dict[str, Any]) -> None:
    """An address has the answers of another one."""
    section["stored"][0][2] = section["stored"][1][2]


def answers_in_turn(section: dict[str, Any]) -> None:
    """The answers of an address belong to other senders."""
    for row in section["stored"]:
        told = unpacked(row[2])
        row[2] = repacked([*told[1:], told[0]])


def one_number(section: dict[str, Any]) -> None:
    """A number is another one, wherever it stands."""
    section["entries"] = [one + 1 if type(one) is int else one for one in section["entries"]]


def truths_turned(section: dict[str, Any]) -> None:
    section["entries"] = [not one if isinstance(one, bool) else one for one in section["entries"]]


def keys_in_turn(section: dict[str, Any]) -> None:
    section["shapes"] = [[*shape[1:], *shape[:1]] for shape in section["shapes"]]


def a_step_less(section: dict[str, Any]) -> None:
    """Lists of more than one entry lose their last."""
    section["entries"] = [
        one[:-1] if isinstance(one, list) and one[0] == -1 and len(one) > 2 else one
        for one in section["entries"]
    ]


def other_patterns(section: dict[str, Any]) -> None:
    """The patterns stand for each other."""
    for one in filter(None, section["classes"]):
        one["patterns"] = [*one["patterns"][1:], *one["patterns"][:1]]


def nothing_apart(section: dict[str, Any]) -> None:
    """An address to which something is attached is taken for one of a class."""
    section["stored"] = [row for row in section["stored"] if "unnamed" in row[0]]
    for one in filter(None, section["classes"]):
        one["apart"] = []


def other_examples(section: dict[str, Any]) -> None:
    """The classes have each other's answers."""
    for one in filter(None, section["classes"]):
        names = [name for _, name in one["examples"]]
        one["examples"] = [
            [key, name]
            for (key, _), name in zip(one["examples"], [*names[1:], names[0]], strict=True)
        ]


def nothing_matters(section: dict[str, Any]) -> None:
    """No property counts."""
    section["heeds"] = {"amq_interconnect": [], "ibm_mq": [], "ems": []}


@pytest.fixture(scope="module")
def exchanged() -> tuple[Model, list[dict[str, Any]], list[dict[str, Any]]]:
    """A network in which a subject decides, with what is asked and what the command answers."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        (where / "r.conf").write_text(
            "router {\n  mode: interior\n  id: R\n}\nexchange {\n  name: e\n  address: top\n}\n"
            "binding {\n  exchangeName: e\n  bindingKey: a.b\n  nextHopAddress: one\n}\n"
            "binding {\n  exchangeName: e\n  nextHopAddress: two\n}\n"
            "address {\n  prefix: jobs\n  distribution: unavailable\n}\naddress {\n  "
            "prefix: orders\n  waypoint: yes\n}\n"
        )
        (where / "s.conf").write_text("router {\n  mode: interior\n  id: S\n}\n")
        clients = "".join(
            f"  - {{server: R, destination: 'address:{name}', role: receiver}}\n"
            for name in ("one", "two")
        )
        (where / "topograph.yaml").write_text("clients:\n" + clients)
        (model,) = models_of(read_snapshot(where))
    asked = every_message(model) + to_unnamed(model)
    asked += [one | {"properties": {"subject": {"type": "string", "value": "x"}}} for one in asked]
    return model, asked, [wanted(Network(model), one) for one in asked]


@pytest.mark.parametrize(
    "change",
    [
        *(
            another_answer,
            answers_in_turn,
            one_number,
            truths_turned,
            keys_in_turn,
            a_step_less,
            nothing_matters,
        ),
        *(other_patterns, nothing_apart, other_examples),
    ],
)
def test_a_fault_in_what_is_stored_is_seen(
    change: Change,
    engine: NodeEngine,
    exchanged: tuple[Model, list[dict[str, Any]], list[dict[str, Any]]],
) -> None:
    model, asked, answers = exchanged
    data = engine_data(model, None, 1_000)
    assert compare_data(engine, data, asked, lambda at: answers[at], Counts()) == []
    broken = copy.deepcopy(data)
    change(broken["answers"])
    assert compare_data(engine, broken, asked, lambda at: answers[at], Counts()) != []


@pytest.mark.parametrize("pattern", ["prefix: /", "pattern: ./"])
def test_a_link_route_of_separators_alone_is_like_no_address(tmp_path: Path, pattern: str) -> None:
    """It has no token, so that no name begins like it."""
    (tmp_path / "A.conf").write_text(
        "router {\n id: A\n mode: interior\n}\n"
        f"linkRoute {{\n {pattern}\n direction: in\n containerId: c\n}}\n"
    )
    (part,) = topograph.read(tmp_path)._model.parts
    classes = Classes.of(part)
    assert classes is not None
    assert classes.told.patterns == ((),)
    assert classes.key("orders") == ()
