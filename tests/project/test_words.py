"""What people read is plain English: the documentation and the texts that the program prints do
not contain forms that read as if translated.
"""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

FORMS = {
    "said": re.compile(r"\b(?:is|are|be|was|were|been|not|nothing)(?: is)? said\b"),
    "told": re.compile(r"\btold (?:apart|so\b|otherwise|for certain|first|only|as well)"),
    "dear": re.compile(r"\bas dear as\b|\bdear(?:er|est)?\b"),
    "anew": re.compile(r"\banew\b"),
    "of whom": re.compile(r"\b(?:of|to) whom\b|\bwhose turn it is\b"),
    "stands": re.compile(r"\b(?:stands?|stood)\b(?! for\b|-)"),
    "beside": re.compile(r"\bbesides?\b"),
    "is no": re.compile(
        r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|matter\b)[A-Za-z]"
    ),
    "of its own": re.compile(r"\bof (?:its|their) own\b"),
    "that is what": re.compile(r"\bthat is what\b"),
    "more may hold": re.compile(r"\bmore may hold\b"),
    "What lies": re.compile(r"\bWhat (?:lies|\w+ has in it)\b"),
}
"""The forms, by the name that a failure shows. "X stands for Y" and "there is no X" are plain."""

MAY_CONTAIN: dict[tuple[str, str], str] = {}
"""The form and the file that may contain it, with the reason: the words of a product, for
example."""

GENERATED = ("rules.md", "cypher.md", "labels.md")
"""Pages of docs/ that are made from records: the records are searched."""


def pages() -> Iterator[Path]:
    for pattern in ("docs/*.md", "examples/*.md", "CONTRIBUTING.md", "SECURITY.md"):
        yield from (path for path in ROOT.glob(pattern) if path.name not in GENERATED)


def modules() -> Iterator[Path]:
    for folder in ("topograph", "importers", "viz", "cypher"):
        yield from (ROOT / folder).rglob("*.py")


def printed(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a module with their lines: string constants of several words that are not
    docstrings. An f-string is one text. Linear."""
    tree = ast.parse(source)
    apart: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            apart.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts = [one for one in node.values if isinstance(one, ast.Constant)]
            apart.update(map(id, parts))
            whole = "".join(
                str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values
            )
            yield node.lineno, whole
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.lineno, node.value


LITERAL = re.compile(
    r"^[ \t]*(?:\"\"\"[\s\S]*?\"\"\"|#.*)|#.*|(\"\"\"[\s\S]*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|"
    r"'(?:[^'\\\n]|\\.)*')",
    re.MULTILINE,
)
"""A comment, a text that begins a line with three quotes, or (group 1) another literal."""


def may_print_a_form(source: str) -> bool:
    """Whether a form is in the literals of a module, without those that begin a line with three
    quotes. Reading a module with ``ast`` takes ten times as long, so only these are."""
    whole = " ".join(
        one.group(1).removeprefix('"').removesuffix('"') if one.group(1) else "\n"
        for one in LITERAL.finditer(source)
    )
    return bool(forms_in(re.sub(r"  +", " ", whole)))


def described(value: object) -> Iterator[str]:
    """Every text in a JSON file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from described(one)
    elif isinstance(value, list):
        for one in value:
            yield from described(one)


def texts() -> Iterator[tuple[str, int, str]]:
    """What people read: the file, the line and the text."""
    for path in pages():
        line = 1
        for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
            yield str(path.relative_to(ROOT)), line, " ".join(paragraph.split())
            line += paragraph.count("\n") + 2
    for path in modules():
        source = path.read_text(encoding="utf-8")
        for number, text in printed(source) if may_print_a_form(source) else ():
            if " " in text:
                yield str(path.relative_to(ROOT)), number, text
    for path in (
        ROOT / "topograph/reporting/words.json",
        *(ROOT / "topograph").rglob("*.schema.json"),
        *(ROOT / "importers").rglob("*.schema.json"),
    ):
        for text in described(json.loads(path.read_text(encoding="utf-8"))):
            yield str(path.relative_to(ROOT)), 1, text


@functools.cache
def found() -> tuple[tuple[str, str, str], ...]:
    """The forms in all that people read: the form, the file, and the line with the text. Reading
    takes seconds, so it is done once."""
    return tuple(
        (form, file, f"{line}: {shown(text, form)}")
        for file, line, text in texts()
        for form in forms_in(text)
    )


def shown(text: str, form: str) -> str:
    """The form with the words around it."""
    place = FORMS[form].search(text)
    assert place is not None
    return text[max(0, place.start() - 50) : place.end() + 50].strip()


def forms_in(text: str) -> list[str]:
    return [name for name, pattern in FORMS.items() if pattern.search(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'x' is no heap size", ["is no"]),
        ("there is no route from A", []),
        ("the route is no longer there", []),
        ("it stands in line 3", ["stands"]),
        ("`*` stands for one element; the stand-by", []),
        ("listed beside", ["beside"]),
        ("a route of its own", ["of its own"]),
        ("this cannot be said, and nothing is said of it", ["said"]),
        ("deliveries told apart", ["told"]),
        ("Not certain: more may hold than is listed.", ["more may hold"]),
    ],
)
def test_a_form_is_found_and_plain_words_are_not(text: str, expected: list[str]) -> None:
    assert forms_in(text) == expected


def test_docstrings_and_names_are_not_printed_texts() -> None:
    source = '"""It stands."""\ndef f(x):\n    """Told."""\n    return f"{x} stands " "here"\n'
    assert list(printed(source)) == [(4, "X stands here")]


def test_only_a_module_with_a_form_in_its_literals_is_read() -> None:
    assert may_print_a_form('x = f"{x} is "\nf"no queue"\n')
    assert may_print_a_form('x = (\n    "of its "\n    "own"\n)\n')
    assert may_print_a_form("x = 'stands'\n")
    assert not may_print_a_form('"""It stands."""\nx = 1  # it stands\n')


def test_what_people_read_is_plain_english() -> None:
    assert [
        f"{file}:{place}: {form}"
        for form, file, place in found()
        if (form, file) not in MAY_CONTAIN
    ] == []


def test_each_exception_is_needed() -> None:
    assert set(MAY_CONTAIN) <= {(form, file) for form, file, _ in found()}
