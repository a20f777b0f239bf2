"""Each key of a policy: what passes, what fails, and what nobody can say; who may let a policy
fail, and how long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import topograph
from topograph.audit import GivenScript, read_policies
from topograph.audit.judging_policies import with_policies
from topograph.audit.reports import junit, markdown, sarif
from topograph.audit.verdict import with_verdict
from topograph.errors import InputError, UnknownServer, UsageError
from topograph.network import Network
from topograph.questions.answers.audit import AuditAnswer, PolicyResult
from topograph.questions.text import text

EXAMPLES = Path(__file__).parents[2] / "examples"
MAIN = "server = {0}\nlisten = tcp://{1}:7222\nrouting = enabled\nroutes = routes.conf\n"
ROUTE = "[{0}]\n url = tcp://{1}:7222\n zone_name = {2}\n zone_type = mhop\n"


def ems(folder: Path, links: Mapping[str, tuple[str, ...]], zone: str = "Z") -> Network:
    """EMS servers, those that are named only without files."""
    for name, others in links.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "tibemsd.conf").write_text(
            MAIN.format(name, name.lower()) + "topics = topics.conf\n"
        )
        (folder / name / "topics.conf").write_text("news global maxbytes=1MB\nhome maxbytes=1MB\n")
        (folder / name / "routes.conf").write_text(
            "".join(ROUTE.format(one, one.lower(), zone) for one in others)
        )
    return topograph.read(folder)


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Network:
    """A - B - C, and C - X, of which no file is loaded."""
    return ems(tmp_path_factory.mktemp("chain"), {"A": ("B",), "B": ("C",), "C": ("X",)})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Network:
    return ems(tmp_path_factory.mktemp("whole"), {"A": ("B",), "B": ("C",), "C": ()})


@pytest.fixture(scope="module")
def managers(tmp_path_factory: pytest.TempPathFactory) -> Network:
    """Two members of a cluster with one instance each of a queue, and a sender without any."""
    folder = tmp_path_factory.mktemp("managers")
    for name, more in (
        ("A", "ALTER QMGR REPOS(K) DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n"
            "DEFINE QREMOTE(LOST) RNAME(NONE) RQMNAME(B)\n"),
        ("B", "ALTER QMGR REPOS(K) DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n"
            "DEFINE QLOCAL(WORK) CLUSTER(K) DEFBIND(NOTFIXED)\n"),
        ("C", "DEFINE QLOCAL(WORK) CLUSTER(K) DEFBIND(NOTFIXED)\nDEFINE QLOCAL(OWN)\n"),
    ):  # fmt: skip
        other = "B" if name == "A" else "A"
        (folder / f"{name}.mqsc").write_text(
            f"* Queue manager name: {name}\n{more}"
            f"DEFINE CHANNEL(K.{name}) CHLTYPE(CLUSRCVR) CONNAME('{name}.x(1)') CLUSTER(K)\n"
            f"DEFINE CHANNEL(K.{other}) CHLTYPE(CLUSSDR) CONNAME('{other}.x(1)') CLUSTER(K)\n"
        )
    return topograph.read(folder)


HARMLESS = "create user ann\n"


def judged(network: Network, body: str, change: str = HARMLESS, at: str = "A") -> AuditAnswer:
    return network.audit(change, at=at, policy=f"policies:\n- {{id: p, {body}}}\n")


def result(network: Network, body: str, change: str = HARMLESS, at: str = "A") -> PolicyResult:
    (found,) = judged(network, body, change, at).policy
    return found


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("reaches: {from: A, to: C}", "pass"),
        ("reaches: {from: A, to: X}", "undetermined"),
        ("passes: {from: A, to: C, through: B}", "pass"),
        ("passes: {from: A, to: B, through: C}", "fail"),
        ("avoids: {from: A, to: C, through: B}", "fail"),
        ("avoids: {from: A, to: B, through: C}", "pass"),
        ("survives_any_single: {of: link, from: A, to: C}", "fail"),
        ("survives_any_single: server", "fail"),
        ("survives_any_single: {of: server, from: A, to: B}", "pass"),
        ("reaches: {from: '*', to: A, except: [{to: B}]}", "pass"),
        ("never_reaches: {from: {zone: Z}, to: {zone: Z}, except: B}", "fail"),
        ("reaches: {from: {system: ems, pattern: 'A'}, to: {pattern: '?'}}", "pass"),
        ("max_hops: {hops: 1, except: {from: A, to: C}}", "fail"),
        ("max_hops: {hops: 1, except: [{from: A, to: C}, {from: C, to: A}]}", "pass"),
    ],
)
def test_what_a_state_of_servers_gives(
    whole: Network, chain: Network, body: str, wanted: str
) -> None:
    open_ = "X" in body
    assert result(chain if open_ else whole, body).result == wanted


@pytest.mark.parametrize(
    "body",
    [
        "passes: {from: A, to: X, through: B}",
        "avoids: {from: A, to: X, through: B}",
        "survives_any_single: {of: link, from: A, to: X}",
    ],
)
def test_what_is_not_loaded_satisfies_nothing(chain: Network, body: str) -> None:
    assert result(chain, body).result != "pass"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("ends_in: {from: A, destination: 'queue:WORK', outcomes: DELIVERED}", "pass"),
        ("ends_in: {from: A, destination: 'queue:LOST', outcomes: [DELIVERED]}", "fail"),
        ("ends_in: {from: A, destination: 'queue:LOST', outcomes: [DELIVERED, DLQ]}", "pass"),
        ("never_ends_in: {from: A, destination: 'queue:LOST', outcomes: DLQ}", "fail"),
        ("never_ends_in: {from: A, destination: 'queue:WORK', outcomes: DLQ}", "pass"),
        ("delivers: {from: A, destination: 'queue:WORK', to: B}", "undetermined"),
        ("reaches: {from: {cluster: K}, to: {cluster: K}, except: [{from: B}, {to: B}]}", "pass"),
    ],
)
def test_how_messages_of_queue_managers_end(managers: Network, body: str, wanted: str) -> None:
    found = result(managers, body, "DEFINE QLOCAL(SPARE)\n")
    assert found.result == wanted, found.evidence


@pytest.mark.parametrize(
    ("body", "change", "wanted"),
    [
        ("no_new_findings: {severity: warning}", HARMLESS, "pass"),
        ("no_new_findings: {severity: warning}", "create topic t global\n", "fail"),
        ("no_new_findings: {severity: error}", "create topic t global\n", "pass"),
        ("no_duplicates: true", HARMLESS, "pass"),
        ("no_duplicates: true", "create bridge source=topic:news target=topic:home\n", "pass"),
    ],
)
def test_what_a_change_brings(whole: Network, body: str, change: str, wanted: str) -> None:
    assert result(whole, body, change).result == wanted


@pytest.mark.parametrize(
    ("example", "wanted", "told"),
    [
        ("mqe_devices", "fail", "crane7 does not reach depot if connection:depot fails"),
        ("sibus_orders", "undetermined", "failures of single links are not followed in SIBus"),
    ],
)
def test_links_fail_under_the_name_that_their_system_has_for_them(
    example: str, wanted: str, told: str
) -> None:
    network = topograph.read(EXAMPLES / example)
    policy = "policies:\n- {id: p, survives_any_single: link}\n"
    (found,) = topograph.compare(network, network, policy).policy
    assert (found.result, found.evidence[0].text) == (wanted, told)


def test_a_path_that_may_be_there_speaks_neither_for_nor_against(chain: Network) -> None:
    (path,) = chain.paths("A", "X").paths
    assert not path.certain
    found = result(chain, "avoids: {from: A, to: X, through: B}")
    assert found.result == "undetermined"
    assert found.evidence[0].text == "A may reach X over B: A to B to C to X"


def test_messages_that_go_round_are_duplicates(tmp_path: Path) -> None:
    network = ems(tmp_path, {"A": ("B",), "B": ()})
    topics = "create topic x global maxbytes=1MB\ncreate topic y global maxbytes=1MB\n"
    bridge = "create bridge source=topic:{} target=topic:{}\n"
    scripts = [
        GivenScript((topics + bridge.format("x", "y")).encode(), "one", "A"),
        GivenScript((topics + bridge.format("y", "x")).encode(), "two", "B"),
    ]
    policy = "policies:\n- {id: p, no_duplicates: true}\n"
    answer = network.audit(scripts, policy=policy)
    assert answer.policy[0].result == "fail"
    assert "goes round" in answer.policy[0].evidence[0].text
    # Without the policy it is no plain accept either.
    assert network.audit(scripts).verdict == "undetermined"


def test_nothing_passes_that_was_not_looked_at(whole: Network) -> None:
    body = "\n".join(
        f"- {{id: {number}, {key}}}"
        for number, key in enumerate(
            (
                "reaches: {from: A, to: C}",
                "passes: {from: A, to: C, through: B}",
                "avoids: {from: A, to: B, through: C}",
                "survives_any_single: {of: server, from: A, to: B}",
                "no_new_findings: {}",
                "no_duplicates: true",
                "no_loss: true",
            )
        )
    )
    answer = whole.within(1e-9).audit(
        "create topic t global\n", at="A", policy=f"policies:\n{body}\n"
    )
    assert {one.result for one in answer.policy} == {"undetermined"}
    assert answer.verdict == "undetermined"


def test_a_warning_is_told_and_does_not_block(whole: Network) -> None:
    answer = judged(whole, "severity: warn, never_reaches: {from: A, to: C}")
    (one,) = answer.policy
    assert (one.result, one.blocks, answer.verdict) == ("fail", False, "accept")
    assert "fail (warning only)" in text(answer)
    (found,) = [
        each
        for each in json.loads(sarif(answer, ""))["runs"][0]["results"]
        if each["ruleId"] == "policy-never_reaches"
    ]
    assert found["level"] == "warning"
    suite = ET.fromstring(junit(answer))[0]
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("0", "1")


def test_what_failed_before_is_said_and_can_be_left_alone(whole: Network) -> None:
    failing = judged(whole, "max_hops: {hops: 1}")
    assert (failing.policy[0].before, failing.verdict) == ("fail", "reject")
    assert "was failing before" in text(failing)
    assert "was failing before" in markdown(failing)
    same = judged(whole, "not_worse: true, max_hops: {hops: 1}")
    assert (same.policy[0].result, same.verdict) == ("pass", "accept")
    assert "not worse than before the change" in same.policy[0].evidence[0].text
    worse = judged(whole, "not_worse: true, reaches: {from: A, to: [B, C]}", "delete route B\n")
    assert (worse.policy[0].result, worse.policy[0].before) == ("fail", "pass")


WAIVER = "waivers: [{{reason: until the new line is there, owner: net team, expires: {}{}}}]"


@pytest.mark.parametrize(
    ("day", "pairs", "result_", "blocks"),
    [
        ("2030-01-01", "", "fail", False),
        ("2030-01-01", ", from: A, to: C", "fail", True),
        ("2030-01-01", ", from: [A, C], to: [A, C]", "fail", False),
        ("2020-01-01", "", "fail", True),
    ],
)
def test_a_waiver_lets_a_policy_fail_until_a_day(
    whole: Network, day: str, pairs: str, result_: str, blocks: bool
) -> None:
    body = f"policies:\n- {{id: p, {WAIVER.format(day, pairs)}, max_hops: {{hops: 1}}}}\n"
    answer = whole.audit(HARMLESS, at="A")
    model = whole._model
    told = with_verdict(
        with_policies(
            answer,
            read_policies(body.encode(), "gate.yaml"),
            model,
            model,
            complete=True,
            today=date(2026, 6, 1),
        )
    )
    (one,) = told.policy
    assert (one.result, one.blocks) == (result_, blocks)
    assert told.verdict == ("reject" if blocks else "accept")
    if day.startswith("2020"):
        assert "the waiver of net team expired on 2020-01-01" in text(told)
    if not blocks:
        assert "waived: until the new line is there (net team, until 2030-01-01)" in text(told)
        results = json.loads(sarif(told, ""))["runs"][0]["results"]
        assert [each["suppressions"][0]["kind"] for each in results if "suppressions" in each] == [
            "external"
        ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("- id: a\n  survives_any_single: broker\n", "3:3: survives_any_single has to be one of"),
        ("- id: a\n  ends_in: {from: A, destination: 'queue:q', outcomes: LOST}\n", "3:"),
        ("- id: a\n  no_new_findings: {severity: info}\n", "3:21: severity has to be one of error"),
        ("- id: a\n  severity: loud\n  legal: true\n",
            "3:3: severity has to be one of block, warn"),
        ("- id: a\n  not_worse: true\n  no_loss: true\n",
            "3:3: no_loss is about the change already"),
        ("- id: a\n  legal: true\n  waivers: [{owner: me, expires: 2027-01-01}]\n",
            "4:13: This entry lacks reason."),
        ("- id: a\n  legal: true\n  waivers: [{reason: x, owner: me, expires: 2027-02-30}]\n",
            "There is no day '2027-02-30'. Write it as 2027-03-31."),
        ("- id: a\n  legal: true\n  waivers: [{reason: x, owner: me, expires: soon}]\n",
            "expires has to be a day, as in 2027-03-31."),
        ("- id: a\n  passes: {from: A, to: B}\n", "3:3: This entry lacks through."),
        ("- id: a\n  reaches: {from: {zoen: Z}, to: B}\n", "3:13: A server, a pattern"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_with_its_line(body: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_policies(f"policies:\n{body}".encode(), "p")
    assert message in str(error.value)


def test_a_set_without_a_server_is_an_error(whole: Network) -> None:
    with pytest.raises(UnknownServer, match=r"is in \{zone: Y\}, which the policy p names"):
        judged(whole, "reaches: {from: {zone: Y}, to: A}")
    with pytest.raises(UsageError, match="leaves no pair"):
        judged(whole, "reaches: {from: A, to: B, except: A}")
