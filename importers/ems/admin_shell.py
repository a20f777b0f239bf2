"""Shell scripts that run the administration tool: the commands that they give to it, and the
servers that it is run for.

Nothing is run: a script is followed as a shell would run it. Of what only a run could tell nobody
knows the value, and that is a fault of the line. Batch files, and what is no script by the grammar
of a shell, are read line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from topograph.importers import lexical
from topograph.importers.lexical import Line
from topograph.importers.shell import Call, File, Followed, Said, Unseen, follow
from topograph.records import record

_TOOL = re.compile(
    r"(?:^|[\s;&|(`])(?:[^\s;&|<>()\"']*/)?[\"']?tibemsadmin(?:64)?(?:\.exe)?[\"']?(?=\s|$)"
)
_ASSIGN = re.compile(
    r"[ \t]*+(?:export[ \t]++|readonly[ \t]++|local[ "
    r"\t]++)?+([A-Za-z_]\w*+)=(\"[^\"$`\\]*+\"|'[^']*+'|[^\s\"'$`;&|()\\]*+)[ \t]*+;?[ "
    r"\t]*+\Z"
)
_SETS = re.compile(r"(?:^|[\s;])([A-Za-z_]\w*+)=")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*+)\}|([A-Za-z_]\w*+|\d))")
_HERE = re.compile(r"<<(-)?[ \t]*+(\\|[\"'])?([\w!@.%#-]++)[\"']?")
_HERE_TEXT = re.compile(r"<<<[ \t]*+(\"(?:[^\"\\]|\\.)*+\"|'[^']*+')")
_ECHO = re.compile(
    r"(?:^|[\s;&({])(?:echo|printf)[ \t]++(?:-[a-zA-Z]++[ "
    r"\t]++)*+(\"(?:[^\"\\]|\\.)*+\"|'[^']*+')[^|]*+\|[^|]*+\Z"
)
_OPTION = re.compile(r"(?:^|\s)-(server|script)[ \t]++(\"[^\"]*+\"|'[^']*+'|[^\s;&|<>()]++)")
_INPUT = re.compile(r"(?<!<)<(?!<)[ \t]*+(\"[^\"]*+\"|'[^']*+'|[^\s;&|<>()]++)")

_LINE_ENDS = re.compile(r"\\n|\n")


@record
class ShellLine:
    """A line that the tool reads, in its columns. ``server`` is where it is run for (empty: it
    does not say, and ``unknown`` says why not, where the script names one); ``fault`` says why the
    line is not known. ``begins`` marks the first line of one run."""

    line: Line
    server: str = ""
    fault: str = ""
    begins: bool = False
    unknown: str = ""


def is_shell(text: str) -> bool:
    """Whether a text runs the administration tool by commands of a shell. Linear."""
    return any(
        _TOOL.search(line.text) is not None
        and line.text.lstrip(lexical.BLANK)[:1] not in ("#", ";")
        for line in lexical.lines(text)
        if "tibemsadmin" in line.text
    )


_TOOLS = ("tibemsadmin", "tibemsadmin64")


def _many(text: str) -> Iterator[str]:
    """The variables of loops, or of what a script reads. Linear."""
    for line in lexical.lines(text):
        names = False
        for word in line.text.replace(";", " ; ").split():
            if word in ("for", "select", "read"):
                names = True
            elif names and word.isidentifier() and word != "in":
                yield word
            else:
                names = names and word.startswith("-")


def _one_server(text: str) -> bool:
    """Whether the tool is run for one server alone, whatever it is called: by one variable that
    the script sets once at most, and not for each of several. Linear.
    """
    named = {
        option[2].strip("\"'")
        for line in lexical.lines(text)
        if (tool := _TOOL.search(line.text))
        for option in _OPTION.finditer(line.text[tool.end() :])
        if option[1] == "server"
    }
    variables = [match[1] or match[2] for one in named for match in _VARIABLE.finditer(one)]
    if len(named) != 1 or not variables:
        return False
    set_ = [match[1] for match in _SETS.finditer(text)]
    many = {*_many(text)}
    return all(set_.count(name) <= 1 and name not in many for name in variables)


def said(text: str) -> Iterator[ShellLine]:
    """What a script gives to the tool, in order. Linear."""
    followed = follow(text, _TOOLS)
    if followed is None:
        yield from _by_line(text)
        return
    one = _one_server(text)
    for call in followed.calls:
        for given in _given(call, followed):
            yield given if one else replace(given, unknown="", fault=given.fault or given.unknown)


def _given(call: Call, followed: Followed) -> Iterator[ShellLine]:
    """The lines that one run of the tool reads."""
    options = dict(zip(call.words, call.words[1:], strict=False))
    server, file = options.get("-server", ""), options.get("-script", "")
    unknown = _unset(server)
    server = "" if unknown else server
    stream = followed.written.get(file, (File(file, call.line),)) if file else call.input
    begins = True
    for part in stream:
        if isinstance(part, Said):
            for one in part.lines:
                line = Line(one.number, " " * one.column + one.text)
                yield ShellLine(line, server, _unset(one.unknown), begins, unknown)
                begins = False
        else:
            shown = " ".join(call.words)
            yield ShellLine(Line(call.line, shown), server, _elsewhere(part), begins, unknown)
            begins = False


def _unset(text: str) -> str:
    """Why a text is not known that holds a variable, or what a command prints."""
    if not ("$" in text or "`" in text):
        return ""
    variable = _VARIABLE.search(text)
    what = variable.group() if variable and "$(" not in text else "the output of a command"
    return f"the script does not say what {what} stands for"


def _elsewhere(part: File | Unseen) -> str:
    """Why it is not known which commands a run reads."""
    if isinstance(part, File):
        return (
            f"the commands are in {part.name}, which is not read here: give that file as a "
            "change too"
        )
    return f"the commands are what {part.command} prints, which only a run of the script tells"


def _by_line(text: str) -> Iterator[ShellLine]:
    """What a text gives to the tool, line by line."""
    values: dict[str, str | None] = {}
    one = _one_server(text)
    lines = iter(lexical.lines(text))
    for line in lines:
        shell = line.text
        if shell.lstrip(lexical.BLANK).startswith("#"):
            continue
        while shell.endswith("\\") and not line.last:
            following = next(lines, None)
            if following is None:
                break
            shell = shell[:-1] + " " + following.text
        tool = _TOOL.search(shell)
        if tool is None:
            _set(values, shell)
            here = _HERE.search(shell)
            if here is not None:  # of another program
                for _ in _document(lines, here):
                    pass
            continue
        for given in _run(Line(line.number, shell), tool, lines, values):
            unknown = given.unknown
            yield replace(given, unknown="", fault=given.fault or unknown) if not one else given


def _set(values: dict[str, str | None], shell: str) -> None:
    """Keep what a line sets a variable to; one that is set twice, or to what only a shell can
    say, has a value that nobody knows.
    """
    plain = _ASSIGN.match(shell)
    for match in _SETS.finditer(shell):
        name = match[1]
        values[name] = (
            plain[2].strip("\"'") if plain and plain[1] == name and name not in values else None
        )


def _run(
    line: Line, tool: re.Match[str], lines: Iterator[Line], values: Mapping[str, str | None]
) -> Iterator[ShellLine]:
    """The lines that one run of the tool reads."""
    before, behind = line.text[: tool.start()], line.text[tool.end() :]
    options = {match[1]: match[2].strip("\"'") for match in _OPTION.finditer(behind)}
    server, unknown = _put_in(options.get("server", ""), values)
    server = "" if unknown else server
    begins = True
    here, here_text, piped, given = (
        _HERE.search(behind),
        _HERE_TEXT.search(behind),
        _ECHO.search(line.text[: tool.end()]),
        None,
    )
    if here_text is not None:
        given = tool.end() + here_text.start(1), here_text[1]
    elif piped is not None and "|" in before:
        given = piped.start(1), piped[1]
    fed = _INPUT.search(behind) if here is None and given is None else None
    file = options.get("script", fed[1].strip("\"'") if fed else "")
    if file:
        why = _elsewhere(File(file, line.number))
        yield ShellLine(
            Line(line.number, line.text.strip(lexical.BLANK)), server, why, begins, unknown
        )
    if given is not None:
        at, quoted = given
        raw, start = quoted[1:-1], 0
        for end in [*_LINE_ENDS.finditer(raw), None]:
            part = raw[start : end.start() if end else len(raw)].replace('\\"', '"')
            text, missing = (part, "") if quoted[0] == "'" else _put_in(part, values)
            at_start = Line(line.number, " " * (at + 1 + start) + text)
            yield ShellLine(at_start, server, missing, begins, unknown)
            start, begins = end.end() if end else 0, False
    elif here is not None:
        for each in _document(lines, here):
            text, missing = (each.text, "") if here[2] else _put_in(each.text, values)
            yield ShellLine(Line(each.number, text), server, missing, begins, unknown)
            begins = False


def _document(lines: Iterator[Line], here: re.Match[str]) -> Iterator[Line]:
    """The lines of a here-document, without the word that ends it."""
    for each in lines:
        if (each.text.lstrip("\t") if here[1] else each.text) == here[3]:
            return
        yield each


def _put_in(text: str, values: Mapping[str, str | None]) -> tuple[str, str]:
    """A text with the values of its variables, and why one of them is not known."""
    unknown: list[str] = []

    def value(match: re.Match[str]) -> str:
        found = values.get(match[1] or match[2])
        if found is None:
            unknown.append(match.group())
            return match.group()
        return found

    shown = _VARIABLE.sub(value, text)
    if "$(" in text or "`" in text:
        unknown.append("the output of a command")
    return shown, f"the script does not say what {unknown[0]} stands for" if unknown else ""
