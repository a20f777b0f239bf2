"""The links that a change brings, takes away or alters, as ``audit`` and ``compare`` list them."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

import topograph
from topograph.network import Network, compare
from topograph.questions.answers import LinkMoved, LinksChanged
from topograph.questions.text import text

ROOT = Path(__file__).resolve().parents[2]
NAMES = "ABCDE"


@pytest.fixture(scope="module")
def orders() -> Network:
    return topograph.read(ROOT / "examples" / "orders")


def told(found: LinksChanged) -> dict[str, list[tuple[str, str]]]:
    return {
        kind: [(one.from_, one.to) for one in getattr(found, kind)]
        for kind in ("added", "removed", "changed")
        if getattr(found, kind)
    }


def test_a_route_that_is_deleted_is_a_link_that_goes(orders: Network):
    found = orders.audit("delete route Canada\n", at="HUB").links
    (link,) = found.removed
    assert (
        link.from_,
        link.to,
        link.zone,
        link.zone_type,
        link.configured_by,
        str(link.source),
    ) == (
        "Canada",
        "HUB",
        "SALES",
        "mhop",
        "HUB",
        "hub/routes.conf:3:1",
    )
    assert (found.added, found.changed, found.removed_count) == ((), (), 1)


def test_a_route_that_comes_is_cited_by_the_line_of_its_command(orders: Network):
    answer = orders.audit(
        "create route Peru url=tcp://peru:7222 zone_name=SALES zone_type=mhop\n", at="HUB"
    )
    (link,), (server,) = answer.links.added, answer.servers.added
    assert (server.server, server.loaded, str(server.source)) == ("Peru", False, "change:1:1")
    assert (link.from_, link.to, link.system, link.to_system, str(link.source)) == (
        "HUB",
        "Peru",
        "ems",
        "ems",
        "change:1:1",
    )


def test_servers_come_and_go_with_what_names_them(orders: Network, tmp_path: Path):
    shutil.copytree(ROOT / "examples" / "orders", tmp_path / "orders")
    shutil.rmtree(tmp_path / "orders" / "usa")
    less = topograph.read(tmp_path / "orders")
    answer = compare(orders, less)
    (named,) = answer.servers.removed  # HUB still names it
    assert (named.server, named.loaded, named.still_named) == ("USA", True, True)
    assert (answer.servers.added, answer.servers.removed_count) == ((), 1)
    assert not any("USA" in pair for pair in answer.reach.lost)
    assert any("USA" in pair for pair in answer.reach.undetermined)
    assert "the configuration of USA is gone" in text(answer)
    (tmp_path / "orders" / "hub" / "routes.conf").write_text("")
    alone = topograph.read(tmp_path / "orders")
    gone, come = compare(orders, alone).servers, compare(alone, orders).servers
    assert [(one.server, one.system, one.loaded) for one in gone.removed] == [("USA", "ems", True)]
    assert all(
        one != other
        for one, other in (*compare(alone, orders).reach.gained, *compare(orders, alone).reach.lost)
    )
    assert (gone.added, come.added, come.removed, come.added_count) == ((), gone.removed, (), 1)


def test_a_route_that_is_refused_changes_no_link():
    star = topograph.read(ROOT / "examples" / "mhop-star" / "legal")
    answer = star.audit(
        "create route D url=tcp://d.example.net:7222 zone_name=CAMPUS zone_type=mhop\n", at="B"
    )
    assert (answer.verdict, answer.links) == ("reject", LinksChanged())


@pytest.mark.parametrize(
    ("command", "at", "before", "after"),
    [
        (
            'setprop route Canada outgoing_topic="orders" selector="country = \'Kanada\'"',
            "HUB",
            ("HUB to Canada: orders: country = 'Canada'",),
            ("HUB to Canada: orders: country = 'Kanada'",),
        ),
        ("suspend route Canada", "HUB", (), ("HUB to Canada: nothing passes at the moment",)),
        (
            "removeprop topic orders global",
            "Canada",
            (),
            (
                "Canada to HUB: topic is global (invoices.>)",
                "HUB to Canada: topic is global (invoices.>)",
            ),
        ),
    ],
)
def test_what_is_altered_on_a_link_is_said_by_direction(
    orders: Network, command, at, before, after
):
    found = orders.audit(f"{command}\n", at=at).links
    assert told(found) == {"changed": [("Canada", "HUB")]}
    assert (found.changed[0].before, found.changed[0].after) == (before, after)


def test_a_command_without_effect_changes_no_link(orders: Network):
    assert orders.audit("create topic orders.archive\n", at="HUB").links == LinksChanged()


def test_two_states_of_routers_differ_by_cost(tmp_path: Path):
    for folder, cost in (("before", 3), ("after", 9)):
        root = tmp_path / folder
        root.mkdir()
        (root / "one.conf").write_text(
            "router {\n mode: interior\n id: ONE\n}\nlistener {\n host: one.example\n "
            "port: 5\n role: inter-router\n}\n"
        )
        (root / "two.conf").write_text(
            "router {\n mode: interior\n id: TWO\n}\n"
            f"connector {{\n host: one.example\n port: 5\n role: inter-router\n cost: {cost}\n}}\n"
        )
        (root / "topograph.yaml").write_text("hosts:\n  one.example: ONE\n")
    found = compare(topograph.read(tmp_path / "before"), topograph.read(tmp_path / "after")).links
    assert told(found) == {"changed": [("ONE", "TWO")]}
    assert (found.changed[0].before, found.changed[0].after, found.changed[0].cost) == (
        ("cost 3",),
        ("cost 9",),
        9,
    )


Routes = dict[tuple[str, str], tuple[str, str]]
"""By the server that configures a route and the one it leads to: zone and selector ("" for
none).
"""


@st.composite
def routes(draw: st.DrawFn) -> Routes:
    pairs = draw(
        st.lists(st.sampled_from(list(itertools.permutations(NAMES, 2))), max_size=6, unique=True)
    )
    found: Routes = {}
    for here, there in pairs:
        # Both sides of a link are in one zone.
        zone = found.get((there, here), (draw(st.sampled_from(["Z1", "Z2"])), ""))[0]
        found[here, there] = (zone, draw(st.sampled_from(["", "n = 1", "n = 2"])))
    return found


def write(root: Path, made: Routes) -> Network:
    for name in NAMES:
        folder = root / name
        folder.mkdir(parents=True)
        (folder / "tibemsd.conf").write_text(
            f"server = {name}\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
        )
        (folder / "topics.conf").write_text("t global\n")
        lines = []
        for (here, there), (zone, selector) in made.items():
            if here == name:
                lines += [
                    f"[{there}]",
                    f"  url = tcp://{there}:7222",
                    f"  zone_name = {zone}",
                    "  zone_type = mhop",
                ]
                lines += [f'  outgoing_topic = t selector="{selector}"'] if selector else []
        (folder / "routes.conf").write_text("\n".join(lines) + "\n")
    return topograph.read(root)


def expected(before: Routes, after: Routes) -> dict[str, list[tuple[str, str]]]:
    """The links by the routes themselves: one for each two servers of which one has a route to
    the other (R3, R4).
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for pair in itertools.combinations(NAMES, 2):
        was, now = (
            {way: made[way] for way in (pair, pair[::-1]) if way in made}
            for made in (before, after)
        )
        kind = "changed" if was and now else "removed" if was else "added"
        if was != now:
            found.setdefault(kind, []).append(pair)
    return found


@settings(max_examples=draws(24), deadline=None)
@given(routes(), routes())
def test_links_differ_where_the_routes_of_two_servers_differ(before: Routes, after: Routes):
    with TemporaryDirectory() as folder:
        networks = [
            write(Path(folder) / name, made)
            for name, made in (("before", before), ("after", after))
        ]
        found = compare(*networks).links
    assert told(found) == expected(before, after)
    assert all(isinstance(one, LinkMoved) and (one.before or one.after) for one in found.changed)
    assert (found.added_count, found.removed_count, found.changed_count) == tuple(
        len(expected(before, after).get(kind, [])) for kind in ("added", "removed", "changed")
    )
