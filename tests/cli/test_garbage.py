"""What a command reads stays until its process ends, and is not looked through for garbage; a
process that goes on keeps nothing for good."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from topograph.process.garbage import for_one_command, lasting


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()


@pytest.mark.parametrize("alone", [True, False], ids=["one command", "many commands"])
def test_what_is_made_stays_for_good_in_a_process_of_one_command(alone: bool) -> None:
    if alone:
        for_one_command()
    before = gc.get_freeze_count()
    with lasting():
        assert not gc.isenabled()
        made = [[] for _ in range(1000)]
    assert gc.isenabled()
    assert (gc.get_freeze_count() - before > len(made)) == alone
