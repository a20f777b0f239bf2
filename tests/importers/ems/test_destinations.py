import pytest

from topograph.facts.ems import EmsDestination
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
        for finding in parse_text(file, text, strict, server="HOME").findings
    ]


def destinations(file: str, text: str, *, strict: bool = True) -> list[EmsDestination]:
    facts = parse_text(file, text, strict, server="HOME").facts
    return [fact for fact in facts if isinstance(fact, EmsDestination)]


def topic(
    line: int, column: int, name: str, properties: dict[str, str], jndi: tuple[str, ...] = ()
) -> EmsDestination:
    return EmsDestination(
        bundle="topics.conf",
        server="HOME",
        source=Source("topics.conf", line, column),
        type="topic",
        name=name,
        properties=tuple(properties.items()),
        jndi=jndi,
    )


def test_every_line_of_topics_conf_is_a_topic_with_its_properties() -> None:
    text = (
        "# topics\n>\n[TopicSample,t2] topic.sample   global\ntest.>\tglobal,SECURE,maxbytes=10MB\n"
        'business.inventory global, import="RV01, RV02", export=RV03,maxbytes=1MB\n'
        "$TMP$.> maxmsgs=1000,overflowpolicy=discardOld\nflow.x "
        "flowControl,global=false,trace=body\n"
    )
    assert destinations("topics.conf", text) == [
        topic(2, 1, ">", {}),
        topic(3, 18, "topic.sample", {"global": "true"}, ("TopicSample", "t2")),
        topic(4, 1, "test.>", {"global": "true", "secure": "true", "maxbytes": "10MB"}),
        topic(
            5,
            1,
            "business.inventory",
            {"global": "true", "import": "RV01, RV02", "export": "RV03", "maxbytes": "1MB"},
        ),
        topic(6, 1, "$TMP$.>", {"maxmsgs": "1000", "overflowPolicy": "discardOld"}),
        topic(7, 1, "flow.x", {"flowControl": "true", "trace": "body"}),
    ]
    assert found("topics.conf", text, strict=True) == []


def test_a_routed_queue_names_its_owner() -> None:
    text = ">\nqueue.sample global,prefetch=10\norders.in@CENTRAL\nq1@HOME global,exclusive\n"
    assert [(fact.type, fact.name, fact.owner) for fact in destinations("queues.conf", text)] == [
        ("queue", ">", ""),
        ("queue", "queue.sample", ""),
        ("queue", "orders.in", "CENTRAL"),
        ("queue", "q1", "HOME"),
    ]
    assert found("queues.conf", text, strict=True) == []


def test_an_at_sign_in_a_topic_name_is_part_of_it() -> None:
    assert [(fact.name, fact.owner) for fact in destinations("topics.conf", "a@b\n")] == [
        ("a@b", "")
    ]


@pytest.mark.parametrize(
    ("file", "line", "findings"),
    [
        ("topics.conf", "foo.a*", [("warning", "not-a-wildcard", "TL-14", 1, 1)]),
        ("topics.conf", "foo.>.bar", [("warning", "not-a-wildcard", "TL-14", 1, 1)]),
        ("topics.conf", "foo..bar", [("error", "destination-name", "1.4", 1, 1)]),
        ("topics.conf", "a" * 128, [("error", "destination-name", "1.4", 1, 1)]),
        ("topics.conf", ".".join("a" * 65), [("error", "destination-name", "1.4", 1, 1)]),
        ("topics.conf", ".".join(["a" * 100] * 3), [("error", "destination-name", "1.4", 1, 1)]),
        ("topics.conf", "foo prefetch=none", [("error", "prefetch-none", "TL-18", 1, 1)]),
        ("queues.conf", "foo prefetch=none", []),
        ("queues.conf", "foo global,prefetch=none", [("error", "prefetch-none", "TL-18", 1, 1)]),
        ("queues.conf", "Q.*@R", [("error", "routed-queue-wildcard", "TL-11", 1, 1)]),
        ("queues.conf", "Q1@R exclusive", [("error", "routed-queue-exclusive", "TL-11", 1, 1)]),
        ("topics.conf", "foo global,shiny=1", [("warning", "unknown-directive", "", 1, 12)]),
        ("topics.conf", "foo global secure", [("warning", "missing-comma", "3.1", 1, 12)]),
        ("topics.conf", "foo maxmsgs=1,maxmsgs=2", [("warning", "duplicate-parameter", "", 1, 15)]),
        ("topics.conf", "foo\u00a0global", [("warning", "non-ascii-quote", "3.1", 1, 4)]),
        ("topics.conf", "fo\u2013o global", [("warning", "non-ascii-quote", "3.1", 1, 3)]),
        ("topics.conf", "[jndi foo", [("error", "unclosed-bracket", "3.3", 1, 1)]),
        ("topics.conf", "[jndi]", [("error", "empty-name", "3.3", 1, 7)]),
        ("topics.conf", 'foo import="RV', [("error", "unterminated-quote", "3.1", 1, 12)]),
    ],
)
def test_a_doubtful_destination_is_a_finding_at_its_place(
    file: str, line: str, findings: Found
) -> None:
    assert found(file, line + "\n") == findings


def test_lenient_reading_repairs_what_strict_reading_drops() -> None:
    text = "fo\u2013o\u00a0global secure # x\nbar\n"
    assert [
        (fact.name, dict(fact.properties))
        for fact in destinations("topics.conf", text, strict=False)
    ] == [
        ("fo-o", {"global": "true", "secure": "true"}),
        ("bar", {}),
    ]
    assert [fact.name for fact in destinations("topics.conf", text)] == ["bar"]
    assert {entry[1] for entry in found("topics.conf", text, strict=True)} == {
        "non-ascii-quote",
        "missing-comma",
        "trailing-comment",
    }


def test_a_number_sign_inside_a_name_is_no_comment() -> None:
    assert [fact.name for fact in destinations("topics.conf", "foo#bar global\n")] == ["foo#bar"]
