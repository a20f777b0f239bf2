"""``check``: findings by rule and server, the most harmful first; filters; rules by number and
by name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UnknownServer, UsageError
from topograph.questions.text import text
from topograph.reporting.collecting import collect

EXAMPLES = Path(__file__).parents[2] / "examples"
RANK = ["error", "warning", "info"]


@pytest.fixture(scope="module")
def estate() -> topograph.Network:
    return topograph.read(EXAMPLES / "estate")


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The exit code of ``topograph check`` on an example, and what it writes."""

    def asked(*words: str) -> tuple[int, str]:
        code = exit_code(["check", *words, "-s", str(EXAMPLES / "estate")])
        return code, capsys.readouterr().out

    return asked


def test_groups_hold_every_finding_once(estate: topograph.Network) -> None:
    answer = estate.check()
    counted = {(one.severity, one.rule, one.server): one.count for one in answer.groups}
    assert len(counted) == len(answer.groups)
    for key, number in counted.items():
        own = [(e["severity"], e["rule"] or e["kind"], e["server"]) for e in answer.findings]
        assert own.count(key) == number
    assert sum(counted.values()) == len(answer.findings)


@pytest.mark.parametrize(
    "example", ["estate", "retail", "mixed", "queue_managers", "mhop-star/with-b-d"]
)
def test_the_most_harmful_rules_come_first_as_in_a_report(example: str) -> None:
    network = topograph.read(EXAMPLES / example)
    groups = network.check().groups
    order = list(dict.fromkeys((one.severity, one.rule) for one in groups))
    assert [one.severity for one in groups] == sorted(
        (one.severity for one in groups), key=RANK.index
    )
    assert order == [(one.severity, one.label) for one in collect(network._model).groups]


def test_rules_have_names_beside_numbers(estate: topograph.Network) -> None:
    (group,) = [one for one in estate.check().groups if one.rule == "TL-16"]
    assert (group.name, group.server, group.count) == ("Route to nowhere", "SINGAPORE", 1)
    assert group.sentence.endswith(".")
    assert "  TL-16  Route to nowhere: 1 finding" in text(estate.check()).splitlines()


def test_what_repeats_at_a_server_is_counted(estate: topograph.Network) -> None:
    lines = text(estate.check()).splitlines()
    at = lines.index("  TL-03  Global on one side only: 3 findings")
    assert lines[at + 1 : at + 3] == [
        (
            "      stock.* is global at FRANKFURT and not at MADRID: not carried by the "
            "route between them."
        ),
        "          shared/topics.conf:5:1  server MADRID  and 2 more like it (use --all)",
    ]
    every = text(estate.check(), full=True)
    assert "stock.* is global at PARIS and not at MADRID" in every


def test_a_rule_is_explained_and_each_of_its_findings_is_listed(run: Run) -> None:
    code, written = run("--rule", "TL-03")
    lines = written.splitlines()
    assert code == 1
    assert lines[0] == "3 findings of TL-03 at 1 server: 0 errors, 3 warnings, 0 for information."
    assert lines[2].startswith(
        "  TL-03  Global on one side only: The topic is global at one end of a route only"
    )
    assert written.count("is global at") == 4
    assert run("--rule", "global on one side only")[1] == written
    assert run("--rule", "tl-03")[1] == written


def test_a_rule_that_has_no_finding_is_explained_too(run: Run) -> None:
    code, written = run("--rule", "TL-01")
    assert code == 0
    first, second, *_ = written.splitlines()
    assert first.startswith("TL-01  Second path: ")
    assert second == "No findings of TL-01."


def test_a_rule_of_a_system_that_the_network_does_not_have_is_explained_too(run: Run) -> None:
    code, written = run("--rule", "NR3")
    assert code == 0
    assert written.startswith("NR3  ")
    assert written.splitlines()[1] == "No findings of NR3."


def test_a_rule_is_named_by_its_kind_of_finding_too(estate: topograph.Network) -> None:
    answer = estate.check(rule="route-to-unloaded-server")
    assert [entry["rule"] for entry in answer.findings] == ["TL-16"]


def test_findings_at_one_server(estate: topograph.Network) -> None:
    answer = estate.check(server="MADRID")
    assert {entry["server"] for entry in answer.findings} == {"MADRID"}
    assert sum(answer.counts.values()) == len(answer.findings) == 3
    assert (
        text(answer).splitlines()[0]
        == "3 findings at MADRID: 0 errors, 3 warnings, 0 for information."
    )
    with pytest.raises(UnknownServer, match="MADRID"):
        estate.check(server="MADIRD")


def test_a_severity_and_what_is_worse(estate: topograph.Network) -> None:
    numbers = [len(estate.check(severity=severity).findings) for severity in RANK]
    counts = estate.check().counts
    assert numbers == [counts["error"], counts["error"] + counts["warning"], sum(counts.values())]


def test_the_exit_code_is_about_what_was_asked_for(run: Run) -> None:
    assert [run(*words)[0] for words in ((), ("--severity", "error"), ("--server", "PARIS"))] == [
        1,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("wrong", "near"), [("TL-3O", "TL-30|TL-03|TL-3"), ("nosuch", "docs/rules.md")]
)
def test_an_unknown_rule_is_refused(
    estate: topograph.Network, run: Run, wrong: str, near: str
) -> None:
    with pytest.raises(UsageError, match=near):
        estate.check(rule=wrong)
    assert run("--rule", wrong)[0] == 2


def test_copied_folders_do_not_make_a_violation(tmp_path: Path) -> None:
    """Main files name where their sub-files lay on the machine: 13 of them, all found beside the
    main file.
    """
    kinds = [
        "users",
        "groups",
        "topics",
        "queues",
        "acl_list",
        "factories",
        "routes",
        "bridges",
        "durables",
        "channels",
        "stores",
        "tibrvcm",
        "transports",
    ]
    for server in ("A", "B"):
        folder = tmp_path / server.lower()
        folder.mkdir()
        lines = [f"{kind} = /opt/tibco/{server.lower()}/data/{kind}.conf" for kind in kinds]
        (folder / "tibemsd.conf").write_text(f"server = {server}\n" + "\n".join(lines) + "\n")
        for kind in kinds:
            (folder / f"{kind}.conf").write_text("")
    answer = topograph.read(tmp_path).check(rule="TL-20")
    assert [(entry["severity"], entry["server"]) for entry in answer.findings] == [
        ("info", "A"),
        ("info", "B"),
    ]
    assert not answer.violation


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("M-4", "M-4  Multicast (AMQ Interconnect): Every receiver gets a copy"),
        ("A-1", "AMQ Interconnect: Separators in addresses. A dot and a slash"),
        ("3.7", "3.7  Administration commands: A script for tibemsadmin"),
    ],
)
def test_a_rule_of_another_system_or_section_is_explained(run: Run, rule: str, said: str) -> None:
    code, written = run("--rule", rule)[:2]
    assert code == 0
    assert said in written


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("TL-20", "TL-20  File missing or found elsewhere: "),
        ("second path", "TL-01  Second path: "),
        ("M-10", "M-10  A rule of several systems: AMQ Interconnect: Routers store nothing."),
        ("ibm_mq:M-10", "M-10  Reply-to alias (IBM MQ): "),
    ],
)
def test_a_rule_is_explained_without_a_snapshot(
    rule: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code(["check", "--rule", rule]) == 0
    written = capsys.readouterr().out
    assert written.startswith(said)
    assert len(written.splitlines()) == 1


def test_a_snapshot_that_is_named_must_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code(["check", "--rule", "TL-20", "-s", "nowhere"]) == 3


def test_a_rule_of_one_system_is_not_looked_for_in_others(run: Run) -> None:
    assert run("--rule", "ems:NR3")[0] == 2
