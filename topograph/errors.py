"""Errors that reach the user, each with the exit code of the command line (DESIGN section 4.1).

::

    TopographError                     5  internal error
    ├── UsageError                     2  a question that cannot be asked like this
    │   ├── UnknownServer                 no server of that name
    │   ├── UnknownNetwork                no network of that name, or several and none chosen
    │   ├── UnknownDestination            a destination that does not read as TYPE:NAME
    │   ├── InvalidSelector               text that is not a selector (position given)
    │   └── NotApplicable                 the question has no meaning for that system, or is not built for it
    ├── InputError                     3  the input cannot be read
    │   ├── SnapshotNotFound              no snapshot at that path or under that id
    │   ├── SnapshotIncomplete            a directory without a finished manifest
    │   ├── SnapshotOutdated              a snapshot, in a directory or a database, that another version's schema wrote
    │   └── UnknownSystem                 facts of a system that no installed package answers for
    └── BackendError                   4  the database, Spark or the machine failed
        ├── NotInstalled                  a package that a light install leaves out
        ├── NoJava                        no Java for Spark or the local server, or one that is too old
        ├── DatabaseUnavailable           nothing answers at that URI, or the password is refused
        ├── SnapshotNotPublished          the database does not hold that snapshot id
        └── PublishLost                   a publish was taken for dead and swept (``store.publication``)
"""  # noqa: E501

from __future__ import annotations

import errno
import os

from topograph.credentials import without_credentials


class TopographError(Exception):
    """Base of all errors of topograph. The message is written for the person at the command
    line: what happened, and what to do. ``exit_code`` is the exit code of the command that
    failed. A message of several lines is given line by line: a line break within one belongs to
    a name, and is shown as such. It holds no credentials, whatever it quotes."""

    exit_code = 5

    def __init__(self, *lines: str) -> None:
        self.lines = tuple(map(without_credentials, lines))
        super().__init__("\n".join(self.lines))


class UsageError(TopographError):
    """The question cannot be asked like this."""

    exit_code = 2


class UnknownServer(UsageError):
    """No server of that name is known in the network."""


class UnknownNetwork(UsageError):
    """No network of that name, or several networks and none chosen."""


class UnknownDestination(UsageError):
    """A destination that does not read as ``topic:NAME``, ``queue:NAME``, ``address:NAME``, ...

    ``name`` is what was given, where it lacks nothing but a type: what to write in its place
    (``hint``) depends on the server."""

    def __init__(self, message: str, name: str = "", hint: str = "") -> None:
        super().__init__(f"{message}{hint}")
        self.said = message
        self.name = name


class InvalidSelector(UsageError):
    """Text that is no message selector; ``column`` counts from 1 in the selector text."""

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.column = column

    @property
    def in_one_line(self) -> str:
        """What is wrong and where, without the text of the selector below it."""
        return str(self).partition("\n")[0]


class NotApplicable(UsageError):
    """The question has no meaning for the system it is asked about."""


class InputError(TopographError):
    """The input is unreadable, or too incomplete for any answer."""

    exit_code = 3


class SnapshotNotFound(InputError):
    """There is no snapshot at that path or under that id."""


class SnapshotIncomplete(InputError):
    """A snapshot directory without a finished manifest: its import did not end."""


class SnapshotOutdated(InputError):
    """A snapshot, in a directory or in a database, of another schema than this version reads and
    writes.
    """


class UnknownSystem(InputError):
    """Files or facts of a system that is not topograph's own, and whose package is not installed
    or cannot be imported.
    """


class BackendError(TopographError):
    """The database, Spark or the machine failed."""

    exit_code = 4


class NotInstalled(BackendError):
    """A package that only some commands need is not installed; the message says what installs
    it.
    """


class NoJava(BackendError):
    """There is no Java for Spark or the local Neo4j server, or it is too old."""


class DatabaseUnavailable(BackendError):
    """Nothing answers at the database URI, or it refuses the credentials."""


class SnapshotNotPublished(BackendError):
    """The database does not hold the snapshot that the question is about."""


NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where there is no room for a file: a full disk, a quota, a limit."""


MACHINE = NO_ROOM | {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.ENXIO, errno.ENODEV),
    *(errno.EMFILE, errno.ENFILE, errno.ENOLCK, errno.ESTALE, errno.ETXTBSY, errno.EBUSY),
}
"""What the system says where the machine is at fault and not the program: a disk that is full, may
only be written by others or fails, too many open files."""


def no_room(error: OSError, place: str = "") -> str:
    """What to tell a user whose disk is full; ``place`` is what was written, where the error does
    not name it."""
    named = error.filename or place
    what = f"{os.fsdecode(named)} cannot be written" if named else "A file cannot be written"
    reason = os.strerror(error.errno) if error.errno else str(error)
    return f"{what}: {reason}. Make room there, and run the command again."


def of_machine(error: OSError) -> str:
    """What to tell a user of an error of ``MACHINE`` that nobody expected."""
    if error.errno in NO_ROOM:
        return no_room(error)
    named = f"{os.fsdecode(error.filename)}: " if error.filename else ""
    return f"The system refused a file: {named}{error.strerror or error}."


def not_written(place: str, error: OSError) -> TopographError:
    """The error of a command whose output cannot be written: that of a disk without room is none
    of the command line."""
    if error.errno in NO_ROOM:
        return BackendError(no_room(error, place))
    return UsageError(f"{place} cannot be written: {error.strerror or error}.")
