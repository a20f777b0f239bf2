"""Messages that an audit need not follow, because all that they can show was shown: the answer is
the same as if each was followed.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from draws import draws

import topograph
from topograph.audit.witnesses import _Following

SELECTORS = ["", 'selector="a = 1"', 'selector="a <> 2 AND b < 5"', 'selector="b IS NULL"']


def drawn_estate(chance: random.Random, folder: Path) -> list[tuple[str, str]]:
    """A random tree of servers with selectors on some routes, and durables and bridges at some
    servers; its routes, the configuring server first.
    """
    names = [f"S{number}" for number in range(chance.randrange(4, 9))]
    routes = [(name, names[chance.randrange(at)]) for at, name in enumerate(names) if at]
    for name in names:
        home = folder / name
        home.mkdir(parents=True)
        (home / "tibemsd.conf").write_text(
            f"server = {name}\nlisten = tcp://7222\nrouting = enabled\ntopics = topics.conf\n"
            "routes = routes.conf\ndurables = durables.conf\nbridges = bridges.conf\n"
        )
        (home / "topics.conf").write_text(">\norders global\nparts global\n")
        own = [section(other, chance) for one, other in routes if one == name]
        (home / "routes.conf").write_text("\n".join(own))
        durable = chance.random() < 0.3
        (home / "durables.conf").write_text("orders d1 clientid=c\n" if durable else "")
        bridge = "[topic:parts]\n  topic=orders\n" if chance.random() < 0.15 else ""
        (home / "bridges.conf").write_text(bridge)
    return routes


def section(other: str, chance: random.Random) -> str:
    lines = [f"[{other}]", f"  url=tcp://{other.lower()}:7222", "  zone_name=Z", "  zone_type=mhop"]
    if selector := chance.choice(SELECTORS):
        lines.append(f"  outgoing_topic=orders {selector}")
    return "\n".join(lines) + "\n"


def drawn_script(chance: random.Random, routes: list[tuple[str, str]]) -> tuple[str, str]:
    """A server, and commands about its routes."""
    server = chance.choice([one for one, _ in routes])
    other = chance.choice([other for one, other in routes if one == server])
    if chance.random() < 0.5:
        return server, f"delete route {other}\n"
    selector = chance.choice(SELECTORS[1:])
    return server, f"setprop route {other} outgoing_topic=orders {selector}\n"


@pytest.mark.parametrize(
    "seeds", [range(10), pytest.param(range(10, 10 + draws(55)), marks=pytest.mark.slow)]
)
def test_the_answer_is_that_of_following_each_message(
    seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_noted = _Following._is_noted
    left_out = 0

    def counted(following: Any, most: Any) -> bool:
        nonlocal left_out
        noted = is_noted(following, most)
        left_out += noted
        return noted

    for seed in seeds:
        chance = random.Random(seed)
        folder = tmp_path / str(seed)
        server, script = drawn_script(chance, drawn_estate(chance, folder))
        found = []
        for noting in (counted, lambda *_: False):
            monkeypatch.setattr(_Following, "_is_noted", noting)
            found.append(topograph.read(folder).audit(script, at=server).to_dict())
        assert found[0] == found[1], seed
    assert left_out
