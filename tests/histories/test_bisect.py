"""``bisect``: planted breaks are found by commit and line, and what cannot be said is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn.histories import BREAKS, planted
from store.git_repositories import commit, git, repository

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UsageError
from topograph.histories.bisecting import bisect

MAIN = "server = {0}\nrouting = enabled\nroutes = routes.conf\n"


def server(folder: Path, name: str, *routes: str, note: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tibemsd.conf").write_text(note + MAIN.format(name))
    sections = [
        f"[{one}]\nurl = tcp://{one.lower()}:7222\nzone_name = Z\nzone_type = mhop\n"
        for one in routes
    ]
    (folder / "routes.conf").write_text("\n".join(sections))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository of A and B, where A reaches B."""
    folder = repository(tmp_path / "repo")
    server(folder / "conf" / "a", "A", "B")
    server(folder / "conf" / "b", "B")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_planted_breaks_are_named_by_commit_and_line(seed: int, tmp_path: Path) -> None:
    made = planted(tmp_path, 40, 10, seed, BREAKS[seed % len(BREAKS)])
    found = bisect(tmp_path / "conf", good=[made.commits[0]], bad="main", expect=[made.expect])
    assert found.first_bad is not None
    assert found.first_bad.commit == made.first_bad
    assert found.culprits
    for one in found.culprits:
        assert one.source.file == made.file
        assert one.source.line in made.lines
        assert (one.change == "removed") == made.removed
    assert len(found.tested) < 14


def test_a_break_that_was_mended_and_came_again_is_the_one_after_a_good_commit(repo: Path) -> None:
    states = "G" + "BB" + "GGG" + "BBBB"
    names = []
    for number, state in enumerate(states):
        server(repo / "conf" / "a", "A", *(["B"] if state == "G" else []), note=f"# {number}\n")
        names.append(commit(repo))
    found = bisect(repo / "conf", good=[names[0]], expect=["A reaches B"])
    assert found.first_bad is not None
    at = names.index(found.first_bad.commit)
    assert states[at] == "B"
    assert states[at - 1] == "G"


def test_a_commit_on_a_branch_that_was_merged_is_found(repo: Path) -> None:
    first = commit(repo)
    git(repo, "checkout", "-q", "-b", "side")
    server(repo / "conf" / "a", "A")
    broke = commit(repo, "on the side")
    (repo / "conf" / "notes.txt").write_text("x")
    commit(repo)
    git(repo, "checkout", "-q", "main")
    (repo / "README").write_text("x")
    commit(repo)
    git(repo, "merge", "-q", "--no-edit", "side")
    found = bisect(repo / "conf", good=[first], expect=["A reaches B"])
    assert found.first_bad is not None
    assert found.first_bad.commit == broke
    assert [(one.change, one.kind, one.name) for one in found.culprits] == [
        ("removed", "route", "B")
    ]


def test_a_merge_that_breaks_what_both_of_its_parents_keep_is_named(repo: Path) -> None:
    """Two ways from A to B; each branch takes one of them away."""
    server(repo / "conf" / "a", "A", "B", "C")
    server(repo / "conf" / "c", "C", "B")
    text = (repo / "conf" / "a" / "routes.conf").read_text().replace("mhop", "1hop", 1)
    (repo / "conf" / "a" / "routes.conf").write_text(text.replace("= Z", "= Y", 1))
    first = commit(repo)
    git(repo, "checkout", "-q", "-b", "side")
    server(repo / "conf" / "c", "C")
    commit(repo)
    git(repo, "checkout", "-q", "main")
    server(repo / "conf" / "a", "A", "C")
    commit(repo)
    git(repo, "merge", "-q", "--no-edit", "side")
    merge = git(repo, "rev-parse", "HEAD")
    found = bisect(repo / "conf", good=[first], expect=["A reaches B"])
    assert found.first_bad is not None
    assert found.first_bad.commit == merge
    assert found.first_bad.parents == 2


def test_commits_that_cannot_be_read_leave_it_open(repo: Path) -> None:
    good = commit(repo)
    for name in ("a", "b"):
        (repo / "conf" / name / "tibemsd.conf").rename(repo / f"{name}.conf")
    unread = commit(repo, "moved away")
    for name in ("a", "b"):
        (repo / f"{name}.conf").rename(repo / "conf" / name / "tibemsd.conf")
    server(repo / "conf" / "a", "A")
    bad = commit(repo)
    found = bisect(repo / "conf", good=[good], expect=["A reaches B"])
    assert found.first_bad is None
    assert {one.commit for one in found.candidates} == {unread, bad}
    assert found.violation
    assert found.because
    words = ["bisect", str(repo / "conf"), "--good", good, "--expect", "A reaches B"]
    assert exit_code(words) == 1


def test_several_entries_are_named_where_only_together_they_break_it(repo: Path) -> None:
    server(repo / "conf" / "a", "A", "B", "C")
    server(repo / "conf" / "c", "C", "B")
    text = (repo / "conf" / "a" / "routes.conf").read_text()
    text = text.replace("zone_name = Z\nzone_type = mhop", "zone_name = Y\nzone_type = 1hop", 1)
    (repo / "conf" / "a" / "routes.conf").write_text(text)
    good = commit(repo)
    server(repo / "conf" / "a", "A", "C", note="# x\n")
    server(repo / "conf" / "c", "C")
    commit(repo)
    found = bisect(repo / "conf", good=[good], expect=["A reaches B"])
    assert not found.each_alone
    assert {(one.server, one.name) for one in found.culprits} == {("A", "B"), ("C", "B")}


def test_what_is_not_so_at_the_ends_is_refused(repo: Path) -> None:
    first = commit(repo)
    (repo / "README").write_text("x")
    commit(repo)
    with pytest.raises(UsageError, match="holds at the bad commit"):
        bisect(repo / "conf", good=[first], expect=["A reaches B"])
    with pytest.raises(UsageError, match="does not hold at the good commit"):
        bisect(repo / "conf", good=[first], expect=["A does not reach B"])
    with pytest.raises(UsageError, match="does not lead to the bad one"):
        bisect(repo / "conf", good=["HEAD"], bad=first, expect=["A reaches B"])
    with pytest.raises(UsageError, match="is called 'NOBODY'"):
        bisect(repo / "conf", good=[first], expect=["A reaches NOBODY"])
    with pytest.raises(UsageError, match="Say what is expected"):
        bisect(repo / "conf", good=[first])


def test_the_line_is_that_of_the_property_that_was_altered(repo: Path) -> None:
    good = commit(repo)
    place = repo / "conf" / "a" / "tibemsd.conf"
    place.write_text("# a note\n" + place.read_text().replace("enabled", "disabled"))
    commit(repo)
    found = bisect(repo / "conf", good=[good], expect=["A reaches B"])
    (one,) = found.culprits
    assert (one.change, str(one.source).split(":")[:2]) == (
        "altered",
        ["conf/a/tibemsd.conf", "3"],
    )
    assert one.was.line == 2


def test_the_text_says_commit_line_and_reason(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = commit(repo, "All is well")
    server(repo / "conf" / "a", "A")
    bad = commit(repo, "Clean up")
    assert exit_code(["bisect", str(repo / "conf"), "--good", good, "--expect", "A reaches B"]) == 0
    said = capsys.readouterr().out
    assert f"{bad[:10]} of 2024-01-01 (Clean up) broke 'A reaches B'" in " ".join(said.split())
    assert "route B of A was removed: it was at conf/a/routes.conf:1:1" in said
    assert "A does not reach B" in said
    assert topograph.bisect(repo / "conf", good=[good], expect=["A reaches B"]).first_bad
