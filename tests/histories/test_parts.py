"""The parts of histories: expectations, blocks of changed lines, commits in order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.git_repositories import commit, git, repository

from topograph.errors import InputError, UsageError
from topograph.histories.changed_lines import blocks
from topograph.histories.expectations import expectations
from topograph.store.commits import Commits, commit_of, in_order, place_of
from topograph.store.git_objects import GitObjects


@given(*[st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n"]), max_size=12)] * 2)
def test_blocks_make_the_one_text_of_the_other(before: list[bytes], after: list[bytes]) -> None:
    """Each block put in place gives the text after; none holds a line that both begin with."""
    made, at = [], 0
    for one in blocks(before, after):
        assert one.was or one.is_now
        made += before[at : one.was.start]
        made += after[one.is_now.start : one.is_now.stop]
        at = one.was.stop
    assert made + before[at:] == after


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("A reaches B", "reaches"),
        ("A does not reach B C", "never_reaches"),
        ("A delivers topic:x.y to B", "delivers"),
        ("A does not deliver queue:q to B", "never_delivers"),
        ("legal", "legal"),
        ("max_hops: {from: A, to: B, hops: 3}", "max_hops"),
    ],
)
def test_expectations_are_policies(text: str, rule: str) -> None:
    (policy,) = expectations([text])
    assert (policy.id, policy.rule) == (text, rule)


@pytest.mark.parametrize(
    "text",
    ["A reches B", "max_hops: {from: A}", "a: [", "legal: true\n  - id: x", "", "no_loss: true"],
)
def test_what_is_no_expectation_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        expectations([text])


@pytest.mark.slow
def test_commits_lead_to_each_other_as_git_says(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    for number in range(5):
        (folder / "x").write_text(str(number))
        commit(folder)
        git(folder, "checkout", "-q", "-b", f"side{number}")
        (folder / f"y{number}").write_text("")
        commit(folder, "  Été \x1b[31m\n\nbody")
        git(folder, "checkout", "-q", "main")
        git(folder, "merge", "-q", "--no-edit", f"side{number}")
    with GitObjects(str(folder)) as objects:
        commits = Commits(objects)
        tip = commits.named("main")
        every = git(folder, "rev-list", "main").split()
        assert set(commits.ancestors(tip)) == set(every)
        since = commits.named("main~2")
        assert set(commits.ancestors(tip, commits.ancestors(since))) == set(
            git(folder, "rev-list", "main~2..main").split()
        )
        first = git(folder, "rev-list", "--first-parent", "main").split()
        assert [one.name for one in commits.line(tip)] == first
        ordered = in_order(commits.ancestors(tip))
        place = {one.name: at for at, one in enumerate(ordered)}
        assert all(place[name] < place[one.name] for one in ordered for name in one.parents)
        side = commits.named("side0")
        assert side.subject.startswith("Été")
        assert "\x1b" not in side.subject


def test_a_damaged_commit_is_named() -> None:
    with pytest.raises(InputError, match="damaged"):
        commit_of("0" * 40, b"no commit")


def test_a_place_is_named_from_the_top_of_its_repository(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r")
    (folder / "a" / "b").mkdir(parents=True)
    assert place_of(folder / "a" / "b").folder == "a/b"
    assert place_of(folder).folder == ""
    assert place_of(folder / "a" / "gone").folder == "a/gone"
    assert (place_of("v1:conf").folder, place_of("v1:conf").tip) == ("conf", "v1")
    with pytest.raises(UsageError, match="no path"):
        place_of(tmp_path / "nowhere")
