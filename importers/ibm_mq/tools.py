"""The command lines of the programs that make queue managers and give them commands."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.importers.ibm_mq.shell_texts import Created
from topograph.importers.shell.programs import name_of

_OPTIONS = "-c -d -u -lf -lp -ls -md -ld -g -h -t -x -p -a -m -i -r -w -n -ii -ic -iv"
_CREATES_WITH_VALUE = frozenset(_OPTIONS.split(" "))
_RUNS_WITH_VALUE = frozenset(("-w", "-m", "-u", "-f", "-r", "-p"))
_APPLIES = {"-ii": "ini", "-ic": "mqsc"}
"""The options of crtmqm that name files which are applied whenever the queue manager starts."""
_SETTINGS = {"-u": "DEADQ", "-d": "DEFXMITQ", "-p": "PORT"}
_ENDS = (";", "&", "|", ">", "<", "2>&1")


def run_by(words: Sequence[str]) -> tuple[str, str]:
    """The queue manager that runmqsc is run for and the file that it is told to read (``-f``);
    empty where it does not say.

    >>> run_by(["runmqsc", "-e", "-w", "30", "-f", "a.mqsc", "QM1"])
    ('QM1', 'a.mqsc')
    """
    name = file = option = ""
    for word in words[1:]:
        if option:
            file = word if option == "-f" else file
            option = ""
        elif word.startswith("-"):
            option = word if word in _RUNS_WITH_VALUE else ""
            file = word[2:] if word.startswith("-f") and len(word) > 2 else file
        else:
            name = name or word
    return name, file


def created_by(words: Sequence[str], line: int) -> Created | None:
    """What a command line with crtmqm or runmqlsr in it sets; None if it names no queue manager.
    The words are without quotes."""
    tool = next((n for n, one in enumerate(words) if name_of(one) in ("crtmqm", "runmqlsr")), None)
    if tool is None:
        return None
    created = Created("", line)
    runs = name_of(words[tool]) == "runmqlsr"
    option = ""
    for word in words[tool + 1 :]:
        if option:
            _set(created, option, word, runs=runs)
            option = ""
        elif word in _ENDS or word.startswith((">", "2>", "||")):
            break
        elif word.startswith("-"):
            option = word if word in _CREATES_WITH_VALUE else ""
        elif not runs:
            created.name = word
    return created if created.name else None


def _set(created: Created, option: str, value: str, *, runs: bool) -> None:
    """Keep what an option says."""
    setting = _SETTINGS.get(option)
    if setting and value and not (runs and setting != "PORT"):
        created.settings.append((setting, value))
    elif option == "-m" and runs:
        created.name = value
    elif option in _APPLIES and not runs:
        created.applied.append((_APPLIES[option], value))
    elif option == "-iv" and "=" in value:
        variable, _, stands_for = value.partition("=")
        created.variables[variable] = stands_for.strip("\"'")
