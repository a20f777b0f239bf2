"""What a file that ends in its middle leaves open has that file as its reason, not code that no
file shows (S-33)."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn.all_systems import drawn

import topograph


@pytest.mark.parametrize(
    ("number", "file"),
    [(1, "cells/c/clusters/C/sib-engines.xml"), (9, "cells/c/buses/C/sib-bus.xml")],
)
def test_the_steps_of_reach_name_the_file_that_is_cut_off(
    number: int, file: str, tmp_path: Path
) -> None:
    files = drawn("sibus", "one", number).files
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        kept = text[: len(text) * 2 // 3] if path == file else text
        (tmp_path / path).write_text(kept, encoding="utf-8")
    network = topograph.read(tmp_path).within(None)
    names = network.server_names()
    perhaps = {
        (start, one.server): {guard for step in one.steps for guard in step.guards}
        for start in names
        for one in network.reach(start).servers
        if not one.certain
    }
    lost = f"{file} could not be read to its end"
    said = {guard for guards in perhaps.values() for guard in guards}
    assert not [one for one in said if one.startswith("decided by code") and "mediation" not in one]
    ends = [ends for ends, guards in perhaps.items() if any(lost in one for one in guards)]
    assert ends
    for start, end in ends:
        assert lost in network.hops(start, end).undetermined[0].because
