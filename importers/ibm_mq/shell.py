"""MQSC inside scripts that run it: what flows into runmqsc or into a file for it, and what crtmqm
says.

Every text keeps the lines of the script. A variable whose value the script says is put in where a
shell would; others stay as they are, which is template text. What only a run of the script could
tell is said to be lost, so that nothing is taken for all that a queue manager has.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise

from topograph.facts.ibm_mq_templates import is_template
from topograph.importers import lexical
from topograph.importers.ibm_mq.jcl import is_job, read_job
from topograph.importers.ibm_mq.recognition import COMMAND, is_quoted_elsewhere, mentions_commands
from topograph.importers.ibm_mq.rows import Row
from topograph.importers.ibm_mq.shell_lines import BEHIND, ECHO, HERE, read_lines
from topograph.importers.ibm_mq.shell_texts import Created, Fed, Lost, ShellScript, Text
from topograph.importers.ibm_mq.tools import created_by, run_by
from topograph.importers.shell import Call, File, Followed, Line, Said, Stream, follow

_TOOLS = ("runmqsc", "crtmqm", "runmqlsr")
_MOST_TRIED = 20
"""Here-documents that are tried to tell a script."""

__all__ = [
    "Created",
    "Fed",
    "Lost",
    "ShellScript",
    "Text",
    "is_script",
    "read_script",
    "runs_files",
    "runs_mqsc",
]


def is_script(text: str) -> bool:
    """Whether a text runs MQSC, or writes it into files, by commands of a shell or a job. Linear in
    the first 64 KB.
    """
    if is_job(text):
        return True
    head = text[:65_536]
    if not mentions_commands(head) or is_quoted_elsewhere(head):
        return False
    if "<<<" in head and _gives(head):
        return True
    if "<<" in head and any(_ends(head, here) for here in islice(HERE.finditer(head), _MOST_TRIED)):
        return True
    may_print = (
        "runmqsc" in head.lower() or ">>" in head or head.startswith(("#!", "@echo", "@ECHO"))
    )
    return may_print and ECHO.search(head) is not None


def runs_mqsc(text: str) -> bool:
    """Whether a text gives anything to runmqsc by commands of a shell, definitions or not.
    Linear in the first 64 KB.
    """
    head = text[:65_536]
    if (
        "runmqsc" not in head.lower()
        or "Starting MQSC for queue manager" in head
        or is_quoted_elsewhere(head)
    ):
        return False
    if "<<" in head and any(_ends(head, here) for here in islice(HERE.finditer(head), _MOST_TRIED)):
        return True
    return _gives(head) or any(
        _feeds(line.text.lower()) for line in lexical.lines(head) if "runmqsc" in line.text.lower()
    )


def _gives(text: str) -> bool:
    """Whether a text is a script of a shell that gives anything to runmqsc."""
    followed = follow(text, _TOOLS) if "runmqsc" in text.lower() else None
    return followed is not None and any(
        call.input for call in followed.calls if call.program == "runmqsc"
    )


_WORDS_OF_SHELLS = """
( ) . : < @echo [ [[ alias awk break case cat cd chmod chown clear cls cmd continue copy cp crtmqm
date declare dltmqm do docker done dos2unix dspmq echo elif else endmqm env envsubst esac eval
exec exit export false fi find for function goto grep if kubectl let local ls md mkdir move mv
nice nohup oc pause podman popd print printf ps pushd read readonly rem return rm rmdir runmqlsr
runmqsc runuser sed set setlocal setmqaut sh shift sleep source ssh start strmqcsv strmqm su sudo
tee test then time timeout touch trap true type typeset umask unset until wait while { }
"""
_SHELL_WORDS = frozenset(_WORDS_OF_SHELLS.split())
"""Words that lines of scripts begin with; prose about them has others."""


def runs_files(text: str) -> bool:
    """Whether a text is a script that gives files to runmqsc, or makes queue managers with what
    they apply or are set to. Linear in the first 64 KB.
    """
    head = text[:65_536]
    lower = head.lower()
    if not ("runmqsc" in lower or "crtmqm" in lower) or is_quoted_elsewhere(head):
        return False
    if not head.startswith(("#!", "#/bin/")) and not _is_all_shell(head):
        return False
    found = read_script(head)
    made = (one for one in found.created if not is_template(one.name))
    return bool(found.fed or found.lost or any(one.applied or one.settings for one in made))


def _is_all_shell(text: str) -> bool:
    """Whether every line that is no comment, and goes on with none, begins as those of scripts
    do."""
    goes_on = False
    for line in lexical.lines(text):
        words, before = line.text.split(), goes_on
        goes_on = line.text.endswith("\\")
        if before or not words or words[0].startswith(("#", "::", "&", "|", ":")):
            continue
        first = words[0].lower().rstrip(";").rsplit("/", 1)[-1].lstrip("@(\"'")
        if first not in _SHELL_WORDS and "=" not in words[0] and not words[0].endswith("()"):
            return False
    return True


def _feeds(lower: str) -> bool:
    """Whether a line in lower case gives a pipe or a file to runmqsc. Linear in the line."""
    piped = 0 <= lower.find("|") < lower.rfind("runmqsc")
    return piped or any(
        "runmqsc" in before and after.lstrip(" \t")[:1].strip() != ""
        for before, after in pairwise(lower.split("<"))
    )


def _ends(text: str, here: re.Match[str]) -> bool:
    """Whether a line ends the here-document that begins at a match."""
    at = text.find("\n", here.end())
    while at >= 0:
        at += 1
        end = text.find("\n", at)
        if text[at : end if end >= 0 else len(text)].strip().rstrip(BEHIND) == here[2]:
            return True
        at = end
    return False


def read_script(text: str, command: re.Pattern[str] = COMMAND) -> ShellScript:
    """The texts of a script in their order; ``command`` is what a text of MQSC that no runmqsc
    is seen to read has to hold. Linear.
    """
    if is_job(text):
        return read_job(text)
    followed = follow(text, _TOOLS)
    return read_lines(text, command) if followed is None else _Reader(text, command).read(followed)


class _Reader:
    """Makes what a script does into texts for queue managers."""

    def __init__(self, text: str, command: re.Pattern[str]) -> None:
        self.text, self.command = text, command
        self.found = ShellScript()
        self.names: list[str] = []

    def read(self, followed: Followed) -> ShellScript:
        for call in followed.calls:
            if call.program == "runmqsc":
                self._run(call, followed)
            elif (created := created_by(call.words, call.line)) is not None:
                self.found.created.append(created)
                self.names.append(created.name)
        for file, stream in followed.written.items():
            if file not in followed.read:
                self._unread(stream, file)
        self._unread(followed.printed, "")
        self._yaml(followed)
        only = list(dict.fromkeys(self.names))
        for text in self.found.texts:
            text.name = text.name or (only[0] if len(only) == 1 else "")
        told = {row.number for text in self.found.texts for row in text.rows} | {*self.found.yaml}
        lines = lexical.lines(self.text)
        self.found.others += sum(
            1 for line in lines if line.text.strip() and line.number not in told
        )
        return self.found

    def _run(self, call: Call, followed: Followed) -> None:
        """What a runmqsc reads."""
        name, file = run_by(call.words)
        if name:
            self.names.append(name)
        stream = call.input
        if file:
            stream = followed.written.get(file, (File(file, call.line),))
            followed.read.add(file)
        for part in stream:
            if isinstance(part, Said):
                self._text(part.lines, name)
                whole = (line for line in part.lines if line.unknown == line.text.strip() != "")
                self.found.lost += (Lost(line.unknown, name, line.number) for line in whole)
            elif isinstance(part, File):
                self.found.fed.append(Fed(part.name, name, call.line))
            else:
                self.found.lost.append(Lost(part.command, name, call.line))

    def _unread(self, stream: Stream, file: str) -> None:
        """What a script writes and no runmqsc of it reads."""
        for part in stream:
            if isinstance(part, Said) and any(self.command.match(line.text) for line in part.lines):
                self._text(part.lines, "", file)

    def _text(self, lines: tuple[Line, ...], name: str, file: str = "") -> None:
        rows = [Row(line.number, line.text) for line in lines]
        if any(row.text.strip() for row in rows):
            self.found.texts.append(Text(rows, name, file))

    def _yaml(self, followed: Followed) -> None:
        """The here-documents that are YAML, with a mark between documents."""
        for lines in followed.documents:
            if any(line.text.startswith(("apiVersion:", "kind:")) for line in lines):
                self.found.yaml[lines[0].number - 1] = "---"
                self.found.yaml |= {line.number: line.text for line in lines}
