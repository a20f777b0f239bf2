"""``audit`` of what it cannot judge, or only in part: clear messages, the right exit codes,
nothing run and nothing written.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from topograph.cli.main import exit_code
from topograph.store.snapshot import SCHEMA_VERSION

EXAMPLES = Path(__file__).parents[2] / "examples"
LEGAL, DOUBLED = EXAMPLES / "mhop-star" / "legal", EXAMPLES / "mhop-star" / "with-b-d"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with the configuration of the star, which is the current one."""
    shutil.copytree(LEGAL, tmp_path / "conf")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys, *words: str) -> tuple[int, str, str]:
    code = exit_code(["audit", *words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()
    }


@pytest.mark.parametrize("option", ["--before", "--after"])
def test_a_snapshot_of_an_earlier_schema_is_not_compared(place, capsys, option):
    old = place / "old"
    old.mkdir()
    manifest = {"format": "topograph-snapshot", "schema": SCHEMA_VERSION - 1, "tool": "0.0.9"}
    (old / "manifest.json").write_text(json.dumps(manifest))
    other = "--after" if option == "--before" else "--before"
    before = files(place)
    code, out, err = asked(capsys, option, "old", other, "conf")
    assert (code, out) == (3, "")
    assert f"has schema {SCHEMA_VERSION - 1} (written by topograph 0.0.9)" in err
    assert f"reads schema {SCHEMA_VERSION}. Import the files again." in err
    assert files(place) == before


def test_a_typing_error_on_line_3_is_refused_with_its_line(place, capsys):
    script = place / "change.txt"
    script.write_text(
        "# a topic more\ncreate topic parcels\ncreat route D "
        "url=tcp://d.example.net:7222\ncreate topic tail\n"
    )
    before = files(place)
    code, out, err = asked(capsys, "-s", "conf", "--change", "B=change.txt")
    assert (code, err) == (1, "")
    assert out.startswith(
        "Reject: 1 of 3 commands would be refused.\n  * change.txt:3: refused: topograph does "
        "not know the command 'creat ...' (an unknown command counts as refused)"
    )
    code, out, _ = asked(capsys, "-s", "conf", "--change", "B=change.txt", "--format", "json")
    answer = json.loads(out)
    assert (code, answer["verdict"]) == (1, "reject")
    assert [(one["source"]["line"], one["result"]) for one in answer["steps"]] == [
        (2, "accepted"),
        (3, "refused"),
        (4, "accepted"),
    ]
    assert [(one["source"]["file"], one["source"]["line"]) for one in answer["rejections"]] == [
        ("change.txt", 3)
    ]
    assert files(place) == before


def test_an_illegal_network_is_told_apart_from_one_that_the_change_breaks(place, capsys):
    shutil.copytree(DOUBLED, place / "doubled")
    (place / "harmless.txt").write_text("create topic parcels\n")
    (place / "breaks.txt").write_text(
        "create route D url=tcp://d.example.net:7222 zone_name=CAMPUS zone_type=mhop\n"
    )
    code, out, _ = asked(capsys, "-s", "doubled", "--change", "B=harmless.txt")
    assert code == 0
    assert out.startswith("Accept: ")
    assert "the network is already illegal (topograph cycles)" in out.partition("\n")[0]
    answer = json.loads(
        asked(capsys, "-s", "doubled", "--change", "B=harmless.txt", "--format", "json")[1]
    )
    assert (answer["verdict"], answer["before"]["legal"], answer["rejections"]) == (
        "accept",
        False,
        [],
    )
    assert answer["before"]["duplicates"]
    code, out, _ = asked(capsys, "-s", "conf", "--change", "B=breaks.txt")
    assert (code, out.partition(":")[0]) == (1, "Reject")
    answer = json.loads(
        asked(capsys, "-s", "conf", "--change", "B=breaks.txt", "--format", "json")[1]
    )
    assert (answer["verdict"], answer["before"]["legal"], answer["before"]["duplicates"]) == (
        "reject",
        True,
        [],
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--change", "B=none.txt"], 3, "none.txt cannot be read"),
        (["--change", "NOBODY=change.txt"], 2, "NOBODY"),
        (["--change", "change.txt"], 2, "does not say which server it runs on"),
        (["--change", "B=empty.txt"], 2, "no command that could change anything"),
        (["--before", "none", "--after", "conf"], 3, "There is no snapshot or folder at none"),
        (["--before", "conf", "--after", "files"], 2, "none is the main file"),
        (["--before", "conf", "--change", "B=change.txt"], 2, "Say what is to be judged"),
    ],
)
def test_what_cannot_be_judged_ends_with_its_code(place, capsys, words, code, said):
    (place / "change.txt").write_text("create topic parcels\n")
    (place / "empty.txt").write_text("# nothing\n")
    (place / "files").mkdir()
    (place / "files" / "notes").write_text("x")
    got, out, err = asked(capsys, "-s", "conf", *words)
    assert (got, out) == (code, "")
    assert said in " ".join(err.split())


@pytest.mark.parametrize("unreadable", ["before", "after"])
def test_a_state_of_which_a_main_file_cannot_be_read_ends_with_3(place, capsys, unreadable):
    for name in ("before", "after"):
        shutil.copytree(LEGAL, place / name)
    (place / unreadable / "devices.yaml").write_text("kind: mqe\nname: [")
    code, out, err = asked(capsys, "--before", "before", "--after", "after")
    assert code == 3
    assert err == "Error: devices.yaml: this main file cannot be read (topograph show findings).\n"
    assert "snapshot" in out


def test_what_is_refused_is_named_before_what_is_undetermined(place, capsys):
    script = place / "change.txt"
    script.write_text("create topic parcels gloabl\ngrnat tiger now\n")
    code, out, _ = asked(capsys, "-s", "conf", "--change", "B=change.txt")
    assert code == 1
    assert out.startswith(
        "Reject: 1 of 2 commands would be refused, 1 cannot be decided.\n"
        "  * change.txt:2: refused: topograph does not know the command 'grnat ...' (an "
        "unknown command counts as refused) (and 1 more)\n"
    )
    assert "grnat ... (parameters not shown)" in out
    assert "(specification 3.7)" in out
    assert "tiger" not in out


def test_an_accepted_change_says_what_gets_worse_and_that_no_policy_was_checked(place, capsys):
    (place / "change.txt").write_text("delete route B\n")
    code, out, _ = asked(capsys, "-s", "conf", "--change", "A=change.txt")
    assert code == 0
    assert out.startswith("Accept: the servers would take 1 command, but ")
    assert "ordered pairs of servers no longer reach each other" in out.partition("\n")[0]
    assert "\n  No policy was checked; say with --policy what must be kept.\n" in out
