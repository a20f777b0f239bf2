"""MQSC inside jobs of z/OS: what CSQUTIL is given to run, and what a queue manager's started task
reads when it starts.

A step of CSQUTIL names its queue manager in PARM; each COMMAND of its SYSIN names the DD statement
that holds MQSC, and may send it to another queue manager (TGTQMGR). The procedure of a queue
manager's started task is called xxxxMSTR, xxxx being the queue manager; it reads CSQINP1, CSQINP2
and CSQINPT (IBM MQ documentation, "Invoking the IBM MQ utility program on z/OS", "Issuing commands
to IBM MQ (COMMAND) on z/OS", "Create procedures for the IBM MQ queue manager").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from topograph.importers import lexical
from topograph.importers.ibm_mq.rows import Row
from topograph.importers.ibm_mq.shell_texts import Fed, Lost, ShellScript, Text
from topograph.records import record

_NOT_LOADED = "is not among the imported files"
_UTILITY = "CSQUTIL"
_MANAGER = "CSQYASCP"
_READ_AT_START = ("CSQINP1", "CSQINP2", "CSQINPT")
_DEFAULT_COMMANDS = "CSQUCMD"
_DATA = 72
"""Columns of a line of MQSC; a sequence number is behind them."""
_HEAD = 65_536
_STATEMENT = 71
"""Columns of a statement; a mark of continuation and a sequence number are behind them."""

_RUNS = re.compile(
    r"^//[^ \t*\n]{0,40}[ \t]++EXEC[ \t]++PGM=(?:CSQUTIL|CSQYASCP)\b", re.IGNORECASE | re.MULTILINE
)
_FIELDS = re.compile(r"//([^ \t]*+)[ \t]++([A-Za-z]++)(?:[ \t]++(.*+))?+")
_SYMBOL = re.compile(r"&([A-Z$#@][A-Z0-9$#@]{0,7}+)\.?+", re.IGNORECASE)
_PARAMETER = re.compile(
    r"(?:\A|,)([A-Z0-9]{1,8}+)=('(?:[^']|'')*+'|\([^()]*+\)|[^,() ]*+(?:\([^()]*+\))?+)"
)
_DELIMITER = re.compile(r"\bDLM='?([^', ]{2})", re.IGNORECASE)
_OPTION = re.compile(r"\b(DDNAME|TGTQMGR)[ \t]*+\([ \t]*+([^() \t]*+)[ \t]*+\)", re.IGNORECASE)
_MEMBER = re.compile(r"\(([A-Z$#@][A-Z0-9$#@]{0,7})\)\Z", re.IGNORECASE)
_STARTED = re.compile(r"([A-Z0-9]{1,4})MSTR\Z")


def is_job(text: str) -> bool:
    """Whether a text is a job or procedure of z/OS that runs CSQUTIL or a queue manager. Linear in
    the first 64 KB.

    >>> is_job("//DEFS JOB 1\\n//A EXEC PGM=CSQUTIL,PARM='CSQ1'\\n"), is_job("// a comment of C")
    (True, False)
    """
    return "//" in text[:_HEAD] and _RUNS.search(text[:_HEAD]) is not None


@dataclass(slots=True)
class _Source:
    """What a DD statement gives: lines that are in the job, or a data set."""

    line: int
    rows: list[Row] = field(default_factory=list)
    data_set: str = ""
    inline: bool = False


@dataclass(slots=True)
class _Step:
    """An EXEC statement with its DD statements by name, concatenated ones in order."""

    line: int
    program: str
    parameter: str
    given: dict[str, list[_Source]] = field(default_factory=dict)


@record
class _Statement:
    line: int
    name: str
    operation: str
    operands: str

    @property
    def parameters(self) -> dict[str, str]:
        """KEYWORD=VALUE as it is written."""
        return {one[1].upper(): one[2] for one in _PARAMETER.finditer(self.operands)}


def read_job(text: str) -> ShellScript:
    """The texts that a job gives to queue managers, and the members of data sets that it names, in
    order. What is in a data set that it does not name is lost. Linear.

    >>> job = "//A EXEC PGM=CSQUTIL,PARM='CSQ1'\\n//SYSIN DD *\\nCOMMAND DDNAME(IN)\\n/*\\n"
    >>> found = read_job(job + "//IN DD *\\nDEFINE QLOCAL(Q)\\n/*\\n")
    >>> [(one.name, one.line, one.rows[0].text) for one in found.texts]
    [('CSQ1', 6, 'DEFINE QLOCAL(Q)')]
    """
    found = ShellScript(job=True)
    steps, started = _steps(text)
    for step in steps:
        if step.program == _UTILITY:
            _utility(step, found)
        elif started:
            for name in _READ_AT_START:
                _give(step.given.get(name, []), started, found)
    held = {row.number for one in found.texts for row in one.rows}
    lines = lexical.lines(text)
    found.others = sum(1 for line in lines if line.text.strip() and line.number not in held)
    return found


def _utility(step: _Step, found: ShellScript) -> None:
    """The MQSC of a step of CSQUTIL. Where its control statements are not in the job, nobody knows
    which of its data are commands."""
    words = step.parameter.strip("'()").replace("'", "").split(",")
    manager = _known(words[0].strip())
    for source in step.given.get("SYSIN", []):
        if not source.inline:
            found.lost.append(Lost(f"{source.data_set} {_NOT_LOADED}", manager, source.line))
        for command in _commands(source.rows):
            options = {one[1].upper(): one[2].upper() for one in _OPTION.finditer(command)}
            name = options.get("DDNAME", _DEFAULT_COMMANDS)
            target = options.get("TGTQMGR", manager)
            if target and not _known(target):
                # It may be any of those that the job names.
                found.lost.append(Lost(f"nothing says what {target} is", "", step.line))
            else:
                _give(step.given.get(name, []), target, found)


def _commands(rows: list[Row]) -> Iterator[str]:
    """The COMMAND statements of a SYSIN; one goes on behind a + or -."""
    whole = ""
    for row in rows:
        part = row.text[:_STATEMENT].strip()
        if part.startswith("*"):
            continue
        whole += part.rstrip("+-") + " "
        if not part.endswith(("+", "-")):
            if whole.upper().startswith("COMMAND "):
                yield whole
            whole = ""


def _known(name: str) -> str:
    """A queue manager's name, in capitals; empty where a symbol is left in it."""
    return "" if "&" in name else name.upper()


def _give(sources: list[_Source], manager: str, found: ShellScript) -> None:
    for source in sources:
        member = _MEMBER.search(source.data_set)
        if source.rows:
            found.texts.append(Text(source.rows, manager))
        elif member is not None:
            found.fed.append(Fed(member[1].upper(), manager, source.line, member=True))
        elif source.data_set:
            found.lost.append(Lost(f"{source.data_set} {_NOT_LOADED}", manager, source.line))


def _steps(text: str) -> tuple[list[_Step], str]:
    """The steps of a job or procedure, and the queue manager that it is the started task of."""
    steps: list[_Step] = []
    started = ""
    symbols: dict[str, str] = {}
    reading = _Reading(list(lexical.lines(text)))
    last: list[_Source] = []
    for written in reading.statements():
        operands = _put_in(written.operands, symbols)
        one = _Statement(written.line, written.name, written.operation, operands)
        given = one.parameters
        if one.operation in ("SET", "PROC"):
            symbols |= {name: value.strip("'") for name, value in given.items()}
        if one.operation in ("PROC", "JOB") and not started:
            called = _STARTED.match(one.name.upper())
            started = called[1] if called is not None else ""
        elif one.operation == "EXEC":
            program = given.get("PGM", "").upper()
            steps.append(_Step(one.line, program, given.get("PARM", "")))
            last = []
        elif one.operation == "DD" and steps:
            source = _Source(one.line, data_set=(given.get("DSN") or given.get("DSNAME", "")))
            if (end := _inline(one.operands)) is not None:
                source.inline = True
                source.rows = reading.data(*end)
                if "SYMBOLS" in given:
                    source.rows = [Row(r.number, _put_in(r.text, symbols)) for r in source.rows]
            if one.name:
                last = steps[-1].given.setdefault(one.name.upper(), [])
            last.append(source)
    return steps, started


def _inline(operands: str) -> tuple[str, bool] | None:
    """What ends the lines behind a DD statement, and whether a statement ends them too (``*``, not
    ``DATA``); None if none follow."""
    first = operands.split(",", 1)[0].strip().upper()
    if first not in ("*", "DATA"):
        return None
    delimiter = _DELIMITER.search(operands)
    return (delimiter[1], False) if delimiter is not None else ("/*", first == "*")


def _put_in(text: str, symbols: Mapping[str, str]) -> str:
    """A text with what its symbols stand for; those that are not known stay."""
    return (
        _SYMBOL.sub(lambda one: symbols.get(one[1].upper(), one[0]), text) if "&" in text else text
    )


class _Reading:
    """Statements and the data between them, by one pass over the lines."""

    def __init__(self, lines: list[lexical.Line]) -> None:
        self.lines, self.at = lines, 0

    def statements(self) -> Iterator[_Statement]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            found = _FIELDS.match(line.text[:_STATEMENT])
            if found is None or line.text.startswith("//*"):
                continue
            operands = _without_remark(found[3] or "")
            while operands.endswith(",") and (more := self._continued()) is not None:
                operands += more
            yield _Statement(line.number, found[1], found[2].upper(), operands)

    def _continued(self) -> str | None:
        """The operands of the next line, where it goes on with a statement."""
        while self.at < len(self.lines) and self.lines[self.at].text.startswith("//*"):
            self.at += 1
        text = self.lines[self.at].text[:_STATEMENT] if self.at < len(self.lines) else ""
        if not text.startswith("// "):
            return None
        self.at += 1
        return _without_remark(text[2:].strip())

    def data(self, end: str, by_statement: bool) -> list[Row]:
        """The lines up to what ends them."""
        rows: list[Row] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if by_statement and line.text.startswith("//"):
                break
            self.at += 1
            if line.text.startswith(end):
                break
            rows.append(Row(line.number, line.text[:_DATA].rstrip()))
        return rows


def _without_remark(operands: str) -> str:
    """Operands up to the first blank that is not in apostrophes."""
    quoted = False
    for place, character in enumerate(operands):
        quoted ^= character == "'"
        if character in " \t" and not quoted:
            return operands[:place]
    return operands
