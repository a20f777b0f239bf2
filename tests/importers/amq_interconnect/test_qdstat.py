"""Output of qdstat: text tables and --csv (amq_interconnect.md 3.5)."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from textwrap import dedent

import pytest

from topograph.findings import Source
from topograph.importers.amq_interconnect.dump import parse_dump
from topograph.importers.amq_interconnect.qdstat import read_qdstat
from topograph.importers.positions.places import Placing

GOLDEN = Path(__file__).parents[2] / "golden" / "amq_interconnect"
RECORDED = sorted(GOLDEN.glob("*/dump/*.qdstat.txt"))

TITLE_AND_HEAD = re.compile(
    r"^(\S.*)\n((?:Last Topology Change:.*\n)?)  (\S.*)\n  =+\n((?:  .*\n)*)", re.MULTILINE
)


def said(text, router=""):
    return read_qdstat(dedent(text), Placing("q.txt"), router)


def rows(text, *attributes):
    return [tuple(entity.get(name) for name in attributes) for entity in said(text).entities]


def as_csv(text: str) -> str:
    """The same output as ``--csv`` prints it: title and id plainly, all cells in quotes, empty
    ones bare, without indentation.
    """

    def table(found: re.Match[str]) -> str:
        head = found[3]
        starts = [one.start() for one in re.finditer(r"\S+(?: \S+)*", head)]
        ends = [*starts[1:], None]
        lines = [head, *(line[2:] for line in found[4].splitlines())]
        cells = [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in lines]
        out = io.StringIO()
        for row in cells:
            out.write(",".join(f'"{cell}"' if cell else "" for cell in row) + "\n")
        return f"{found[1]}\n{found[2]}{out.getvalue()}"

    return TITLE_AND_HEAD.sub(table, text)


def comparable(entities):
    return [(e.server, e.type, e.name, e.attributes) for e in entities]


def identity(entity):
    """What an entity is known by in both forms."""
    by = {
        "router": "id",
        "router.node": "id",
        "router.address": "key",
        "router.link": "identity",
        "connection": "identity",
    }
    known_by = entity.get(by.get(entity.type, "address")) or entity.get("prefix")
    return entity.type, known_by, entity.get("direction")


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: f"{file.parts[-3][:3]}-{file.name[:2]}")
def test_what_a_table_shows_is_what_the_query_of_that_moment_has(file):
    text = file.read_text()
    dumped, _ = parse_dump(file.with_name(file.name.replace(".qdstat.txt", ".json")).read_text())
    query = {identity(entity): dict(entity.attributes) for entity in dumped}
    dumped_read = read_qdstat(text, Placing("q.txt"))
    assert dumped_read.findings == ()
    steady = {"id", "mode", "version", "nextHop", "routerLink", "container", "role", "dir",
        "distribution", "remoteCount", "owningAddr",
              "linkDir", "linkType", "capacity", "phase", "operStatus", "protocol", "area",
              "direction", "address"}  # fmt: skip
    compared = 0
    for entity in dumped_read.entities:
        other = query.get(identity(entity), {})  # the connection of each query is another one
        shared = {name: value for name, value in entity.attributes if name in steady & other.keys()}
        assert shared == {name: other[name] for name in shared}
        compared += len(shared)
    assert compared >= 10


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: f"{file.parts[-3][:3]}-{file.name[:2]}")
def test_csv_says_the_same_as_text(file):
    text = file.read_text()
    written = as_csv(text)
    assert written != text
    assert list(csv.reader(io.StringIO(written)))
    assert comparable(read_qdstat(written, Placing("q")).entities) == comparable(
        read_qdstat(text, Placing("q")).entities
    )


def test_cells_are_found_by_column_so_that_blank_ones_stay_blank():
    text = """\
        2026-11-21 02:01:36.98 UTC
        B

        Router Links
          type            dir  conn id  id  peer  class   addr       phs  cap
          =====================================================================
          endpoint        out  1        4         mobile  queue.one  0    250
          router-control  in   3        7                                 250
        """
    assert rows(text, "linkType", "connectionId", "identity", "peer", "owningAddr", "capacity") == [
        ("endpoint", "1", "4", "", "M0queue.one", "250"),
        ("router-control", "3", "7", "", "", "250"),
    ]
    assert [(entity.server, entity.source) for entity in said(text).entities] == [
        ("B", Source("q.txt", 7, 3)),
        ("B", Source("q.txt", 8, 3)),
    ]


def test_next_hops_and_links_of_the_router_table():
    text = """\
        2026-11-21 02:01:36 UTC
        B

        Routers in the Network
        Last Topology Change: Saturday Nov 21 02:01:17 2026 GMT
          router-id  next-hop  link
          ===========================
          A          -         1
          B          (self)    -
          C          A         -
        """
    assert rows(text, "id", "nextHop", "routerLink") == [
        ("A", "", "1"),
        ("B", "(self)", ""),
        ("C", "A", ""),
    ]


def test_verbose_tables_have_costs_neighbours_and_origins():
    text = """\
        Routers in the Network
          router-id  next-hop  link  ver  cost  neighbors   valid-origins
          ================================================================
          A          (self)    -     1          ['B', 'C']  []
          B          -         0     1    4     [u'A']      ['C']
        """
    assert rows(text, "id", "cost", "linkState", "validOrigins") == [
        ("A", "", '["B","C"]', "[]"),
        ("B", "4", '["A"]', '["C"]'),
    ]


def test_old_versions_have_fewer_columns_other_names_and_no_id():
    text = """\
        Connections
          Id  host             container  role          dir  security     authentication
          ================================================================================
          1   127.0.0.1:23230  B          inter-router  out  no-security  anonymous-user
        """
    assert rows(text, "identity", "container", "role", "dir", "isEncrypted", "tenant") == [
        ("1", "B", "inter-router", "out", "false", "")
    ]
    assert said(text).routers == ()
    assert {entity.server for entity in said(text, "A").entities} == {"A"}


def test_a_connection_says_who_it_is_and_how_that_is_known():
    text = """\
        Connections
          id  host      container  role    dir  security        authentication      tenant  active
          ========================================================================================
          1   a:1       B          normal  in   TLSv1.2(x)      ann(PLAIN)          t       yes
          2   b:2       C          edge    out  no-security     no-auth             -       no
          3   c:3       D          normal  in   no-security     anonymous-user
        """
    assert rows(
        text, "identity", "isEncrypted", "isAuthenticated", "user", "sasl", "tenant", "active"
    ) == [
        ("1", "true", "true", "ann", "PLAIN", "t", "true"),
        ("2", "false", "false", "", "", "", "false"),
        ("3", "false", "true", "", "", "", ""),
    ]


def test_link_route_patterns_are_told_from_prefixes_by_their_wildcards():
    text = """\
        Router Addresses
          class     addr       phs  distrib       pri  local  remote
          ============================================================
          link-in   b2              linkBalanced  -    1      0
          link-out  a/*/b           linkBalanced  -    2      1
          mobile    q          F    balanced      3    0      1
        """
    assert rows(text, "key", "containerCount", "subscriberCount", "priority") == [
        ("Cb2", "1", "", ""),
        ("Fa/*/b", "2", "", ""),
        ("MFq", "", "0", "3"),
    ]


def test_the_output_of_all_routers_is_of_each_of_them():
    text = """\
        2026-11-21 02:01:36.325471 UTC
        Router  A

        Routers in the Network
          router-id  next-hop  link
          ===========================
          A          (self)    -
          B          -         0

        AutoLinks
        No AutoLinks found

        Router  B

        Routers in the Network
          router-id  next-hop  link
          ===========================
          A          -         0
          B          (self)    -

        """
    found = said(text)
    assert found.routers == ("A", "B")
    assert [(entity.server, entity.get("id")) for entity in found.entities] == [
        ("A", "A"), ("A", "B"), ("B", "A"), ("B", "B"),
    ]  # fmt: skip
    assert found.findings == ()


def test_a_command_with_a_router_names_it_and_the_output_without_one_follows_it():
    text = """\
        [root@hub ~]# qdstat -r B --links
        Router Links
          type      dir  conn id
          ========================
          endpoint  out  1
        """
    assert [entity.server for entity in said(text).entities] == ["B"]


LINKS = """\
Router Links
  type      dir  conn id
  ========================
  endpoint  out  1

"""


def routers_of(text, given=""):
    found = read_qdstat(text, Placing("f"), given)
    return [entity.server for entity in found.entities], [
        finding.kind for finding in found.findings
    ]


@pytest.mark.parametrize(
    ("text", "routers"),
    [
        # the router that the tool is connected to is not the one that -r names
        (f"$ qdstat -l\n{LINKS}$ qdstat -l -r B\n{LINKS}", ["B"]),
        (f"$ qdstat -l -r B\n{LINKS}$ qdstat -l\n{LINKS}", ["B"]),
        (f"{LINKS}$ qdstat -l -r B\n{LINKS}", ["B"]),
        # it is the one that other commands to the same place name
        (
            (
                f"$ qdstat -l\n{LINKS}$ qdstat -l -r B\n{LINKS}$ qdstat -l\n2026-11-21 "
                f"02:01:36 UTC\nA\n\n{LINKS}"
            ),
            ["A", "B", "A"],
        ),
        (
            (
                f"$ qdstat -l\n2026-11-21 02:01:36 UTC\nA\n\n{LINKS}$ qdstat -r B "
                f"-l\n{LINKS}$ qdstat -l\n{LINKS}"
            ),
            ["A", "B", "A"],
        ),
        (
            (
                f"$ qdstat -b a:1 -l\n2026-11-21 02:01:36 UTC\nA\n\n{LINKS}$ qdstat -b b:1 "
                f"-l\n{LINKS}$ qdstat --bus=a:1 -l\n{LINKS}"
            ),
            ["A", "A"],
        ),
        (
            (
                f"$ oc exec a-0 -- qdstat -l\n2026-11-21 02:01:36 UTC\nA\n\n{LINKS}$ oc exec "
                f"b-0 -- qdstat -l\n{LINKS}"
            ),
            ["A"],
        ),
    ],
)
def test_a_table_that_names_no_router_is_of_the_one_that_the_tool_is_connected_to(text, routers):
    found, kinds = routers_of(text)
    assert found == routers
    assert kinds == (["router-not-named"] if text.count("endpoint") > len(routers) else [])


def test_the_table_of_routers_says_itself_whose_it_is():
    text = """\
        [root@hub ~]# qdstat -b localhost:5673 -n -v
        Routers in the Network
          router-id  next-hop  link  cost  neighbors  valid-origins
          ==========================================================
          WEST       (self)    -           ['MID']    []
          MID        -         0     1     ['WEST']   []
        [root@hub ~]# qdstat -b localhost:5673 -c
        Connections
          id  host         container  role          dir
          ==============================================
          1   10.0.0.2:55  MID        inter-router  out
        [root@hub ~]# qdstat -b localhost:5673 -n -v -r MID
        Routers in the Network
          router-id  next-hop  link  cost  neighbors  valid-origins
          ==========================================================
          WEST       -         0     1     ['MID']    []
          MID        (self)    -           ['WEST']   []
        """
    found = said(text, "HUB")
    assert [(entity.server, entity.type) for entity in found.entities] == [
        ("WEST", "router.node"), ("WEST", "router.node"), ("WEST", "connection"),
            ("MID", "router.node"), ("MID", "router.node"),
    ]  # fmt: skip
    assert (found.routers, found.findings, found.unsupported) == (("WEST", "MID"), (), 0)


def test_a_text_that_names_no_router_is_of_the_one_that_its_file_is_of():
    assert routers_of(LINKS, "A") == (["A"], [])
    assert routers_of(f"$ qdstat -l\n{LINKS}$ qdstat -l\n{LINKS}", "A") == (["A", "A"], [])


def test_the_output_of_all_routers_says_nothing_of_other_tables():
    everything = f"$ qdstat -l --all-routers\n2026-11-21 02:01:36 UTC\nRouter  B\n\n{LINKS}"
    assert routers_of(f"{everything}$ qdstat -l\n{LINKS}") == (["B"], ["router-not-named"])


@pytest.mark.parametrize(
    "text",
    [
        "Router is Standalone - No Router List\n",
        "AutoLinks\nNo AutoLinks found\n",
        "Link Routes\nNo Link Routes found\n",
        "Connections\n",
        "$ qdstat -n\n2026-11-21 02:01:36 UTC\nE\n\nRouter is Standalone - No Router List\n",
    ],
)
def test_tables_without_rows_are_no_mistake(text):
    assert (said(text).entities, said(text).findings) == ((), ())


def test_columns_lines_and_tables_that_are_not_known_are_said_to_be_not_read():
    text = """\
        Memory Pools
          type   size
          =============
          qd_x   10

        Connections
          id  host  colour
          ==================
          1   h     m

        qdstat: error: timed out
        """
    found = said(text)
    assert [(finding.kind, finding.source.line) for finding in found.findings] == [
        ("unknown-column", 7),
        ("table-not-read", 1),
        ("unreadable-line", 11),
    ]
    assert (len(found.entities), found.unsupported) == (1, 1)


def test_the_time_line_and_columns_of_skupper_router_3_are_ordinary():
    text = """\
        2026-11-28 01:18:06.073878+00:00 UTC
        HUB

        Connections
          id  host       container  role               proto  dir  meshId  uptime
          ======================================================================
          3   10.0.0.2   WEST       inter-router       amqp   in           000:00:00:16
          1   10.0.0.2   WEST       inter-router-data  amqp   in           000:00:00:16
        """
    assert said(text).findings == ()


def test_a_csv_row_whose_quotes_do_not_pair_up_is_named_and_the_others_are_read():
    text = 'Connections\n"id","host"\n"1","a"\n"2","b\n"3","c ""d"" é"\n'
    found = said(text)
    assert [entity.get("host") for entity in found.entities] == ["a", 'c "d" é']
    assert [(finding.kind, finding.source.line) for finding in found.findings] == [
        ("unreadable-row", 4)
    ]


def test_exactly_as_many_rows_as_old_versions_print_at_most_may_be_cut():
    table = 'Connections\n"id"\n' + "".join(f'"{number}"\n' for number in range(1000))
    assert [finding.kind for finding in said(table).findings] == ["perhaps-cut"]
