"""The commands of questions, derived from their records: arguments, options, help with examples,
completion.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from topograph.cli.choices import KnownChoice, LocalPath
from topograph.cli.each_server import asking_each
from topograph.cli.options import SARIF, Asking, completing, question_options
from topograph.cli.sections import Sectioned, SectionedOption
from topograph.questions.question import Parameter, ParameterKind, Question

ESTATE = "estate"
"""The folder of ``examples`` that the examples in a help text are about, if the question has any
there.
"""

ELSEWHERE = (
    "Rule numbers in answers, such as R13 or TL-03: topograph check --rule R13. Words in answers, "
    "such as DEPOSITED or low confidence: docs/glossary.md. All exit codes: topograph --help."
)
"""The end of every help text of a question: where to find what it does not say itself."""

SEVERAL = (
    "In place of a server: a pattern such as 'HQ*', several names with commas between, or a host "
    "that topograph.yaml maps to a server. Each server that fits is asked about."
)
"""What the help of a question about servers says of their names."""

_FILES = (
    *(ParameterKind.FILE, ParameterKind.OBSERVED, ParameterKind.CLIENTS),
    *(ParameterKind.STATE, ParameterKind.ASKED, ParameterKind.WRITTEN),
)

_COMPLETION = {
    ParameterKind.SERVER: completing("servers"),
    ParameterKind.DESTINATION: completing("destinations"),
    ParameterKind.SUBSCRIBERS: completing("subscribers"),
}
"""What completes a value, where click does not know it by the type."""


def question_command(
    question: Question, cls: type[Sectioned] = Sectioned
) -> Callable[[Callable[..., None]], click.Command]:
    """Make the function that asks a question its command.

    The function gets an ``Asking``, then the record's parameters by their names; those that are for
    Python only are left out. ``cls`` is the class of the command.
    """

    def decorate(ask: Callable[..., None]) -> click.Command:
        command = question_options(asking_each(question, _fitting_format(question, ask)))
        for parameter in reversed(question.parameters):
            if parameter.only != "python":
                command = _declared(parameter)(command)
        made = click.command(
            question.name, cls=cls, help=help_text(question), short_help=question.title
        )(command)
        made.servers = frozenset(
            one.name for one in question.parameters if one.kind is ParameterKind.SERVER
        )
        return made

    return decorate


def _fitting_format(question: Question, ask: Callable[..., None]) -> Callable[..., None]:
    """The function, which is asked for SARIF only where the question has a ``--sarif``."""
    if any(parameter.name == SARIF for parameter in question.parameters):
        return ask

    @wraps(ask)
    def asked(asking: Asking, **given: Any) -> None:
        if asking.form == SARIF:
            raise click.UsageError(
                f"--format sarif is a form of check and audit: {question.name} has text, json, "
                "jsonl and csv."
            )
        ask(asking, **given)

    return asked


def plain_command(question: Question) -> click.Command:
    """The command of a question that asks what is given, and writes the answer. An option that is
    left out has the default of its record.
    """

    def ask(asking: Asking, **given: Any) -> None:
        for parameter in question.parameters:
            if given.get(parameter.name, ...) is None:
                given[parameter.name] = parameter.default
        asking.tell(getattr(asking.open(), question.name)(**given))

    return question_command(question)(ask)


def help_text(question: Question) -> str:
    """What ``--help`` says: what is answered, what exit code 1 means, the choices, and examples
    that run.
    """
    parts = [question.description]
    if question.violation:
        parts.append(f"Exit code 1 {question.violation}.")
    for parameter in question.parameters:
        if parameter.choices and not parameter.option:
            width = max(len(value) for value, _ in parameter.choices)
            rows = [f"  {value.ljust(width)}  {meaning}" for value, meaning in parameter.choices]
            parts.append("\n".join(["\b", f"{parameter.metavar} is one of", *rows]))
    if any(
        one.kind is ParameterKind.SERVER and one.only != "python" for one in question.parameters
    ):
        parts.append(SEVERAL)
    estates = [example.estate for example in question.examples]
    shown = ESTATE if ESTATE in estates else estates[0]
    lines = [
        "\b",
        "Examples, to paste in a checkout of topograph:",
        "  # ask this folder (default: ./topograph.snapshot, which import writes)",
        f"  export TOPOGRAPH_SNAPSHOT=examples/{shown}",
    ]
    for example in question.examples:
        if example.estate == shown:
            lines += [f"  # {example.asks}", f"  topograph {example.words}"]
    parts.append("\n".join(lines))
    parts.append(ELSEWHERE)
    return "\n\n".join(parts)


def _declared(parameter: Parameter) -> Callable[[Any], Any]:
    """The click decorator of a parameter."""
    about: dict[str, Any] = {
        "type": _type(parameter),
        "shell_complete": _COMPLETION.get(parameter.kind),
    }
    section: dict[str, Any] = (
        {"cls": SectionedOption, "section": f"Options for {parameter.servers}"}
        if parameter.servers
        else {}
    )
    if parameter.metavar:
        about["metavar"] = parameter.metavar
    if not parameter.option:
        # A metavar in brackets says that the command line can do without.
        return click.argument(
            parameter.name, required=not parameter.metavar.startswith("["), **about
        )
    if parameter.kind is ParameterKind.FLAG:
        return click.option(
            parameter.option, parameter.name, is_flag=True, help=parameter.help, **section
        )
    if parameter.kind is ParameterKind.COUNT:
        about |= {"default": parameter.default, "show_default": True}
    if parameter.alone:
        about |= {"is_flag": False, "flag_value": parameter.alone}
    return click.option(
        parameter.option,
        parameter.name,
        multiple=parameter.several,
        help=parameter.help,
        **section,
        **about,
    )


def _type(parameter: Parameter) -> click.ParamType[Any] | None:
    if parameter.choices:
        return KnownChoice([value for value, _ in parameter.choices])
    if parameter.kind is ParameterKind.COUNT:
        return click.IntRange(min=1)
    return LocalPath() if parameter.kind in _FILES else None
