"""An answer about the toy system can be drawn."""

from __future__ import annotations

from pathlib import Path

import topograph


def test_a_path_of_relays_is_drawn_with_its_rules_and_places(relay: Path) -> None:
    network = topograph.read(relay)
    view = network.view(network.paths("harbour", "pier"))
    assert {node["id"] for node in view.nodes} == set(network.server_names())
    page = view.generate_html()
    for text in ("RL-1", "RL-2", "harbour.relay:4", "mole.relay:2"):
        assert text in page
