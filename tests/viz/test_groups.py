"""Named sets of servers: what the files state of them is what picture, page and drawing name. The
right answer is what each estate was drawn from.
"""

from __future__ import annotations

import random
import re
from itertools import combinations
from pathlib import Path

import pytest

import topograph
from topograph.viz.layout.zone_colours import COLOURS, PATTERNS, zone_colours
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.records import Scene
from topograph.viz.svg.document import svg

Groups = dict[tuple[str, str], tuple[str, ...]]
"""The members of each group by its kind and name."""

ESTATES = range(24)


def members(scene: Scene) -> Groups:
    found: dict[tuple[str, str], set[str]] = {}
    for zone in scene.zones:
        found.setdefault((zone.kind, zone.name), set()).update(zone.servers)
    return {key: tuple(sorted(names)) for key, names in sorted(found.items())}


def in_page(network: topograph.Network) -> Groups:
    """What the data of the page says."""
    view = network.view()
    data = embedded(view.nodes, view.edges, network.scene())
    texts = data["texts"]
    found: dict[tuple[str, str], set[str]] = {}
    for row in data["zones"]:
        key = (texts[row[6]], texts[row[0]])
        found.setdefault(key, set()).update(texts[name] for name in row[2])
    return {key: tuple(sorted(names)) for key, names in sorted(found.items())}


def named_in_drawing(scene: Scene) -> set[str]:
    return set(re.findall(r'<text class="name zone\d"[^>]*>([^<]*)</text>', svg(scene)))


def shows_exactly(network: topograph.Network, expected: Groups) -> None:
    scene = network.scene()
    assert members(scene) == expected
    assert in_page(network) == expected
    kinds = {kind for kind, _ in expected}
    assert scene.group_noun == (kinds.pop() if len(kinds) == 1 else "group" if kinds else "")
    for kind, name in expected:
        assert any(text.startswith(name) for text in named_in_drawing(scene)), (kind, name)
    links = [one for zone in scene.zones for one in zone.links]
    assert len(links) == len(set(links))


def queue_managers(folder: Path, draw: random.Random) -> Groups:
    """Queue managers, each a member of no, one or several clusters."""
    clusters = [f"CLUS{number}" for number in range(draw.randint(1, 4))]
    expected: dict[tuple[str, str], set[str]] = {}
    names = [f"QM{number}" for number in range(draw.randint(2, 9))]
    full = {cluster: draw.choice(names) for cluster in clusters}
    for name in names:
        own = {one for one in clusters if full[one] == name or draw.random() < 0.4}
        lines = [f"* Queue manager name: {name}", "DEFINE LISTENER('L') TRPTYPE(TCP) PORT(1414)"]
        for cluster in sorted(own):
            expected.setdefault(("cluster", cluster), set()).add(name)
            lines.append(
                f"DEFINE CHANNEL('{cluster}.{name}') CHLTYPE(CLUSRCVR) TRPTYPE(TCP) "
                f"CONNAME('{name.lower()}.example(1414)') CLUSTER('{cluster}')"
            )
            if full[cluster] != name:
                other = full[cluster]
                lines.append(
                    f"DEFINE CHANNEL('{cluster}.{other}') CHLTYPE(CLUSSDR) TRPTYPE(TCP) "
                    f"CONNAME('{other.lower()}.example(1414)') CLUSTER('{cluster}')"
                )
        (folder / f"{name}.mqsc").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {key: tuple(sorted(own)) for key, own in sorted(expected.items())}


@pytest.mark.parametrize("number", ESTATES)
def test_each_cluster_is_an_area_with_its_name(tmp_path: Path, number: int) -> None:
    expected = queue_managers(tmp_path, random.Random(number))
    network = topograph.read(tmp_path)
    shows_exactly(network, expected)
    names = {name for _, name in expected}
    words = f"{len(names)} {'cluster' if len(names) == 1 else 'clusters'}."
    assert network.scene().verdict.endswith(words)


@pytest.mark.parametrize("number", ESTATES)
def test_no_two_zones_look_alike(number: int) -> None:
    draw = random.Random(number)
    servers = [f"S{one}" for one in range(60)]
    zones = [
        (f"Z{draw.randint(0, 10**6)}-{one}", set(draw.sample(servers, draw.randint(1, 12))))
        for one in range(draw.randint(2, 40))
    ]
    found = zone_colours(zones, [], {})
    assert len(set(found.values())) == len(zones)
    looks = {name: (of % COLOURS, of % PATTERNS) for name, of in found.items()}
    assert len(set(looks.values())) == len(zones)
    # The largest differ in pattern alone: those that are larger than all others.
    ordered = sorted((len(own) for _, own in zones), reverse=True)
    least = ordered[PATTERNS] if len(ordered) > PATTERNS else 0
    largest = [name for name, own in zones if len(own) > least]
    assert len({found[name] % PATTERNS for name in largest}) == len(largest)
    # Up to so many colours, no two that share a server have the same.
    if len(zones) <= COLOURS:
        for (one, own), (other, others) in combinations(zones, 2):
            if own & others:
                assert found[one] % COLOURS != found[other] % COLOURS
    assert found == zone_colours(zones[::-1], [], {})
