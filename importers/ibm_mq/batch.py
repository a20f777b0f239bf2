"""Variables of batch files: what ``set X=Y`` gives is put in for ``%X%`` in the lines behind it, up
to the next ``set X``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_VARIABLE = re.compile(r"%(\w++)%")
_SET = re.compile(r"[ \t]*+@?set[ \t]++\"?(\w++)=([^\"\r\n]*+)\"?[ \t]*+\Z", re.IGNORECASE)
_SOMEWHERE = re.compile(r"\bset[ \t]++\"?(\w++)=", re.IGNORECASE)


def put_in(lines: Iterable[str]) -> Iterator[str]:
    """Lines with the variables that are known in each. One that is set under a condition, or in a
    loop, is not known from there on, and stays what it is. Linear.

    >>> list(put_in(["set QM=A", "echo x %qm% %P%", "SET QM=B", "if y (set QM=C)", "echo %QM%"]))
    ['set QM=A', 'echo x A %P%', 'SET QM=B', 'if y (set QM=C)', 'echo %QM%']
    """
    values: dict[str, str] = {}

    def value(match: re.Match[str]) -> str:
        return values.get(match[1].lower(), match[0])

    for line in lines:
        written = _VARIABLE.sub(value, line) if values and "%" in line else line
        yield written
        found = _SET.match(written) if "=" in written else None
        if found is not None and "%" not in found[2]:
            values[found[1].lower()] = found[2]
        else:
            for changed in _SOMEWHERE.finditer(written) if "=" in written else ():
                values.pop(changed[1].lower(), None)
