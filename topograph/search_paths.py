"""Where Python looks for modules, and the system for programs: never in the working directory,
which may be an estate of unknown origin.

What is imported here is imported before anything is left out. ``os`` and ``sys`` are part of every
Python that runs; another module, ``__future__`` and ``typing`` too, could come from the working
directory.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # as type checkers read it, without an import of typing
    from collections.abc import Mapping

SAFE = "PYTHONSAFEPATH"
"""The variable that keeps the working directory (``-m``, ``-c``) and the folder of a script out of
where a Python looks for modules."""


def leave_out_place_of_module() -> None:
    """Remove the working directory, which Python puts first for ``python -m topograph``.

    Nothing is removed where another program imports topograph, or with ``python -P``. To be called
    while Python looks for the module: only then is ``sys.argv[0]`` ``-m``.
    """
    if sys.argv[:1] != ["-m"] or sys.flags.safe_path or len(sys.orig_argv) < len(sys.argv):
        return
    # Behind the name come the arguments alone; before it may stand options, in the same word too.
    word = sys.orig_argv[-len(sys.argv)]
    name = word.partition("m")[2] if word.startswith("-") else word
    if name.partition(".")[0] == "topograph" and sys.path[:1] == [_working_directory()]:
        del sys.path[0]


def leave_out_relative_places() -> None:
    """Remove what is relative to the working directory: ``''``, and what relative and empty entries
    of ``PYTHONPATH`` became."""
    path = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    entries = path.split(os.pathsep) if path else []
    here = _working_directory()
    relative = {
        os.path.normpath(os.path.join(here, entry))  # noqa: PTH118
        for entry in entries
        if not os.path.isabs(entry)  # noqa: PTH117
    }
    relative.difference_update(map(os.path.normpath, filter(os.path.isabs, entries)))
    sys.path[:] = [
        place
        for place in sys.path
        if os.path.isabs(place) and os.path.normpath(place) not in relative  # noqa: PTH117
    ]


def safe(environment: "Mapping[str, str]") -> dict[str, str]:
    """What is to change in the environment of a process that is started, so that neither it nor
    what it starts looks for programs or modules in its working directory.

    >>> safe({"PATH": ".:/usr/bin:", "HOME": "."})
    {'PYTHONSAFEPATH': '1', 'PATH': '/usr/bin'}
    """
    changes = {SAFE: "1"}
    if "PATH" in environment:
        # an empty PATH is the working directory to some systems
        changes["PATH"] = absolute_places(environment["PATH"]) or os.defpath
    if "PYTHONPATH" in environment:
        changes["PYTHONPATH"] = absolute_places(environment["PYTHONPATH"])
    return changes


def absolute_places(path: str) -> str:
    """A search path without its empty and its relative entries.

    >>> absolute_places(":lib:/usr/lib:.")
    '/usr/lib'
    """
    return os.pathsep.join(filter(os.path.isabs, path.split(os.pathsep)))


def _working_directory() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:  # it is gone, and Python puts nothing in its place
        return ""
