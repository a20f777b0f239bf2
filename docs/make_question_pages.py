"""Makes the pages of ``docs/questions`` from the records of the questions, their answers and
examples that it runs.

``python docs/make_question_pages.py`` writes them; a test compares them with what is committed.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import os
import shlex
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click

from topograph import assumptions, outcomes
from topograph.cli.group import topograph
from topograph.cli.main import exit_code
from topograph.message import MessageOptions
from topograph.network import Network, read
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.questions import answers
from topograph.questions.answers import base
from topograph.questions.offers import systems_asked
from topograph.questions.question import Example, Parameter, Question
from topograph.questions.records import QUESTIONS
from topograph.questions.records.configuration import CHECK, SHOW
from topograph.systems.registry import title

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "examples"
FOLDER = DOCS / "questions"
MADE = ("<!-- Made by docs/make_question_pages.py from the question's record: change that, and "
    "run it. -->")


def pages() -> dict[str, str]:
    """Every page by its file name. Runs the examples; takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder))
        made = {f"{question.name}.md": "\n".join(page(question, shell)) for question in QUESTIONS}
    return {"README.md": "\n".join(index()), **made}


def page(question: Question, shell: Shell) -> Iterator[str]:
    """The page of one question, line by line."""
    worked, *others = question.examples
    yield from (MADE, "", f"# `{question.name}`", "", *description(question), "")
    yield (f"For {listed(title(system) for system in systems_asked(question))}; engine "
        f"{listed(question.engines, 'or')}.")
    yield from (
        "",
        "## For example",
        "",
        (f"{worked.asks[0].upper()}{worked.asks[1:]}, on "
            f"[`examples/{worked.estate}`](../../examples/README.md):"),
        "",
    )
    code, text = shell.run(worked, "text")
    yield from ("```console", f"$ topograph {worked.words}", text.rstrip("\n"), "```", "")
    yield f"The exit code is {code}. As JSON:"
    _, json = shell.run(worked, "json")
    yield from ("", "```console", f"$ topograph {worked.words} --format json", json.rstrip("\n"),
        "```", "")
    yield from ("In Python, without an import:", "", "```python", "import topograph", "")
    yield from (f'network = topograph.read("examples/{worked.estate}")', ("answer = "
        f"{question.python}"), "```", "")
    yield from ("More:", "")
    for example in others:
        where = "" if example.estate == "estate" else f", on `examples/{example.estate}`"
        ends = f"; exit code {example.exit_code}" if example.exit_code else ""
        yield f"* `topograph {example.words}`: {example.asks}{where}{ends}"
    yield ""
    yield from parameters(question)
    yield from ("## The answer", "")
    for name in question.answers:
        yield from answer(name)
    if question is SHOW:
        yield from columns()
    yield from words(question)
    yield from (
        "## Exit codes",
        "",
        "| Code | When |",
        "|---|---|",
        "| 0 | it is answered, also if the answer is that it cannot be determined |",
    )
    if question.violation:
        yield f"| 1 | {question.violation} |"
    yield from ("| others | see [exit codes](../exit-codes.md) |", "")


def description(question: Question) -> Iterator[str]:
    """What the question answers, paragraph by paragraph; those that click leaves as they are (they
    begin with a backspace) as blocks.
    """
    for place, paragraph in enumerate(question.description.split("\n\n")):
        if place:
            yield ""
        if paragraph.startswith("\b\n"):
            yield from ("```text", textwrap.dedent(paragraph.removeprefix("\b\n")), "```")
        else:
            yield paragraph


def parameters(question: Question) -> Iterator[str]:
    """The table of parameters."""
    yield from ("## Parameters", "")
    annotations = inspect.signature(getattr(Network, question.name)).parameters
    if question.parameters:
        yield from ("| On the command line | In Python | What it is | If left out | |",
            "|---|---|---|---|---|")
        for parameter in question.parameters:
            python = f"`{parameter.name}: {_cell(_python_type(parameter, annotations))}`"
            if parameter.only == "command" and parameter.name not in MessageOptions.__annotations__:
                python = "-"
            whose = f"For {parameter.servers}." if parameter.servers else ""
            about = " ".join(filter(None, (whose, parameter.help, parameter.in_python)))
            yield (f"| {_spelling(parameter)} | {python} | {_what(parameter)} | "
                f"{_left_out(parameter)} | {_cell(about)} |")
        yield ""
    yield from (
        (f"{'And those' if question.parameters else 'Those'} of [every "
            "question](README.md#what-every-question-takes)."),
        "",
    )


def _python_type(parameter: Parameter, annotations: Mapping[str, inspect.Parameter]) -> str:
    """The type of a parameter's value in Python; a message's options are keywords of their own."""
    if parameter.name in annotations:
        return str(annotations[parameter.name].annotation)
    option = MessageOptions.__annotations__.get(parameter.name)
    return str(option.__forward_arg__) if option is not None else ""


def _spelling(parameter: Parameter) -> str:
    if parameter.only == "python":
        return "-"
    return f"`{_cell(' '.join(filter(None, (parameter.option, parameter.metavar))))}`"


def _what(parameter: Parameter) -> str:
    if parameter.choices:
        return ", ".join(f"`{value}`: {meaning}" for value, meaning in parameter.choices)
    return parameter.kind.value + (", repeatable" if parameter.several else "")


def _left_out(parameter: Parameter) -> str:
    if parameter.required:
        return "must be given"
    return "-" if parameter.default in (None, (), "") else f"`{parameter.default}`"


def answer(name: str) -> Iterator[str]:
    """The tables of an answer type, and of the records in it."""
    yield from _record(name, without=_fields("Answer"))
    pending, done = [name], set[str]()
    while pending:
        for _, annotation, _ in _fields(pending.pop(0)):
            for below in _names(annotation):
                if below in _CLASSES and below not in done:
                    done.add(below)
                    pending.append(below)
    for below in _CLASSES:
        if below in done:
            yield from _record(below)


def _record(name: str, without: Sequence[tuple[str, str, str]] = ()) -> Iterator[str]:
    doc = ast.get_docstring(_CLASSES[name]) or ""
    yield from (f"### {name}", "", " ".join(doc.replace("``", "`").split()), "")
    yield from ("| Field | Type | |", "|---|---|---|")
    for field, annotation, about in _fields(name):
        if (field, annotation, about) not in without:
            yield f"| `{field.rstrip('_')}` | {plain_type(annotation)} | {_cell(about)} |"
    yield ""


def words(question: Question) -> Iterator[str]:
    """The outcomes and conditions that the answer may hold, with their definitions."""
    for title, names, kind in (
        ("Outcomes", question.outcomes, "Outcome"),
        ("Conditions of NOT_FORWARDED", question.conditions, "NotForwarded"),
    ):
        if names:
            yield from (f"## {title}", "", "| Word | Meaning |", "|---|---|")
            for name in names:
                yield f"| `{name}` | {_cell(_DEFINED[kind][name])} |"
            yield ""
    if question.outcomes:
        yield from ("Rules and further words: [outcomes](../specs/outcomes.md).", "")


def columns() -> Iterator[str]:
    """What the rows of each kind of ``show`` hold: as the estate's own rows do."""
    network = read(EXAMPLES / "estate")
    yield from ("### Rows", "", "| `WHAT` | Columns |", "|---|---|")
    for what, _ in SHOW.parameter("what").choices:
        shown = network.show(what)
        yield f"| `{what}` | {', '.join(f'`{column}`' for column in shown.columns)} |"
    yield ""


def index() -> Iterator[str]:
    """The page that lists the questions, and what they have in common."""
    yield from (MADE, "", "# Questions", "", ("Each is a command, a method of "
        "`topograph.Network` and a page here."), "")
    yield from ("| Ask | Answers | Exit code 1 |", "|---|---|---|")
    for question in QUESTIONS:
        yield (f"| [`{question.name}`]({question.name}.md) | {question.title} | "
            f"{question.violation or '-'} |")
    yield from (
        "",
        ("An answer can be drawn too: `topograph view`. What a message, a server or a "
            "rule is called in each field: [glossary](../glossary.md)."),
        "",
    )
    yield from ("## What every question takes", "", "| Option | If left out | |", "|---|---|---|")
    command = topograph.get_command(click.Context(topograph), CHECK.name)
    assert command is not None
    own = {parameter.name for parameter in CHECK.parameters}
    for option in command.params:
        assert isinstance(option, click.Option)
        if option.name in own:
            continue
        choices = "\\|".join(option.type.choices) if isinstance(option.type, click.Choice) else ""
        spelling = f"{', '.join(option.opts)} {_cell(option.metavar or '')}{choices}".rstrip()
        yield (f"| `{spelling}` | "
            f"{f'`{option.default}`' if isinstance(option.default, str) else '-'} | "
            f"{_cell(option.help or '')} |")
    yield from (
        "",
        ("See also the [environment](../environment.md): variables, what goes to standard "
            "output, completion."),
        "",
    )
    yield from ("## What every answer holds", "")
    yield from (
        ("In JSON each answer is one object. `question` names it; fields may be added in "
            "a later version, and are never renamed."),
        "",
    )
    yield from _record("Answer")
    for name in ("Assumption", "Caution"):
        yield from _record(name)
    yield from (
        "### Source",
        "",
        ("`{file, line, column}`: the file relative to the folder that was imported; line "
            "and column from 1, 0 where it is the whole file or line."),
        "",
    )
    yield from (
        "## Several servers at once",
        "",
        ("In place of a server a question takes a pattern (`reach 'HQ*'`), several names with "
            "commas between (`reach HQ,CANADA`), or a host that [topograph.yaml](../side-inputs.md) "
            "maps to a server. `*`, `?` and `[...]` are as in file names; a server that is called "
            "as the text says goes first. A pattern that fits one server is answered as its name "
            "is; one that fits none ends with exit code 2. Where several fit, the answers of all "
            "are one, and the exit code is 1 if that of any is:"),
        "",
    )
    yield from _record("SeveralAnswers")
    yield from (
        "In Python, `network.servers_called(\"HQ*\")` gives the names to ask about.",
        "",
        "## As a table",
        "",
        ("`--format csv` writes one table of an answer (RFC 4180), whose first line names the "
            "columns. They are the fields of the entries in JSON; a source is `file`, `line` and "
            "`column`, what is nested is its JSON, what is null is empty. Where an answer has "
            "several lists, such as servers that are reached and servers that are not known, "
            "`entry` says of which a row is. Steps are in JSON only. What leaves the answer open "
            "goes to standard error."),
        "",
        ("Text that begins with `=`, `+`, `-`, `@`, a tab, a line end or `'` has one `'` more "
            "before it, so that no spreadsheet takes a name of somebody else's for a formula: "
            "a reader takes that one away. Numbers have none."),
        "",
    )
    yield from ("## What is said where it cannot be said", "")
    yield from (
        "A server whose files are not loaded, and what only such a server could lead to, "
            "is `undetermined`, never *unreachable*. "
        "`exact: false` means that a search ended before its end. `assumptions` are "
            "positions that the answer rests on. "
        "No question takes any of that as a yes or a no, `--expect` neither.",
        "",
    )


def plain_type(annotation: str) -> str:
    """A type of Python as JSON has it.

    >>> plain_type("tuple[Step, ...]"), plain_type("dict[str, tuple[int | None, ...]]")
    ('list of Step', 'object of list of number or null')
    """
    return _type(ast.parse(annotation, mode="eval").body)


_JSON = {"str": "text", "int": "number", "bool": "true or false", "object": "any"}


def _type(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp):
        return f"{_type(node.left)} or {_type(node.right)}"
    if isinstance(node, ast.Constant):
        return "null"
    if isinstance(node, ast.Subscript):
        inner = node.slice
        assert isinstance(node.value, ast.Name)
        if node.value.id == "Sequence":
            return f"list of {_type(inner)}"
        assert isinstance(inner, ast.Tuple)
        return f"list of {_type(inner.elts[0])}" if node.value.id == "tuple" else f"object of {_type(inner.elts[1])}"
    assert isinstance(node, ast.Name)
    return _JSON.get(node.id, node.id)


def _names(annotation: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(annotation)) if isinstance(node, ast.Name)}


def _module(module: object) -> dict[str, ast.ClassDef]:
    source = Path(str(module.__file__)).read_text("utf-8")
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}


_CLASSES = _module(assumptions) | _module(base)
for _question in QUESTIONS:
    for _name in _question.answers:
        _CLASSES |= _module(import_module(getattr(answers, _name).__module__))


def _documented(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Each statement of a class with the text that stands below it."""
    for place, node in enumerate(body):
        after = body[place + 1] if place + 1 < len(body) else None
        about = ""
        if isinstance(after, ast.Expr) and isinstance(after.value,
            ast.Constant) and isinstance(after.value.value, str):
            about = " ".join(after.value.value.replace("``", "`").split())
        yield node, about


def _fields(name: str) -> list[tuple[str, str, str]]:
    """(name, type, meaning) of the fields of a record of ``answers``, its own only."""
    return [
        (node.target.id, ast.unparse(node.annotation), about)
        for node, about in _documented(_CLASSES[name].body)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and "ClassVar" not in ast.unparse(node.annotation)
        and not (node.value is not None and "ASIDE" in ast.unparse(node.value))
    ]


_DEFINED = {
    name: {
        str(node.value.value): about
        for node, about in _documented(body.body)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    for name, body in _module(outcomes).items()
}
"""The definitions in ``topograph.outcomes``, by enum and word."""


class Shell:
    """Runs examples as a person would, each on its estate."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(self, example: Example, form: str) -> tuple[int, str]:
        """The exit code of an example, and what it writes."""
        snapshot = self._folder / example.estate.replace("/", "-")
        if not snapshot.exists():
            keep(read_snapshot(EXAMPLES / example.estate), snapshot)
        arguments = [*shlex.split(example.words), "--engine", "memory", "--format", form]
        os.environ["TOPOGRAPH_SNAPSHOT"] = str(snapshot)
        written = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with contextlib.redirect_stdout(written), contextlib.chdir(EXAMPLES.parent):
            code = exit_code(arguments)
        del os.environ["TOPOGRAPH_SNAPSHOT"]
        assert code == example.exit_code, f"{example.words} ends with {code}"
        written.flush()
        return code, written.buffer.getvalue().decode("utf-8")


def listed(names: Iterator[str] | Sequence[str], word: str = "and") -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    """Write the pages, and remove those of questions that are gone."""
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for name, text in made.items():
        (FOLDER / name).write_text(text, "utf-8")
    for path in FOLDER.glob("*.md"):
        if path.name not in made:
            path.unlink()


if __name__ == "__main__":
    os.environ.pop("TOPOGRAPH_SNAPSHOT", None)
    main()
