"""Policies: a YAML file read with its places, judged after the change, and told in every output."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.audit import read_policies
from topograph.audit.reports import junit, markdown, sarif
from topograph.cli.main import exit_code
from topograph.errors import InputError, UnknownServer, UsageError
from topograph.message import Message
from topograph.network import Network
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.text import text

EXAMPLES = Path(__file__).parents[2] / "examples"
CANADA = EXAMPLES / "changes" / "canada.txt"
GATE = """\
policies:
  - id: canada-gets-small-orders
    because: contract 17
    delivers:
      from: HQ
      destination: topic:orders
      properties: {country: Canada, amount: 7}
      to: CANADA
  - id: big-ones
    delivers: {from: HQ, destination: topic:orders, properties: {country: Canada, amount: 700}, to: CANADA}
  - id: reach
    reaches: {from: [HQ, LONDON], to: CANADA}
"""  # noqa: E501


@pytest.fixture(scope="module")
def network() -> Network:
    return topograph.read(EXAMPLES / "estate")


@pytest.fixture(scope="module")
def judged(network: Network) -> AuditAnswer:
    return network.audit(CANADA, at="HQ", policy=GATE)


def results(answer: AuditAnswer) -> dict[str, str]:
    return {one.id: one.result for one in answer.policy}


def test_a_policy_is_read_with_its_place() -> None:
    first, *_ = read_policies(GATE.encode(), "gate.yaml")
    assert (first.id, first.rule, first.because, str(first.source)) == (
        "canada-gets-small-orders",
        "delivers",
        "contract 17",
        "gate.yaml:2:5",
    )
    assert (first.from_, first.to, first.known_only) == (("HQ",), ("CANADA",), False)
    assert first.message == Message.to("topic:orders", {"country": "Canada", "amount": 7})


def test_a_value_in_quotes_is_a_text() -> None:
    body = (
        "policies: [{id: a, delivers: {from: A, to: B, destination: 'queue:q', properties: "
        "{a: '7', b: 7, c: no, d: true}}}]"
    )
    (policy,) = read_policies(body.encode(), "p")
    assert policy.message is not None
    assert policy.message.properties == {"a": "7", "b": 7, "c": "no", "d": True}


def test_subscribers_are_said_for_a_file_or_a_policy() -> None:
    body = (
        "subscribers: known-only\npolicies:\n- {id: a, no_loss: true}\n- {id: b, no_loss: "
        "true, subscribers: all}\n"
    )
    assert [one.known_only for one in read_policies(body.encode(), "p")] == [True, False]


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        ("", ["p:1: There are no policies in this file."]),
        ("- a\n", ["p:1:1: The file has to be a mapping (key: value), not a list."]),
        ("policies: []\n", ["p:1:1: At least one policy is needed here."]),
        ("policy:\n- id: a\n", ["p:1:1: Unknown key 'policy': did you mean policies?",
            "p:1:1: This entry lacks policies."]),
        ("policies:\n- legal: true\n", ["p:2:3: This entry lacks id."]),
        ("policies:\n- id: a\n", [("p:2:3: A policy has one of reaches, never_reaches, "
            "delivers, never_delivers, ends_in, never_ends_in, passes, avoids, max_hops, "
            "survives_any_single, legal, no_loss, no_duplicates, no_new_findings: this one has "
            "none.")]),
        ("policies:\n- {id: a, legal: true, no_loss: true}\n", ["legal and no_loss are 2."]),
        ("policies:\n- {id: a, legal: false}\n", ["p:2:11: legal has to be one of true."]),
        ("policies:\n- id: a\n  reach: {from: A, to: B}\n", [("p:3:3: Unknown key 'reach': did "
            "you mean reaches?")]),
        ("policies:\n- id: a\n  reaches: {from: A, too: B}\n",
            ["p:3:3: This entry lacks to.", "p:3:22: Unknown key 'too': did you mean to?"]),
        ("policies:\n- id: a\n  reaches: {from: [], to: B}\n", [("p:3:13: A server, a pattern "
            "such as BRANCH-*, or a list "
            "of these is needed here.")]),
        ("policies:\n- id: a\n  max_hops: {hops: few}\n", [("p:3:14: hops has to be a whole "
            "number.")]),
        ("policies:\n- {id: a, legal: true}\n- {id: a, no_loss: true}\n",
            ["p:3:3: The id 'a' is already used in line 2."]),
        ("policies:\n- {id: a, id: b, legal: true}\n", [("p:2:11: 'id' occurs twice here, first "
            "in line 2: the first is used.")]),
        ("policies:\n- {id: a, subscribers: some, legal: true}\n", [("p:2:11: subscribers has "
            "to be one of all, "
            "known-only.")]),
        ("policies:\n- id: a\n  delivers: {from: A, to: B, destination: orders}\n",
            ["p:3:30: 'orders' is not a destination. Write topic:NAME"]),
        ("policies: [*a]\n", [("p:1:12: Aliases (*name) are not read: nothing of this "
            "file is used.")]),
        ("policies: [\n", ["This is not YAML"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file(body: str, messages: list[str]) -> None:
    with pytest.raises(InputError) as error:
        read_policies(body.encode(), "p")
    assert len(error.value.lines) == len(messages)
    assert all(message in line for message, line in zip(messages, error.value.lines, strict=True))


@given(
    st.binary(max_size=200)
    | st.text(alphabet="policies: -{}[]id,&*'\"\n#tru", max_size=80).map(str.encode)
)
def test_any_bytes_are_policies_or_one_error(data: bytes) -> None:
    with suppress(InputError):
        assert read_policies(data, "p")


def test_each_policy_has_a_result_and_evidence(judged: AuditAnswer) -> None:
    assert results(judged) == {
        "canada-gets-small-orders": "fail",
        "big-ones": "pass",
        "reach": "pass",
    }
    assert (judged.verdict, judged.rejections) == ("reject", ())
    small, big, reach = judged.policy
    (case,) = small.evidence
    assert case.text == (
        "CANADA does not get it from HQ: stopped from HQ to CANADA, country = 'Canada' "
        "AND amount > 100"
    )
    assert (Path(case.source.file).name, case.source.line) == ("canada.txt", 2)
    assert (big.evidence[0].path, reach.evidence[0].path) == (
        ("HQ", "CANADA"),
        ("LONDON", "HQ", "CANADA"),
    )
    assert judged.to_dict()["policy"][0]["because"] == "contract 17"


def test_the_text_begins_with_what_fails(judged: AuditAnswer) -> None:
    lines = text(judged).splitlines()
    assert lines[0] == "Reject: 1 of 3 policies fails."
    assert lines[1].startswith(
        "  * policy canada-gets-small-orders fails: CANADA does not get it from HQ"
    )
    assert "contract 17" in text(judged)


def test_every_output_carries_policies(judged: AuditAnswer) -> None:
    found = [
        one
        for one in json.loads(sarif(judged, "1"))["runs"][0]["results"]
        if one["ruleId"] == "policy-delivers"
    ]
    assert [one["level"] for one in found] == ["error"]
    assert found[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert found[0]["message"]["text"].endswith("amount > 100 (contract 17)")
    suite = ET.fromstring(junit(judged))[0]
    assert (suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) == (
        "4",
        "1",
        "0",
    )
    assert [case.attrib["name"] for case in suite if case.find("failure") is not None] == [
        "canada-gets-small-orders"
    ]
    assert "| big-ones | pass |" in markdown(judged)


def test_an_undetermined_policy_is_neither(network: Network) -> None:
    answer = network.audit(
        "create topic new.one\ncommit\n",
        at="HQ",
        policy="policies:\n- {id: legal, legal: true}\n- {id: reach, reaches: {from: TOKYO, to: "
        "HQ}}\n"
        "- {id: apart, never_reaches: {from: TOKYO, to: HQ}}\n- {id: silent, "
        "never_delivers: {from: TOKYO, to: HQ, destination: 'topic:orders'}}\n",
    )
    assert set(results(answer).values()) == {"undetermined"}
    assert answer.verdict == "undetermined"
    assert text(answer).startswith(
        "Undetermined: 4 of 4 policies are not decided by the loaded files."
    )
    suite = ET.fromstring(junit(answer))[0]
    assert suite.attrib["errors"] == "4"


def test_patterns_name_all_servers_that_they_match(network: Network) -> None:
    policy = "policies:\n- {id: a, max_hops: {from: 'USA*', to: 'C?NADA', hops: 1}}\n"
    (found,) = network.audit("create topic new.one", at="HQ", policy=policy).policy
    assert (found.result, {case.path[0] for case in found.evidence}) == (
        "fail",
        {"USA", "USA-EAST"},
    )


def test_a_name_that_nobody_has_is_an_error(network: Network) -> None:
    policy = "policies:\n- {id: a, reaches: {from: CANDA, to: HQ}}\n"
    with pytest.raises(
        UnknownServer, match=r"policy:2:3: no server .* is called 'CANDA'.* Did you mean CANADA"
    ):
        network.audit(CANADA, at="HQ", policy=policy)
    with pytest.raises(UsageError, match="are the same server: HQ"):
        network.audit(CANADA, at="HQ", policy=policy.replace("CANDA", "HQ"))


def test_known_only_leaves_supposed_subscribers_out(tmp_path: Path) -> None:
    main = "server = {}\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
    for name in "AB":
        (tmp_path / name).mkdir()
        (tmp_path / name / "tibemsd.conf").write_text(main.format(name))
        (tmp_path / name / "topics.conf").write_text("news global\n")
    (tmp_path / "A" / "routes.conf").write_text(
        "[B]\n url = tcp://b:7222\n zone_name = M\n zone_type = mhop\n"
    )
    (tmp_path / "B" / "routes.conf").write_text("")
    policy = (
        "policies:\n"
        "- {id: all, no_loss: true}\n- {id: known, no_loss: true, subscribers: known-only}\n"
        "- {id: gets, delivers: {from: A, to: B, destination: 'topic:news'}}\n"
        "- {id: somebody-gets, subscribers: known-only, delivers: {from: A, to: B, "
        "destination: 'topic:news'}}\n"
    )
    network = topograph.read(tmp_path)
    harmless = network.audit("create topic other", at="A", policy=policy)
    assert results(harmless) == {
        "all": "pass",
        "known": "pass",
        "gets": "pass",
        "somebody-gets": "fail",
    }
    # The first three lines say it where no subscriber is configured, whatever else there is to say.
    line = (
        'addprop route B outgoing_topic=news selector="country = '
        "'US'\"\nfrobnicate\nfrobnicate again\n"
    )
    cut = network.audit(line, at="A", policy=policy)
    assert results(cut) == {"all": "fail", "known": "pass", "gets": "fail", "somebody-gets": "fail"}
    assert "at B subscribers would lose messages" in "\n".join(text(cut).splitlines()[:4])


def test_a_gate_ends_with_exit_code_1_and_a_mistake_in_it_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gate = tmp_path / "gate.yaml"
    words = [
        "audit",
        "-s",
        str(EXAMPLES / "estate"),
        "--change",
        f"HQ={CANADA}",
        "--policy",
        str(gate),
    ]
    for body, code, said in (
        (GATE, 1, "1 of 3 policies fails"),
        ("policies:\n- {id: a, reaches: {from: HQ, to: CANADA}}\n", 0, "Accept"),
        ("policies:\n- {id: a, reachs: {from: HQ, to: CANADA}}\n", 3, "did you mean reaches?"),
        ("policies:\n- {id: a, reaches: {from: HQ, to: CANDA}}\n", 2, "Did you mean CANADA?"),
    ):
        gate.write_text(body)
        assert exit_code(words) == code
        told = capsys.readouterr()
        assert said in told.out + told.err
    gate.unlink()
    assert exit_code(words) == 3
    assert "cannot be read: No such file" in capsys.readouterr().err


def test_two_states_are_judged_too(tmp_path: Path) -> None:
    legal, doubled = EXAMPLES / "mhop-star" / "legal", EXAMPLES / "mhop-star" / "with-b-d"
    policy = "policies:\n- {id: one-path, legal: true}\n- {id: near, max_hops: {hops: 1}}\n"
    worse = topograph.compare(legal, doubled, policy)
    assert results(worse) == {"one-path": "fail", "near": "fail"}
    assert "so it was before" not in worse.policy[0].evidence[0].text
    better = topograph.compare(doubled, legal, policy)
    assert results(better) == {"one-path": "pass", "near": "fail"}
    assert better.verdict == "reject"
    again = topograph.compare(doubled, doubled, policy)
    assert "so it was before the change" in again.policy[0].evidence[0].text


def test_what_is_not_decided_in_time_is_undetermined(network: Network) -> None:
    policy = "policies:\n- {id: a, reaches: {from: HQ, to: CANADA}}\n"
    answer = network.within(1e-9).audit("create topic new.one", at="HQ", policy=policy)
    assert results(answer) == {"a": "undetermined"}
    assert answer.verdict == "undetermined"
