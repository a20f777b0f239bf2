"""The pages say what is so."""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import shlex
import textwrap
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from topograph import errors
from topograph.cli.group import topograph as main
from topograph.errors import TopographError
from topograph.questions.question import Question
from topograph.questions.records import QUESTIONS
from topograph.store.publication import PublishLost

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in [ROOT / "README.md", *DOCS.rglob("*.md"), *(ROOT / "examples").glob("*.md")]
    if path.is_file()
)


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return program("make_question_pages")


def program(name: str) -> ModuleType:
    """A program of ``docs``."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(maker: ModuleType) -> dict[str, str]:
    pages: dict[str, str] = maker.pages()
    return pages


def test_the_pages_of_questions_are_what_the_records_and_the_examples_give(
    made: dict[str, str],
) -> None:
    kept = {path.name: path.read_text("utf-8") for path in (DOCS / "questions").glob("*.md")}
    stale = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    assert stale == [], "regenerate with: python docs/make_question_pages.py"


def test_the_page_about_cypher_is_what_the_statements_and_the_systems_say() -> None:
    made = program("make_cypher_page")
    assert (DOCS / "cypher.md").read_text("utf-8") == made.page(), (
        "regenerate with: python docs/make_cypher_page.py"
    )
    assert (DOCS / "labels.md").read_text("utf-8") == made.labels_page()
    assert (ROOT / "cypher" / "publishing" / "schema.cypher").read_text("utf-8") == made.schema()
    headings = re.findall(r"^### `(.*)`$", made.page(), re.MULTILINE)
    assert headings == sorted(
        path.stem for path in (ROOT / "cypher" / "questions").glob("*.cypher")
    )


def test_every_field_and_every_word_of_a_page_is_explained(made: dict[str, str]) -> None:
    unexplained = [
        f"{name}: {line}"
        for name, text in made.items()
        for line in text.splitlines()
        if re.match(r"\| `.*\|\s*\|$", line)
    ]
    assert unexplained == []


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_python_gives_the_answer_that_the_command_gives(
    question: Question, made: dict[str, str]
) -> None:
    page = made[f"{question.name}.md"]
    program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    written = re.findall(r"--format json\n(\{.*?\n\})\n```", page, re.DOTALL)[0]
    # The examples are named as from the top of the repository.
    names: dict[str, object] = {}
    exec(program.replace('"examples/', f'"{ROOT}/examples/'), names)
    answer = names["answer"]
    assert json.loads(json.dumps(answer.to_dict())) == json.loads(written)


def test_the_index_lists_every_question() -> None:
    index = (DOCS / "questions" / "README.md").read_text("utf-8")
    assert [question.name for question in QUESTIONS if f"({question.name}.md)" not in index] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    missing = []
    for target in targets:
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists() or (
            anchor and there.suffix == ".md" and anchor not in anchors(there)
        ):
            missing.append(target)
    assert missing == []


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


def test_every_variable_that_is_read_stands_in_the_table_and_no_other() -> None:
    code = [
        path
        for folder in ("topograph", "importers", "viz", "cypher", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if "/.venv/" not in str(path)
    ]
    read = set()
    for path in code:
        read |= set(re.findall(r"(?<![_\w])TOPOGRAPH_\w*[A-Z]\b(?!_)", path.read_text("utf-8")))
    written = set(
        re.findall(r"`(TOPOGRAPH_[A-Z0-9_]+)`", (DOCS / "environment.md").read_text("utf-8"))
    )
    assert written == read


def test_the_tree_of_errors_is_that_of_the_module() -> None:
    tree = textwrap.dedent((errors.__doc__ or "").split("::\n\n", 1)[1]).rstrip()
    assert tree in (DOCS / "exit-codes.md").read_text("utf-8")
    own = {
        name: kind
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, TopographError)
    }
    own[PublishLost.__name__] = PublishLost
    code = None
    found = {}
    for line in tree.splitlines():
        name, _, rest = line.lstrip("│├└─ ").partition(" ")
        stated = re.match(r"\s*(\d) ", rest)
        code = int(stated[1]) if stated else code
        found[name] = code
    assert found == {name: kind.exit_code for name, kind in own.items()}


def test_every_exit_code_has_its_row() -> None:
    page = (DOCS / "exit-codes.md").read_text("utf-8")
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == [
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "130",
        "143",
    ]
    assert "(questions/README.md)" in page
    index = (DOCS / "questions" / "README.md").read_text("utf-8")
    for question in QUESTIONS:
        assert f"| {question.title} | {question.violation or '-'} |" in index


CONSOLE = [
    pytest.param(command, output, id=command)
    for page in sorted((ROOT / "examples").glob("*.md"))
    for command, output in re.findall(
        r"^```console\n\$ topograph (.*?)\n(.*?)^```$",
        page.read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
]


@pytest.mark.parametrize(("command", "output"), CONSOLE)
def test_the_pages_of_examples_print_what_the_commands_print(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, shlex.split(command))
    told = re.sub(r"\n+snapshot \w+ · .*\n\Z", "\n", result.stdout)
    assert [line.rstrip() for line in told.splitlines()] == output.splitlines()
