from topograph.facts.ems import EmsServer
from topograph.files import FileReport
from topograph.findings import Source
from topograph.importers.ems import read
from topograph.importers.reading import Bundle, BundleFile, Options, Reading, Reference

MAIN = (
    b"server = HUB\nrouting = on\nroutes = routes.conf\ntopics = t.conf\nqueues = "
    b"q.conf\nmade_up = 1\nstore =\n"
)
ROUTES = b"[EAST]\n url=ssl://e:7222\n[WEST]\n url=ssl://w:7222\n"


def bundle(*files: tuple[str, str], missing: tuple[Reference, ...] = ()) -> Bundle:
    return Bundle(
        "hub/main", "ems", "HUB", tuple(BundleFile(part, path) for part, path in files), missing
    )


def found(reading: Reading) -> list[tuple[str, str, str, str]]:
    return [(str(f.severity), f.kind, str(f.source), f.server) for f in reading.findings]


def server(reading: Reading) -> EmsServer:
    return next(fact for fact in reading.facts if isinstance(fact, EmsServer))


def test_a_bundle_gives_the_server_first_then_its_files_and_a_report_on_each() -> None:
    files = bundle(("routes", "shared/routes.conf"), ("main", "hub/main"), ("topics", "t.conf"))
    contents = {
        "hub/main": MAIN,
        "shared/routes.conf": ROUTES,
        "t.conf": b"# all\n>\nx global\nx y=1\n",
    }
    reading = read(files, contents, Options(strict=True))
    assert [
        (fact.kind, fact.label, fact.server, fact.bundle, str(fact.source))
        for fact in reading.facts
    ] == [
        ("server", "HUB", "HUB", "hub/main", "hub/main:1:10"),
        ("route", "EAST", "HUB", "hub/main", "shared/routes.conf:1:1"),
        ("route", "WEST", "HUB", "hub/main", "shared/routes.conf:3:1"),
        ("destination", ">", "HUB", "hub/main", "t.conf:2:1"),
        ("destination", "x", "HUB", "hub/main", "t.conf:3:1"),
        ("destination", "x", "HUB", "hub/main", "t.conf:4:1"),
    ]
    assert found(reading) == [("warning", "unknown-directive", "t.conf:4:3", "HUB")]
    assert reading.files == (
        FileReport("hub/main", "read", "main", "ems", "HUB", read=5, ignored=2),
        FileReport("shared/routes.conf", "read", "routes", "ems", "HUB", read=2),
        FileReport("t.conf", "partly-read", "topics", "ems", "HUB", read=3, unsupported=1),
    )


def test_missing_sub_files_are_named_on_the_server() -> None:
    missing = (
        Reference("queues", "q.conf", Source("hub/main", 5, 10)),
        Reference("routes", "r", Source("hub/main", 3, 10)),
    )
    assert server(
        read(bundle(("main", "hub/main"), missing=missing), {"hub/main": MAIN}, Options())
    ).missing == (
        "queues",
        "routes",
    )


def test_a_file_that_cannot_be_read_makes_its_kind_missing() -> None:
    files = bundle(("main", "hub/main"), ("routes", "r"), ("topics", "t"), ("queues", "q"))
    reading = read(files, {"hub/main": MAIN, "r": b"\x00\x01", "t": b"x global\n"}, Options())
    assert server(reading).missing == ("routes", "queues")
    assert found(reading) == [
        ("error", "binary-file", "r", "HUB"),
        ("error", "unreadable-file", "q", "HUB"),
    ]
    assert [(report.path, report.status) for report in reading.files] == [
        ("hub/main", "read"),
        ("r", "not-read"),
        ("t", "read"),
        ("q", "not-read"),
    ]


def test_a_file_cut_off_makes_its_kind_missing_and_keeps_what_is_complete() -> None:
    reading = read(
        bundle(("main", "hub/main"), ("routes", "r")),
        {"hub/main": MAIN, "r": ROUTES + b"[NORTH]\n url=tcp://n:1\n zone_na"},
        Options(),
    )
    assert [fact.label for fact in reading.facts] == ["HUB", "EAST", "WEST"]
    assert server(reading).missing == ("routes",)
    assert found(reading) == [("error", "cut-off", "r:7:1", "HUB")]


def test_a_file_in_another_encoding_is_read_with_a_warning_at_its_place() -> None:
    reading = read(
        bundle(("main", "m"), ("topics", "t")),
        {"m": MAIN, "t": b">\ngr\xf6\xdfe global\n"},
        Options(),
    )
    assert [fact.label for fact in reading.facts] == ["HUB", ">", "gr\u00f6\u00dfe"]
    assert found(reading) == [("warning", "encoding", "t:2:3", "HUB")]


def test_an_ascii_file_with_crlf_and_a_byte_order_mark_is_read_like_any_other() -> None:
    plain = read(bundle(("main", "m")), {"m": MAIN}, Options())
    windows = read(
        bundle(("main", "m")), {"m": b"\xef\xbb\xbf" + MAIN.replace(b"\n", b"\r\n")}, Options()
    )
    assert windows == plain


def test_the_output_of_show_routes_belongs_to_the_servers_bundle() -> None:
    text = b"Route  T  ConnID  URL  ZoneName  ZoneType\nEAST  A  -  tcp://e:1  Z  m\n"
    reading = read(bundle(("main", "m"), ("show-routes", "s")), {"m": MAIN, "s": text}, Options())
    assert [(fact.kind, fact.label, fact.server) for fact in reading.facts] == [
        ("server", "HUB", "HUB"),
        ("observed_route", "EAST", "HUB"),
        ("listing", "routes", "HUB"),
    ]


def test_a_json_configuration_is_a_bundle_of_one_file() -> None:
    data = b'{"tibemsd":{"server":"HUB"},"routes":[{"name":"EAST","url":"ssl://e:1"}]}'
    reading = read(bundle(("main", "m.json")), {"m.json": data}, Options())
    assert [(fact.kind, fact.label, fact.server) for fact in reading.facts] == [
        ("server", "HUB", "HUB"),
        ("route", "EAST", "HUB"),
    ]
    assert reading.files == (FileReport("m.json", "read", "main", "ems", "HUB", read=2),)


def test_a_placeholder_in_a_sub_file_makes_its_kind_missing_unless_it_says_nothing_about_messages() -> (  # noqa: E501
    None
):
    files = bundle(("main", "hub/main"), ("routes", "r"), ("topics", "t"))
    topics = b"# {{ comment }}\nx global\n${PREFIX}.orders global\n"
    reading = read(
        files,
        {"hub/main": MAIN, "r": b"[B]\n url=ssl://${HOST}:1 ssl_identity={{id}}\n", "t": topics},
        Options(),
    )
    assert server(reading).missing == ("topics",)
    assert found(reading) == [("warning", "template", "t:3:1", "HUB")]


def test_a_selector_with_a_placeholder_is_not_known() -> None:
    routes = b"[B]\n url=ssl://b:1\n outgoing_topic=t selector=\"region='{{ region }}'\"\n"
    reading = read(
        bundle(("main", "hub/main"), ("routes", "r")), {"hub/main": MAIN, "r": routes}, Options()
    )
    assert server(reading).missing == ("routes",)
