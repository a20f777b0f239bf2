"""The text forms: a whole golden text for each type of answer, and what holds for all of them."""

from __future__ import annotations

import dataclasses
from textwrap import dedent

import pytest

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.inexact import budget_ended
from topograph.questions import answers
from topograph.questions.answers import (
    Answer,
    Caution,
    CheckAnswer,
    CheckGroup,
    CyclesAnswer,
    Delivery,
    Duplicate,
    HopsAnswer,
    HopsMatrixAnswer,
    InterestDifference,
    InterestEntry,
    InterestsAnswer,
    PathFound,
    PathsAnswer,
    PropagateAnswer,
    ReachAnswer,
    ReachedServer,
    RedundantPaths,
    Ring,
    RingRoute,
    ShowAnswer,
    Step,
    Stopped,
    Undetermined,
    ZoneHops,
)
from topograph.questions.text import renderer, text
from topograph.questions.texts.layout import ALIGNED, STEPS_SHOWN, Cell, Page, Style, Tone

ABOUT = {"snapshot": "3f9c2a", "network": "estate", "engine": "memory"}


def step(
    start: str,
    end: str,
    zone: str,
    line: int,
    rule: str = "R13",
    confidence: str = "H",
    guards: tuple[str, ...] = (),
) -> Step:
    return Step(start, end, zone, rule, confidence, guards, Source(f"{start}/routes.conf", line))


A_M = step("A", "M", "WAN", 3)
M_B = step("M", "B", "C1", 12, guards=("country = 'Canada'",))
M_C = step("M", "C", "C1", 17, rule="R18", confidence="L")
WAN = (ZoneHops("WAN", 1),)
BOTH = (ZoneHops("WAN", 1), ZoneHops("C1", 1))
TO_B = ReachedServer("B", 2, BOTH, ("A", "M", "B"), (A_M, M_B))
TO_C = ReachedServer("C", 2, BOTH, ("A", "M", "C"), (A_M, M_C))
TO_M = ReachedServer("M", 1, WAN, ("A", "M"), (A_M,))

REACH = ReachAnswer(
    **ABOUT,
    from_="A",
    to=None,
    servers=(TO_B, TO_C, TO_M),
    unreachable=("E", "F"),
    undetermined=(Undetermined("X", "its files are not loaded", Source("M/routes.conf", 30)),),
    exact=False,
    inexact_because=budget_ended("the search ended after 10 s"),
    assumptions=(
        Assumption("A17", "L", "A route counts as configured at both ends.", "it never comes up"),
    ),
    warnings=(Caution("TL-16", "X is not loaded", Source("M/routes.conf", 30)),),
)
REACH_ONE = ReachAnswer(
    **ABOUT, from_="A", to="B", servers=(TO_B,), unreachable=(), undetermined=()
)
HOPS = HopsAnswer(**ABOUT, from_="A", to="B", reachable=True, route_hops=2, zone_hops=BOTH)
MATRIX = HopsMatrixAnswer(
    **ABOUT,
    servers=("A", "LONDON", "X"),
    hops=((0, 1, None), (None, 0, None), (None, None, 0)),
    undetermined=("X",),
)
PATHS = PathsAnswer(
    **ABOUT,
    from_="A",
    to="B",
    paths=(
        PathFound(("A", "M", "B"), 2, BOTH, (A_M, M_B)),
        PathFound(("A", "C", "M", "B"), 3, (), (), cost=12),
    ),
    truncated=True,
)
CYCLES = CyclesAnswer(
    **ABOUT,
    legal=False,
    duplicates=(
        Duplicate(
            "C",
            "$TMP$.A.>",
            ("A", "B"),
            (("A", "C"), ("A", "B", "C")),
            ("A-B", "A-C", "B-C"),
            "ems",
        ),
    ),
    rings=(
        Ring(
            ("A", "B", "C"),
            (
                RingRoute(
                    "A", "B", "WAN", "mhop", "active-active", None, True, Source("A/routes.conf", 3)
                ),
                RingRoute("B", "C", "C1", "1hop", "B", None, True, Source("B/routes.conf", 9)),
                RingRoute("A", "C", "WAN", "mhop", "C", None, True, Source("C/routes.conf", 1)),
            ),
            1,
            False,
            1,
            "ems",
        ),
    ),
)
INTERESTS = InterestsAnswer(
    **ABOUT,
    servers={
        "A": (InterestEntry("$TMP$.B.>", "B", 1), InterestEntry("$TMP$.C.>", "B", 2)),
        "B": (),
    },
    undetermined=(Undetermined("C", "its files are not loaded", Source("B/routes.conf", 4)),),
    missing=(InterestDifference("A", "$TMP$.D.>", "B"),),
    unexpected=(InterestDifference("A", "$TMP$.E.>", ""),),
    compared=("A",),
)
PROPAGATE = PropagateAnswer(
    **ABOUT,
    from_="A",
    message={
        "destination": "topic:orders",
        "properties": {
            "country": {"type": "string", "value": "Canada"},
            "qty": {"type": "long", "value": 7},
        },
        "user": "bob",
    },
    deliveries=(
        Delivery(
            *("B", "topic:orders", "DELIVERED", 2, ("A", "M", "B"), 1, "assumed", (A_M, M_B)),
            judgement="if",
            conditions=("if",),
        ),
        Delivery("C", "queue:c", "DELIVERED", 2, ("A", "M", "C"), 2, "configured", (A_M, M_C)),
    ),
    stopped=(
        Stopped("M", "D", "selector", "country = 'USA'", "FALSE", Source("M/routes.conf", 9)),
        Stopped("M", "E", "not-global", "", "FALSE", Source("E/topics.conf", 2)),
        Stopped("M", "F", "selector", "vip", "UNKNOWN", Source("M/routes.conf", 19)),
        Stopped("M", "M", "selector", "vip = TRUE", "FALSE", Source("topograph.yaml", 4)),
        Stopped("M", "N", "zone", "it came over 1hop zone Z", "FALSE", Source("M/routes.conf", 23)),
    ),
    received=("B", "C", "M"),
)
CHECK = CheckAnswer(
    **ABOUT,
    findings=(
        {
            "kind": "duplicate-path",
            "severity": "error",
            "rule": "TL-01",
            "message": "C would hold $TMP$.A.> over two routes",
            "server": "C",
            "source": {"file": "C/routes.conf", "line": 4, "column": 1},
            "excerpt": "[A]",
        },
        {
            "kind": "unclaimed-file",
            "severity": "info",
            "rule": "",
            "message": "no main file names this file",
            "server": "",
            "source": {"file": "old.conf", "line": 0, "column": 0},
            "excerpt": "",
        },
    ),
    counts={"error": 1, "info": 1},
    groups=(
        CheckGroup(
            "error",
            "TL-01",
            "Second path",
            "A server is reached over two paths.",
            "C",
            1,
            "C would hold $TMP$.A.> over two routes",
            Source("C/routes.conf", 4, 1),
        ),
        CheckGroup(
            "info",
            "unclaimed-file",
            "",
            "",
            "",
            1,
            "no main file names this file",
            Source("old.conf"),
        ),
    ),
)
SHOW = ShowAnswer(
    **ABOUT,
    what="servers",
    columns=("server", "loaded", "routes", "note", "source"),
    rows=(
        {
            "server": "A",
            "loaded": True,
            "routes": 3,
            "note": "",
            "source": {"file": "A/tibemsd.conf", "line": 1, "column": 1},
        },
        {
            "server": "日本",
            "loaded": False,
            "routes": 12,
            "note": None,
            "source": {"file": "a.conf", "line": 4, "column": 0},
        },
    ),
)

GOLDEN = [
    (
        "reach",
        REACH,
        """\
        A reaches 3 of 6 other servers, as far as was searched; 1 cannot be decided.
        Not certain: the search ended after 10 s (--budget); this answer may be incomplete.

          B  2 hops  A → M → B  WAN 1, C1 1
          C  2 hops  A → M → C  WAN 1, C1 1
          M   1 hop  A → M      WAN 1

        Steps
          A → M  zone WAN  R13                  A/routes.conf:3
          M → B  zone C1   R13                  M/routes.conf:12  if country = 'Canada'
          M → C  zone C1   R18  low confidence  M/routes.conf:17

        Not reached
          E, F

        Cannot be decided
          X  its files are not loaded  M/routes.conf:30

        Assumptions
          A17  A route counts as configured at both ends.  (low confidence)
              otherwise: it never comes up

        Warnings
          TL-16  X is not loaded  M/routes.conf:30

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
    (
        "reach-one",
        REACH_ONE,
        """\
        A reaches B in 2 hops, if country = 'Canada'.

          A → M → B  WAN 1, C1 1

        Steps
          A → M  zone WAN  R13  A/routes.conf:3
          M → B  zone C1   R13  M/routes.conf:12  if country = 'Canada'

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
    (
        "hops",
        HOPS,
        """\
        From A to B: 2 hops.

          zone WAN  1 hop
          zone C1   1 hop

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
    (
        "hops-matrix",
        MATRIX,
        """\
        Hops between 3 servers, as far as the loaded files show; X may have more routes.

                     1  2  3
          1  A       0  1  ?
          2  LONDON  -  0  ?
          3  X       ?  ?  0

          rows to columns; - not reached, as far as the loaded files show; ? cannot be decided

        Cannot be decided
          These servers may have routes that the loaded files do not show;
          what is not reached may be reached through them:
          X

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
    (
        "paths",
        PATHS,
        """\
        The first 2 paths from A to B, 1 of them only for some messages; there are or may be more (use --max).

        1. A → M → B   2 hops (WAN 1, C1 1)
             A → M  zone WAN  R13  A/routes.conf:3
             M → B  zone C1   R13  M/routes.conf:12  if country = 'Canada'

        2. A → C → M → B   3 hops, cost 12

        snapshot 3f9c2a · network estate · engine memory
        """,  # noqa: E501
    ),
    (
        "cycles",
        CYCLES,
        """\
        Illegal: C would hold 1 temporary-topic name over more than one route.

        Ring of 3 servers
          A - B  zone WAN (mhop)  configured on both sides  A/routes.conf:3
          B - C  zone C1 (1hop)   configured on B           B/routes.conf:9
          A - C  zone WAN (mhop)  configured on C           C/routes.conf:1
          After a restart, any one of these routes may be refused. Remove one to break the ring.
          C would hold $TMP$.A.> via A and B. Use --pairs to list all paths.

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
    (
        "interests",
        INTERESTS,
        """\
        2 servers hold 2 names; C may hold more. Observed at 1 server: 1 missing and 1 unexpected.

        Missing: expected of the configuration, not observed
          A  $TMP$.D.>  via B

        Unexpected: observed, not expected of the configuration
          A  $TMP$.E.>

        A
          $TMP$.B.>  via B   1 hop
          $TMP$.C.>  via B  2 hops

        B
          holds no name of another server

        Cannot be decided
          C  its files are not loaded  B/routes.conf:4

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
    (
        "propagate",
        PROPAGATE,
        """\
        A message to topic:orders published at A is delivered at C; would be delivered at B, where nobody is known to subscribe.

          country       'Canada'  string
          qty           7         long
          published by  bob       user

        Delivered
          B           2 hops  A → M → B            assumed subscriber
          C  queue:c  2 hops  A → M → C  2 copies  queue behind a bridge
          assumed subscriber: no client is known there, so the server counts as having one

        Not forwarded
          M → D  selector    M/routes.conf:9   country = 'USA' is FALSE
          M → E  not-global  E/topics.conf:2   the destination is not global at both ends
          M → F  selector    M/routes.conf:19  vip is UNKNOWN (no value that fits: use --set)
          M → N  zone        M/routes.conf:23  it came over 1hop zone Z

        Not delivered
          at M  selector  topograph.yaml:4  vip = TRUE is FALSE

        Received, but delivered to nobody there
          M

        Steps to where it is delivered
          A → M  zone WAN  R13                  A/routes.conf:3
          M → B  zone C1   R13                  M/routes.conf:12  country = 'Canada'
          M → C  zone C1   R18  low confidence  M/routes.conf:17

        snapshot 3f9c2a · network estate · engine memory
        """,  # noqa: E501
    ),
    (
        "check",
        CHECK,
        """\
        2 findings at 1 server: 1 error, 0 warnings, 1 for information.

        Errors
          TL-01  Second path: 1 finding
              C would hold $TMP$.A.> over two routes
                  C/routes.conf:4:1  server C

        For information
          unclaimed-file: 1 finding
              no main file names this file
                  old.conf

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
    (
        "show",
        SHOW,
        """\
        Servers: 2.

          server  loaded  routes  source
          A       yes          3  A/tibemsd.conf:1:1
          日本    no          12  a.conf:4

        snapshot 3f9c2a · network estate · engine memory
        """,
    ),
]


@pytest.mark.parametrize(
    ("answer", "expected"), [row[1:] for row in GOLDEN], ids=[row[0] for row in GOLDEN]
)
def test_an_answer_reads_as_its_golden_text(answer: Answer, expected: str) -> None:
    assert text(answer) == dedent(expected)


def test_every_type_of_answer_has_a_text_form() -> None:
    offered = (getattr(answers, name) for name in answers.__all__)
    types = {
        kind.__name__ for kind in offered if isinstance(kind, type) and issubclass(kind, Answer)
    }
    assert [name for name in sorted(types - {"Answer"}) if not callable(renderer(name))] == []


def test_a_server_that_is_not_reached_is_said_so_only_where_the_answer_is_exact() -> None:
    none = dataclasses.replace(REACH_ONE, servers=(), unreachable=("B",))
    assert text(none).splitlines()[0] == "A does not reach B."
    unsure = dataclasses.replace(none, exact=False)
    assert text(unsure).splitlines()[0] == "A was not found to reach B."


def test_of_a_lone_server_only_what_was_loaded_is_claimed() -> None:
    alone = dataclasses.replace(REACH, servers=(), unreachable=(), undetermined=())
    assert text(alone).splitlines()[0] == "A is the only server that the loaded files show."


def test_a_server_that_cannot_be_decided_is_never_called_unreachable() -> None:
    open_ = dataclasses.replace(
        REACH_ONE,
        servers=(),
        undetermined=(Undetermined("B", "its files are not loaded", Source("M/routes.conf", 30)),),
    )
    assert text(open_).splitlines()[:4] == [
        "Whether A reaches B cannot be decided.",
        "",
        "Cannot be decided",
        "  B  its files are not loaded  M/routes.conf:30",
    ]
    hops = dataclasses.replace(HOPS, reachable="unknown", route_hops=None, zone_hops=())
    assert text(hops).splitlines()[0] == "Whether A reaches B cannot be decided."


def test_the_way_of_a_reply_is_told_from_the_replier() -> None:
    back = ReachedServer("B", 2, BOTH, ("B", "M", "A"))
    one = dataclasses.replace(REACH_ONE, servers=(back,), reply=True)
    assert text(one).splitlines()[:3] == [
        "A reply of B reaches A in 2 hops.",
        "",
        "  B → M → A  WAN 1, C1 1",
    ]
    every = dataclasses.replace(one, to=None, unreachable=("C",))
    assert text(every).splitlines() == [
        "Replies reach A from 1 of 2 other servers.",
        "",
        "  B  2 hops  B → M → A  WAN 1, C1 1",
        "",
        "No reply from",
        "  C",
        "",
        "snapshot 3f9c2a · network estate · engine memory",
    ]


def test_an_observation_that_agrees_is_said_so() -> None:
    agrees = dataclasses.replace(INTERESTS, missing=(), unexpected=())
    assert (
        text(agrees).splitlines()[0]
        == "2 servers hold 2 names; C may hold more. Observed at 1 server: exactly these."
    )


def test_servers_that_share_a_reason_stand_below_it() -> None:
    source = Source("M/routes.conf", 30)
    entries = (
        *(Undetermined(name, "X may lead there", source) for name in "BD"),
        Undetermined("X", "not loaded", source),
    )
    assert text(
        dataclasses.replace(REACH_ONE, to=None, servers=(), undetermined=entries)
    ).splitlines()[2:7] == [
        "Cannot be decided",
        "  X may lead there  M/routes.conf:30",
        "      B, D",
        "  not loaded  M/routes.conf:30",
        "      X",
    ]


def test_a_legal_network_is_called_legal_only_where_the_answer_is_exact() -> None:
    legal = CyclesAnswer(**ABOUT, legal=True, duplicates=())
    assert (
        text(legal).splitlines()[0]
        == "Legal: no server would hold a name over more than one route."
    )
    unsure = dataclasses.replace(legal, exact=False, strict=True)
    assert (
        text(unsure).splitlines()[0]
        == "No server was found to hold a name over more than one route (checked strictly)."
    )


def test_each_name_that_arrives_twice_is_listed_below_its_ring_on_demand() -> None:
    assert text(CYCLES, full=True).splitlines()[6:12] == [
        "  After a restart, any one of these routes may be refused. Remove one to break the ring.",
        "  C would hold $TMP$.A.> via A and B.",
        "",
        "  C would hold $TMP$.A.> via A and B:",
        "      A → C",
        "      A → B → C",
    ]


def test_a_cycle_that_only_the_strict_check_refuses_is_said_so() -> None:
    strict = CyclesAnswer(**ABOUT, legal=False, duplicates=(), strict=True)
    assert text(strict).splitlines()[0] == (
        "Illegal, checked strictly: routes form a cycle that the temporary-topic rule would accept."
    )


def test_redundant_router_paths_are_listed_and_legal() -> None:
    routes = tuple(
        RingRoute(a, b, "", "", a, 10, False, Source("r.conf", line))
        for line, (a, b) in enumerate((("R1", "R2"), ("R2", "R3"), ("R1", "R3")), 1)
    )
    answer = CyclesAnswer(
        **ABOUT,
        legal=True,
        duplicates=(),
        redundant=(
            RedundantPaths(("R1", "R2", "R3"), ("R1-R2", "R2-R3", "R1-R3"), "amq_interconnect"),
        ),
        rings=(Ring(("R1", "R2", "R3"), routes, 1, True, 0, "amq_interconnect"),),
    )
    assert text(answer) == dedent("""\
        Legal: no server would hold a name over more than one route; routers are joined by redundant paths, as they should be.

        Redundant paths between routers
          Ring of 3 routers
              R1 - R2  cost 10  configured on R1  r.conf:1
              R2 - R3  cost 10  configured on R2  r.conf:2
              R1 - R3  cost 10  configured on R1  r.conf:3

        snapshot 3f9c2a · network estate · engine memory
        """)  # noqa: E501


def test_servers_are_all_listed_and_steps_are_cut_with_their_number() -> None:
    number = STEPS_SHOWN + 480
    names = [f"S{n:04}" for n in range(number)]
    reached = tuple(
        ReachedServer(name, 1, WAN, ("A", name), (step("A", name, "WAN", line),))
        for line, name in enumerate(names, 1)
    )
    lines = text(dataclasses.replace(REACH_ONE, to=None, servers=reached)).splitlines()
    assert lines[0] == f"A reaches {number} of {number} other servers."
    assert [line.split()[0] for line in lines[2 : 2 + number]] == names
    assert "  … and 480 more (use --format json)" in lines


def test_a_matrix_too_wide_for_a_screen_becomes_a_row_a_server() -> None:
    names = tuple(f"S{n:02}" for n in range(40))
    hops = tuple(
        tuple(abs(i - j) if i < 39 else (0 if i == j else None) for j in range(40))
        for i in range(40)
    )
    lines = text(HopsMatrixAnswer(**ABOUT, servers=names, hops=hops)).splitlines()
    assert lines[2] == "  S00  reaches 39 of 39  farthest 39 hops  mean 20.0"
    assert lines[41] == "  S39  reaches 0 of 39"


@pytest.mark.parametrize(
    ("guards", "said"),
    [
        ((), ""),
        (("for orders only if a = 1",), ", for some messages: orders only if a = 1"),
        (
            ("for any topic", "queues were triggered", "b = 2"),
            ", for some messages: any topic, if queues were triggered; and b = 2",
        ),
        (
            (f"for {'x' * 150}", "for any topic", "for orders"),
            f", for some messages: {'x' * 150}; 2 more conditions (see the steps)",
        ),
        ((f"for {'x' * 170}",), ", for some messages: 1 condition (see the steps)"),
    ],
)
def test_a_verdict_says_which_messages_its_path_carries(guards: tuple[str, ...], said: str) -> None:
    (found,) = REACH_ONE.servers
    path = (A_M, dataclasses.replace(M_B, guards=guards))
    answer = dataclasses.replace(REACH_ONE, servers=(dataclasses.replace(found, steps=path),))
    assert text(answer).splitlines()[0] == f"A reaches B in 2 hops{said}."


def test_a_path_chosen_at_run_time_says_which_messages_it_carries_and_nothing_twice() -> None:
    (found,) = REACH_ONE.servers
    path = (dataclasses.replace(M_B, guards=("chosen at run time: Q", "for any topic")),)
    found = dataclasses.replace(found, steps=path, certain=False)
    answer = dataclasses.replace(REACH_ONE, servers=(found,))
    assert text(answer).splitlines()[0] == (
        "A may reach B in 2 hops: it is decided at run time, for some messages: any topic."
    )


def test_paths_say_together_what_all_of_them_carry() -> None:
    first, second = PATHS.paths
    path = dataclasses.replace(first, steps=(dataclasses.replace(A_M, guards=("for orders",)),))
    other = dataclasses.replace(second, steps=(dataclasses.replace(A_M, guards=("for news",)),))
    answer = dataclasses.replace(PATHS, truncated=False)

    def verdict(*paths: PathFound) -> str:
        return text(dataclasses.replace(answer, paths=paths)).splitlines()[0]

    assert verdict(path, path) == "2 paths from A to B, for some messages: orders."
    assert verdict(path, other) == "2 paths from A to B, each only for some messages."
    assert verdict(path, second) == "2 paths from A to B, 1 of them only for some messages."
    assert verdict(second, second) == "2 paths from A to B."


def test_names_cannot_act_on_the_terminal() -> None:
    evil = dataclasses.replace(REACH_ONE, from_="A\x1b[2J\n\u202eB", servers=(), unreachable=("B",))
    assert text(evil).splitlines()[0] == r"A\x1b[2J\n\u202eB does not reach B."


def test_an_output_without_symbols_gets_ascii_alone() -> None:
    for _, answer, _ in GOLDEN[:-1]:
        assert text(answer, Style(symbols=False)).isascii()
    assert "  A -> M -> B  WAN 1, C1 1" in text(REACH_ONE, Style(symbols=False)).splitlines()


def test_colours_are_added_only_on_request_and_change_nothing_else() -> None:
    import re

    for _, answer, _ in GOLDEN:
        coloured = text(answer, Style(colour=True))
        assert "\x1b[1m" in coloured or "\x1b[3" in coloured
        bare = re.sub(r"\x1b\[\d*m", "", coloured)
        assert [line.rstrip() for line in bare.splitlines()] == text(answer).splitlines()
        assert "\x1b" not in text(answer)


def test_a_finding_that_comes_up_in_many_places_is_worded_once() -> None:
    finding = CHECK.findings[0]
    elsewhere = {
        **finding,
        "server": "LONDON",
        "source": {"file": "l.conf", "line": 9, "column": 0},
        "excerpt": "",
    }
    first = CHECK.groups[0]
    groups = (
        first,
        dataclasses.replace(first, server="LONDON", count=3, source=Source("l.conf", 9)),
    )
    answer = dataclasses.replace(
        CHECK, findings=(finding, elsewhere, elsewhere, elsewhere), groups=groups
    )
    assert text(answer).splitlines()[2:7] == [
        "Errors",
        "  TL-01  Second path: 4 findings",
        "      C would hold $TMP$.A.> over two routes",
        "          C/routes.conf:4:1  server C",
        "          l.conf:9           server LONDON  and 2 more like it (use --all)",
    ]
    every = text(dataclasses.replace(answer, findings=(finding, elsewhere)), full=True)
    assert every.splitlines()[5:7] == [
        "          C/routes.conf:4:1  server C       > [A]",
        "          l.conf:9           server LONDON",
    ]


def test_long_texts_stand_in_the_last_column() -> None:
    rows = ({"message": "m" * 70, "file": "a"}, {"message": "short", "file": "bb"})
    answer = ShowAnswer(**ABOUT, what="findings", columns=("message", "file"), rows=rows)
    assert text(answer).splitlines()[2:5] == [
        "  file  message",
        "  a     " + "m" * 70,
        "  bb    short",
    ]


def test_a_rule_at_many_servers_is_cut_with_their_number() -> None:
    finding, group = CHECK.findings[0], CHECK.groups[0]
    names = [f"S{number:02}" for number in range(100)]
    answer = dataclasses.replace(
        CHECK,
        findings=tuple({**finding, "server": name, "message": f"number {name}"} for name in names),
        groups=tuple(
            dataclasses.replace(group, server=name, message=f"number {name}") for name in names
        ),
    )
    lines = text(answer).splitlines()
    assert lines[0] == "100 findings at 100 servers: 100 errors, 0 warnings, 0 for information."
    assert [line.strip() for line in lines if "number" in line] == [
        f"number {name}" for name in names[:25]
    ]
    assert "      … and at 75 other servers (use --rule TL-01)" in lines


def test_a_cell_that_is_too_wide_to_align_moves_its_own_row_only():
    page, long = Page(), "x" * (ALIGNED + 1)
    page.table(
        [
            ("a", "is short", "", "R1"),
            ("b", long, "", "R2"),
            ("c", "is a word longer", "HELD", "R3"),
        ]
    )
    assert page.text().splitlines() == [
        "  a  is short                R1",
        f"  b  {long}  R2",
        "  c  is a word longer  HELD  R3",
    ]


def test_a_table_of_wide_cells_alone_is_not_aligned():
    page, long = Page(), "x" * (ALIGNED + 1)
    page.table([(long, "R1"), (f"{long}x", "R2")])
    assert page.text().splitlines() == [f"  {long}  R1", f"  {long}x  R2"]


def test_lines_are_wrapped_at_the_width_of_the_terminal_and_say_the_same():
    for name, answer, _ in GOLDEN:
        whole = text(answer)
        for width in (40, 60, 80, 132, 10_000):
            shown = text(answer, Style(width=width))
            assert shown.split() == whole.split(), (name, width)
            for line in shown.splitlines():
                # A word that is longer than the line stands alone in it.
                assert len(line) <= width or len(line.split()) == 1, (name, width, line)
        assert text(answer, Style(width=10_000)).split() == whole.split()


def test_colours_are_not_divided_by_wrapping():
    page = Page(Style(colour=True, width=20))
    page.line("ab ", Cell("cd ef gh ij kl", Tone.BAD), " mn", indent=2)
    assert page.text() == "  ab \x1b[31mcd ef gh ij kl\x1b[0m\n    mn\n"


def test_a_column_is_not_left_out_because_its_only_entry_is_wide():
    page = Page()
    page.table([("A", ""), ("B", "x" * (ALIGNED + 1))])
    assert page.text() == f"  A\n  B  {'x' * (ALIGNED + 1)}\n"


def test_lost_pairs_are_grouped_by_what_happens_and_counted_as_they_are_listed():
    from topograph.questions.answers import Lost
    from topograph.questions.texts.impact import _lost, apart
    from topograph.questions.texts.layout import Page

    lost = [Lost("A", "B", "GAP"), Lost("B", "A", "HELD"), Lost("A", "C", "GAP")]
    assert apart(lost) == (
        "3 ordered pairs of servers no longer reach each other (A to B and C; B to A)"
    )
    assert apart(lost[:1]) == "A no longer reaches B"
    page = Page()
    _lost(lost, page)
    assert page.text() == "  GAP\n      from A to B and C\n  HELD\n      from B to A\n"
