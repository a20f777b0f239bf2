import pytest

from topograph.facts.ems import EmsServer, ParameterPlace
from topograph.findings import Source
from topograph.importers.ems import parse_text

FILE = "tibemsd.conf"
Found = list[tuple[str, str, int, int]]


def found(text: str, *, strict: bool = False) -> Found:
    """Severity, kind, line and column of every finding."""
    return [
        (str(finding.severity), finding.kind, finding.source.line, finding.source.column)
        for finding in parse_text(FILE, text, strict).findings
    ]


def server(text: str, *, strict: bool = False) -> EmsServer:
    facts = parse_text(FILE, text, strict).facts
    assert len(facts) == 1
    assert isinstance(facts[0], EmsServer)
    return facts[0]


def test_a_main_file_gives_one_server_with_its_parameters_in_order() -> None:
    text = (
        "# a comment\r\n; another\r\n\r\nserver = "
        "HUB\r\nrouting=enabled\r\n\tAuthorization = No\r\n"
        "listen = tcp://7222\r\nlisten = ssl://7243\r\nft_active = tcp://other:7222\r\n"
        "routes = /opt/ems/routes.conf\r\nmax_msg_memory = 64MB\r\nmade_up = 1\r\nstore "
        "=\r\npassword = hush\r\n"
    )
    parsed = parse_text(FILE, text, strict=True)
    assert parsed.facts == (
        EmsServer(
            bundle=FILE,
            server="HUB",
            source=Source(FILE, 4, 10),
            routing=True,
            authorization=False,
            ft_active="tcp://other:7222",
            listen=("tcp://7222", "ssl://7243"),
            parameters=(
                ("server", "HUB"),
                ("routing", "enabled"),
                ("authorization", "No"),
                ("ft_active", "tcp://other:7222"),
                ("routes", "/opt/ems/routes.conf"),
                ("max_msg_memory", "64MB"),
                ("made_up", "1"),
                ("password", "(set)"),
            ),
            places=(
                ParameterPlace("routing", Source(FILE, 5, 9)),
                ParameterPlace("authorization", Source(FILE, 6, 18)),
                ParameterPlace("listen", Source(FILE, 7, 10)),
                ParameterPlace("ft_active", Source(FILE, 9, 13)),
                ParameterPlace("routes", Source(FILE, 10, 10)),
            ),
        ),
    )
    assert (parsed.findings, parsed.ignored) == ((), ("store",))


def test_what_the_file_does_not_state_is_none() -> None:
    fact = server("server = A\n")
    assert (fact.routing, fact.authorization) == (None, None)


@pytest.mark.parametrize(
    ("written", "state"),
    [
        ("enable", True),
        ("ON", True),
        ("yes", True),
        ("true", True),
        ("disable", False),
        ("off", False),
        ("no", False),
        ("False", False),
    ],
)
def test_booleans_are_written_in_many_ways(written: str, state: bool) -> None:
    assert server(f"server=A\nrouting={written}\n").routing is state


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("server = A\nrouting = maybe\n", [("error", "not-a-boolean", 2, 11)]),
        ("server = A\nserver = B\n", [("warning", "duplicate-parameter", 2, 1)]),
        ("server = A.B\n", [("error", "server-name", 1, 10)]),
        ("server = " + "S" * 65 + "\n", [("error", "server-name", 1, 10)]),
        ("server = " + "S" * 64 + "\n", []),
        ("routing = on\n", [("error", "no-server-name", 0, 0)]),
        ("server = A\n  what is this\n", [("warning", "unknown-directive", 2, 3)]),
        ("server = A\nlisten = 7222\n", [("warning", "invalid-url", 2, 10)]),
        ("server = A\nlisten = tcp://" + "h" * 1000 + ":1\n", [("warning", "url-too-long", 2, 10)]),
        ("server = A\u2013B\n", [("warning", "non-ascii-quote", 1, 11)]),
        (
            "server\u00a0=\u00a0A\n",
            [("warning", "non-ascii-quote", 1, 7), ("warning", "non-ascii-quote", 1, 9)],
        ),
        ("server = A   # the hub\n", []),
        ("server = A\nx = " + "y" * 256_000 + "\n", [("error", "line-too-long", 2, 1)]),
    ],
)
def test_a_doubtful_main_file_is_a_finding_at_its_place(text: str, findings: Found) -> None:
    assert found(text) == findings


def test_the_last_value_of_a_repeated_parameter_counts() -> None:
    assert server("server = A\nrouting = on\nrouting = off\n").routing is False


def test_lenient_reading_takes_ascii_where_typography_stands() -> None:
    assert server("server\u00a0=\u00a0A\u2013B   # note\n").server == "A-B"


@pytest.mark.parametrize(
    ("line", "kind", "column"),
    [
        ("routes\u00a0= r.conf", "non-ascii-quote", 7),
        ("routes = r.conf # x", "trailing-comment", 17),
    ],
)
def test_strict_reading_drops_the_parameter_and_says_what_is_missing(
    line: str, kind: str, column: int
) -> None:
    text = f"server = A\n{line}\n"
    assert found(text, strict=True) == [("error", kind, 2, column)]
    fact = server(text, strict=True)
    assert (fact.parameters, fact.missing) == ((("server", "A"),), ("routes",))


def test_a_value_in_ascii_double_quotes_is_left_alone() -> None:
    fact = server('server = A\nmodule_path = "/opt/it\u2019s here"\n', strict=True)
    assert fact.parameters[1] == ("module_path", "/opt/it\u2019s here")


def test_an_unknown_parameter_that_is_nearly_called_as_one_that_decides_is_a_finding():
    text = "server = A\nroutng = enabled\ntopicz = t.conf\nsomething_else = 1\nft_activation = 3\n"
    findings = [
        one for one in parse_text(FILE, text, False).findings if one.kind == "unknown-directive"
    ]
    assert [(one.source.line, "nearly called" in one.message) for one in findings] == [
        (2, True),
        (3, True),
    ]
    assert "nearly called routing" in findings[0].message
