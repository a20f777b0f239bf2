"""``overrides`` of topograph.yaml: another reading where the documents of a system leave
something open, told with its line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import topograph
from topograph.errors import InputError
from topograph.extensions import OWN
from topograph.network import Network
from topograph.questions.answers import TraceAnswer
from topograph.systems import system
from topograph.systems.contract.ambiguities import Ambiguity

from .override_cases import CASES, Case

DOCS = Path(__file__).parents[2] / "docs" / "side-inputs.md"

CITED = re.compile(r", as topograph\.yaml:3:\d+ says$")
"""How an answer says that topograph.yaml decides."""

OTHER_READINGS = [
    pytest.param(case, choice, id=f"{case.system}-{case.position}-{choice}-{number}")
    for number, case in enumerate(CASES)
    for choice in case.otherwise
]


def read(folder: Path, files: Mapping[str, str], overrides: str = "") -> Network:
    """The network of some files; ``overrides`` is what stands in line 3 of topograph.yaml."""
    place = folder / "estate"
    place.mkdir(exist_ok=True)
    for name, text in files.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, "utf-8")
    if overrides:
        (place / "topograph.yaml").write_text(
            f"# what is known\noverrides:\n  {overrides}\n", "utf-8"
        )
    return topograph.read(place)


def ask(network: Network, case: Case) -> TraceAnswer:
    return network.trace(case.start, case.destination, **case.message)


def wrong(network: Network) -> list[str]:
    return [
        f"{one['source']['line']}: {one['message']}"
        for one in network.show("findings").rows
        if one["kind"] == "side-inputs-invalid"
    ]


@pytest.mark.parametrize(("case", "choice"), OTHER_READINGS)
def test_another_reading_gives_another_answer_and_cites_its_line(
    tmp_path: Path, case: Case, choice: str
) -> None:
    plain = ask(read(tmp_path, case.files), case)
    assert plain.outcomes == case.by_rules
    network = read(tmp_path, case.files, f"{case.system}: {{{case.position}: {choice}}}")
    assert wrong(network) == []
    answer = ask(network, case)
    assert answer.outcomes == case.otherwise[choice]
    said = [one.text for one in answer.assumptions if one.rule == case.position]
    if case.by_rules != case.otherwise[choice]:
        assert any(CITED.search(text) for text in said), said
    assert not [one for one in answer.branches if one.kind == "reading" and case.position != "S-09"]


def test_every_choice_of_every_position_has_a_case() -> None:
    tried = {(case.system, case.position, choice) for case in CASES for choice in case.otherwise}
    for name in OWN:
        for one in system(name).ambiguities():
            if one.number is not None:
                assert any((name, one.position) == (case.system, case.position) for case in CASES)
            elif not one.is_fixed:
                others = [choice for choice in one.choices if choice != one.default]
                assert others
                assert {(name, one.position, choice) for choice in others} <= tried


def test_a_reply_destination_that_is_bypassed_adds_nothing_in_mode_engine(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.position == "A-1")

    def ways(answer: TraceAnswer) -> str:
        return " ".join(step.text for step in answer.steps)

    assert "reply destination RC is added" in ways(ask(read(tmp_path, case.files), case))
    network = read(tmp_path, case.files, "sibus: {A-1: engine}")
    assert "reply destination RC is added" not in ways(ask(network, case))
    # What the question says goes before what topograph.yaml says of all messages.
    asked = network.trace(case.start, case.destination, mode="doc", **case.message)
    assert "reply destination RC is added" in ways(asked)
    assert not any("topograph.yaml" in one.text for one in asked.assumptions)


@pytest.mark.parametrize(
    ("overrides", "wanted"),
    [
        ("sibus: {A-3: applies}", "A-3 of SIBus has to be one of skip (an alias"),
        ("sibus: {A-3: applies}", "Did you mean apply?"),
        (
            "sibus: {A-10: other}",
            "A-10 of SIBus has no other reading to choose: an exception destination is a bare name",
        ),
        (
            "ems: {A1: legal}",
            "A1 of TIBCO EMS has no other reading to choose: more than one path is illegal (R20)",
        ),
        (
            "amq_interconnect: {M-4: one}",
            "AMQ Interconnect has no position 'M-4'. None of its positions has a choice.",
        ),
        (
            "amq_interconnect: {5.1: one}",
            "5.1 of AMQ Interconnect has no other reading to choose: `versions` says",
        ),
        ("sibus: {A-33: apply}", "SIBus has no position 'A-33'. Did you mean A-3"),
        ("sibus: {A-33: apply}", "Those with a choice: A-1, A-2, A-3"),
        (
            "sibus: {S-09: many}",
            "S-09 of SIBus has to be a whole number from 0 to 10,000 (20 by default)",
        ),
        ("sibus: {S-09: -1}", "S-09 of SIBus has to be a whole number"),
        ("sibuss: {A-3: apply}", "There is no system 'sibuss'. Did you mean sibus?"),
        ("sibus: apply", "sibus has to be a mapping (key: value), not a single value."),
        ("sibus: {A-3: [apply]}", "A-3 has to be a text, not a list."),
        ("sibus: {A-3: }", "A-3 has no value."),
    ],
)
def test_what_is_no_reading_is_said_with_its_line_and_not_used(
    tmp_path: Path, overrides: str, wanted: str
) -> None:
    case = next(case for case in CASES if case.position == "A-3")
    network = read(tmp_path, case.files, overrides)
    (said,) = wrong(network)
    assert said.startswith("3: ")
    assert wanted in said
    assert ask(network, case).outcomes == case.by_rules


def test_what_is_right_beside_it_is_used(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.position == "A-3")
    network = read(tmp_path, case.files, "sibus: {A-33: apply, A-3: apply, A-4: }")
    assert len(wrong(network)) == 2
    assert ask(network, case).outcomes == case.otherwise["apply"]


def test_a_file_that_is_named_has_to_be_free_of_wrong_readings(tmp_path: Path) -> None:
    (tmp_path / "A.mqsc").write_text("DEFINE QLOCAL(Q)\n")
    config = tmp_path / "other.yaml"
    config.write_text("overrides: {sibus: {A-3: applies}}\n")
    with pytest.raises(InputError, match=re.escape("other.yaml:1")):
        topograph.read(tmp_path, config=config)


def test_the_reading_of_the_rules_may_be_stated(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.position == "A-3")
    answer = ask(read(tmp_path, case.files, "sibus: {A-3: skip}"), case)
    assert answer.outcomes == case.by_rules
    (said,) = [one for one in answer.assumptions if one.rule == "A-3"]
    assert CITED.search(said.text)
    assert said.alternative == ""


@pytest.mark.parametrize(
    ("position", "choice", "waits"),
    [("A23", "needed", 0), ("A27", "stays", 0), ("A28", "created", 1), ("A28", "not_created", 0)],
)
def test_failures_are_judged_by_the_same_readings(
    tmp_path: Path, position: str, choice: str, waits: int
) -> None:
    """Where nothing goes to the home of a queue as things are, a failure of the home makes
    nothing wait.
    """
    case = next(case for case in CASES if (case.system, case.position) == ("ems", position))
    before = read(tmp_path, case.files).impact(["server:B"])
    assert [one["destination"] for one in before.held if one["destination"]] == ["queue:Q@B"]
    after = read(tmp_path, case.files, f"ems: {{{position}: {choice}}}").impact(["server:B"])
    assert [one["destination"] for one in after.held if one["destination"]] == ["queue:Q@B"] * waits
    assert "(A28)" not in str(after.to_dict())


@pytest.mark.parametrize(("case", "choice"), OTHER_READINGS)
def test_reach_follows_the_same_readings(tmp_path: Path, case: Case, choice: str) -> None:
    """A graph is made of the same steps: whoever is reached by a message is reached in it."""
    network = read(tmp_path, case.files, f"{case.system}: {{{case.position}: {choice}}}")
    answer = ask(network, case)
    loaded = {row["server"] for row in network.show("servers").rows}
    reached = {server.server for server in network.reach(case.start).servers} | {case.start}
    if not case.message:
        assert {step.at for step in answer.steps} & loaded <= reached


def test_the_docs_list_every_position_with_its_readings() -> None:
    """One row each, in these words; none for a position that has no other reading."""
    told = [
        f"| `{name}` | `{one.position}` | {_in_words(one)} |"
        for name in OWN
        for one in system(name).ambiguities()
        if not one.is_fixed
    ]
    lines = DOCS.read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("| `")] == told


def _in_words(ambiguity: Ambiguity) -> str:
    if ambiguity.number is not None:
        return f"a number ({ambiguity.number}): {ambiguity.choices[ambiguity.default]}"
    return "; ".join(f"`{name}`: {text}" for name, text in ambiguity.choices.items())
