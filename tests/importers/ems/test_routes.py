import pytest

from topograph.facts.ems import EmsRoute, RouteFault, RouteSelector
from topograph.findings import Source
from topograph.importers.ems import parse_text

FILE = "routes.conf"
Found = list[tuple[str, str, str, int, int]]


def found(text: str, *, strict: bool = False) -> Found:
    """Severity, kind, rule, line and column of every finding but the one on routes without TLS."""
    return [
        (
            str(finding.severity),
            finding.kind,
            finding.rule,
            finding.source.line,
            finding.source.column,
        )
        for finding in parse_text(FILE, text, strict).findings
        if finding.kind != "route-without-tls"
    ]


def routes(text: str, *, strict: bool = False) -> list[EmsRoute]:
    facts = parse_text(FILE, text, strict, server="HUB").facts
    return [fact for fact in facts if isinstance(fact, EmsRoute)]


def test_sections_become_routes_with_defaults_where_the_file_is_silent() -> None:
    text = (
        "# routes\n[EAST]\n  url=tcp://e1:7222,tcp://e2:7222\n  zone_name=WAN\n  "
        "zone_type=mhop\n  topic_prefetch=512\n"
        "  outgoing_topic=orders.> selector=\"region='EAST'\"\n"
        "  incoming_topic=\"status.*\" selector=\"severity IN ('WARN','ERROR')\"\n"
        "[LAB]\nurl = ssl://lab:7243 zone_name=CAMPUS zone_type=1hop "
        "ssl_verify_host=enabled\n\n[OLD]\n url = tcp://7022\n"
    )
    assert routes(text, strict=True) == [
        EmsRoute(
            bundle=FILE,
            server="HUB",
            source=Source(FILE, 2, 1),
            name="EAST",
            url=("tcp://e1:7222", "tcp://e2:7222"),
            zone_name="WAN",
            zone_type="mhop",
            zone_stated=("name", "type"),
            topic_prefetch="512",
            selectors=(
                RouteSelector("outgoing", "orders.>", "region='EAST'", Source(FILE, 7, 3)),
                RouteSelector(
                    "incoming", "status.*", "severity IN ('WARN','ERROR')", Source(FILE, 8, 3)
                ),
            ),
        ),
        EmsRoute(
            bundle=FILE,
            server="HUB",
            source=Source(FILE, 9, 1),
            name="LAB",
            url=("ssl://lab:7243",),
            zone_name="CAMPUS",
            zone_type="1hop",
            zone_stated=("name", "type"),
            properties=(("ssl_verify_host", "enabled"),),
        ),
        EmsRoute(
            bundle=FILE, server="HUB", source=Source(FILE, 12, 1), name="OLD", url=("tcp://7022",)
        ),
    ]
    assert found(text, strict=True) == []


@pytest.mark.parametrize(
    ("body", "findings"),
    [
        ("url=tcp://x:1\nzone_type=1hop", [("error", "zone-conflict", "TL-13", 1, 1)]),
        ("url=tcp://x:1\nzone_type=2hop", [("error", "zone-type", "1.2", 3, 11)]),
        ("zone_name=Z", [("error", "missing-url", "1.2", 1, 1)]),
        ("url=nowhere", [("warning", "invalid-url", "3.1", 1, 1)]),
        ("url=tcp://x:1\nurl=tcp://y:1", [("warning", "duplicate-parameter", "", 3, 1)]),
        ("url=tcp://x:1\n  frobnicate=on", [("warning", "unknown-directive", "", 3, 3)]),
        ("url=tcp://x:1\noutgoing_topic=T", [("error", "missing-selector", "3.2", 3, 1)]),
        ('url=tcp://x:1\nselector="a=1"', [("error", "missing-topic", "3.2", 3, 1)]),
        ("url=tcp://x:1\nzone_name", [("error", "missing-value", "3.2", 3, 1)]),
        (
            'url=tcp://x:1\noutgoing_topic=T selector="a = "b"" x=1',
            [("error", "text-after-quote", "3.1", 3, 33)],
        ),
        (
            'url=tcp://x:1\nincoming_topic=a* selector="a=1"',
            [("warning", "not-a-wildcard", "TL-14", 3, 1)],
        ),
        (
            'url=tcp://x:1\nincoming_topic=T selector="a=1',
            [("error", "unterminated-quote", "3.1", 3, 27)],
        ),
        (
            "url=tcp://x:1\nincoming_topic=T selector=a = 1",
            [("warning", "unquoted-selector", "3.1", 3, 27)],
        ),
        (
            'url=tcp://x:1\noutgoing_topic=T selector="a=1"\n outgoing_topic=T selector="b=2"',
            [("warning", "duplicate-selector", "TL-07", 4, 2)],
        ),
        ('url=tcp://x:1\noutgoing_topic=T selector="a=1"\nincoming_topic=T selector="b=2"', []),
        ("\u00a0url=tcp://x:1", [("warning", "non-ascii-quote", "3.1", 2, 1)]),
        (
            "url=tcp://x:1\noutgoing_topic=T selector=\u201ca='1'\u201d",
            [("warning", "non-ascii-quote", "TL-08", 3, 27)],
        ),
        ("url=tcp://x:1 # here", []),
    ],
)
def test_a_doubtful_route_is_a_finding_at_its_place(body: str, findings: Found) -> None:
    assert found(f"[X]\n{body}\n[Z]\nurl=tcp://z:1\n") == findings


@pytest.mark.parametrize(
    ("line", "kind", "column"),
    [
        ('outgoing_topic=orders selector="country=\u2019Canada\u2019"', "non-ascii-quote", 41),
        ("outgoing_topic=orders selector \"country='Canada'\"", "missing-equals", 32),
        ("outgoing_topic=orders selector=\u201ccountry='Canada'\u201d", "non-ascii-quote", 32),
        ("outgoing_topic=orders selector=country = 'Canada'", "unquoted-selector", 32),
        ("outgoing_topic\u00a0=orders selector=\"country='Canada'\"", "non-ascii-quote", 15),
        ("outgoing_topic=orders selector=\"country='Canada'\" # x", "trailing-comment", 51),
    ],
)
def test_strict_reading_does_not_understand_a_selector_that_lenient_reading_repairs(
    line: str, kind: str, column: int
) -> None:
    text = f"[A]\nurl=tcp://a:1\n{line}\n[B]\nurl=tcp://b:1\n"
    assert [(entry[1], *entry[3:]) for entry in found(text, strict=True)] == [(kind, 3, column)]
    first, second = routes(text, strict=True)
    assert (first.name, second.name) == ("A", "B")
    ((topic, fault),) = [(selector.topic, selector.fault) for selector in first.selectors]
    assert topic == "orders"
    assert fault
    assert [selector.selector.replace(" ", "") for selector in routes(text)[0].selectors] == [
        "country='Canada'"
    ]


def test_typographic_quotes_inside_an_ascii_literal_are_data() -> None:
    text = "[A]\nurl=tcp://a:1\noutgoing_topic=T selector=\"name='it\u2019s \u2013 so'\"\n"
    assert found(text, strict=True) == []
    assert routes(text, strict=True)[0].selectors[0].selector == "name='it\u2019s \u2013 so'"


def test_a_second_route_to_one_server_is_an_error_and_the_first_is_kept() -> None:
    text = "[A]\nurl=tcp://a:1\n[A]\nurl=tcp://b:1\n"
    assert found(text) == [("error", "duplicate-route", "1.2", 3, 1)]
    assert [route.url for route in routes(text)] == [("tcp://a:1",)]


def test_a_route_named_as_no_server_can_be_is_an_error() -> None:
    assert found("[A.B]\nurl=tcp://a:1\n") == [("error", "server-name", "1.1", 1, 1)]


@pytest.mark.parametrize(
    ("tail", "place"),
    [
        ("[B", (3, 1)),
        ("[B]", (3, 1)),
        ("[B]\n", (3, 1)),
        ("[B]\n  ur", (4, 1)),
        ("[B]\n  url=", (4, 1)),
        ("[B]\nurl=tcp://b:1\noutgoing_to", (5, 1)),
        ("[B]\nurl=tcp://b:1\noutgoing_topic=T", (5, 1)),
        ("[B]\nurl=tcp://b:1\noutgoing_topic=T sel", (5, 1)),
        ('[B]\nurl=tcp://b:1\noutgoing_topic=T selector="a=', (5, 1)),
    ],
)
def test_of_a_file_cut_off_in_the_middle_the_complete_routes_are_kept(
    tail: str, place: tuple[int, int]
) -> None:
    text = "[A]\nurl=tcp://a:1\n" + tail
    assert [(entry[0], entry[1], *entry[3:]) for entry in found(text)] == [
        ("error", "cut-off", *place)
    ]
    assert [route.name for route in routes(text)] == ["A"]


def test_the_section_of_a_heading_that_is_not_closed_is_kept_as_uncertain_with_one_finding() -> (
    None
):
    text = "[A]\nurl=tcp://a:1\n[B\nurl=tcp://b:1\n[C]\nurl=tcp://c:1\n"
    assert found(text) == [("error", "unclosed-heading", "3.2", 3, 1)]
    assert [route.name for route in routes(text)] == ["A", "B", "C"]
    assert [fault.why for route in routes(text) for fault in route.faults] == [
        "the name of the route is not understood"
    ]


@pytest.mark.parametrize(
    ("urls", "messages"),
    [
        (["tcp://x:1"], [("The only route, R0, does not use TLS", 1)]),
        (["ssl://x:1"], []),
        (
            ["ssl://x:1", "ssl://x:1,tcp://y:1", "tcp://z:1"],
            [("2 of 3 routes do not use TLS: R1 and 1 more", 3)],
        ),
    ],
)
def test_routes_without_tls_are_worth_one_line_a_file(
    urls: list[str], messages: list[tuple[str, int]]
) -> None:
    text = "".join(f"[R{place}]\nurl={url}\n" for place, url in enumerate(urls))
    findings = parse_text(FILE, text, strict=True).findings
    assert [(f.message, f.source.line) for f in findings] == messages
    assert all((f.rule, str(f.severity)) == ("TL-19", "info") for f in findings)


@pytest.mark.parametrize(
    ("line", "selectors"),
    [
        ('outgoing_topic=T selector="a = "b""', [("outgoing", "T", '"a = "b""')]),
        ('outgoing_topic=T selector="a=1', [("outgoing", "T", '"a=1')]),
        ("outgoing_topic=T", [("outgoing", "T", "")]),
        ("incoming_topic", [("incoming", ">", "incoming_topic")]),
        (
            'selector="a=1"',
            [("incoming", ">", 'selector="a=1"'), ("outgoing", ">", 'selector="a=1"')],
        ),
        (
            'url="tcp://x:1 outgoing_topic=T selector=a',
            [("outgoing", ">", "outgoing_topic=T selector=a")],
        ),
        (
            'incoming_topic=T selector="a"b outgoing_topic=U selector="c"',
            [
                ("incoming", "T", '"a"b outgoing_topic=U selector="c"'),
                ("outgoing", ">", 'outgoing_topic=U selector="c"'),
            ],
        ),
    ],
)
def test_a_selector_that_is_not_understood_stays_with_its_place_and_the_error_names_the_route(
    line: str, selectors: list[tuple[str, str, str]]
) -> None:
    text = f"[X]\nurl=tcp://x:1\n{line}\n[Z]\nurl=tcp://z:1\n"
    first, second = routes(text)
    assert (first.name, second.name, first.faults) == ("X", "Z", ())
    assert [(each.direction, each.topic, each.unread) for each in first.selectors] == selectors
    assert all(
        each.fault and not each.selector and each.source.line == 3 for each in first.selectors
    )
    parsed = parse_text(FILE, text, strict=False)
    assert not any(
        "not understood and has no effect" in finding.message for finding in parsed.findings
    )
    assert any(
        "route to X" in finding.message and finding.severity == "error"
        for finding in parsed.findings
    )


def test_a_route_whose_zone_type_is_not_understood_stays_and_says_so() -> None:
    (route,) = routes("[X]\nurl=tcp://x:1\nzone_type=2hop\n")
    assert route.zone_type == "mhop"
    assert route.faults == (RouteFault("zone_type is neither 1hop nor mhop", Source(FILE, 3, 11)),)
