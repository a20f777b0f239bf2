"""What the administration tool prints for its ``show`` commands: the rows, and which lists are
whole.
"""

from __future__ import annotations

import pytest

from topograph.facts.ems_observed import (
    EmsListing,
    EmsObservedBridges,
    EmsObservedDestination,
    EmsObservedSetting,
    EmsObservedSubscription,
)
from topograph.importers.ems import recognise
from topograph.importers.ems.roles import EMS_SHOW, EMS_SHOW_ROUTES
from topograph.importers.ems.single_file import parse_text
from topograph.importers.reading import Role

PROMPT = "tcp://east:7222>"
TOPICS = "  Topic Name            SNFGEIBCTM  Subs  Durs     Msgs    Size        Msgs    Size\n"
QUEUES = "  Queue Name            SNFGXIBCT  Pre  Rcvrs     Msgs    Size        Msgs    Size\n"
DURABLES = "  Topic Name   Durable   Shared  User   Msgs   Size\n"
CONSUMERS = "  Id   Conn  User   T  Topic        Name   SAS   Sent\n"
SUBSCRIPTIONS = "  Id  T  Topic        Name    SS  Cons  Msgs   Size\n"


def session(*outputs: tuple[str, str]) -> str:
    """A session that shows each table after its command, and ends."""
    return (
        "".join(f"{PROMPT} show {command}\n{table}" for command, table in outputs)
        + f"{PROMPT} exit\n"
    )


def facts(text: str, kind: type) -> list:
    return [
        fact
        for fact in parse_text("show", text, False, server="EAST").facts
        if isinstance(fact, kind)
    ]


def cuts(text: str) -> dict[str, str]:
    return {fact.name: fact.cut for fact in facts(text, EmsListing)}


def test_topics_have_flags_and_a_star_if_no_file_defines_them() -> None:
    table = (
        "                                     All Msgs            Persistent Msgs\n" + TOPICS
        + "  >                     ----------     0     0        0     0.0 Kb        0     0.0 Kb\n"
        + "  orders.>              +--+------     2     1       10     1.5 Mb        0     0.0 Kb\n"
        + "* orders.new            ---*------     1     0        0     0.0 Kb        0     0.0 Kb\n"
        + "  *                     ----------     0     0        0     0.0 Kb        0     0.0 Kb\n"
    )  # fmt: skip
    text = session(("topics", table))
    assert [(f.name, f.dynamic, f.properties) for f in facts(text, EmsObservedDestination)] == [
        (">", False, ()),
        ("orders.>", False, ("global", "secure")),
        ("orders.new", True, ("global",)),
        ("*", False, ()),
    ]
    assert cuts(text) == {"topics": ""}


def test_queues_have_an_owner_where_they_are_routed() -> None:
    table = (
        QUEUES
        + "  work@HUB              ---+-----    5*     0        0     0.0 Kb        0     0.0 Kb\n"
        + "* $TMP$.EAST.A1.1       ---------    5      1        0     0.0 Kb        0     0.0 Kb\n"
        + "  solo                  ----+----  none     1        0     0.0 Kb        0     0.0 Kb\n"
    )
    found = facts(session(("queues", table)), EmsObservedDestination)
    assert [(f.type, f.name, f.owner, f.dynamic, f.properties) for f in found] == [
        ("queue", "work", "HUB", False, ("global",)),
        ("queue", "$TMP$.EAST.A1.1", "", True, ()),
        ("queue", "solo", "", False, ("exclusive",)),
    ]


def subscriptions(text: str) -> list[tuple[str, ...]]:
    found = facts(text, EmsObservedSubscription)
    return [
        (f.type, f.name, f.durable, f.client_id, f.user, f.selector, f.client, f.route, f.dynamic)
        for f in found
    ]


def test_durables_are_of_clients_or_of_routes() -> None:
    table = (
        DURABLES
        + "  orders.new   billing     N  <offline>  3   1.0 Kb\n"
        + "* orders.>     desk:audit  N  *ana       0   0.0 Kb\n"
        + "* orders.new   $sys.route.WEST:orders.new  N  WEST  0  0.0 Kb\n"
    )
    assert subscriptions(session(("durables", table))) == [
        ("topic", "orders.new", "billing", "", "", "", True, "", False),
        ("topic", "orders.>", "audit", "desk", "ana", "", True, "", True),
        ("topic", "orders.new", "$sys.route.WEST:orders.new", "", "WEST", "", False, "WEST", True),
    ]


def test_durables_of_older_servers_have_no_column_for_sharing() -> None:
    table = (
        "  Topic Name   Durable   User   Msgs   Size\n  orders.new   billing   offline  3   "
        "1.0 Kb\n"
    )
    assert subscriptions(session(("durables", table))) == [
        ("topic", "orders.new", "billing", "", "", "", True, "", False)
    ]


def test_subscriptions_say_whether_they_have_a_selector() -> None:
    table = SUBSCRIPTIONS + (
        "  7  T  orders.new          --  1  0  0.0 Kb\n  8  D  orders.>  audit  +-  1  0  0.0 Kb\n"
    )
    assert subscriptions(session(("subscriptions", table))) == [
        ("topic", "orders.new", "", "", "", "no", True, "", False),
        ("topic", "orders.>", "audit", "", "", "yes", True, "", False),
    ]


def test_a_row_about_a_topic_that_is_called_like_a_title_is_a_row() -> None:
    table = SUBSCRIPTIONS + "  7  T  queue          --  1  0  0.0 Kb\n"
    assert [row[1] for row in subscriptions(session(("subscriptions", table)))] == ["queue"]


def test_consumers_come_in_a_table_of_topics_and_one_of_queues() -> None:
    table = (
        CONSUMERS
        + "  11   3  ana   T  orders.new         +--   5\n  12   4  WEST  R  orders.new    "
        "     ---   5\n\n"
        "  Id   Conn  User   T  Queue        SAS   Sent\n  13   5  bo    Q  work         ---   5\n"
    )
    text = session(("consumers full", table))
    assert subscriptions(text) == [
        ("topic", "orders.new", "", "", "ana", "yes", True, "", False),
        ("topic", "orders.new", "", "", "WEST", "no", False, "", False),
        ("queue", "work", "", "", "bo", "no", True, "", False),
    ]
    assert cuts(text) == {"consumers": ""}


def test_the_titles_of_statistics_are_read_after_their_own_command_alone() -> None:
    table = (
        "User  Conn  T  Destination  Msgs  Size  Msgs  Size\nana  3  T  orders.new  4  1.0 "
        "Kb  0  0.0 Kb\n"
    )
    assert len(subscriptions(session(("stat consumers", table)))) == 1
    assert subscriptions(session(("stat producers", table))) == []
    assert cuts(session(("stat consumers", table)))["stat consumers"] != ""


def test_bridges_are_counted_by_their_source() -> None:
    table = (
        "  Source Name        Queue Targets  Topic Targets\nQ work      0      1\nT "
        "orders.new   2    1\n"
    )
    found = facts(session(("bridges", table)), EmsObservedBridges)
    assert [(f.type, f.name, f.queues, f.topics) for f in found] == [
        ("queue", "work", 0, 1),
        ("topic", "orders.new", 2, 1),
    ]


ROW = "  7  T  orders.new          --  1  0  0.0 Kb\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{PROMPT} show subscriptions\n{SUBSCRIPTIONS}{ROW}{PROMPT} ", ""),
        (f"Command: show subscriptions sort=topic\n{SUBSCRIPTIONS}{ROW}Command: exit\n", ""),
        (f"{PROMPT} show subscriptions\n{SUBSCRIPTIONS}{ROW}", "the text ends with it"),
        (f"{PROMPT} show subscriptions\n{SUBSCRIPTIONS}{ROW}  8  T  ord", ("a row of it is not "
            "understood")),
        (f"{PROMPT} show subscriptions topic=a.>\n{SUBSCRIPTIONS}{ROW}{PROMPT} ",
            "its command asked for a part"),
        (f"{PROMPT} show subscriptions\n{SUBSCRIPTIONS}{ROW}...\n{PROMPT} ",
            "a row of it is not understood"),
        (f"{SUBSCRIPTIONS}{ROW}{PROMPT} ", ("the text does not show the command that the table "
            "answers")),
    ],
    ids=["prompt", "script", "no end", "cut row", "filter", "gap", "no command"],
)  # fmt: skip
def test_a_list_is_whole_only_where_the_text_shows_it(text: str, why: str) -> None:
    assert cuts(text) == {"subscriptions": why}


ROUTES = "Route  T  ConnID  URL  ZoneName  ZoneType\nWEST  A  7  tcp://w:1  Z  m\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (session(("routes", ROUTES)), ""),
        (f"{PROMPT} show routes\n{ROUTES}", "the text ends with it"),
        (
            f"{PROMPT} show route WEST\n{ROUTES}{PROMPT} ",
            "the text does not show the command that the table answers",
        ),
        (f"{PROMPT} show routes\n{ROUTES}NORTH  A\n{PROMPT} ", "a row of it is not understood"),
    ],
    ids=["whole", "no end", "one route", "cut row"],
)
def test_a_list_of_routes_is_whole_only_where_the_text_shows_it(text: str, why: str) -> None:
    assert cuts(text) == {"routes": why}


SERVER = (
    " Server:      EAST (version: 10.1.0 V4)\n State:       {}\n Topics:      {} (0 dynamic, "
    "0 temporary)\n"
)
ONE_TOPIC = (
    TOPICS
    + "  orders.>              ---+------     0     0        0     0.0 Kb        0     0.0 Kb\n"
)


@pytest.mark.parametrize(
    ("counted", "cut"), [(1, ""), (2, "`show server` counts 2 topics, 1 of them listed")]
)
@pytest.mark.parametrize("first", [True, False])
def test_a_list_with_fewer_rows_than_the_server_counts_may_be_cut_off(
    counted: int, cut: str, first: bool
) -> None:
    outputs = [("server", SERVER.format("active", counted)), ("topics", ONE_TOPIC)]
    text = session(*(outputs if first else reversed(outputs)))
    assert cuts(text)["topics"] == cut


def settings(text: str) -> list[tuple[str, str, str, int]]:
    return [
        (fact.listing, fact.name, fact.value, fact.source.line)
        for fact in facts(text, EmsObservedSetting)
    ]


def test_what_a_standby_lists_is_left_out_with_a_warning() -> None:
    text = session(("server", SERVER.format("fault tolerant standby", 1)), ("topics", ONE_TOPIC))
    parsed = parse_text("show", text, False, server="EAST")
    assert [(fact.kind, fact.label) for fact in parsed.facts] == [("observed_setting", "state")]
    assert settings(text) == [("server", "state", "fault tolerant standby", 3)]
    assert [(finding.kind, finding.source.line) for finding in parsed.findings] == [
        ("server-not-active", 3)
    ]


def test_show_config_gives_the_settings_that_decide_something() -> None:
    config = (
        "Configuration\n  server           EAST\n  Routing:         disabled\n  "
        "authorization =  on\n"
        "  listen           tcp://7222,ssl://7243\n  ft_active        tcp://user:secret@west:7222\n"
        "  max_connections  7\n  nobody_knows     7\n"
    )
    text = session(("config", config))
    assert settings(text) == [
        ("config", "server", "EAST", 3),
        ("config", "routing", "disabled", 4),
        ("config", "authorization", "enabled", 5),
        ("config", "listen", "tcp://7222", 6),
        ("config", "listen", "ssl://7243", 6),
        ("config", "ft_active", "tcp://(set)@west:7222", 7),
    ]
    parsed = parse_text("show", text, False, server="EAST")
    assert [
        (finding.kind, finding.message, finding.source.line) for finding in parsed.findings
    ] == [
        (
            "output-not-read",
            (
                "2 lines of `show config` from here on name no parameter of tibemsd.conf "
                "that is known, and are not read"
            ),
            2,
        )
    ]
    assert cuts(text) == {"config": ""}


def test_show_config_is_known_by_its_lines_where_the_text_has_nothing_else() -> None:
    text = "server    EAST\nrouting    disabled\nlisten    tcp://7222\n"
    assert [row[:3] for row in settings(text)] == [
        ("config", "server", "EAST"),
        ("config", "routing", "disabled"),
        ("config", "listen", "tcp://7222"),
    ]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (session(("topics", TOPICS)), "tcp://east:7222"),
        (f"Connected to: tcp://east:7222\nCommand: show topics\n{TOPICS}", "tcp://east:7222"),
        (session(("server", SERVER.format("active", 0)), ("topics", TOPICS)), ""),
        (f"EAST> show topics\n{TOPICS}", ""),
    ],
    ids=["prompt", "script", "named by show server", "named by the prompt"],
)
def test_a_text_that_does_not_name_its_server_keeps_where_it_was_connected(
    text: str, url: str
) -> None:
    assert {fact.url for fact in facts(text, EmsListing)} == {url}


def test_a_row_that_begins_with_a_wildcard_is_no_prompt() -> None:
    table = DURABLES + "  orders.>   show   N   ana   0   0.0 Kb\n"
    assert [row[1] for row in subscriptions(session(("durables", table)))] == ["orders.>"]


def test_the_output_of_other_commands_is_named_and_not_read() -> None:
    text = session(
        ("users", " User Name   Description\n ana         x\n"),
        ("subscriptions", SUBSCRIPTIONS + ROW),
    )
    parsed = parse_text("show", text, False, server="EAST")
    assert [(f.kind, f.message, f.source.line) for f in parsed.findings] == [
        ("output-not-read", "recognised as `show users` output, not read", 1)
    ]
    assert len(subscriptions(text)) == 1


@pytest.mark.parametrize(
    ("text", "server"),
    [
        (f" Server:      EAST (version: 10.1.0 V4)\n{PROMPT} show topics\n{TOPICS}", "EAST"),
        (f"EAST> show topics\n{TOPICS}", "EAST"),
        (f"{PROMPT} show topics\n{TOPICS}", ""),
    ],
)
def test_show_server_or_a_prompt_says_whose_output_it_is(text: str, server: str) -> None:
    assert recognise("x.txt", text.encode()) is not None
    found = recognise("x.txt", text.encode())
    assert (found.role, found.server) == (EMS_SHOW, server)


def test_a_text_with_routes_alone_keeps_its_role() -> None:
    found = recognise("x.txt", b"EAST> show routes\nRoute  T  ConnID  URL  ZoneName  ZoneType\n")
    assert (found.role, found.server) == (EMS_SHOW_ROUTES, "EAST")


def test_the_output_of_several_servers_is_not_taken_for_that_of_one() -> None:
    text = f"tcp://east:7222> show topics\n{TOPICS}tcp://west:7222> show topics\n{TOPICS}"
    found = recognise("EAST.txt", text.encode())
    assert found.role is Role.OTHER
    assert "several servers" in found.note
