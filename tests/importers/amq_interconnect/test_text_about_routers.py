"""What people write about routers, and templates, are no routers, in any form."""

from __future__ import annotations

import random

import pytest

from topograph.importers.amq_interconnect import recognise
from topograph.importers.reading import Use

CONF = "router {\n    mode: interior\n    id: NAME\n}\nlistener {\n    port: 5672\n}\n"
JSON = '[["router", {"mode": "interior", "id": "NAME"}], ["listener", {"port": 5672}]]'
DUMP = '[{"type": "org.apache.qpid.dispatch.router", "id": "A", "mode": "interior"}]'
TABLE = "Router Statistics\n  attr  value\n  ====\n  Router Id  A\n"
MAP = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  qdrouterd.conf: |\n"
    + "".join(f"    {line}\n" for line in CONF.splitlines())
)
WORDS = ("our", "router", "listens", "here", "for", "the", "mill", "and", "its", "clients")


def is_read(path: str, text: str) -> bool:
    found = recognise(path, text.encode())
    return found is not None and found.role.use in (Use.MAIN, Use.OBSERVED)


@pytest.mark.parametrize("text", [CONF, JSON, DUMP, TABLE, MAP])
@pytest.mark.parametrize("name", ["README.md", "docs/routers.adoc", "notes.rst", "page.html"])
def test_a_document_is_none(name: str, text: str) -> None:
    assert is_read("a/routers.txt", text)
    assert not is_read(name, text)
    found = recognise(name, text.encode())
    assert found is not None
    assert "import the files of the routers" in found.note


@pytest.mark.parametrize(("form", "text"), [("conf", CONF), ("json", JSON), ("yaml", MAP)])
@pytest.mark.parametrize("mark", ["{{ router_id }}", "{% raw %}", "<%= @id %>"])
def test_a_template_is_none(form: str, text: str, mark: str) -> None:
    assert not is_read(f"a.{form}", text.replace("NAME", mark).replace("name: a", f"name: {mark}"))
    assert not is_read(f"a.{form}.j2", text)
    assert is_read(f"a.{form}", text.replace("NAME", "A-${HOSTNAME}"))


@pytest.mark.parametrize("number", range(40))
def test_notes_with_fragments_are_none_and_comments_change_nothing(number: int) -> None:
    at = random.Random(number)
    sentence = " ".join(at.choices(WORDS, k=at.randint(4, 12))).capitalize() + "."
    fence = at.choice(("```", "~~~", "```conf"))
    before = at.choice(("", f"# {sentence}\n", "\n"))
    assert not is_read("notes", f"{before}{fence}\n{CONF}{fence[:3]}\n")
    assert not is_read("notes", f"{before}{sentence}\n\n{CONF}")
    assert not is_read("notes", f"{before}{CONF}\n{sentence}\n{CONF}\n{sentence}\n")
    assert is_read("notes", f"# {sentence}\n{CONF}\n# {sentence}\n# {sentence}\n")


def test_a_file_with_one_stray_line_is_still_the_routers() -> None:
    """A router refuses it, which is worth an error with its line."""
    assert is_read("qdrouterd.conf", f"{CONF}this is my mistake\n")


def test_marks_in_what_a_resource_holds_make_no_template() -> None:
    rules = "  rules.yaml: |\n    summary: 'lost {{ $labels.pod }}'\n"
    assert is_read("a.yaml", MAP + rules)
