"""``history``: each commit changes what an audit of the two states says, and a state that is read
by content is the one that is read from the beginning.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import jsonschema
import pytest
from drawn.all_systems import DRAWN, drawn
from drawn.changes import changed
from drawn.histories import planted
from draws import share
from store.git_repositories import commit, git, repository

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UsageError
from topograph.histories.following import behaviour_of, history
from topograph.histories.question import BISECT, HISTORY
from topograph.histories.states import States, Unread
from topograph.opening.folders import open_revision
from topograph.questions.schemas import answer_schema
from topograph.store.commits import Commits, place_of
from topograph.store.git_objects import GitObjects
from topograph.store.revisions import Revision


def written(folder: Path, files: dict[str, str]) -> None:
    for path in list(folder.rglob("*")):
        if path.is_file() and ".git" not in path.parts:
            path.unlink()
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def history_of(system: str, number: int, folder: Path) -> list[str]:
    """A repository of a drawn estate and some changes of it; its commits."""
    repository(folder)
    files = dict(drawn(system, "one", number).files)
    states = [files, *changed(system, files, random.Random(number), 4)]
    names = []
    for at, state in enumerate(states):
        written(folder / "conf", dict(state))
        names.append(commit(folder, f"state {at}"))
    return names


@pytest.mark.slow
@pytest.mark.parametrize("system", DRAWN)
@pytest.mark.parametrize("number", share(range(4), 2))
def test_states_by_content_are_those_read_alone(
    system: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids, facts, findings and tables are those of a reading from the beginning, and each commit
    changes what an audit of the two says."""
    names = history_of(system, number, tmp_path / "r")
    monkeypatch.chdir(tmp_path / "r")
    with GitObjects() as objects:
        commits = Commits(objects)
        states = States(commits, place_of("conf"))
        for name in (*names, *names[:2]):
            state = states.of(commits.named(name))
            assert not isinstance(state, Unread)
            alone = open_revision(Revision(name, "conf"))
            (network,) = alone.networks
            assert state.snapshot == alone.id
            assert list(state.records.findings) == list(alone.findings(network))
            assert list(state.records.files) == list(alone.files(network))
            assert state.records.origin.digests == alone.origin(network).digests
    told = history("conf")
    assert [one.commit.commit for one in told.commits] == names
    for before, after in zip(told.commits, told.commits[1:], strict=False):
        was = topograph.open(f"{before.commit.commit}:conf")
        now = topograph.open(f"{after.commit.commit}:conf")
        answer = topograph.compare(was, now)
        expected = behaviour_of(answer, was._model, now._model)
        if after.behaviour is None:
            assert after.result == "same-behaviour"
            assert not expected.differs
            assert not expected.left_open
        else:
            assert after.behaviour == expected
            assert after.result == ("changed" if expected.differs else "undecided")
    document = json.loads(json.dumps(told.to_dict()))
    jsonschema.Draft202012Validator(answer_schema(HISTORY, closed=True)).validate(document)


def test_commits_that_touch_nothing_are_not_read(tmp_path: Path) -> None:
    made = planted(tmp_path, 12, 5, 3, merges=False)
    (tmp_path / "README.md").write_text("else")
    git(tmp_path, "reset", "-q", "--hard")
    (tmp_path / "README.md").write_text("else")
    last = commit(tmp_path)
    told = history(tmp_path / "conf")
    listed = [one.commit.commit for one in told.commits]
    assert last not in listed
    assert listed == [one for one in made.commits if one in listed]
    for before, name in zip(made.commits, made.commits[1:], strict=False):
        differs = git(tmp_path, "diff", "--name-only", before, name, "--", "conf")
        assert (name in listed) == bool(differs)
    assert told.commits[0].result == "first"
    assert told.commits[0].commit.commit == made.commits[0]
    (bad,) = (one for one in told.commits if one.commit.commit == made.first_bad)
    assert bad.result == "changed"
    assert sum(told.counts.values()) == len(made.commits)
    assert told.counts["same-files"] == len(made.commits) + 1 - len(listed)
    few = history(tmp_path / "conf", most=3)
    assert [one.commit.commit for one in few.commits[1:]] == listed[-3:]
    assert few.cut
    since = history(tmp_path / "conf", since=listed[4])
    assert [one.commit.commit for one in since.commits] == listed[4:]
    assert since.commits[1:] == told.commits[5:]


def test_a_state_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    place = folder / "conf" / "tibemsd.conf"
    place.parent.mkdir()
    place.write_text("server = A\nrouting = enabled\n")
    commit(folder)
    place.rename(folder / "elsewhere.conf")
    (folder / "conf" / "x").write_text("")
    commit(folder)
    (folder / "elsewhere.conf").rename(place)
    (folder / "conf" / "x").unlink()
    commit(folder)
    told = history(folder / "conf")
    assert [one.result for one in told.commits] == ["first", "unread", "same-behaviour"]
    assert told.commits[1].because


def test_what_cannot_be_asked_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(UsageError, match="in no git repository"):
        history(tmp_path)
    folder = repository(tmp_path / "r")
    (folder / "x").write_text("")
    first = commit(folder)
    with pytest.raises(UsageError, match="none is the main file of a server"):
        history(folder)
    git(folder, "checkout", "-q", "--orphan", "other")
    commit(folder, "another beginning")
    with pytest.raises(UsageError, match="does not lead back"):
        history(folder, since=first)
    assert exit_code(["history", str(folder), "-o", "x.png"]) == 2
    assert "topograph writes no png" in capsys.readouterr().err


def test_a_shallow_clone_says_where_it_ends(tmp_path: Path) -> None:
    planted(tmp_path / "whole", 6, 4, 1, merges=False)
    git(tmp_path, "clone", "-q", "--depth", "3", f"file://{tmp_path}/whole", "cut")
    told = history(tmp_path / "cut" / "conf")
    assert len(told.commits) == 3
    assert "shallow clone" in told.cut


def test_the_command_writes_text_json_and_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = planted(tmp_path / "r", 10, 5, 2, "route removed")
    place = str(tmp_path / "r" / "conf")
    page = tmp_path / "h.html"
    assert exit_code(["history", place, "-o", str(page)]) == 0
    said = capsys.readouterr().out
    assert " change the folder: " in said
    assert made.first_bad[:10] in said
    assert made.first_bad in page.read_text()
    assert exit_code(["history", place, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(answer_schema(HISTORY)).validate(document)
    words = ["--good", made.commits[0], "--expect", made.expect, "--format", "json"]
    assert exit_code(["bisect", place, *words]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(answer_schema(BISECT, closed=True)).validate(document)
    assert document["first_bad"]["commit"] == made.first_bad
