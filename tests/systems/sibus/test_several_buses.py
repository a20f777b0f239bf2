"""Several buses of one name in one import are never taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from sibus_forms import Stated, as_liberty, as_xml

from topograph import network

ESTATES = {
    "cells": {
        "d/cells/c1/buses/B/sib-destinations.xml": as_xml([Stated("Queue", "A")]),
        "d/cells/c2/buses/B/sib-destinations.xml": as_xml([Stated("Queue", "C")]),
    },
    "liberty": {
        "h1/servers/B/server.xml": as_liberty([Stated("Queue", "A")]),
        "h2/servers/B/server.xml": as_liberty([Stated("Queue", "C")]),
    },
    "both": {
        "cells/c1/buses/B/sib-destinations.xml": as_xml([Stated("Queue", "A")]),
        "servers/B/server.xml": as_liberty([Stated("Queue", "C")]),
    },
}


def read(root: Path, files: dict[str, str]) -> network.Network:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return network.read(root)


@pytest.mark.parametrize("files", ESTATES.values(), ids=ESTATES)
def test_answers_about_several_buses_of_one_name_are_undetermined(
    tmp_path: Path, files: dict[str, str]
) -> None:
    found = read(tmp_path, files)
    assert found.server_names() == ("B",)
    for destination in ("queue:A", "queue:C", "queue:NONE"):
        assert found.trace("B", destination).outcomes == ("UNDETERMINED",)
    assert "several-buses-of-one-name" in {row["kind"] for row in found.show("findings").rows}


def test_documents_of_one_cell_and_output_that_says_none_are_of_one_bus(tmp_path: Path) -> None:
    files = {
        "cells/c1/buses/B/sib-destinations.xml": as_xml([Stated("Queue", "A")]),
        "export/B/sib-destinations.xml": as_xml([Stated("Queue", "A")]),
    }
    assert read(tmp_path, files).trace("B", "queue:A").outcomes == ("DELIVERED(A@B)",)
