"""What aliases make of the name of a queue manager (E-01), by following them one by one."""

from __future__ import annotations

from itertools import pairwise
from unittest.mock import Mock

from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.facts.mqe import MqeAlias
from topograph.findings import Source
from topograph.systems.mqe.configuration import MqeManager

NAMES = st.sampled_from("ABCDEFGHIJ")


def manager(targets: dict[str, str]) -> MqeManager:
    facts = [
        MqeAlias(bundle="b", server="Q", source=Source("q.yaml", line), name=name, target=target)
        for line, (name, target) in enumerate(targets.items(), 1)
    ]
    return MqeManager.of("Q", (), facts)


@settings(max_examples=draws(167), deadline=None)
@given(st.dictionaries(NAMES, NAMES), st.lists(NAMES, min_size=1))
def test_names_stand_for_what_following_them_comes_to(
    targets: dict[str, str], asked: list[str]
) -> None:
    there = manager(targets)
    for name in asked:
        way = [name]
        while way[-1] in targets and targets[way[-1]] not in way:
            way.append(targets[way[-1]])
        circle = way[-1] in targets
        found = there.substitute(name)
        assert found.in_circle is circle
        assert found.target == (targets[way[-1]] if circle else way[-1])
        followed = [one for one in way if one in targets]
        told = [one.name for one in found.first]
        assert told[:1] == followed[:1]
        if not circle:
            assert told[:5] == followed[:5]
            assert (len(told) > 5) is (len(followed) > 5)


def test_a_long_chain_is_followed_once() -> None:
    names = [f"N{number}" for number in range(2_001)]
    there = manager(dict(pairwise(names)))
    asked = Mock(wraps=there.aliases)
    there.aliases = asked
    assert {there.substitute(one).target for one in names} == {names[-1]}
    assert asked.get.call_count <= len(names)
