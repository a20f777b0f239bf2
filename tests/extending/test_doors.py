"""What a system from outside may name in its record, and where people meet it: types of
destinations, options of messages, main files, statements of the database.
"""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import topograph
from topograph import extensions
from topograph.cli.main import exit_code
from topograph.errors import InputError, UnknownDestination, UnknownSystem, UsageError
from topograph.forwarding.graph import Guard
from topograph.message import Message, MessageOption, parse_destination
from topograph.outcomes import Truth
from topograph.side_inputs import SideInputs
from topograph.store.statements import offering
from topograph.systems.contract.system import FactSource
from topograph.systems.registry import system
from topograph.tracing.states import Stepping, Verdict

CATCH = MessageOption("catch_of", "What the fishermen say they have caught.", metavar="FISH")


@pytest.fixture
def harbours(relay: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy system, in which messages go to berths and are passed on by what is caught."""
    rules = importlib.import_module("relay.rules")

    def evaluate(guard: Guard, message: Message) -> Verdict:
        _, value = json.loads(guard.payload)
        caught = message.further.get("catch_of")
        return Verdict(Truth.TRUE if caught == value else Truth.FALSE)

    def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
        return replace(rules.load(source, side_inputs), evaluate=evaluate)

    record = replace(
        rules.SYSTEM,
        stepping=load,
        destinations={"berth": "stepping"},
        further_options=(CATCH,),
        main_files="relay files",
    )
    monkeypatch.setattr(rules, "SYSTEM", record)
    return relay


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = exit_code(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_types_of_destinations_of_own_systems_are_those_of_their_records() -> None:
    from topograph.message import DESTINATION_TYPES, OPTIONS

    records = [system(name) for name in extensions.OWN]

    assert set(DESTINATION_TYPES) == {kind for one in records for kind in one.destinations} - {""}
    assert set(OPTIONS) == {option for one in records for option in one.message_options}
    assert not any(one.further_options for one in records)


def test_a_destination_has_the_type_that_a_record_names(harbours: Path) -> None:
    assert str(parse_destination("berth:7")) == "berth:7"
    with pytest.raises(UnknownDestination, match=r"Write .* or berth:NAME\. Did you mean berth:7"):
        parse_destination("bert:7")
    with pytest.raises(UnknownDestination, match=r"'berth:' has no name after the colon"):
        parse_destination("berth:")


def test_a_type_that_no_record_names_is_refused(relay: Path) -> None:
    with pytest.raises(UnknownDestination, match="address:NAME or exchange:NAME"):
        parse_destination("berth:7")


def test_messages_go_to_destinations_of_that_type_only(harbours: Path) -> None:
    network = topograph.read(harbours)
    with pytest.raises(Exception, match="Did you mean berth:7"):
        network.propagate("harbour", "topic:7")
    answer = network.propagate("harbour", "berth:7", further={"catch_of": "fish"})
    assert {one.server for one in answer.deliveries} == {"harbour", "mole", "pier"}
    assert answer.message["destination"] == "berth:7"
    with pytest.raises(UsageError, match="Did you mean mole:berth:7"):
        network.propagate("harbour", "berth:7", subscribers=["mole:queue:7"])


@pytest.mark.parametrize(("caught", "passed"), [("fish", True), ("boots", False)])
def test_an_option_of_a_message_reaches_the_rules_and_the_answer(
    harbours: Path, capsys: pytest.CaptureFixture[str], caught: str, passed: bool, tmp_path: Path
) -> None:
    words = ("propagate", "harbour", "-s", str(harbours), "--destination", "berth:7")
    code, out, _ = told(capsys, *words, "--format", "json", f"--catch-of={caught}")
    answer = json.loads(out)
    assert code == 0
    assert answer["message"]["further"] == {"catch_of": caught}
    paths = [one["path"] for one in answer["deliveries"] if one["server"] == "pier"]
    assert (["harbour", "pier"] in paths) is passed

    assert re.search(
        rf"catch_of +'{caught}' +option", told(capsys, *words, "--catch-of", caught)[1]
    )

    file = tmp_path / "message.json"
    file.write_text(json.dumps({"destination": "berth:7", "further": {"catch_of": caught}}))
    from_file = ("propagate", "harbour", "-s", str(harbours), "--message", str(file))
    assert json.loads(told(capsys, *from_file, "--format", "json")[1]) == answer


def test_the_options_stand_in_the_help_of_questions_about_messages(
    harbours: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for question in ("propagate", "trace"):
        code, out, _ = told(capsys, question, "--help")
        assert code == 0
        _, heading, section = out.partition("Options for Relay:\n")
        assert heading
        assert section.split("\n\n")[0].split() == ["--catch-of", "FISH", *CATCH.help.split()]


def test_an_option_means_nothing_to_other_systems(
    harbours: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    estate = Path(__file__).parents[2] / "examples" / "estate"
    words = ("trace", "HQ", "-s", str(estate), "--destination", "topic:orders", "--catch-of", "x")
    code, _, err = told(capsys, *words)
    assert code == 2
    assert "catch_of has no meaning for TIBCO EMS, which HQ runs" in err
    code, _, err = told(capsys, *words[:-2], "--catch-off", "x")
    assert code == 2
    assert re.search(r"No such option:? '?--catch-off.* Did you mean '?--catch-of", err)


def test_an_option_that_another_has_is_a_fault_of_the_package(
    harbours: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = importlib.import_module("relay.rules")
    taken = replace(rules.SYSTEM, further_options=(MessageOption("frp", "A path."),))
    monkeypatch.setattr(rules, "SYSTEM", taken)
    words = ("trace", "harbour", "-s", str(harbours), "--destination", "berth:7")
    code, _, err = told(capsys, *words, "--catch-of", "fish")
    assert code == UnknownSystem.exit_code
    assert "topograph has an option --frp already" in err
    code, out, err = told(capsys, "trace", "--help")
    assert (code, "--destination" in out) == (0, True)
    assert "topograph has an option --frp already" in err


def test_a_folder_without_a_main_file_is_told_which_there_are(
    harbours: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"docs/inputs\.md lists all; relay files \(Relay\)"):
        topograph.read(tmp_path)


def test_statements_that_hold_for_all_that_go_step_by_step_hold_for_one_from_outside(
    harbours: Path,
) -> None:
    for name in ("destinations", "message-reach", "servers", "guards"):
        assert "relay" in offering(name)
    assert "relay" not in offering("hop-matrix")
