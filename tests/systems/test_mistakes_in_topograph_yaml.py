"""Every answer that a mistake in topograph.yaml could have decided says so, with its line, and is
not exact; every other answer is as without the mistake."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from drawn.amq_interconnect import DrawnRoutersBesideEachOther
from drawn.ems import Drawn
from drawn.ibm_mq import DrawnManagersBesideEachOther
from drawn.mqe import DrawnDevicesBesideEachOther
from drawn.sibus import DrawnBuses
from every_question import questions
from portable.node_engine import node_engine

import topograph
from topograph.errors import TopographError
from topograph.inexact import Cause
from topograph.network import Network
from topograph.portable import engine_data
from topograph.questions.answers import Answer
from topograph.questions.text import text

pytestmark = pytest.mark.slow

ORDERS = Path(__file__).parents[2] / "examples" / "orders"

ESTATES = {
    "ems": Drawn,
    "amq_interconnect": DrawnRoutersBesideEachOther,
    "ibm_mq": DrawnManagersBesideEachOther,
    "mqe": DrawnDevicesBesideEachOther,
    "sibus": DrawnBuses,
}

MISTAKES = {
    "tab": ("hosts:\n\tx.example: A\n", 2, ""),
    "indentation": ("clients:\n  - server: A\n   destination: topic:T\n", 3, ""),
    "unknown key": ("nonsense: 1\n", 1, ""),
    "misspelt key": ("clientz:\n  - {server: A, destination: 'topic:T'}\n", 1, "clients"),
    "bad destination": ("clients:\n  - {server: A, destination: orders}\n", 2, "clients"),
    "unknown key of an entry": (
        "clients:\n  - {server: A, destination: 'topic:T', client: c}\n",
        2,
        "clients",
    ),
    "key twice": ("hosts:\n  a.example: A\n  a.example: B\n", 3, "hosts"),
    "no host": ("hosts:\n  'tcp://a.example:7222': A\n", 2, "hosts"),
    "wrong override": ("overrides:\n  ems: {A9: nobody}\n", 2, "overrides"),
    "no such position": ("overrides:\n  ibm_mq: {A99: last}\n", 2, "overrides"),
    "bad version": ("versions:\n  A: new\n", 2, "versions"),
    "a mediation without a name": ("mediations:\n  - {bus: A, result: pass}\n", 2, "mediations"),
    "not a result": (
        "mediations:\n  - {bus: A, mediation: M, result: perhaps}\n",
        2,
        "mediations",
    ),
    "no route": ("suspended:\n  - {server: A}\n", 2, "suspended"),
    "not a parameter": ("new:\n  S: {routes: a}\n", 2, "new"),
    "not used yet": ("sites:\n  A: []\n", 1, "sites"),
}
"""What is written, the line of the mistake, and the section that it is in (empty: any)."""

Asked = tuple[str, Callable[[Network], Answer]]
"""A question, in words, and what asks it."""

READ = {
    "ems": {"clients", "suspended", "new"},
    "amq_interconnect": {"clients", "versions"},
    "ibm_mq": set[str](),
    "mqe": set[str](),
    "sibus": {"mediations"},
}
"""What each system reads beside what all of them read."""

OF_ALL = {"", "hosts", "overrides"}

BY_ROUTES = ("reach", "reply", "hops", "paths", "cycles", "hops_matrix")
"""Questions that no client decides."""


def written(system: str, number: int, root: Path, side_inputs: str) -> None:
    for path, content in ESTATES[system](number).files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    (root / "topograph.yaml").write_text(side_inputs, encoding="utf-8")


def one_of_each(network: Network, number: int) -> Iterator[Asked]:
    """One question of each kind, another one with each number."""
    kinds: dict[str, list[Asked]] = {}
    for label, ask in questions(network):
        words = label.split()
        kind = label if words[0] == "show" else words[0]
        kinds.setdefault(kind, []).append((label, ask))
    for own in kinds.values():
        yield own[number % len(own)]


def decides(system: str, section: str, label: str) -> bool:
    if section == "clients" and (
        label.split(maxsplit=1)[0] in BY_ROUTES
        or label in [f"show {what}" for what in ("servers", "routes", "zones", "files")]
    ):
        return False
    return section in OF_ALL or section in READ[system]


def said(answer: Answer, line: int) -> bool:
    places = [str(one.source) for one in answer.warnings if one.rule.startswith("side-inputs-")]
    return any(place.startswith(f"topograph.yaml:{line}:") for place in places)


@pytest.mark.parametrize("system", ESTATES)
def test_every_answer_says_what_is_left_out_where_it_could_decide(
    system: str, tmp_path: Path
) -> None:
    looked = 0
    for number, (mistake, (content, line, section)) in enumerate(MISTAKES.items()):
        root = tmp_path / str(number)
        written(system, number % 4, root, content)
        network = topograph.read(root) if number % 2 else topograph.open(root)
        for label, ask in one_of_each(network, number):
            try:
                answer = ask(network)
            except TopographError:
                continue
            looked += 1
            where = mistake, label
            wanted = decides(system, section, label)
            assert said(answer, line) == wanted, where
            assert (
                any(one.cause is Cause.SIDE_INPUTS for one in answer.inexact_because) == wanted
            ), where
            if wanted:
                assert not answer.exact, where
                assert f"topograph.yaml:{line}" in text(answer), where
    assert looked > 100


def test_a_kept_reading_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    written("ems", 1, tmp_path / "estate", MISTAKES["bad destination"][0])
    answers = [
        topograph.open(tmp_path / "estate").propagate("A", "topic:T").to_dict() for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert answers[0]["inexact_because"][-1]["cause"] == "side-inputs"


def test_a_mistake_of_either_state_stands_in_a_comparison(tmp_path: Path) -> None:
    written("ems", 1, tmp_path / "before", "clients: []\n")
    written("ems", 1, tmp_path / "after", MISTAKES["bad destination"][0])
    before, after = (topograph.read(tmp_path / name) for name in ("before", "after"))
    for pair in ((before, after), (after, before)):
        answer = topograph.compare(*pair)
        assert said(answer, 2)
        assert not answer.exact


def test_redacted_answers_show_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_REDACT_KEY", "a key that is long enough for a test")
    content = "hosts:\n  'tcp://secret.example:7222': A\n"
    written("ems", random.Random(1).randrange(4), tmp_path, content)
    answer = topograph.read(tmp_path, redact=True).reach("A")
    assert said(answer, 2)
    assert "secret" not in text(answer)


@pytest.mark.parametrize("mistake", ["bad destination", "no host"])
def test_the_page_says_the_same(mistake: str, tmp_path: Path) -> None:
    shutil.copytree(ORDERS, tmp_path / "estate")
    (tmp_path / "estate" / "topograph.yaml").write_text(MISTAKES[mistake][0], encoding="utf-8")
    network = topograph.read(tmp_path / "estate")
    start, end = network.server_names()[:2]
    asked = [
        {"question": "reach", "from": start},
        {"question": "hops", "from": start, "to": end},
        {"question": "paths", "from": start, "to": end},
    ]
    wanted = [network.reach(start), network.hops(start, end), network.paths(start, end)]
    (tmp_path / "node").mkdir()
    with node_engine(tmp_path / "node") as engine:
        engine.load(engine_data(network._model))
        answers = engine.ask(asked)
    for answer, right in zip(answers, wanted, strict=True):
        assert answer["answered"], answer
        for field in ("exact", "warnings", "inexact_because"):
            assert answer["answer"][field] == right.to_dict()[field]
