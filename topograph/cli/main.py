"""The console entry: runs a command line and turns whatever happens into one message and an exit
code.

Nothing but the standard library is imported before ``run`` is inside its ``try``, so that Ctrl-C
gets its one line at any moment.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from topograph.cli import listen_to_ctrl_c
from topograph.cli.stdout import OutputClosed, discard_stdout, open_closed_streams
from topograph.cli.terminal import say, say_text
from topograph.process.garbage import for_one_command
from topograph.process.interrupts import Terminated, chain, clean_up_when_terminated
from topograph.search_paths import safe
from topograph.words.visible import clean

if TYPE_CHECKING:
    import click

BACKEND = 4
INTERNAL_ERROR = 5
INTERRUPTED = 130
TERMINATED = 143
USAGE = 2

_DAMAGED_MODULE = (
    "A compiled module is damaged: the disk was full when Python wrote it. Remove the folders "
    f"__pycache__ below {os.path.dirname(os.path.dirname(os.path.abspath(__file__)))} and of the "  # noqa: PTH100, PTH120
    "packages next to it, and run the command again."
)


def run(argv: Sequence[str] | None = None, command: click.Command | None = None) -> NoReturn:
    """Run ``topograph`` on ``argv`` (else the process's arguments) and end the process with an
    exit code of DESIGN 4.1. ``command`` is as in ``exit_code``.
    """
    listen_to_ctrl_c()
    open_closed_streams()
    for_one_command()
    os.environ.update(safe(os.environ))
    arguments = list(sys.argv[1:] if argv is None else argv)
    clean_up_when_terminated()
    code = exit_code(arguments, command)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()
    except OSError as error:
        discard_stdout()
        say(f"Error: The output cannot be written: {error.strerror or error}.", err=True)
        code = BACKEND
    gc.freeze()  # else the interpreter looks through the whole model once more before it ends
    sys.exit(code)


def exit_code(arguments: Sequence[str], command: click.Command | None = None) -> int:
    """Run the command line and say its exit code (docs/exit-codes.md). Errors are written to
    stderr, never as a traceback.

    ``command`` is the command to run, ``topograph`` unless said otherwise. Never raises, apart from
    SystemExit of a command that ends the process itself.
    """
    try:
        return _answered(arguments, command)
    except KeyboardInterrupt as interrupt:
        return _interrupted(interrupt)
    except (OutputClosed, BrokenPipeError):
        discard_stdout()
        return 0
    except Exception as error:
        try:
            # Python makes another error of one that arrives while a class is made, and libraries do
            # of one in a callback.
            hidden = [one for one in chain(error) if isinstance(one, KeyboardInterrupt)]
            return _interrupted(hidden[0]) if hidden else _failed(error, arguments)
        except KeyboardInterrupt as interrupt:
            return _interrupted(interrupt)


def _answered(arguments: Sequence[str], command: click.Command | None) -> int:
    if command is None:
        from topograph.cli.group import topograph

        command = topograph
        if "_TOPOGRAPH_COMPLETE" in os.environ:
            from topograph.cli import completion

            return completion.run(command)
    result = command.main(args=list(arguments), prog_name="topograph", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _interrupted(interrupt: BaseException) -> int:
    # Python ends itself by SIGINT, whatever the exit code, if the last text it ran as a program (as
    # dataclasses and named tuples do while modules are imported) ended with Ctrl-C.
    exec("")  # noqa: S102
    terminated = isinstance(interrupt, Terminated)
    say("Terminated." if terminated else "Interrupted.", err=True)
    return TERMINATED if terminated else INTERRUPTED


def _failed(error: Exception, arguments: Sequence[str]) -> int:
    import click

    from topograph.errors import MACHINE, TopographError, of_machine
    from topograph.process.packages import not_installed

    if isinstance(error, ModuleNotFoundError):
        error = not_installed(error) or error
    if isinstance(error, click.Abort):
        if not isinstance(error.__cause__, EOFError):
            return _interrupted(error.__cause__ or error)
        error = error.__cause__
    if isinstance(error, click.ClickException):
        _show(error)
        # click's own 1 would read as "the answer is a violation"
        return error.exit_code if error.exit_code != 1 else USAGE
    if isinstance(error, TopographError):
        lines = [_of_this_snapshot(line, arguments) for line in error.lines]
        say(*("Error: " * (not number) + line for number, line in enumerate(lines)), err=True)
        return error.exit_code

    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        name = str(error.filename or "")
        say(f"Error: A file name is too long: {name[:60]}...", err=True)
        return USAGE

    if isinstance(error, OSError) and error.errno in MACHINE:
        say(f"Error: {of_machine(error)}", err=True)
        return BACKEND

    if isinstance(error, EOFError) and "marshal data" in str(error):
        say(f"Error: {_DAMAGED_MODULE}", err=True)
        return BACKEND

    from topograph.cli.error_report import write_report

    place = write_report(error, arguments)
    what = (
        "ran out of memory"
        if isinstance(error, MemoryError)
        else f"failed inside itself ({type(error).__name__})"
    )
    say(
        (
            f"Error: topograph {what}; this is a fault of topograph. The report for its "
            f"authors: {place}"
        ),
        err=True,
    )
    return INTERNAL_ERROR


def _of_this_snapshot(text: str, arguments: Sequence[str]) -> str:
    """``text`` with the ``-s`` that was given in the commands that it names, to be pasted.

    >>> _of_this_snapshot("`topograph show servers` lists them.", ["reach", "A", "-s", "my conf"])
    "`topograph show servers -s 'my conf'` lists them."
    """
    import itertools
    import re
    import shlex

    given = [
        value for option, value in itertools.pairwise(arguments) if option in ("-s", "--snapshot")
    ]
    if not given:
        return text
    place = f" -s {shlex.quote(given[-1])}"
    named = re.compile(r"`(topograph (?:show [a-z-]+|check|cycles))`")
    return named.sub(lambda found: f"`{found[1]}{place}`", text)


def _show(error: click.ClickException) -> None:
    """What click says of a wrong command line: usage, a hint, and the message, which may quote
    anything.
    """
    from click import unstyle

    shown = io.StringIO()
    error.show(shown)
    message = error.format_message()
    # Into what is no terminal click writes a message without its colours.
    text = shown.getvalue().replace(unstyle(message), clean(message))
    say_text(text.rstrip("\n"), err=True)
