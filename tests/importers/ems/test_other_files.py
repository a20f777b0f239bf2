"""Bridges, durables, access, factories, stores and the like, ``show routes``."""

from typing import Any

import pytest

from topograph.facts import Fact
from topograph.facts.ems import (
    EmsBridge,
    EmsDurable,
    EmsEntry,
    EmsFactory,
    EmsGrant,
    EmsGroup,
    EmsObservedRoute,
    EmsUser,
)
from topograph.findings import Source
from topograph.importers.ems import parse_text

Found = list[tuple[str, str, str, int, int]]


def found(file: str, text: str, *, strict: bool = False) -> Found:
    return [
        (
            str(finding.severity),
            finding.kind,
            finding.rule,
            finding.source.line,
            finding.source.column,
        )
        for finding in parse_text(file, text, strict, server="S").findings
    ]


def facts(file: str, text: str) -> tuple[Fact, ...]:
    """The facts of a text that strict reading finds nothing wrong with."""
    parsed = parse_text(file, text, True, server="S")
    assert parsed.findings == ()
    return parsed.facts


def at(file: str, line: int, column: int) -> dict[str, Any]:
    return {"bundle": file, "server": "S", "source": Source(file, line, column)}


def bridge(line: int, column: int, *ends: str, selector: str = "", sections: int = 1) -> EmsBridge:
    return EmsBridge(
        **at("bridges.conf", line, column),
        source_type=ends[0],
        source_name=ends[1],
        target_type=ends[2],
        target_name=ends[3],
        selector=selector,
        sections=sections,
    )


def test_each_target_of_a_section_is_a_bridge() -> None:
    text = (
        "[topic:delivery.*]\n    queue=deliveries\n    topic=notifications "
        "selector=\"urgency in ('high')\"\n"
        "[topic: X]\nqueue = A\n[queue:B]\n  topic=c\n[topic:X]\n  queue=D\n"
    )
    parsed = parse_text("bridges.conf", text, True, server="S")
    assert [one.kind for one in parsed.findings] == ["bridge-source-in-two-sections"]
    assert parsed.facts == (
        bridge(2, 5, "topic", "delivery.*", "queue", "deliveries"),
        bridge(
            3, 5, "topic", "delivery.*", "topic", "notifications", selector="urgency in ('high')"
        ),
        bridge(5, 1, "topic", "X", "queue", "A", sections=2),
        bridge(7, 3, "queue", "B", "topic", "c"),
        bridge(9, 3, "topic", "X", "queue", "D", sections=2),
    )


@pytest.mark.parametrize(
    "text",
    [
        "[topic:A]\n queue=Q\n queue=Q\n",
        '[topic:A]\n queue=Q\n[topic: A]\n queue=Q selector="a=1"\n',
    ],
)
def test_the_same_bridge_twice_keeps_the_server_from_starting(text: str) -> None:
    parsed = parse_text("bridges.conf", text, False)
    errors = [(f.kind, f.rule) for f in parsed.findings if f.severity != "info"]
    assert errors == [("duplicate-bridge", "TL-17")]
    assert (len(parsed.facts), parsed.fatal_at_start_up) == (1, True)


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("[topic:A]\n queue=Q.*\n", [("error", "bridge-target-wildcard", "1.6", 2, 2)]),
        ("[topic:a*]\n queue=Q\n", [("warning", "not-a-wildcard", "TL-14", 1, 1)]),
        ("[topic:$TMP$.x]\n queue=Q\n", [("error", "temporary-destination", "R93", 1, 1)]),
        ("[A]\n queue=Q\n", [("error", "bridge-source", "3.4", 1, 1)]),
        ("[topic:A]\n", [("warning", "empty-section", "", 1, 1)]),
        ("[topic:A]\n queue\n", [("warning", "unknown-directive", "", 2, 2)]),
        ("queue=Q\n", [("warning", "unknown-directive", "", 1, 1)]),
        (
            '[topic:A]\n queue=Q selector="a=\u2018x\u2019"\n',
            [("warning", "non-ascii-quote", "TL-08", 2, 22)],
        ),
    ],
)
def test_a_doubtful_bridge_is_a_finding_at_its_place(text: str, findings: Found) -> None:
    assert found("bridges.conf", text) == findings


def durable(line: int, topic: str, name: str, **more: Any) -> EmsDurable:
    return EmsDurable(**at("durables.conf", line, 1), topic=topic, name=name, **more)


def test_durables_are_read_with_blanks_or_commas_between_properties() -> None:
    text = (
        "topic1 name1\ntopic2 name2 clientid=id,nolocal\ntopic2 name2 clientid=id2 nolocal\n"
        "topic3 name3 selector=\"urgency in ('high', 'medium')\"\ntopic4 Paris "
        "route\ntopic5 Paris route\n"
    )
    assert facts("durables.conf", text) == (
        durable(1, "topic1", "name1"),
        durable(2, "topic2", "name2", client_id="id", no_local=True),
        durable(3, "topic2", "name2", client_id="id2", no_local=True),
        durable(4, "topic3", "name3", selector="urgency in ('high', 'medium')"),
        durable(5, "topic4", "Paris", route=True),
        durable(6, "topic5", "Paris", route=True),
    )


@pytest.mark.parametrize(
    ("text", "findings", "kept"),
    [
        ("t A\nt A nolocal\n", [("warning", "duplicate-durable", "3.4", 2, 1)], [("A", False)]),
        (
            "t P route,clientid=x\n",
            [("warning", "route-durable-property", "1.6", 1, 1)],
            [("P", True)],
        ),
        ("t\n", [("error", "missing-name", "3.4", 1, 1)], []),
        ("a N\nt", [("error", "cut-off", "3.4", 2, 1)], [("N", False)]),
        ("t A size=3\n", [("warning", "unknown-directive", "", 1, 5)], [("A", False)]),
        ("$TMP$.x A\n", [("error", "temporary-destination", "R93", 1, 1)], [("A", False)]),
    ],
)
def test_a_doubtful_durable_is_a_finding_at_its_place(
    text: str, findings: Found, kept: list[tuple[str, bool]]
) -> None:
    assert found("durables.conf", text) == findings
    parsed = parse_text("durables.conf", text, False)
    assert [
        (fact.name, fact.route) for fact in parsed.facts if isinstance(fact, EmsDurable)
    ] == kept


def grant(
    line: int, kind: str, name: str, principal: tuple[str, str], *permissions: str
) -> EmsGrant:
    return EmsGrant(
        **at("acl.conf", line, 1),
        type=kind,
        name=name,
        principal_type=principal[0],
        principal=principal[1],
        permissions=permissions,
    )


def test_grants_name_a_destination_a_principal_and_permissions() -> None:
    text = (
        'TOPIC=orders.> USER=EAST PERM=subscribe,durable\nqueue=Q2 group="big team" '
        "perm=Send\nADMIN USER=bob PERM=all\n"
    )
    assert facts("acl.conf", text) == (
        grant(1, "topic", "orders.>", ("user", "EAST"), "subscribe", "durable"),
        grant(2, "queue", "Q2", ("group", "big team"), "send"),
        grant(3, "admin", "", ("user", "bob"), "all"),
    )


@pytest.mark.parametrize(
    "line",
    [
        "TOPIC=a PERM=send",
        "USER=a PERM=send",
        "TOPIC=a USER=b",
        "TOPIC=a USER=b GROUP=c PERM=d",
        "so what",
    ],
)
def test_a_line_that_is_no_grant_is_not_understood(line: str) -> None:
    assert found("acl.conf", line + "\n") == [("warning", "unknown-directive", "", 1, 1)]


def test_of_a_user_only_whether_a_password_is_set_is_kept() -> None:
    text = 'admin:hush:"Administrator"\nEAST::"a route"\nbob:hush\n'
    assert facts("users.conf", text) == (
        EmsUser(
            **at("users.conf", 1, 1), name="admin", description="Administrator", password_set=True
        ),
        EmsUser(**at("users.conf", 2, 1), name="EAST", description="a route", password_set=False),
        EmsUser(**at("users.conf", 3, 1), name="bob", password_set=True),
    )


def test_groups_list_their_members() -> None:
    text = '$admin:"Administrators"\n  admin\n  bob\nempty:"nobody"\n'
    assert facts("groups.conf", text) == (
        EmsGroup(
            **at("groups.conf", 1, 1),
            name="$admin",
            description="Administrators",
            members=("admin", "bob"),
        ),
        EmsGroup(**at("groups.conf", 4, 1), name="empty", description="nobody"),
    )


def test_a_member_without_a_group_is_not_understood() -> None:
    assert found("groups.conf", "  bob\n") == [("warning", "unknown-directive", "", 1, 3)]


def test_factories_keep_their_urls_and_say_of_secrets_only_that_they_are_set() -> None:
    text = (
        "[F]\n  type = generic\n  url  = tcp://a:7222,tcp://b:7222\n  ssl_password = hush "
        "and hush\n  clientID = c\n"
    )
    properties = (("ssl_password", "(set)"), ("clientid", "c"))
    assert facts("factories.conf", text) == (
        EmsFactory(
            **at("factories.conf", 1, 1),
            name="F",
            type="generic",
            url=("tcp://a:7222", "tcp://b:7222"),
            properties=properties,
        ),
    )


def test_other_entries_are_kept_as_they_stand() -> None:
    assert facts("stores.conf", "[$sys.failsafe]\n type=file\n file=a.db\n") == (
        EmsEntry(
            **at("stores.conf", 1, 1),
            type="stores",
            name="$sys.failsafe",
            properties=(("type", "file"), ("file", "a.db")),
        ),
    )
    assert facts("tibrvcm.conf", "RV01 listener1 a.b\n") == (
        EmsEntry(
            **at("tibrvcm.conf", 1, 1),
            type="tibrvcm",
            name="RV01",
            properties=(("listener", "listener1"), ("subject", "a.b")),
        ),
    )


def observed(
    line: int, name: str, url: str, *, active: bool, connected: bool, zone: tuple[str, str]
) -> EmsObservedRoute:
    return EmsObservedRoute(
        **at("show-routes", line, 1),
        name=name,
        active=active,
        connected=connected,
        url=url,
        zone_name=zone[0],
        zone_type=zone[1],
    )


def test_the_rows_of_show_routes_are_what_a_server_reported() -> None:
    text = (
        "Connected to: tcp://localhost:7222\r\ntcp://localhost:7222> show routes\r\n"
        "Route       T    ConnID  URL              ZoneName    ZoneType\r\n"
        "EMSA        A       166  tcp://EMS01:7020     Z1          1\r\n"
        "B           P         -  tcp://b:1,tcp://c:1  default_mhop_zone m\r\n"
        "what is this\r\n\r\ntcp://localhost:7222> \r\n"
    )
    parsed = parse_text("show-routes", text, True, server="S")
    assert tuple(fact for fact in parsed.facts if fact.kind == "observed_route") == (
        observed(4, "EMSA", "tcp://EMS01:7020", active=True, connected=True, zone=("Z1", "1hop")),
        observed(
            5,
            "B",
            "tcp://b:1,tcp://c:1",
            active=False,
            connected=False,
            zone=("default_mhop_zone", "mhop"),
        ),
    )
    assert found("show-routes", text) == [("warning", "unknown-directive", "", 6, 1)]


@pytest.mark.parametrize(
    ("titles", "row", "suspended"),
    [
        ("Route T ConnID URL ZoneName ZoneType Suspended", "B A 1 tcp://b:1 Z m yes", True),
        ("Route T ConnID URL ZoneName ZoneType Suspended", "B A 1 tcp://b:1 Z m -", False),
        ("Route T ConnID S URL ZoneName ZoneType", "B A 1 + tcp://b:1, tcp://c:1 Z m", True),
        (
            "Route T ConnID URL State ZoneName ZoneType",
            "B A 1 tcp://b:1, tcp://c:1 suspended Z m",
            True,
        ),
        ("Route T ConnID URL State ZoneName ZoneType", "B A 1 tcp://b:1 connected Z m", False),
    ],
)
def test_show_routes_may_say_which_routes_are_suspended(
    titles: str, row: str, suspended: bool
) -> None:
    parsed = parse_text("show-routes", f"S> show routes\n{titles}\n{row}\nS> \n", True, server="S")
    (route,) = (fact for fact in parsed.facts if fact.kind == "observed_route")
    assert isinstance(route, EmsObservedRoute)
    assert (route.name, route.zone_name, route.suspended) == ("B", "Z", suspended)


def test_a_flag_of_show_routes_that_is_not_understood_is_a_finding() -> None:
    text = (
        "S> show routes\nRoute T ConnID Suspended URL ZoneName ZoneType\nB A 1 maybe "
        "tcp://b:1 Z m\nS> \n"
    )
    assert found("show-routes", text) == [("warning", "unknown-directive", "", 3, 1)]
