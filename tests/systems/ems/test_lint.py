"""The lint rules of outcomes.md 4.4 that need several entries or several servers: each fires
where it should and nowhere else.
"""

from __future__ import annotations

import time

import pytest

GLOBAL = "T global,maxbytes=1MB\n"
TLS = "ssl://{}:7243"


def route(peer: str, *lines: str, zone: str = "M", kind: str = "mhop") -> str:
    text = (
        f"[{peer}]\n url = {TLS.format(peer.lower())}\n zone_name = {zone}\n zone_type = {kind}\n"
    )
    return text + "".join(f" {line}\n" for line in lines)


def findings(network, *kinds: str):
    rows = network.check().findings
    return {
        (row["rule"], row["kind"], row["severity"], row["server"])
        for row in rows
        if not kinds or row["kind"] in kinds
    }


def pair(
    left: dict[str, str], right: dict[str, str], link: str = route("B")
) -> dict[str, dict[str, str]]:
    """A and B, linked by an active-active route, with topics that give no finding unless told
    otherwise.
    """
    return {
        "A": {"routes.conf": link, "topics.conf": GLOBAL, **left},
        "B": {"routes.conf": route("A"), "topics.conf": GLOBAL, **right},
    }


def test_a_sound_pair_has_no_finding(estate):
    assert findings(estate(pair({}, {}))) == set()


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (
            {"topics.conf": GLOBAL + "U global,maxmsgs=5\n"},
            {"topics.conf": GLOBAL + "U\n"},
            ("TL-03", "global-at-one-end", "warning", "B"),
        ),
        (
            {"topics.conf": "T global\n"},
            {},
            ("TL-04", "global-topic-without-limit", "warning", "A"),
        ),
        (
            {"topics.conf": GLOBAL, "durables.conf": "U d\n"},
            {},
            ("R45", "durable-topic-undefined", "warning", "A"),
        ),
        (
            {
                "topics.conf": GLOBAL,
                "bridges.conf": "[topic:T]\n queue=Q\n",
                "queues.conf": "other\n",
            },
            {},
            ("R45", "bridge-queue-undefined", "warning", "A"),
        ),
        (
            {"topics.conf": "a.* global,maxbytes=1MB\n", "durables.conf": "a.> d\n"},
            {"topics.conf": "a.* global,maxbytes=1MB\n"},
            ("TL-09", "wildcard-not-subset-of-global", "warning", "A"),
        ),
        (
            {"topics.conf": "T global,maxbytes=1MB,store=x\n> store=y\n"},
            {},
            ("TL-18", "store-conflict", "error", "A"),
        ),
        (
            {
                "topics.conf": GLOBAL,
                "users.conf": "joe::\n",
                "acl.conf": "TOPIC=T USER=eve PERM=publish\nTOPIC=T USER=joe PERM=publish\n",
            },
            {},
            ("R50", "grant-principal-undefined", "warning", "A"),
        ),
    ],
)
def test_one_thing_wrong_is_one_finding(estate, left, right, expected):
    assert findings(estate(pair(left, right))) == {expected}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('outgoing_topic=T selector="a ="', ("TL-08", "selector-invalid", "error", "A")),
        ('outgoing_topic=T selector="1 = 2"', ("TL-08", "selector-constant", "warning", "A")),
        (
            'outgoing_topic=local selector="a = 1"',
            ("TL-06", "selector-topic-not-global", "error", "A"),
        ),
        (
            'outgoing_topic=none selector="a = 1"',
            ("TL-06", "selector-topic-unknown", "warning", "A"),
        ),
        ("ssl_verify_host=disabled", ("TL-19", "tls-host-not-verified", "info", "A")),
    ],
)
def test_a_route_line_that_is_wrong(estate, line, expected):
    network = estate(pair({"topics.conf": GLOBAL + "local\n"}, {}, route("B", line)))
    assert findings(network) == {expected}


def test_a_durable_behind_a_route_that_one_side_configures(estate):
    folders = pair({}, {"durables.conf": "T keep\n"})
    folders["B"]["routes.conf"] = ""
    assert findings(estate(folders)) == {
        ("TL-05", "durable-behind-active-passive-route", "warning", "B")
    }


def test_a_durable_behind_a_route_whose_other_side_is_not_loaded(estate):
    network = estate({"A": {"routes.conf": route("B"), "durables.conf": "T keep\n"}})
    (finding,) = network.check(rule="TL-05").findings
    assert (finding["severity"], finding["message"]) == (
        "info",
        "A holds the durable keep (A/durables.conf:1:1) and its route to B is configured on A; "
        "whether on B too is not known, because the configuration of B is not loaded. If the route "
        "breaks, messages may be lost or arrive twice; only an active-active route, configured on "
        "both servers, avoids both.",
    )


def test_bridges_of_two_servers_that_feed_each_other(estate):
    topics = {"topics.conf": "X global,maxbytes=1\nY global,maxbytes=1\n"}
    there = {**topics, "bridges.conf": "[topic:X]\n topic=Y\n"}
    back = {**topics, "bridges.conf": "[topic:Y]\n topic=X\n"}
    assert findings(estate(pair(there, back))) == {
        ("TL-17", "bridges-feed-each-other", "warning", "A")
    }


def test_bridges_of_two_servers_that_feed_each_other_over_a_topic_and_a_queue(estate):
    topics = "X global,maxbytes=1\n"
    there = {
        "topics.conf": topics,
        "queues.conf": "Q global\n",
        "bridges.conf": "[queue:Q]\n topic=X\n",
    }
    back = {"topics.conf": topics, "queues.conf": "Q@A\n", "bridges.conf": "[topic:*]\n queue=Q\n"}
    assert findings(estate(pair(there, back)), "bridges-feed-each-other") == {
        ("TL-17", "bridges-feed-each-other", "warning", "A")
    }


def test_bridges_of_three_servers_that_feed_each_other_are_one_finding(estate):
    topics = "".join(f"{name} global,maxbytes=1\n" for name in "XYZ")
    folders = {
        server: {
            "topics.conf": topics,
            "routes.conf": line,
            "bridges.conf": f"[topic:{source}]\n topic={target}\n",
        }
        for server, line, source, target in (
            ("A", route("B"), "X", "Y"),
            ("B", route("C"), "Y", "Z"),
            ("C", route("B"), "Z", "X"),
        )
    }
    found = [
        row for row in estate(folders).check().findings if row["kind"] == "bridges-feed-each-other"
    ]
    assert [row["server"] for row in found] == ["A"]
    assert "of B (B/bridges.conf:2:2) and the bridge" in found[0]["message"]


def test_a_route_whose_url_is_another_servers_listen(estate):
    main = "server = C\nrouting = on\nlisten = ssl://b:7243\ntopics = topics.conf\n"
    folders = {**pair({}, {}), "C": {"tibemsd.conf": main, "topics.conf": GLOBAL}}
    assert ("TL-16", "name-url-mismatch", "error", "A") in findings(estate(folders))


def test_what_a_server_showed_beside_what_is_configured(estate):
    shown = (
        "A> show routes\n"
        "Route       T    ConnID  URL              ZoneName    ZoneType\n"
        "B           A         -  ssl://b:7243     M           1\n"
        "C           A       166  ssl://c:7243     M           m\n"
        "A> exit\n"
    )
    network = estate(pair({"shown.txt": shown, "routes.conf": route("B") + route("D")}, {}))
    kinds = (
        "route-not-connected",
        "route-zone-differs",
        "route-not-configured",
        "route-not-observed",
    )
    assert {kind for _, kind, _, _ in findings(network, *kinds)} == set(kinds)


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("x.>", "x.*", {("TL-03", "global-in-part-at-one-end", "warning", "B")}),
        ("x.*", "x.a", {("TL-03", "global-in-part-at-one-end", "warning", "B")}),
        ("x.>", "x.>", set()),
    ],
)
def test_a_topic_that_is_global_only_in_part_at_the_other_end(estate, here, there, expected):
    kinds = ("global-in-part-at-one-end", "global-at-one-end")
    folders = pair(
        {"topics.conf": f"{here} global,maxbytes=1\n"},
        {"topics.conf": f"{there} global,maxbytes=1\n"},
    )
    assert findings(estate(folders), *kinds) == expected


def test_patterns_that_cover_a_pattern_together_leave_nothing_out(estate):
    folders = pair(
        {"topics.conf": "x.> global,maxbytes=1\n"},
        {"topics.conf": "x.* global,maxbytes=1\nx.*.> global,maxbytes=1\n"},
    )
    assert findings(estate(folders), "global-in-part-at-one-end", "global-at-one-end") == set()


def listening(name: str, *lines: str) -> str:
    return (
        "\n".join(
            [
                f"server = {name}",
                "routing = on",
                "routes = routes.conf",
                "topics = topics.conf",
                *lines,
            ]
        )
        + "\n"
    )


@pytest.mark.parametrize(
    ("listen", "found"),
    [
        (("listen = ssl://7243",), False),
        (("listen = ssl://b:7244",), True),
        (("listen = tcp://7222", "listen = ssl://b.example:7243"), False),
        (("listen = tcp://",), False),
        (("listen = ssl://b:7244", "ft_active = ssl://b2:7243"), False),
        ((), False),
    ],
)
def test_a_route_to_a_port_on_which_the_named_server_does_not_listen(estate, listen, found):
    network = estate(pair({}, {"tibemsd.conf": listening("B", *listen)}))
    expected = {("TL-16", "route-port-not-listened-on", "warning", "A")} if found else set()
    assert findings(network, "route-port-not-listened-on") == expected


def test_a_port_that_topograph_yaml_explains_is_no_finding(estate):
    folders = pair({}, {"tibemsd.conf": listening("B", "listen = ssl://7244")})
    assert (
        findings(
            estate(folders, {"topograph.yaml": 'hosts:\n  "b:7243": B\n'}),
            "route-port-not-listened-on",
        )
        == set()
    )


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("q@B\n", "q global\n", set()),
        ("q@B\n", "q@B global\n", set()),
        ("q@B\n", "q\n", {("TL-12", "home-queue-not-global", "warning", "A")}),
        ("q@B\n", "other\n", {("TL-11", "routed-queue-no-home", "error", "A")}),
        (
            "q@B\n",
            "q@A\nq.> global\n",
            {("TL-11", "routed-queue-no-home", "error", side) for side in "AB"},
        ),
        ("q@B\n", "> global\n", {("TL-11", "routed-queue-home-dynamic", "warning", "A")}),
        ("q@X\n", "", {("TL-11", "routed-queue-owner-unknown", "warning", "A")}),
        ("q@C\n", "", {("TL-11", "routed-queue-no-route", "error", "A")}),
    ],
)
def test_a_routed_queue_whose_owner_is_unknown_no_neighbour_or_lacks_it(
    estate, here, there, expected
):
    folders = pair({"queues.conf": here}, {"queues.conf": there})
    folders["C"] = {"topics.conf": GLOBAL, "queues.conf": "q global\n"}
    assert findings(estate(folders)) == expected


@pytest.mark.parametrize(
    ("queues", "expected"),
    [
        ("> global\nq prefetch=none\n", {("TL-18", "prefetch-none", "error", "A")}),
        ("> prefetch=none\nq global\n", {("TL-18", "prefetch-none", "error", "A")}),
        ("> global,prefetch=5\nq prefetch=5\n", set()),
        ("> prefetch=none\nq global,prefetch=5\n", set()),
        ("x.> global\nq prefetch=none\n", set()),
        ("> exclusive\nq@B\n", {("TL-11", "routed-queue-exclusive", "error", "A")}),
        ("x.> exclusive\nq@B\n", set()),
        ("> exclusive\nq global\n", set()),
    ],
)
def test_what_a_pattern_and_an_entry_of_a_queue_make_illegal_together(estate, queues, expected):
    assert (
        findings(estate(pair({"queues.conf": queues}, {"queues.conf": "q global\n"}))) == expected
    )


def test_a_routed_queue_is_not_judged_by_files_that_were_not_found(estate):
    folders = pair({"queues.conf": "q@B\n"}, {"tibemsd.conf": listening("B", "queues = gone.conf")})
    assert not {
        kind
        for _, kind, _, _ in findings(estate(folders))
        if kind.startswith(("routed-queue", "home-queue"))
    }


@pytest.mark.parametrize("second", ["T global,maxbytes=1MB", "T"])
def test_a_topic_that_is_defined_twice(estate, second):
    network = estate(pair({"topics.conf": f"{GLOBAL}{second}\n"}, {}))
    assert findings(network, "destination-defined-twice") == {
        ("R83", "destination-defined-twice", "warning", "A")
    }
    warned = [warning.message for warning in network.propagate("A", "topic:T").warnings]
    assert bool(warned) is (second == "T")


def ring(zones: dict[tuple[str, str], str], kind: str) -> dict[str, dict[str, str]]:
    """Servers linked in a ring, each link in the zone that stands for it, configured at both
    ends.
    """
    ends = {end for link in zones for end in link}
    return {
        server: {
            "topics.conf": GLOBAL,
            "routes.conf": "".join(
                route(b if server == a else a, zone=zone, kind=kind)
                for (a, b), zone in zones.items()
                if server in (a, b)
            ),
        }
        for server in ends
    }


def test_a_second_path_is_no_accepted_cycle(estate):
    """TL-01, and no TL-02 beside it: the cycle is refused."""
    network = estate(ring({("A", "B"): "M", ("B", "C"): "M", ("A", "C"): "M"}, "mhop"))
    assert {(rule, kind) for rule, kind, _, _ in findings(network)} == {("TL-01", "duplicate-path")}


def test_a_cycle_over_several_zones_is_a_warning_at_one_of_its_routes(estate):
    """TL-02: accepted (A2), with the vendor's other reading."""
    cycle = dict.fromkeys([("A", "B"), ("B", "C"), ("C", "D"), ("D", "E")], "X") | {("E", "A"): "Y"}
    network = estate(
        {**ring(cycle, "1hop"), "0": {"routes.conf": route("1")}, "1": {"routes.conf": route("0")}}
    )
    (row,) = [
        row
        for row in network.check().findings
        if row["kind"] in ("duplicate-path", "multi-zone-cycle")
    ]
    assert (row["kind"], row["rule"], row["severity"]) == ("multi-zone-cycle", "TL-02", "warning")
    assert row["source"]["file"] in {f"{server}/routes.conf" for server in "ABCDE"}
    assert "the routes between A, B, C, D, E form a cycle over several zones" in row["message"]


SECURED = {
    "tibemsd.conf": listening(
        "A", "authorization = enabled", "acl_list = acl.conf", "users = users.conf"
    ),
    "users.conf": "B::\n",
}


@pytest.mark.parametrize(
    ("topics", "acl", "lacking"),
    [
        ("T global,secure,maxbytes=1\n", "", ["durable,subscribe", "publish"]),
        ("T global,secure,maxbytes=1\n", "TOPIC=T USER=B PERM=subscribe,durable\n", ["publish"]),
        ("T global,secure,maxbytes=1\n", "TOPIC=T USER=B PERM=all\n", []),
        ("T global,secure,maxbytes=1\n", "TOPIC=T USER=B PERM=publish,subscribe,durable\n", []),
        ("T secure\n", "", []),
        ("T global,secure,maxbytes=1\n", None, []),
    ],
)
def test_a_secure_topic_lacks_the_grants_that_the_neighbour_needs(estate, topics, acl, lacking):
    """TL-10; nothing is said of a topic that no route carries, nor where acl.conf was not found."""
    own = {**SECURED, "topics.conf": topics} | ({} if acl is None else {"acl.conf": acl})
    rows = [row for row in estate(pair(own, {})).check().findings if row["kind"] == "grant-missing"]
    assert {
        (row["rule"], row["severity"], row["server"], row["source"]["file"]) for row in rows
    } <= {("TL-10", "error", "A", "A/topics.conf")}
    assert sorted(row["message"].rpartition("PERM=")[2] for row in rows) == lacking


def test_routing_that_is_disabled_is_an_error_at_the_line_that_says_so(estate):
    own = listening("A").replace("routing = on", "# a comment\nrouting = off")
    (row,) = [
        row
        for row in estate(pair({"tibemsd.conf": own}, {})).check().findings
        if row["kind"] == "routing-disabled"
    ]
    assert (row["rule"], row["severity"], row["server"], row["source"]["line"]) == (
        "TL-16",
        "error",
        "A",
        3,
    )


@pytest.mark.parametrize(
    ("value", "off"),
    [
        ("disabled", 1),
        ("disable", 1),
        ("False", 1),
        ("no", 1),
        ("off", 1),
        ("enabled", 0),
        ("true", 0),
    ],
)
def test_every_word_that_turns_host_verification_off_is_known(estate, value, off):
    network = estate(pair({}, {}, route("B", f"ssl_verify_host={value}")))
    assert len(findings(network, "tls-host-not-verified")) == off


@pytest.mark.parametrize(("selector", "says"), [("1 = 1", "always true"), ("1 = 2", "never true")])
def test_a_constant_selector_is_told_from_its_opposite(estate, selector, says):
    network = estate(pair({}, {}, route("B", f'outgoing_topic=T selector="{selector}"')))
    (row,) = [row for row in network.check().findings if row["kind"] == "selector-constant"]
    assert f"is {says}: {selector}" in row["message"]


@pytest.mark.parametrize(
    ("file", "line", "what"),
    [
        (
            "bridges.conf",
            '[topic:T]\n queue=q selector="{}"\n',
            "of the bridge topic:T->queue:q",
        ),
        ("durables.conf", 'T d clientid=c,selector="{}"\n', "of the durable d on T"),
    ],
)
@pytest.mark.parametrize(
    ("selector", "kind", "says"),
    [
        ("k =", "invalid", "is not valid"),
        ("k like ('F_%')", "invalid", "is not valid"),
        ("1 = 2", "constant", "is never true"),
    ],
)
def test_selectors_of_bridges_and_durables_are_checked_too(
    estate, file, line, what, selector, kind, says
):
    files = {"topics.conf": "T\n", "queues.conf": "q\n", file: line.format(selector)}
    found = estate({"A": files}).check().findings
    (row,) = [row for row in found if row["rule"] == "TL-08"]
    assert row["kind"] == f"entry-selector-{kind}"
    assert f"the selector {what} {says}" in row["message"]


def test_a_selector_that_is_not_understood_is_one_error(estate):
    network = estate(pair({}, {}, route("B", 'outgoing_topic=T selector="a = "b""')))
    assert {
        kind for rule, kind, _, _ in findings(network) if rule.startswith(("TL-06", "TL-08"))
    } == set()
    assert "error" in {severity for _, _, severity, _ in findings(network)}


@pytest.mark.parametrize(
    ("source", "found"), [("topic:a.>", True), ("queue:a.>", False), ("topic:a.*", False)]
)
def test_a_bridge_from_a_wildcard_that_is_no_part_of_a_global_topic(estate, source, found):
    own = {
        "topics.conf": "a.* global,maxbytes=1MB\n",
        "queues.conf": "> \n",
        "bridges.conf": f"[{source}]\n queue=Q\n",
    }
    network = estate(pair(own, {"topics.conf": "a.* global,maxbytes=1MB\n"}))
    assert bool(findings(network, "wildcard-not-subset-of-global")) is found


def test_queues_that_overlap_in_different_stores(estate):
    network = estate(pair({"queues.conf": "q.a store=x\nq.> store=y\n"}, {}))
    assert findings(network, "store-conflict") == {("TL-18", "store-conflict", "error", "A")}


@pytest.mark.parametrize(
    ("entries", "unlimited"),
    [
        ("a.* global\na.> maxbytes=1MB\n", False),
        ("a.* global\na.b maxbytes=1MB\n", True),
        ("a.> global\nb.> maxbytes=1MB\n", True),
        ("a.b global\na.* maxmsgs=5\n", False),
    ],
)
def test_a_limit_is_inherited_from_a_pattern_that_covers_the_topic(estate, entries, unlimited):
    network = estate(pair({"topics.conf": entries}, {}))
    assert bool(findings(network, "global-topic-without-limit")) is unlimited


@pytest.mark.parametrize(
    ("count", "text"),
    [(5, "t0, t1, t2, t3, t4 are global"), (6, "t0, t1, t2, t3, t4 and 1 more are global")],
)
def test_a_message_lists_five_names_and_counts_the_rest(estate, count, text):
    own = {
        "topics.conf": GLOBAL + "".join(f"t{number} global,maxbytes=1\n" for number in range(count))
    }
    (row,) = [
        row for row in estate(pair(own, {})).check().findings if row["kind"] == "global-at-one-end"
    ]
    assert row["message"].startswith(text)


@pytest.mark.slow
def test_checking_two_servers_takes_time_linear_in_their_topics_and_queues(estate):
    """Sixteen times as many lines: at a power of two it would take 256 times as long."""

    def seconds(lines: int) -> float:
        def server(name: str, other: str) -> dict[str, str]:
            return {
                "topics.conf": "".join(f"{name}.t{n} global\n" for n in range(lines)),
                "queues.conf": "".join(
                    f"{name}.q{n} global\n{other}.q{n}@{other}\n" for n in range(lines)
                ),
                "bridges.conf": "".join(
                    f"[topic:{name}.t{n}]\n  queue={name}.q{n}\n" for n in range(lines)
                ),
                "routes.conf": route(other),
            }

        begun = time.process_time()
        network = estate(
            {
                f"A{lines}": server(f"A{lines}", f"B{lines}"),
                f"B{lines}": server(f"B{lines}", f"A{lines}"),
            }
        )
        assert len(network.check().findings) > lines
        return time.process_time() - begun

    seconds(10)
    few = seconds(250)
    assert seconds(4_000) < 64 * few
