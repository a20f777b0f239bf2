"""What the page says of an answer beside what Python says of it: marks, notes, paths, blocks,
title, verdict and facts are equal.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from brute_force.ems_estate import estates
from draws import draws
from every_question import questions
from hypothesis import HealthCheck, given, settings
from portable.node import run

import topograph
from topograph.network import Network
from topograph.questions.answers import (
    Answer,
    HopsAnswer,
    PathsAnswer,
    PropagateAnswer,
    ReachAnswer,
)
from topograph.systems.registry import server_noun
from topograph.viz.scene.records import BlockDrawn, Scene, StepDrawn

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("marking",)
SAY = """
return given.map(({answer, links, unloaded, nouns}) => {
  const said = saidOf(answer, {links, unloaded: new Set(unloaded), nouns: new Map(nouns)});
  const byName = ([a], [b]) => (a < b ? -1 : 1);
  const marks = (told) => [...told].map(([key, {mark, note}]) => [key, {mark, note}]).sort(byName);
  const here = [...said.servers].filter(([, told]) => told.here)
    .map(([name, told]) => [name, told.here]).sort(byName);
  const paths = said.paths.map(({title, servers, steps, shown, together}) =>
    ({title, servers, steps, shown, together}));
  return {...said, here, servers: marks(said.servers),
    attached: marks(said.attached), links: marks(said.links), paths};
});
"""
ASKED = (ReachAnswer, HopsAnswer, PathsAnswer, PropagateAnswer)
"""The answers that pages give themselves."""

EXAMPLES = (
    "estate",
    "orders",
    "retail",
    "routers",
    "mixed",
    "mhop-star",
    "two-1hop-zones/legal",
    "two-1hop-zones/with-g-a",
)


def steps(drawn: tuple[StepDrawn, ...]) -> list[dict[str, Any]]:
    found = []
    for step in drawn:
        fields = {
            field.name.rstrip("_"): getattr(step, field.name) for field in dataclasses.fields(step)
        }
        lists = {"guards": list(step.guards), "inside": list(step.inside)}
        found.append({**fields, **lists, "source": str(step.source)})
    return found


def block(drawn: BlockDrawn) -> dict[str, Any]:
    fields = {field.name: getattr(drawn, field.name) for field in dataclasses.fields(drawn)}
    return {
        **fields,
        "source": str(drawn.source),
        "certain": drawn.certain,
        "way": steps(drawn.way),
    }


def said(scene: Scene) -> dict[str, Any]:
    """What a scene says, apart from what it says of the picture as such."""
    return {
        "question": scene.question,
        "title": scene.title,
        "verdict": scene.verdict,
        "exact": scene.exact,
        "told": [],
        "facts": [
            [kind, text]
            for kind, text in scene.facts
            if kind != "note" and "Several systems" not in text
        ],
        "around": [],
        "servers": sorted(
            [s.name, {"mark": s.mark, "note": s.note}] for s in scene.servers if s.mark
        ),
        "attached": sorted(
            [one.name, {"mark": one.mark, "note": one.note}] for one in scene.attached if one.mark
        ),
        "here": sorted([s.name, s.here] for s in scene.servers if s.here),
        "links": sorted(
            [one.id, {"mark": one.mark, "note": one.note}] for one in scene.links if one.mark
        ),
        "paths": [
            {
                "title": path.title,
                "servers": list(path.servers),
                "steps": steps(path.steps),
                "shown": path.shown,
                "together": path.together,
            }
            for path in scene.paths
        ],
        "blocks": [block(one) for one in scene.blocks],
    }


def case(network: Network, answer: Answer, scene: Scene) -> dict[str, Any]:
    links = [
        {
            "id": one.id,
            "a": {"name": one.ends[0]},
            "b": {"name": one.ends[1]},
            "style": one.style,
            "cost": one.cost,
            "zone": one.zone,
            "source": str(one.source),
        }
        for one in scene.links
    ]
    return {
        "answer": answer.to_dict(),
        "links": links,
        "unloaded": [row["server"] for row in network.show("servers").rows if not row["loaded"]],
        "nouns": [
            [system, server_noun([system])]
            for system in {server.system for server in scene.servers}
        ],
    }


def compare(network: Network, answers: list[Answer]) -> int:
    """How many answers were compared."""
    asked = [answer for answer in answers if isinstance(answer, ASKED)]
    scenes = [network.view(as_in_a_page(answer)).scene for answer in asked]
    cases = [case(network, answer, scene) for answer, scene in zip(asked, scenes, strict=True)]
    for scene, page in zip(scenes, in_the_page(cases), strict=True):
        assert page == said(scene)
    return len(cases)


def as_in_a_page(answer: Answer) -> Answer:
    """An answer as a page has it, which follows no message inside servers."""
    if isinstance(answer, PropagateAnswer):
        return dataclasses.replace(answer, follow=None)
    return answer


def in_the_page(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return run(MODULES, SAY, cases, folder=ROOT / "viz" / "page" / "asking")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_says_of_every_answer_of_an_example_what_python_says(name):
    network = topograph.read(ROOT / "examples" / name)
    answers = [ask(network) for _, ask in questions(network)]

    assert compare(network, answers) > 20


def test_the_page_says_what_servers_would_need_as_python_says_it(tmp_path):
    """HUB leads to servers that are not loaded, in two zones; ISLE stands alone."""
    hub = (("L1", "Z", "1hop"), ("L2", "Z", "1hop"), ("L3", "Z", "1hop"), ("AWAY", "M", "mhop"))
    routes = {
        "HUB": "".join(
            f"[{peer}]\n url=tcp://{peer}:7222\n zone_name={zone}\n zone_type={kind}\n"
            for peer, zone, kind in (*hub, *((f"GONE{n}", "N", "1hop") for n in range(6)))
        ),
        **dict.fromkeys(("L1", "L2", "L3", "ISLE"), ""),
    }
    for server, text in routes.items():
        (tmp_path / server).mkdir()
        (tmp_path / server / "tibemsd.conf").write_text(
            f"server={server}\nrouting=enabled\nroutes=routes.conf\ntopics=topics.conf\n"
        )
        (tmp_path / server / "routes.conf").write_text(text)
        (tmp_path / server / "topics.conf").write_text("> global\n")
    network = topograph.read(tmp_path)
    answers: list[Answer] = [
        *(network.reach(start) for start in network.server_names()),
        *(network.propagate(start, "topic:orders") for start in network.server_names()),
        network.propagate("ISLE", "topic:orders", subscribers=["L1:orders"]),
        *(network.reach("L1", to) for to in ("L2", "ISLE", "AWAY")),
        network.reach("L1", "ISLE", reply=True),
        *(network.hops("L1", to) for to in ("L2", "ISLE", "AWAY")),
        *(network.paths("L1", to) for to in ("L2", "ISLE", "AWAY")),
    ]
    told = [network.view(answer).scene.facts for answer in answers]

    assert compare(network, answers) == len(answers)
    assert sum(any(kind == "open" for kind, _ in facts) for facts in told) >= 12
    assert any("or one of " in text for facts in told for kind, text in facts if kind == "open")
    (text,) = (text for kind, text in network.view(network.trace("L1", "topic:orders")).scene.facts
               if kind == "open" and text.startswith("For ISLE "))  # fmt: skip
    assert text.startswith("For ISLE to be reached, AWAY")


@pytest.mark.parametrize(
    "guards",
    [
        ("for any topic", "queues were triggered", "for orders only if a = 1", "b = 2"),
        tuple(f"for {letter * 70} 😀" for letter in "abcd"),
        (f"for {'x' * 158}😀😀", "for orders"),
        ("x" * 200,),
        ("for a only if x = 1", "for any topic", "for a only if y = 2 only if z", "for b only if"),
        ("for any topic only if x = 1", "for any topic", "for any topic only if y = 2"),
    ],
)
def test_the_page_says_of_the_messages_that_a_path_carries_what_python_says(guards):
    network = topograph.read(ROOT / "examples" / "estate")
    one, far = network.reach("LONDON", "MEXICO"), network.hops("LONDON", "MEXICO")
    paths = network.paths("LONDON", "MEXICO")
    steps = tuple(dataclasses.replace(step, guards=guards) for step in far.steps)
    (server,), (path,) = one.servers, paths.paths
    limited = dataclasses.replace(path, steps=steps)
    free = dataclasses.replace(path, steps=())
    chosen = dataclasses.replace(server, steps=steps, certain=False)
    answers = [
        dataclasses.replace(one, servers=(dataclasses.replace(server, steps=steps),)),
        dataclasses.replace(one, servers=(chosen,)),
        dataclasses.replace(far, steps=steps),
        dataclasses.replace(paths, paths=(limited, limited)),
        dataclasses.replace(paths, paths=(limited, path)),
        dataclasses.replace(paths, paths=(limited, free), truncated=True),
    ]

    assert compare(network, list(answers)) == 6


@pytest.mark.slow
@settings(
    max_examples=draws(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(estate=estates())
def test_the_page_says_of_every_answer_of_a_random_estate_what_python_says(
    tmp_path_factory, estate
):
    root = tmp_path_factory.mktemp("estate")
    estate.write(root)
    network = topograph.read(root)
    names = network.server_names()
    answers: list[Answer] = []
    for start in names:
        answers.append(network.reach(start))
        for topic in ("orders.eu", "news"):
            answers.append(
                network.propagate(
                    start, f"topic:{topic}", {"country": "Canada", "qty": 7, "n": 0.5}
                )
            )
            answers.append(
                network.propagate(
                    start, f"topic:{topic}", user="joe", subscribers=[f"{names[0]}:topic:>"]
                )
            )
        for end in names:
            answers += [network.reach(start, end), network.reach(start, end, reply=True)]
            answers += [network.hops(start, end), network.paths(start, end)]

    compare(network, answers)
