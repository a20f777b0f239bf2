"""``topograph view``: a picture of a network or of a question's answer, its exit codes, and the
page that the demo leaves.
"""

from __future__ import annotations

import html
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest
from imported import EXAMPLES, import_examples

from topograph.cli.main import exit_code

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two networks: estate, with-g-a (illegal)."""
    return import_examples(("estate", "two-1hop-zones/with-g-a"), tmp_path_factory.mktemp("view"))


@pytest.fixture(autouse=True)
def _asked(snapshot: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(snapshot))
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)
    monkeypatch.chdir(tmp_path)


ESTATE = ["--network", "estate"]
ILLEGAL = ["--network", "with-g-a"]
LEGAL = EXAMPLES / "two-1hop-zones" / "legal"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*ESTATE], "13 servers (1 of them only named by others), 15 links and 4 zones."),
        (
            ["reach", "HQ", *ESTATE],
            (
                "HQ reaches 10 of 12 other servers, and also TOKYO if assumption R6 holds, as far "
                "as the loaded files show; 1 is left open, and not reached if assumption R20 "
                "holds."
            ),
        ),
        (
            ["reach", "CANADA", "MADRID", "--reply", *ESTATE],
            "A reply of MADRID reaches CANADA in 3 hops.",
        ),
        (
            ["hops", "CANADA", "MADRID", *ESTATE],
            (
                "From CANADA to MADRID: 3 hops, for some messages: any topic that is global at "
                "both ends; orders only if country IN ('UK', 'France', 'Germany', 'Spain')."
            ),
        ),
        (
            ["audit", "--change", f"HQ={ROOT / 'examples' / 'changes' / 'canada.txt'}", *ESTATE],
            ("Accept: the servers would take 1 command, but subscribers at CANADA lose messages."),
        ),
        (
            ["audit", "--change", f"A={ROOT / 'examples' / 'changes' / 'route-g-a.txt'}", *ILLEGAL],
            "Reject: 1 of 1 command would be refused.",
        ),
        (
            ["audit", "--before", str(LEGAL), "--after", str(LEGAL.parent / "with-g-a")],
            (
                "Reject: 2 names are afterwards held over more routes than before: a route "
                "would be refused."
            ),
        ),
        (
            ["paths", "A", "F", "--max", "1", *ILLEGAL],
            (
                "The first path from A to F, for some messages: any topic that is global at both "
                "ends; there are or may be more (use --max)."
            ),
        ),
        (
            [
                "propagate",
                "HQ",
                "--destination",
                "topic:orders",
                "--set",
                "country=USA",
                "--set",
                "amount=250",
                *ESTATE,
            ],
            (
                "A message to topic:orders published at HQ is delivered at HQ and USA; whether it "
                "gets to TOKYO and whether it is forwarded from HQ to SINGAPORE cannot be decided."
            ),
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_a_question_is_drawn_with_its_own_options(words, said, tmp_path, capfd):
    assert exit_code(["view", *words, "-o", "picture.html"]) == 0
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"picture.html: {said}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["picture.html"]
    page = (tmp_path / "picture.html").read_text(encoding="utf-8")
    assert said in html.unescape(page.partition("<script")[0])


def test_options_of_the_picture_stand_before_or_behind_the_question(tmp_path):
    assert exit_code(["view", "-o", "before.html", *ESTATE, "reach", "CANADA", "MADRID"]) == 0
    assert exit_code(["view", "reach", "CANADA", "MADRID", *ESTATE, "-o", "behind.html"]) == 0
    assert (tmp_path / "before.html").read_bytes() == (tmp_path / "behind.html").read_bytes()


def test_a_drawn_violation_is_answered(capfd):
    assert exit_code(["cycles", *ILLEGAL]) == 1
    assert exit_code(["view", "cycles", *ILLEGAL, "-o", "cycles.html"]) == 0
    assert "Illegal: A and F would hold 2 temporary-topic names" in capfd.readouterr().err


def test_what_is_expected_is_still_held_against_the_answer(tmp_path, capfd):
    words = ["view", "reach", "CANADA", "MADRID", *ESTATE, "-o", "picture.html", "--expect"]
    assert exit_code([*words, "reachable"]) == 0
    assert exit_code([*words, "unreachable"]) == 1
    assert (tmp_path / "picture.html").exists()
    assert (
        "Not as expected: MADRID was expected to be unreachable from CANADA."
        in capfd.readouterr().err
    )


def test_the_name_of_the_file_says_the_format(tmp_path):
    for name in ("estate.graphml", "estate.dot", "estate.mmd"):
        assert exit_code(["view", *ESTATE, "-o", name]) == 0
    assert len(networkx.read_graphml(tmp_path / "estate.graphml")) == 13
    assert "graph " in (tmp_path / "estate.dot").read_text()
    assert "flowchart LR" in (tmp_path / "estate.mmd").read_text()


def test_a_dash_is_standard_output(tmp_path, capfdbinary):
    assert exit_code(["view", *ESTATE, "--format", "graphml", "-o", "-"]) == 0
    out, err = capfdbinary.readouterr()
    assert ElementTree.fromstring(out).tag.endswith("graphml")
    assert err == b""
    assert list(tmp_path.iterdir()) == []


def test_a_neighbourhood_is_drawn_alone(tmp_path):
    assert (
        exit_code(["view", *ESTATE, "--around", "LONDON", "--depth", "1", "-o", "london.graphml"])
        == 0
    )
    assert set(networkx.read_graphml(tmp_path / "london.graphml")) == {
        "FRANKFURT",
        "HQ",
        "LONDON",
        "MADRID",
        "PARIS",
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*ESTATE], "Missing option '-o' / '--output'."),
        (
            ["-o", "no/such/folder/x.html", *ESTATE],
            "no/such/folder/x.html cannot be written: No such file or directory.",
        ),
        (
            ["-o", "x.html", "--around", "LONDN", *ESTATE],
            "No server is called 'LONDN' in network estate. Did you mean LONDON?",
        ),
        (["-o", "x.html", "--depth", "1", *ESTATE], "--depth counts links from a server"),
        (
            ["-o", "x.html", *ESTATE, "raech", "A"],
            "'raech' cannot be drawn. Use one of reach, hops,",
        ),
        (["-o", "x.html", *ESTATE, "check"], "'check' cannot be drawn"),
        (
            ["-o", "x.html", *ESTATE, "--reply", "reach", "A"],
            "The options of a question come after its name.",
        ),
        (["-o", "x.html", *ESTATE, "reach"], "Missing argument 'FROM'."),
        (
            ["-o", "x.html", *ESTATE, "reach", "NOWHERE"],
            "No server is called 'NOWHERE' in network estate.",
        ),
        (["-o", "x.html", *ESTATE, "reach", "HQ", "--no-such"], "No such option"),
        (
            ["-o", "x.html", *ESTATE, "hops", "--matrix"],
            "There is no picture of this answer of hops",
        ),
        (["-o", "x.html", *ESTATE, "--format", "png"], "'png' is not one of"),
    ],
    ids=range(12),
)
def test_what_cannot_be_drawn_is_a_usage_error_that_leaves_nothing(words, said, tmp_path, capfd):
    assert exit_code(["view", *words]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_keeps_what_was_there(tmp_path, capfd):
    (tmp_path / "folder.html").mkdir()
    assert exit_code(["view", *ESTATE, "-o", "folder.html"]) == 2
    assert "folder.html cannot be written: Is a directory." in capfd.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.html"]


def test_completion_offers_the_questions_and_then_servers(capfd, monkeypatch):
    def offered(line: str) -> list[str]:
        environment = {"_TOPOGRAPH_COMPLETE": "zsh_complete", "COMP_LINE": line}
        ended = subprocess.run(
            [sys.executable, "-m", "topograph"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        return [row.split("\t")[1] for row in ended.stdout.splitlines()]

    assert offered("topograph view -o x.html pa") == ["paths"]
    assert offered("topograph view -o x.html --network estate --around LON") == ["LONDON"]
    assert offered("topograph view -o x.html --network estate paths LON") == ["LONDON"]


def test_the_demo_leaves_a_page_in_the_current_folder(tmp_path, monkeypatch, capfd):
    spec = importlib.util.spec_from_file_location("topograph_demo", EXAMPLES / "demo.py")
    assert spec is not None
    assert spec.loader is not None
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    monkeypatch.setattr(demo, "QUESTIONS", ())
    monkeypatch.setattr(demo, "IMPORTED", ("estate",))
    environment = {**os.environ, "TOPOGRAPH_SNAPSHOT": str(tmp_path / "demo.snapshot")}
    assert demo.tour("memory", environment) == 0
    said = capfd.readouterr().out.splitlines()
    assert said[-1] == (
        "topograph-demo.html shows one of the answers: open it in a browser; it needs no network."
    )
    page = (tmp_path / "topograph-demo.html").read_text(encoding="utf-8")
    assert (
        "A message to topic:orders published at USA-EAST is delivered at USA, HQ and MEXICO" in page
    )


def test_a_layout_that_was_saved_is_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "places.json").write_text(
        '{"format": "topograph-layout", "version": 1, "servers": {"A": [0, 0], "B": '
        '[1234, 0], "C": [0, 777], "X": [1, 1]}}'
    )
    asked = ["view", "-s", str(LEGAL), "-o", "-", "--format", "dot", "--layout"]
    assert exit_code([*asked, "places.json"]) == 0
    written = capsys.readouterr().out
    assert 'pos="1234,0"' in written
    assert 'pos="0,-777"' in written
    assert exit_code([*asked, "none.json"]) != 0
    assert (
        "The layout none.json cannot be read: No such file or directory." in capsys.readouterr().err
    )


def test_a_report_starts_from_a_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "places.json").write_text(
        '{"format": "topograph-layout", "version": 1, "servers": {"A": [0, 0], "B": '
        '[1234, 0], "C": [0, 777], "X": [1, 1]}}'
    )
    asked = ["report", "-s", str(LEGAL), "-o", "-", "--layout"]
    assert exit_code([*asked, "places.json"]) == 0
    written = capsys.readouterr().out
    assert "places of a server that this network does not have, which are ignored: X." in written
    assert "--layout places.json" in written
    assert exit_code([*asked, "none.json"]) != 0
    assert (
        "The layout none.json cannot be read: No such file or directory." in capsys.readouterr().err
    )


def test_a_drawing_of_a_large_network_shows_each_server_when_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("topograph.viz.svg.document.EACH_SERVER", 2)
    asked = ["view", "-s", str(LEGAL), "-o", "-", "--format"]
    assert exit_code([*asked, "svg"]) == 0
    assert 'class="server' not in capsys.readouterr().out
    assert exit_code([*asked, "svg", "--all-servers"]) == 0
    assert capsys.readouterr().out.count('class="label') == 7
    assert exit_code([*asked, "html", "--all-servers"]) == 2
    assert "--all-servers goes with an svg, not with html" in capsys.readouterr().err
