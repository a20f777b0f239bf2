"""Answers about a message are the same whether the entries of other destinations are read or not,
one server at a time or several together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import drawn
from drawn.networks import read_files

import topograph
from topograph.errors import TopographError
from topograph.systems.ems.destinations.topics import Covering

ESTATES = 10
ABOUT_MESSAGES = ("trace", "propagate", "message_guards")


@pytest.mark.parametrize("number", range(ESTATES))
@pytest.mark.parametrize("way", ["one", "two"])
def test_entries_of_other_destinations_say_nothing(
    way: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    estate = drawn("ems", way, number)
    network = read_files(tmp_path, estate.files)
    asked = [one for one in estate.questions() if one[0] in ABOUT_MESSAGES]
    asked += [
        (name, (server, f"{type_}:not.there", {}), {})
        for name in ABOUT_MESSAGES[:2]
        for server in estate.servers
        for type_ in ("topic", "queue")
    ]
    narrow = [told(network, *one) for one in asked]
    monkeypatch.setattr(Covering, "__contains__", lambda *_: True)
    network = topograph.read(tmp_path)
    assert [told(network, *one) for one in asked] == narrow
    assert any(not isinstance(one, str) for one in narrow)


def told(
    network: topograph.Network, name: str, given: tuple[Any, ...], more: dict[str, Any]
) -> Any:
    """The answer, or why there is none."""
    try:
        answer = getattr(network, name)(*given, **more)
    except TopographError as error:
        return f"{type(error).__name__}: {error}"
    return answer.to_dict() if hasattr(answer, "to_dict") else answer
