"""``cycles`` lists a ring of routes once, with its routes, however many names it brings to a
server twice.
"""

from __future__ import annotations

import itertools

from topograph.questions.text import text
from topograph.systems.ems.network import legality

MAIN = "server = {}\nrouting = enabled\nroutes = routes.conf\n"


def route(peer: str, zone: str = "M", kind: str = "mhop") -> str:
    return f"[{peer}]\n url = tcp://{peer.lower()}:7222\n zone_name = {zone}\n zone_type = {kind}\n"


def files(links, zones=None, both=()):
    """Folders of servers: each link is configured on its first server, those of ``both`` on
    both; ``zones`` maps links to (zone, type).
    """
    made: dict[str, dict[str, str]] = {end: {"routes.conf": ""} for link in links for end in link}
    for a, b in links:
        zone, kind = (zones or {}).get((a, b), ("M", "mhop"))
        made[a]["routes.conf"] += route(b, zone, kind)
        if (a, b) in both:
            made[b]["routes.conf"] += route(a, zone, kind)
    return made


def links_of(ring):
    return [(one.from_, one.to) for one in ring.routes]


def test_a_ring_of_eighty_servers_is_one_entry(estate):
    names = [f"S{number:02}" for number in range(80)]
    answer = estate(
        files([*itertools.pairwise(names), (names[-1], names[0])], both=[("S00", "S01")])
    ).cycles()
    (ring,) = answer.rings
    assert ring.servers == tuple(names)
    assert links_of(ring) == [*itertools.pairwise(names), ("S00", "S79")]
    assert (ring.cycles, ring.legal, ring.pairs) == (1, False, 80 * 79)
    assert len(answer.duplicates) == 80 * 79
    assert all(one.refusable for one in ring.routes)
    assert {(one.zone, one.zone_type) for one in ring.routes} == {("M", "mhop")}
    assert [one.configured_by for one in ring.routes] == ["active-active", *names[1:]]
    assert str(ring.routes[-1].source) == "S79/routes.conf:1:1"

    written = text(answer)
    assert len(written) < 8_000
    lines = written.splitlines()
    assert (
        lines[0] == "Illegal: S00, S01, S02 and 77 others would hold 6,320 temporary-topic "
        "names over more than one route."
    )
    assert "Ring of 80 servers" in lines
    assert "  S00 - S01  zone M (mhop)  configured on both sides  S00/routes.conf:1:1" in lines
    assert "  S00 - S79  zone M (mhop)  configured on S79         S79/routes.conf:1:1" in lines
    assert (
        "  6,320 temporary-topic names would arrive over more than one route; for example, S00 "
        "would hold $TMP$.S01.> via S01 and S79. "
        "Use --pairs to list all paths."
    ) in lines
    assert text(answer, full=True).count(" would hold $TMP$.S40.> via ") == 79


def test_rings_that_share_a_route_are_one_entry_and_say_how_many_they_are(estate):
    """A square with a diagonal: three rings, and no path belongs to one of them alone."""
    square = [("A", "B"), ("B", "C"), ("C", "D"), ("A", "D")]
    answer = estate(files([*square, ("A", "C")])).cycles()
    (ring,) = answer.rings
    assert ring.servers == ("A", "B", "C", "D")
    assert (ring.cycles, ring.pairs) == (3, len(answer.duplicates))
    assert "4 servers whose 5 routes form 3 rings" in text(answer).splitlines()


def test_rings_that_share_only_a_server_are_two_entries(estate):
    answer = estate(
        files([("A", "B"), ("B", "C"), ("A", "C"), ("C", "D"), ("D", "E"), ("C", "E")])
    ).cycles()
    assert [ring.servers for ring in answer.rings] == [("A", "B", "C"), ("C", "D", "E")]
    assert sum(ring.pairs for ring in answer.rings) == len(answer.duplicates)
    assert text(answer).splitlines().count("Ring of 3 servers") == 2


def test_a_route_that_is_on_no_second_path_is_not_listed_as_refusable(estate):
    """A, B, D and E are joined over two zones. C is beside D and E in a 1hop zone, which names
    cross in one hop: no two paths of a name differ in its routes."""
    zones = dict.fromkeys(
        [("A", "B"), ("B", "D"), ("C", "D"), ("C", "E"), ("D", "E")], ("Z", "1hop")
    )
    zones["A", "E"] = ("Y", "1hop")
    answer = estate(files(zones, zones)).cycles()
    (ring,) = answer.rings
    assert (ring.legal, ring.cycles) == (False, 3)
    at_risk = [("A", "B"), ("A", "E"), ("B", "D"), ("D", "E")]
    assert links_of(ring) == [*at_risk, ("C", "D"), ("C", "E")]
    assert [one.refusable for one in ring.routes] == [True] * 4 + [False] * 2
    lines = text(answer).splitlines()
    assert lines[2] == "5 servers whose 6 routes form 3 rings"
    assert [line.split("  ")[1] for line in lines[3:7]] == ["A - B", "A - E", "B - D", "D - E"]
    assert lines[7:9] == [
        "  After a restart, any one of these routes may be refused.",
        "  2 other routes between these servers cannot be.",
    ]


def test_a_ring_over_several_zones_is_listed_as_accepted_and_strictly_as_illegal(estate):
    pairs = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "E"), ("A", "E")]
    zones = dict.fromkeys(pairs, ("X", "1hop")) | {("A", "E"): ("Y", "1hop")}
    network = estate(files(pairs, zones))
    answer = network.cycles()
    (ring,) = answer.rings
    assert (answer.legal, ring.legal, ring.pairs, ring.cycles) == (True, True, 0, 1)
    assert not any(one.refusable for one in ring.routes)
    heading = "Ring of 5 servers over several zones; the temporary-topic rule accepts it"
    assert heading in text(answer).splitlines()
    strict = network.cycles(strict=True)
    assert (strict.legal, strict.rings[0].legal) == (False, False)
    assert heading in text(strict).splitlines()


def test_a_legal_star_has_no_ring(estate):
    answer = estate(files([("A", "B"), ("A", "C"), ("A", "D")])).cycles()
    assert (answer.legal, answer.rings) == (True, ())


def test_a_ring_is_not_judged_where_the_budget_ends(estate):
    names = [f"S{number:02}" for number in range(40)]
    answer = (
        estate(files([*itertools.pairwise(names), (names[-1], names[0])])).within(1e-9).cycles()
    )
    assert not answer.exact
    assert {ring.legal for ring in answer.rings} <= {"unknown"}
    assert all(one.refusable is None for ring in answer.rings for one in ring.routes)


def test_the_links_of_a_graph_are_judged_once_in_memory_and_anew_by_other_walks(estate):
    (part,) = estate(files([("A", "B"), ("B", "C"), ("C", "A")]))._model.parts

    class Elsewhere:
        """Walks that a database makes, say."""

        def __getattr__(self, name):
            return getattr(part.engine, name)

    judged = legality.cyclic_parts(part.graph)
    assert [one.legal for one in judged] == [False]
    assert legality.cyclic_parts(part.graph) is judged
    assert legality.cyclic_parts(part.graph, part.engine) is judged
    elsewhere = legality.cyclic_parts(part.graph, Elsewhere())
    assert elsewhere == judged
    assert elsewhere is not judged
