"""Observed state of EMS servers: who gets a message where servers listed their subscribers, and
where they differ from their files.
"""

from __future__ import annotations

import pytest

TOPICS = "orders.> global\n"
HUB_ROUTES = "[EAST]\n  url = tcp://east:7222\n[WEST]\n  url = tcp://west:7222\n"
SUBSCRIPTIONS = "  Id  T  Topic       Name   SS  Cons  Msgs  Size\n"
ORDERS_NEW = "   7  T  orders.new         --     1     0  0.0 Kb\n"
WITH_SELECTOR = "   8  D  orders.old  d2     +-     1     0  0.0 Kb\n"


def listed(*rows: str, command: str = "subscriptions", end: str = "Command: exit\n") -> str:
    return f"Command: show {command}\n{SUBSCRIPTIONS}{''.join(rows)}{end}"


def estate_with(
    estate, hub: str = "", east: str = "", west: str = "", topics: str = TOPICS, **files: str
):
    folders = {
        "HUB": {"topics.conf": topics, "routes.conf": HUB_ROUTES, **files},
        "EAST": {"topics.conf": TOPICS},
        "WEST": {"topics.conf": TOPICS},
    }
    shown = {
        f"{name}/show.txt": text
        for name, text in (("HUB", hub), ("EAST", east), ("WEST", west))
        if text
    }
    return estate(folders, root=shown)


def delivered(answer):
    return [(one.server, one.subscriber) for one in answer.deliveries]


def test_without_lists_every_server_counts_as_having_a_subscriber(estate):
    answer = estate_with(estate).propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("HUB", "assumed"), ("EAST", "assumed"), ("WEST", "assumed")]


def test_a_server_that_listed_its_subscribers_has_those_and_no_others(estate):
    network = estate_with(estate, hub=listed(), east=listed(ORDERS_NEW), west=listed())
    answer = network.propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("EAST", "observed")]
    assert [(one.at, one.to, str(one.reason)) for one in answer.stopped] == [
        ("HUB", "WEST", "no-interest")
    ]
    assert [one.text for one in answer.assumptions if one.rule == "R40"] == [
        (
            "the subscribers of EAST, HUB, WEST are those that the servers listed at one "
            "moment (EAST/show.txt:2:1)"
        )
    ]
    assert network.propagate("HUB", "topic:orders.other").deliveries == ()


def test_where_some_servers_listed_theirs_the_others_are_assumed_to_have_one(estate):
    answer = estate_with(estate, east=listed(ORDERS_NEW)).propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("HUB", "assumed"), ("EAST", "observed"), ("WEST", "assumed")]
    assert [one.text for one in answer.assumptions if one.rule == "R40"] == [
        "every server that did not list its subscribers counts as having one",
        (
            "the subscribers of EAST are those that the server listed at one moment "
            "(EAST/show.txt:2:1)"
        ),
    ]


@pytest.mark.parametrize(
    "text",
    [
        listed(ORDERS_NEW, end=""),
        listed(ORDERS_NEW, command="subscriptions topic=orders.new"),
        (
            "Command: show consumers\n  Id  Conn  User  T  Topic  Name  SAS\n  1  2  ana  T  "
            "orders.new    ---\nCommand: exit\n"
        ),
    ],
    ids=["cut off", "filtered", "no durables"],
)
def test_a_list_that_may_be_incomplete_decides_nothing_about_other_topics(estate, text):
    network = estate_with(estate, hub=listed(), east=text, west=listed())
    assert delivered(network.propagate("HUB", "topic:orders.new")) == [("EAST", "observed")]
    answer = network.propagate("HUB", "topic:orders.other")
    assert delivered(answer) == []
    assert [one.server for one in answer.undetermined] == ["EAST"]
    assert "may be incomplete" in answer.undetermined[0].because


def test_a_list_that_is_cut_off_leaves_open_who_else_subscribes_where_others_are_declared(estate):
    """Who is declared is beside those that servers list: the end of a list may hold others."""
    network = estate_with(estate, hub=listed(), east=listed(ORDERS_NEW, end=""), west=listed())
    answer = network.propagate("HUB", "topic:orders.other", subscribers=["WEST:orders.other"])
    assert delivered(answer) == [("WEST", "declared")]
    assert [one.server for one in answer.undetermined] == ["EAST"]


def test_subscribers_of_a_list_that_is_cut_off_are_those_of_one_moment_too(estate):
    answer = estate_with(estate, east=listed(ORDERS_NEW, end="")).propagate(
        "HUB", "topic:orders.new"
    )
    assert (
        "the subscribers of EAST are those that the server listed at one moment (EAST/show.txt:3:4)"
        in [one.text for one in answer.assumptions]
    )


def test_a_topic_that_somebody_subscribes_to_may_stand_in_a_file_that_was_not_found(estate):
    files = {
        "tibemsd.conf": (
            "server = HUB\nrouting = enabled\nroutes = routes.conf\ntopics = gone.conf\n"
        )
    }
    found = drift(estate_with(estate, hub=listed(ORDERS_NEW), **files))
    assert ("subscription-topic-undefined", "HUB") not in found


def test_consumers_and_durables_together_are_all_subscribers(estate):
    text = (
        "Command: show consumers\n  Id  Conn  User  T  Topic  Name  SAS\n  1  2  ana  T  "
        "orders.new    ---\n"
        "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n  "
        "orders.a  d  N  <offline>  0  0.0 Kb\nCommand: exit\n"
    )
    network = estate_with(estate, hub=listed(), east=text, west=listed())
    assert delivered(network.propagate("HUB", "topic:orders.new")) == [("EAST", "observed")]
    assert network.propagate("HUB", "topic:orders.other").undetermined == ()


def test_a_selector_that_is_not_shown_leaves_the_delivery_open_and_the_interest_certain(estate):
    network = estate_with(estate, hub=listed(), east=listed(WITH_SELECTOR), west=listed())
    answer = network.propagate("HUB", "topic:orders.old")
    assert answer.deliveries == ()
    assert answer.received == ("EAST",)
    assert [(one.server, one.because) for one in answer.undetermined] == [
        ("EAST", "the subscriber that was listed has a selector, which is not shown")
    ]


def test_what_a_route_subscribes_to_is_no_client(estate):
    text = (
        "Command: show consumers\n  Id  Conn  User  T  Topic  Name  SAS\n  1  2  WEST  T "
        " orders.new    ---\n"
        "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n"
        "* orders.new  $sys.route.WEST:orders.new  N  WEST  0  0.0 Kb\nCommand: exit\n"
    )
    network = estate_with(estate, hub=text, east=listed(), west=listed(ORDERS_NEW))
    assert delivered(network.propagate("HUB", "topic:orders.new")) == [("WEST", "observed")]


def test_declared_clients_are_beside_those_that_were_listed(estate):
    network = estate_with(estate, east=listed(ORDERS_NEW))
    answer = network.propagate("HUB", "topic:orders.new", subscribers=["WEST:topic:orders.new"])
    assert delivered(answer) == [("EAST", "observed"), ("WEST", "declared")]


def test_where_clients_are_declared_an_answer_rests_on_there_being_no_others(estate):
    """Of the servers that listed theirs it is known; an answer that nobody gets it said nothing."""
    network = estate_with(estate, east=listed(ORDERS_NEW))
    answer = network.propagate("HUB", "topic:orders.other", subscribers=["WEST:topic:x"])
    assert answer.deliveries == ()
    assert [one.text for one in answer.assumptions if "those that are known" in one.text] == [
        "HUB, WEST have no subscribers but those that are known"
    ]
    alone = network.propagate(
        "HUB", "topic:orders.other", subscribers=["WEST:topic:x"], assume=False
    )
    assert not any("those that are known" in one.text for one in alone.assumptions)


def test_a_durable_may_be_missing_where_only_other_servers_are_assumed_to_have_subscribers(estate):
    """A server that listed its subscribers is not assumed to have one, and yet its durables.conf
    may hold more: that the others are assumed to have theirs hid it."""
    main = "server = HUB\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
    files = {"tibemsd.conf": f"{main}durables = gone.conf\n"}
    answer = estate_with(estate, hub=listed(), **files).propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("EAST", "assumed"), ("WEST", "assumed")]
    assert [(one.server, one.because) for one in answer.undetermined] == [
        ("HUB", "HUB: its durables.conf was not found, which may hold subscribers")
    ]


def test_the_guards_for_the_database_leave_out_who_listed_no_subscriber(estate):
    network = estate_with(estate, east=listed(ORDERS_NEW))
    assert network.message_guards("HUB", "topic:orders.new").subscribers is None
    assert network.message_guards("HUB", "topic:orders.other").subscribers == ("HUB", "WEST")


def drift(network) -> set[tuple[str, str]]:
    kinds = (
        "-not-observed",
        "-not-configured",
        "-differ",
        "-differs",
        "-undefined",
        "interest-without-route",
        "interest-not-global",
    )
    return {
        (one["kind"], one["server"])
        for one in network.check().findings
        if one["kind"].endswith(kinds) or one["kind"] in kinds
    }  # fmt: skip


SHOWN_TOPICS = (
    "Command: show topics\n  Topic Name  SNFGEIBCTM  Subs  Durs  Msgs  Size\n"
    "  orders.>  ---+------  0  0  0  0.0 Kb\n* orders.new  ---*------  0  0  0  0.0 Kb\n"
)


def test_what_is_as_configured_is_no_finding(estate):
    assert drift(estate_with(estate, hub=SHOWN_TOPICS + "Command: exit\n")) == set()


@pytest.mark.parametrize(
    ("hub", "topics", "files", "expected"),
    [
        (SHOWN_TOPICS + "Command: exit\n", "orders.>\n", {}, {("topic-properties-differ", "HUB")}),
        (SHOWN_TOPICS + "Command: exit\n", "> global\n", {},
            {("topic-not-configured", "HUB"), ("topic-not-observed", "HUB")}),
        (SHOWN_TOPICS, TOPICS + "more\n", {}, set()),
        (SHOWN_TOPICS + "Command: exit\n", TOPICS + "more\n", {}, {("topic-not-observed", "HUB")}),
        (
            ("Command: show queues\n  Queue Name  SNFGXIBCT  Pre  Rcvrs  Msgs  Size\n  a  "
                "---------  5*  0  0  0.0 Kb\nCommand: exit\n"),
            TOPICS,
            {"queues.conf": "b\n"},
            {("queue-not-configured", "HUB"), ("queue-not-observed", "HUB")},
        ),
        (
            ("Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n  "
                "orders.a  d1  N  ana  0  0.0 Kb\nCommand: exit\n"),
            TOPICS,
            {"durables.conf": "orders.a d2\n"},
            {("durable-not-configured", "HUB"), ("durable-not-observed", "HUB")},
        ),
        (
            ("Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n  "
                "orders.a  $sys.route.EAST:orders.a  N  u  0  0.0 Kb\nCommand: exit\n"),
            TOPICS,
            {"durables.conf": "orders.a EAST route\n"},
            set(),
        ),
        (
            ("Command: show bridges\n  Source Name  Queue Targets  Topic Targets\nT "
                "orders.a  1  1\nCommand: exit\n"),
            TOPICS + "log\n",
            {"bridges.conf": "[topic:orders.a]\n  topic=log\n[topic:orders.b]\n  topic=log\n"},
            {("bridge-differs", "HUB"), ("bridge-not-observed", "HUB")},
        ),
        (
            "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n* "
                "orders.a  $sys.route.NORTH:orders.a  N  u  0  0.0 Kb\n"
            "* log  $sys.route.EAST:log  N  u  0  0.0 Kb\nCommand: exit\n",
            TOPICS,
            {},
            {("interest-without-route", "HUB"), ("interest-not-global", "HUB")},
        ),
        (listed("   7  T  elsewhere   --   1   0  0.0 Kb\n"), TOPICS, {},
            {("subscription-topic-undefined", "HUB")}),
    ],
    ids=["global", "other topics", "cut list", "absent topic", "queues", "durables",
        "route durable", "bridges", "interest", "subscription"],
)  # fmt: skip
def test_drift_between_files_and_what_a_server_showed(estate, hub, topics, files, expected):
    assert drift(estate_with(estate, hub=hub, topics=topics, **files)) == expected


SHOWN_ROUTES = "Command: show routes\nRoute  T  ConnID  URL  ZoneName  ZoneType\n"
TO_EAST = "EAST  A  5  tcp://east:7222  default_mhop_zone  m\n"
TO_WEST = "WEST  A  6  tcp://west:7222  default_mhop_zone  m\n"
END = "Command: exit\n"


def route_drift(network) -> list[tuple[str, str]]:
    found = [
        one
        for one in network.check().findings
        if one["kind"].startswith("route-") and one["rule"] in ("R3", "R4")
    ]
    return [(one["kind"], one["message"]) for one in found]


def test_a_list_of_routes_that_may_be_cut_off_misses_none(estate):
    assert route_drift(estate_with(estate, hub=SHOWN_ROUTES + TO_EAST)) == []


def test_a_whole_list_of_routes_misses_one(estate):
    assert route_drift(estate_with(estate, hub=SHOWN_ROUTES + TO_EAST + END)) == [
        (
            "route-not-observed",
            "HUB: the route WEST is configured and the server does not show it (HUB/show.txt:2:1).",
        )
    ]


def test_a_whole_list_without_routes_misses_all(estate):
    found = route_drift(estate_with(estate, hub=SHOWN_ROUTES + END))
    assert [kind for kind, _ in found] == ["route-not-observed"] * 2


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("WEST  A  6  tcp://elsewhere:7222  default_mhop_zone  m\n", ["route-url-differs"]),
        ("WEST  A  6  tcp://other:1,tcp://west:7222  default_mhop_zone  m\n", []),
        ("WEST  P  6  tcp://west:7222  default_mhop_zone  m\n", ["route-role-differs"]),
        ("WEST  A  6  tcp://west:7222  Z  1\n", ["route-zone-differs"]),
        ("WEST  A  -  tcp://west:7222  default_mhop_zone  m\n", ["route-not-connected"]),
    ],
)
def test_a_route_that_runs_otherwise_than_configured(estate, row, expected):
    found = route_drift(estate_with(estate, hub=SHOWN_ROUTES + TO_EAST + row + END))
    assert [kind for kind, _ in found] == expected


@pytest.mark.parametrize(
    ("role", "url", "zone", "expected"),
    [
        ("A", "tcp://hub:1", "default_mhop_zone", ["route-not-configured"]),
        ("P", "tcp://hub:1", "default_mhop_zone", []),
        ("P", "tcp://hub:1", "Z", ["route-zone-differs"]),
    ],
)
def test_a_route_that_the_other_end_configures(estate, role, url, zone, expected):
    text = SHOWN_ROUTES + f"HUB  {role}  5  {url}  {zone}  m\n" + END
    assert [kind for kind, _ in route_drift(estate_with(estate, east=text))] == expected


def test_a_passive_route_that_no_file_configures(estate):
    text = SHOWN_ROUTES + "WEST  P  5  tcp://west:7222  Z  m\n" + END
    assert [kind for kind, _ in route_drift(estate_with(estate, east=text))] == [
        "route-not-configured"
    ]


def test_a_route_may_stand_in_a_routes_conf_that_was_not_found(estate):
    main = "server = HUB\nrouting = on\nroutes = gone.conf\ntopics = topics.conf\n"
    held = (
        "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n* orders.a "
        " $sys.route.WEST:orders.a  N  WEST  0  0.0 Kb\n"
    )
    network = estate_with(
        estate,
        hub=SHOWN_ROUTES + TO_EAST + END,
        west=held.replace("WEST", "HUB"),
        **{"tibemsd.conf": main},
    )
    assert route_drift(network) == []
    assert "interest-without-route" not in {one["kind"] for one in network.check().findings}


def test_a_text_that_another_server_printed_says_nothing(estate):
    text = (
        f"tcp://west:7222> show subscriptions\n{SUBSCRIPTIONS}tcp://west:7222> show topics\n"
        + SHOWN_TOPICS.partition("\n")[2]
    )
    text += "tcp://west:7222> exit\n"
    network = estate_with(estate, hub=listed(), east=text, topics=TOPICS + "more\n")
    answer = network.propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("EAST", "assumed"), ("WEST", "assumed")]
    found = [one for one in network.check().findings if one["kind"] == "observed-elsewhere"]
    assert [(one["server"], one["message"]) for one in found] == [
        (
            "EAST",
            "this text is taken for that of EAST, and its prompt shows tcp://west:7222, "
            "which is WEST (HUB/routes.conf:3:1); it is not used. "
            "If it is of WEST, put that name into the file name instead.",
        )
    ]


def test_a_text_whose_prompt_shows_its_own_server_is_used(estate):
    text = (
        listed(ORDERS_NEW, end="").replace("Command:", "tcp://east:7222>")
        + "tcp://east:7222> exit\n"
    )
    answer = estate_with(estate, hub=listed(), east=text, west=listed()).propagate(
        "HUB", "topic:orders.new"
    )
    assert delivered(answer) == [("EAST", "observed")]


def test_what_a_standby_lists_leaves_the_active_server_open(estate):
    text = (
        "Command: show server\n Server:  EAST (version: 10)\n State:  fault tolerant standby\n"
        + listed()
    )
    network = estate_with(estate, hub=listed(), east=text, west=listed())
    assert delivered(network.propagate("HUB", "topic:orders.new")) == [("EAST", "assumed")]


MAIN = "server = HUB\nlisten = tcp://7222\ntopics = topics.conf\nroutes = routes.conf\n"


@pytest.mark.parametrize(
    ("extra", "shown", "shows", "files"),
    [
        ("routing = on\n", "routing  disabled", "routing as disabled", ("has it enabled "
            "(HUB/"
            "tibemsd.conf:5:11).")),
        ("", "routing  disabled", "routing as disabled", ("does not state it "
            "(HUB/tibemsd.conf:1:10), which is "
            "taken as enabled.")),
        ("", "authorization  on", "authorization as enabled", ("does not state it "
            "(HUB/tibemsd.conf:1:10), which "
            "is taken as disabled.")),
        ("authorization = on\n", "authorization  off", "authorization as disabled",
            "has it enabled (HUB/tibemsd.conf:5:17)."),
        (
            "",
            "listen  tcp://7222,ssl://hub:7243",
            "that it listens at ssl://hub:7243",
            "has no `listen` with that port (HUB/tibemsd.conf:1:10).",
        ),
        ("", "ft_active  tcp://b:1", "ft_active tcp://b:1", ("does not state it, so that it "
            "counts as one server without a "
            "standby.")),
        ("ft_active = tcp://b:1\n", "ft_active  tcp://b:2", "ft_active tcp://b:2",
            "has tcp://b:1 (HUB/tibemsd.conf:1:10)."),
    ],
)  # fmt: skip
def test_drift_of_what_show_config_shows(estate, extra, shown, shows, files):
    assert setting_drift(estate, extra, shown) == [
        f"HUB: the server shows {shows}; tibemsd.conf {files}"
    ]


def test_a_port_that_the_server_does_not_listen_on(estate):
    assert setting_drift(estate, "listen = tcp://7333\n", "listen  tcp://7222") == [
        (
            "HUB: tibemsd.conf lets the server listen on port 7333 (HUB/tibemsd.conf:1:10), "
            "and the server does not show that."
        )
    ]


@pytest.mark.parametrize(
    ("extra", "shown"),
    [
        ("", "routing  enabled"),
        ("routing = off\n", "routing  disabled"),
        ("", "authorization  off"),
        ("", "listen  tcp://7222"),
        ("ft_active = tcp://b:1\n", "ft_active  tcp://b:1"),
    ],
)
def test_settings_that_are_as_configured(estate, extra, shown):
    assert setting_drift(estate, extra, shown) == []


def setting_drift(estate, extra: str, shown: str) -> list[str]:
    text = f"Command: show config\n  server  HUB\n  {shown}\n{END}"
    network = estate_with(estate, hub=text, **{"tibemsd.conf": MAIN + extra})
    return [one["message"] for one in network.check().findings if one["kind"] == "setting-differs"]


def test_a_part_of_show_config_misses_no_port(estate):
    text = "Command: show config\n  server  HUB\n  listen  tcp://7222\n"
    network = estate_with(estate, hub=text, **{"tibemsd.conf": MAIN + "listen = tcp://7333\n"})
    assert "setting-differs" not in {one["kind"] for one in network.check().findings}


def test_a_queue_of_another_owner_than_configured(estate):
    shown = (
        "Command: show queues\n  Queue Name  SNFGXIBCT  Pre  Rcvrs  Msgs  Size\n"
        "  work@WEST  ---------  5*  0  0  0.0 Kb\n  own@HUB  ---------  5*  0  0  0.0 Kb\n" + END
    )
    network = estate_with(estate, hub=shown, **{"queues.conf": "work@EAST\nown\n"})
    found = [
        one["message"] for one in network.check().findings if one["kind"] == "queue-owner-differs"
    ]
    assert found == [
        (
            "HUB: the server shows the queue work as a routed queue of WEST; queues.conf "
            "defines it as a routed queue of EAST (HUB/queues.conf:1:1)."
        )
    ]


def test_a_topic_that_files_define_and_the_server_made_by_itself(estate):
    shown = SHOWN_TOPICS.replace("* orders.new", "* orders.>").replace(
        "  orders.>  ---+------  0  0  0  0.0 Kb\n", "", 1
    )
    found = [
        one["message"]
        for one in estate_with(estate, hub=shown).check().findings
        if one["kind"] == "topic-not-observed"
    ]
    assert found == [
        (
            "HUB: topics.conf defines the topic orders.> (HUB/topics.conf:1:1), and the "
            "server shows it as dynamic (*): it does not run with that entry."
        )
    ]


def test_either_member_of_a_pair_may_have_been_asked(estate):
    one = "server = P\nrouting = on\nft_active = tcp://two:7222\ntopics = topics.conf\n"
    other = one.replace("two", "one")
    folders = {
        "p1": {"tibemsd.conf": one, "topics.conf": TOPICS},
        "p2": {"tibemsd.conf": other, "topics.conf": TOPICS},
    }
    shown = SHOWN_TOPICS.replace("* orders.new", "  orders.new") + END
    found = [
        item["kind"]
        for item in estate(folders, root={"p2/show.txt": shown}).check().findings
        if item["kind"].startswith("topic-")
    ]
    assert found == ["topic-not-configured"]


CONSUMERS = "Command: show consumers\n  Id  Conn  User  T  Topic  Name  SAS\n"
DURABLES = "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n"


def lists(*consumers: str, durables: str = "", end: str = END) -> str:
    """Whole lists of consumers (``USER TOPIC``) and durables."""
    rows = [
        f"  {n}  3  {user}  T  {topic}    ---\n"
        for n, (user, topic) in enumerate((c.split() for c in consumers), 7)
    ]
    return CONSUMERS + "".join(rows) + DURABLES + durables + end


def held(server: str, topic: str) -> str:
    return f"* {topic}  $sys.route.{server}:{topic}  N  {server}  0  0.0 Kb\n"


def interest(answer):
    return [(one.server, one.topic, one.for_, one.state, one.because) for one in answer.listed]


def missed(answer):
    return [
        (one.server, one.topic, one.for_, one.because, str(one.source), str(one.listing))
        for one in answer.not_listed
    ]


def unknown(answer):
    return [(one.server, one.because) for one in answer.not_observed]


def listing(network, server=None):
    return network.interests(server, observed="listed")


NOT_IMPORTED = "none of its lists of subscribers, consumers or durables was imported"


def test_where_nothing_was_listed_interest_is_not_known(estate):
    answer = listing(estate_with(estate))
    assert (interest(answer), missed(answer)) == ([], [])
    assert unknown(answer) == [(server, NOT_IMPORTED) for server in ("EAST", "HUB", "WEST")]


def test_interest_that_a_route_holds_is_implied_by_who_wants_it_behind(estate):
    network = estate_with(
        estate,
        hub=lists(durables=held("EAST", "orders.new")),
        east=lists("ana orders.new"),
        west=lists("HUB orders.new"),
    )
    answer = listing(network)
    assert interest(answer) == [
        ("EAST", "orders.new", "", "client", ""),
        (
            "HUB",
            "orders.new",
            "EAST",
            "expected",
            "subscriber that was listed at EAST, for orders.new (EAST/show.txt:3:3)",
        ),
        (
            "WEST",
            "orders.new",
            "HUB",
            "expected",
            "subscriber that was listed at EAST, for orders.new (EAST/show.txt:3:3)",
        ),
    ]
    assert (missed(answer), unknown(answer)) == ([], [])


def test_interest_that_is_implied_and_not_listed_names_both_places(estate):
    answer = listing(estate_with(estate, hub=lists(), east=lists("ana orders.new")), "HUB")
    assert missed(answer) == [
        (
            "HUB",
            "orders.new",
            "EAST",
            "subscriber that was listed at EAST",
            "EAST/show.txt:3:3",
            "HUB/show.txt:4:1",
        )
    ]


def test_interest_in_a_part_of_a_pattern_is_not_all_of_it(estate):
    network = estate_with(
        estate, hub=lists(durables=held("EAST", "orders.new")), east=lists("ana orders.>")
    )
    assert [row[:3] for row in missed(listing(network, "HUB"))] == [("HUB", "orders.>", "EAST")]


@pytest.mark.parametrize(
    ("east", "state", "because"),
    [
        (lists(), "unexpected", "nobody at EAST or behind it was listed to want it"),
        (
            lists("ana orders.old"),
            "unexpected",
            "nobody at EAST or behind it was listed to want it",
        ),
        ("", "unknown", "who wants it at EAST was not listed"),
        (lists(end=""), "unknown", "who wants it at EAST was not listed"),
    ],
)
def test_interest_without_anybody_who_wants_it(estate, east, state, because):
    answer = listing(
        estate_with(estate, hub=lists(durables=held("EAST", "orders.new")), east=east), "HUB"
    )
    assert interest(answer) == [("HUB", "orders.new", "EAST", state, because)]


def test_interest_that_no_route_and_no_global_topic_explains(estate):
    network = estate_with(
        estate,
        hub=lists(durables=held("NORTH", "orders.new") + held("EAST", "log")),
        east=lists("HUB orders.x", "WEST orders.x"),
    )
    assert interest(listing(network, "HUB")) == [
        ("HUB", "orders.new", "NORTH", "unknown", "NORTH is not among the imported servers"),
        ("HUB", "log", "EAST", "unexpected", "not true of it: topic is global (orders.>)"),
    ]
    assert (
        "EAST",
        "orders.x",
        "WEST",
        "unexpected",
        "no file has a route between EAST and WEST",
    ) in interest(listing(network))


def test_durables_of_files_are_expected_and_missed(estate):
    shown = lists(durables="  orders.a  d1  N  <offline>  0  0.0 Kb\n")
    network = estate_with(
        estate, hub=shown, **{"durables.conf": "orders.a d1\norders.b d2\norders.c EAST route\n"}
    )
    answer = listing(network, "HUB")
    assert interest(answer) == [
        ("HUB", "orders.a", "", "expected", "durables.conf defines it (HUB/durables.conf:1:1)")
    ]
    assert [row[:4] for row in missed(answer)] == [
        ("HUB", "orders.b", "", "the durable d2 that durables.conf defines"),
        ("HUB", "orders.c", "EAST", "the durable EAST that durables.conf defines"),
    ]


def test_a_durable_of_a_route_that_durables_conf_defines_is_expected_without_anybody_behind(estate):
    network = estate_with(
        estate,
        hub=lists(durables=held("EAST", "orders.c")),
        east=lists(),
        **{"durables.conf": "orders.c EAST route\n"},
    )
    assert interest(listing(network, "HUB")) == [
        ("HUB", "orders.c", "EAST", "expected", "durables.conf defines it (HUB/durables.conf:1:1)")
    ]


def test_what_is_held_for_routes_is_not_known_from_a_list_of_subscriptions(estate):
    answer = listing(estate_with(estate, hub=listed(), east=lists("ana orders.new")), "HUB")
    assert missed(answer) == []
    assert [because.partition(":")[0] for _, because in unknown(answer)] == [
        "which interest it holds for other servers is not known"
    ]


def test_what_is_held_for_a_route_that_was_not_connected_is_not_compared(estate):
    text = SHOWN_ROUTES + TO_EAST.replace("  5  ", "  -  ") + lists()
    answer = listing(estate_with(estate, hub=text, east=lists("ana orders.new")), "HUB")
    assert missed(answer) == []
    assert unknown(answer) == [
        ("HUB", "the route to EAST was not connected: what it should hold for EAST is not compared")
    ]


def test_names_of_temporary_topics_are_compared_where_they_were_listed(estate):
    text = lists("EAST $TMP$.EAST.>", "EAST $TMP$.NORTH.>")
    answer = listing(estate_with(estate, hub=text))
    assert answer.compared == ("HUB",)
    assert [(one.name, one.via) for one in answer.missing] == [("$TMP$.WEST.>", "WEST")]
    assert [(one.name, one.via) for one in answer.unexpected] == [("$TMP$.NORTH.>", "EAST")]
    assert interest(answer) == []


def test_a_cut_list_of_durables_misses_none_whatever_other_list_is_whole(estate):
    text = lists(durables="  orders.a  d1  N  <offline>  0  0.0 Kb\n", end="")
    answer = listing(
        estate_with(estate, hub=text, **{"durables.conf": "orders.a d1\norders.b d2\n"}), "HUB"
    )
    assert missed(answer) == []


def test_somebody_may_want_it_behind_routes_that_no_file_shows(estate):
    folders = {
        "HUB": {"topics.conf": TOPICS, "routes.conf": HUB_ROUTES},
        "EAST": {
            "topics.conf": TOPICS,
            "tibemsd.conf": (
                "server = EAST\nrouting = on\ntopics = topics.conf\nroutes = gone.conf\n"
            ),
        },
        "WEST": {"topics.conf": TOPICS},
    }
    network = estate(
        folders,
        root={"HUB/show.txt": lists(durables=held("EAST", "orders.new")), "EAST/show.txt": lists()},
    )
    assert interest(listing(network, "HUB")) == [
        (
            "HUB",
            "orders.new",
            "EAST",
            "unknown",
            "EAST may have routes that the loaded files do not show, to somebody who wants it",
        )
    ]


@pytest.mark.parametrize(
    ("flags", "topics", "says"),
    [
        (
            "----------",
            "orders.> global\n",
            "as not global; by topics.conf it is global (HUB/topics.conf:1:1)",
        ),
        (
            "---+------",
            "orders.>\n",
            "as global; by topics.conf it is not global (HUB/topics.conf:1:1)",
        ),
        (
            "+--+------",
            "orders.> global\n",
            "as secure; by topics.conf it is not secure (HUB/topics.conf:1:1)",
        ),
    ],
)
def test_a_topic_with_other_properties_in_force(estate, flags, topics, says):
    shown = (
        "Command: show topics\n  Topic Name  SNFGEIBCTM  Subs  Durs  Msgs  Size\n  orders.> "
        f" {flags}  0  0  0  0.0 Kb\n{END}"
    )
    network = estate_with(estate, hub=shown, topics=topics)
    found = [
        one["message"]
        for one in network.check().findings
        if one["kind"] == "topic-properties-differ"
    ]
    assert found == [f"HUB: the server shows the topic orders.> {says}."]


def test_durables_and_subscribers_of_clients_are_told_apart(estate):
    text = lists("ana orders.new", durables="* orders.a  d1  N  <offline>  0  0.0 Kb\n")
    answer = listing(estate_with(estate, hub=text), "HUB")
    assert [(one.topic, one.kind) for one in answer.listed] == [
        ("orders.new", "subscriber"),
        ("orders.a", "durable"),
    ]
