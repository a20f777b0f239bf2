"""A gate fails closed: what was not looked at, or is not known any longer, is never accepted; and
what is the same is the same for certain, whatever else is unknown.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import topograph
from topograph.audit.reports import junit, markdown, sarif
from topograph.cli.main import exit_code
from topograph.judgement import Polarity
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.text import text

Files = Mapping[str, str]
MAIN = "server = {}\nlisten = tcp://{}:1\nrouting = enabled\nroutes = routes.conf\n"


def written(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def estate(rng: random.Random, servers: int) -> dict[str, str]:
    """A tree of EMS servers, some of which are named and not there."""
    files = {}
    names = [f"S{number}" for number in range(servers)]
    gone = set(rng.sample(names[1:], k=rng.randint(0, 1)))
    links: dict[str, list[str]] = {name: [] for name in names}
    for number in range(1, servers):
        links[names[rng.randrange(number)]].append(names[number])
    for name in names:
        if name in gone:
            continue
        routes = "".join(
            f"[{other}]\n url = tcp://{other.lower()}:7222\n zone_name = Z\n zone_type = mhop\n"
            for other in links[name]
        )
        topics = "".join(
            f"t{number}{' global' if rng.random() < 0.7 else ''}\n" for number in range(3)
        )
        files[f"{name}/tibemsd.conf"] = (
            f"server = {name}\nlisten = tcp://{name.lower()}:7222\nrouting = enabled\n"
            "routes = routes.conf\ntopics = topics.conf\n"
        )
        files[f"{name}/routes.conf"] = routes
        files[f"{name}/topics.conf"] = topics
    return files


def told_otherwise(rng: random.Random, files: Files) -> dict[str, str]:
    """The same estate: other folders, comments and blank lines, entries of topics.conf in another
    order."""
    folders = {name.partition("/")[0] for name in files}
    renamed = {name: f"x{rng.randrange(1000)}-{name.lower()}" for name in folders}
    found = {}
    for name, content in files.items():
        folder, _, file = name.partition("/")
        lines = content.splitlines()
        if file == "topics.conf":
            rng.shuffle(lines)
        else:
            lines = [line for one in lines for line in ([one, ""] if rng.random() < 0.2 else [one])]
        body = "".join(f"{line}\n" for line in ["# " + "x" * rng.randrange(9), *lines])
        found[f"{renamed[folder]}/{file}"] = body
    return found


def differs(answer: AuditAnswer) -> list[object]:
    """Everything that an answer says is different."""
    return [
        *answer.reach.lost, *answer.reach.gained, *answer.reach.undetermined,
        *answer.hops.longer, *answer.hops.shorter, *answer.deliveries.lost,
        *answer.deliveries.gained, *answer.would_gain, *answer.would_lose, *answer.outcomes,
        *answer.findings, *answer.left_open, *answer.links.added, *answer.links.removed,
        *answer.links.changed, *answer.servers.added, *answer.servers.removed,
        *answer.rejections,
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(25))
def test_equal_estates_are_equal_for_certain(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    files = estate(rng, rng.randint(2, 5))
    before = written(tmp_path / "before", files)
    after = written(tmp_path / "after", told_otherwise(rng, files))
    answer = topograph.compare(before, after)
    assert (answer.verdict, answer.exact, answer.inexact_because) == ("accept", True, ())
    assert differs(answer) == []
    assert answer.unchanged
    assert "Not certain" not in text(answer)
    tiny = topograph.compare(topograph.read(before).within(1e-9), topograph.read(after))
    assert (tiny.verdict, tiny.exact) == ("accept", True)


@pytest.mark.parametrize("seed", range(25))
def test_a_search_that_ended_early_is_never_accepted(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    files = estate(rng, rng.randint(2, 6))
    changed = dict(files)
    name = rng.choice([one for one in sorted(files) if one.endswith("topics.conf")])
    changed[name] = "t0\nt9 global\n"
    before = topograph.read(written(tmp_path / "before", files))
    after = topograph.read(written(tmp_path / "after", changed))
    whole = topograph.compare(before, after)
    for seconds in (1e-9, *(rng.random() * 0.02 for _ in range(3))):
        for answer in (
            topograph.compare(before.within(seconds), after),
            before.within(seconds).audit("create topic t9 global\n", at="S0"),
        ):
            complete = answer.exact and not answer.cut
            if answer.verdict == "accept":
                assert not answer.cut
                assert all(one.polarity != Polarity.NOT_LOOKED_AT for one in answer.left_open)
            assert answer.exact or answer.inexact_because
            if not complete and answer.cut:
                _told_everywhere(answer)
    assert whole.verdict in ("accept", "undetermined")


def _told_everywhere(answer: AuditAnswer) -> None:
    """An undetermined answer is one in every format."""
    assert answer.verdict != "accept"
    assert answer.violation
    assert not text(answer).startswith("Accept")
    assert "Nobody reaches" not in text(answer)
    assert any("--budget" in one.remedy for one in answer.left_open)
    results = json.loads(sarif(answer, "1"))["runs"][0]["results"]
    assert any(one["ruleId"] == "not-looked-at" for one in results)
    assert all(one["locations"] for one in results)
    suite = ET.fromstring(junit(answer))[0]
    assert suite.attrib["errors"] != "0"
    page = markdown(answer)
    assert "--budget" in page
    assert "Nobody reaches" not in page


def test_a_file_that_is_gone_is_not_accepted_without_a_word(tmp_path: Path) -> None:
    files = {
        "a/tibemsd.conf": "server = A\nrouting = enabled\ntopics = topics.conf\n",
        "a/topics.conf": "news global\n",
        "b/tibemsd.conf": "server = B\nrouting = enabled\n",
    }
    before = written(tmp_path / "before", files)
    after = written(
        tmp_path / "after", {name: one for name, one in files.items() if "topics" not in name}
    )
    answer = topograph.compare(before, after)
    assert answer.verdict == "undetermined"
    assert "topics" in "\n".join(text(answer).splitlines()[:3])


def test_a_server_whose_files_go_is_not_known_any_longer(tmp_path: Path) -> None:
    files = {
        "a/tibemsd.conf": MAIN.format("A", "a"),
        "a/routes.conf": "[B]\n url = tcp://b:1\n zone_name = Z\n zone_type = mhop\n",
        "b/tibemsd.conf": MAIN.format("B", "b"),
        "b/routes.conf": "",
    }
    before = written(tmp_path / "before", files)
    after = written(
        tmp_path / "after", {name: one for name, one in files.items() if name.startswith("a")}
    )
    answer = topograph.compare(before, after)
    assert answer.verdict == "undetermined"
    assert "the files of B are gone, and others still name it" in text(answer)
    again = topograph.compare(after, after)
    assert (again.verdict, again.exact, again.left_open) == ("accept", True, ())


def test_a_new_warning_stands_in_the_first_lines(tmp_path: Path) -> None:
    files = {
        "a/tibemsd.conf": "server = A\nrouting = enabled\ntopics = topics.conf\n",
        "a/topics.conf": "news\n",
    }
    answer = topograph.read(written(tmp_path, files)).audit(
        "create bridge source=topic:news target=queue:kept\n", at="A"
    )
    assert [one.effect for one in answer.findings if one.severity == "warning"] in ([], ["told"])
    for one in answer.findings:
        assert one.message[:40] in "\n".join(text(answer).splitlines()[:3])


def test_exit_codes_follow_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(7)
    files = estate(rng, 4)
    before = written(tmp_path / "before", files)
    changed = {**files, "S0/topics.conf": "t0\n"}
    after = written(tmp_path / "after", changed)
    words = ["audit", "--before", str(before), "--after", str(after)]
    assert exit_code([*words, "--budget", "0.000001"]) == 1
    assert capsys.readouterr().out.startswith("Undetermined: the search ended after")
    assert exit_code(["audit", "--before", str(before), "--after", str(before)]) == 0
    assert capsys.readouterr().out.startswith("Accept: the two states have the same configuration.")
