"""Messages about a wrong call say what there is, and what may be meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UsageError
from topograph.header_fields import DEFAULTS, name_fault
from topograph.questions.text import text

EXAMPLES = Path(__file__).parents[2] / "examples"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def asked(estate: str, *words: str) -> tuple[int, str, str]:
        code = exit_code([*words, "-s", str(EXAMPLES / estate)])
        out, err = capsys.readouterr()
        return code, out, err

    return asked


@pytest.mark.parametrize(
    "words",
    [
        ("reach",),
        ("paths",),
        ("paths", "HQ"),
        ("hops",),
        ("hops", "HQ"),
        ("propagate", "--destination", "topic:orders"),
        ("trace", "--destination", "topic:orders"),
    ],
)
@pytest.mark.parametrize("estate", ["estate", "routers", "mixed"])
def test_where_a_server_is_missing_the_servers_are_named(
    run: Run, words: tuple[str, ...], estate: str
) -> None:
    code, out, err = run(estate, *words)
    assert (code, out) == (2, "")
    for name in topograph.read(EXAMPLES / estate).server_names()[:6]:
        assert name in err


def test_where_there_is_no_snapshot_the_argument_is_what_is_missing(run: Run) -> None:
    code, _, err = run("nowhere", "reach")
    assert code == 2
    assert "Missing argument 'FROM'." in err


@pytest.mark.parametrize("estate", ["estate", "routers", "queue_managers", "services"])
def test_a_failure_without_its_kind_is_completed(run: Run, estate: str) -> None:
    network = topograph.read(EXAMPLES / estate)
    for name in network.server_names()[:4]:
        for written in (name, name.lower(), f"node:{name}"):
            code, out, err = run(estate, "impact", "--fail", written)
            assert (code, out) == (2, "")
            assert f"Did you mean server:{name}" in err
        assert run(estate, "impact", "--fail", f"server:{name}")[0] == 0


def test_a_route_without_its_kind_is_completed(run: Run) -> None:
    assert "Did you mean route:HQ-CANADA?" in run("estate", "impact", "--fail", "HQ-CANADA")[2]


def test_what_is_near_nothing_gets_the_forms(run: Run) -> None:
    assert "Use server:NAME" in run("estate", "impact", "--fail", "zzzz")[2]


SENT = ("propagate", "HQ", "--destination", "topic:orders")


def test_a_property_has_one_value(run: Run) -> None:
    code, out, err = run("estate", *SENT, "--set", "a=1", "--set", "a=2")
    assert (code, out) == (2, "")
    assert "two values, 1 and 2" in err
    assert run("estate", *SENT, "--set", "a=1", "--set", "a=1")[0] == 0
    assert run("estate", *SENT, "--set", "a=1", "--set", "a='1'")[0] == 2
    assert exit_code(["cypher", "reach", "--print", "--param", "from=A", "--param", "from=B"]) == 2


@pytest.mark.parametrize("name", ["order-id", "1st", "a b", "", "JMSFoo", "NULL", "between", "a+b"])
def test_no_jms_message_has_such_a_property(run: Run, name: str) -> None:
    assert name_fault(name)
    if name:
        network = topograph.read(EXAMPLES / "estate")
        for question in (network.propagate, network.trace):
            with pytest.raises(UsageError, match=r"TIBCO EMS"):
                question("HQ", "topic:orders", {name: 1})
        assert run("estate", *SENT, "--set", f"{name}=1")[0] == 2


@pytest.mark.parametrize(
    "name", [*DEFAULTS, "country", "_a", "$b", "Größe", "JMSXGroupID", "JMS_TIBCO_X", "jmsFoo"]
)
def test_others_can_be_sent(name: str) -> None:
    assert not name_fault(name)


def test_a_point_is_part_of_names_of_ibm_mq_only() -> None:
    assert name_fault("order.id")
    assert not name_fault("order.id", dots=True)
    assert name_fault(".id", dots=True)


def test_routers_carry_properties_of_any_name(run: Run) -> None:
    words = ("propagate", "LON", "--destination", "address:x", "--set", "order-id=1")
    assert run("routers", *words)[0] == 0


@pytest.mark.parametrize(
    ("estate", "server", "script", "of"),
    [
        ("estate", "HQ", "store2-orders.mqsc", "IBM MQ"),
        ("routers", "LON", "store2-orders.mqsc", "IBM MQ"),
        ("queue_managers", "HUB", "canada.txt", "TIBCO EMS"),
    ],
)
def test_a_script_of_another_system_is_not_judged(
    run: Run, estate: str, server: str, script: str, of: str
) -> None:
    path = EXAMPLES / "changes" / script
    code, out, err = run(estate, "audit", "--change", f"{server}={path}")
    assert (code, out) == (2, "")
    assert f"has commands of {of}, and {server} runs " in err


def test_unlike_findings_are_not_counted_as_alike(tmp_path: Path) -> None:
    (tmp_path / "tibemsd.conf").write_text("server = A\nlisten = tcp://a:7222\n")
    for number in range(3):
        (tmp_path / f"notes{number}.txt").write_text(f"Talk to the team about {number}.\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    (tmp_path / "sheet.xlsx").write_bytes(b"PK\3\4xx")
    answer = topograph.read(tmp_path).check()
    shown = text(answer)
    unused = [one for one in answer.findings if one["kind"] == "unclaimed-file"]
    assert len(unused) == 5
    assert len({one["rule"] for one in unused}) == len({one["server"] for one in unused}) == 1
    messages = {str(one["message"]) for one in unused}
    assert len(messages) == 3
    for message in messages:
        assert message in shown
    assert "and 2 more like it" in shown
