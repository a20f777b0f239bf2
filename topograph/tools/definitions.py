"""The tools, made from the records of the questions and of ``survey``: name, description, JSON
Schemas of input and output, and the command line that a call becomes.

A parameter whose option writes a file (``ParameterKind.WRITTEN``) is in no tool, nor is one in the
place of ``-s``. Of the options of every question a call has the network and the budget: the others
are the server's own. A record about files (``about_files``) has neither: nothing is searched, and
there is no network yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from topograph.questions.question import Parameter, ParameterKind, Question
from topograph.records import record
from topograph.tools.errors import ToolError

Json = dict[str, Any]

LONGEST_TEXT = 4_096
"""Characters of one value."""

MOST_VALUES = 1_000
"""Values of one parameter that may be given more than once."""

READ = frozenset(
    {
        *(ParameterKind.FILE, ParameterKind.OBSERVED, ParameterKind.CLIENTS),
        ParameterKind.STATE,
    }
)
"""The kinds of parameters that name something to read, which has to lie in the roots."""


LEFT_OUT = frozenset({ParameterKind.WRITTEN, ParameterKind.ASKED})
"""The kinds of parameters that no tool has."""


@record
class Limits:
    """What no call can exceed, in seconds: ``budget`` of the search, ``timeout`` of everything,
    reading included.
    """

    budget: float
    timeout: float


def parameters(question: Question) -> Iterator[Parameter]:
    """The parameters of a question that its tool has."""
    for one in question.parameters:
        if one.only != "python" and one.kind not in LEFT_OUT:
            yield one


def about_files(question: Question) -> bool:
    """Whether a record is about files and not about a network: its command line names them itself,
    and has none of the options of every question.
    """
    return any(one.kind is ParameterKind.ASKED and _needed(one) for one in question.parameters)


def called(parameter: Parameter) -> str:
    """The name of a parameter in a call.

    >>> called(Parameter("from_", ParameterKind.SERVER, "where"))
    'from'
    """
    return parameter.name.rstrip("_")


def description(question: Question) -> str:
    """What a tool does, for whoever chooses among the tools."""
    about = question.description.replace("\b\n", "")
    if question.violation:
        about += f"\n\nThe answer is a violation {question.violation}."
    return about


def input_schema(question: Question, limits: Limits, *, network: bool = True) -> Json:
    """The schema of a call's arguments. ``network``: whether a call chooses the network."""
    properties = {called(one): _value(one) for one in parameters(question)}
    if not about_files(question):
        properties |= _of_every_question(limits, network=network)
    return {
        "type": "object",
        "properties": properties,
        "required": [called(one) for one in parameters(question) if _needed(one)],
        "additionalProperties": False,
    }


def _of_every_question(limits: Limits, *, network: bool) -> Json:
    chosen: Json = {}
    if network:
        chosen["network"] = {
            **_TEXT,
            "description": "Which network to ask about. Required if the snapshot holds several.",
        }
    chosen["budget"] = {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": limits.budget,
        "default": limits.budget,
        "description": "Seconds the search may take. If time runs out, the answer is marked as "
        "incomplete.",
    }
    return chosen


_TEXT: Mapping[str, Any] = {"type": "string", "maxLength": LONGEST_TEXT}


def _needed(parameter: Parameter) -> bool:
    """Whether the command line cannot do without: an argument that is not in brackets."""
    return not parameter.option and not parameter.metavar.startswith("[")


def _value(parameter: Parameter) -> Json:
    about = parameter.help
    if parameter.servers:
        about = f"For {parameter.servers}. {about}"
    if parameter.choices:
        about += " " + "; ".join(f"{value}: {meaning}" for value, meaning in parameter.choices)
    return {**_form(parameter), "description": about}


def _form(parameter: Parameter) -> Json:
    if parameter.kind is ParameterKind.FLAG:
        return {"type": "boolean", "default": False}
    if parameter.kind is ParameterKind.COUNT:
        return {"type": "integer", "minimum": 1, "default": parameter.default}
    if parameter.choices:
        return {"type": "string", "enum": [value for value, _ in parameter.choices]}
    if parameter.several:
        return {"type": "array", "items": dict(_TEXT), "maxItems": MOST_VALUES}
    return dict(_TEXT)


def command_line(
    question: Question,
    arguments: Mapping[str, Any],
    check_place: Callable[[Parameter, str], None],
) -> list[str]:
    """The command line, without ``topograph``, of a call whose arguments fit the schema.
    ``check_place`` raises ToolError for a file or folder that may not be read.

    Values are never taken for options: an option and its value are one word, and arguments stand
    behind ``--``. Raises ToolError.
    """
    options, words, left_out = [question.name], [], ""
    for one in parameters(question):
        name = called(one)
        value = arguments.get(name)
        if value is None or value is False:
            left_out = left_out or ("" if one.option else name)
            continue
        values = [str(each) for each in (value if one.several else [value])]
        for each in values:
            _sendable(name, each)
            if one.kind in READ and each != one.alone:
                check_place(one, each)
        if not one.option:
            if left_out:
                raise ToolError(f"{name} needs {left_out}.")
            words += values
        elif one.kind is ParameterKind.FLAG:
            options.append(one.option)
        else:
            options += [f"{one.option}={each}" for each in values]
    if "network" in arguments:
        _sendable("network", arguments["network"])
        options.append(f"--network={arguments['network']}")
    if "budget" in arguments:
        options.append(f"--budget={arguments['budget']}")
    return [*options, "--", *words]


def _sendable(name: str, value: str) -> None:
    """Raises ToolError for a text that no command line holds."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ToolError(f"{name}: the value is not text in Unicode.") from None
    if "\0" in value:
        raise ToolError(f"{name}: the value holds a NUL character.")
