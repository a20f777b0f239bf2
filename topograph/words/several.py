"""One text, or several."""

from __future__ import annotations

from collections.abc import Sequence


def several(said: str | Sequence[str]) -> tuple[str, ...]:
    """The texts that were said. One alone is not taken letter by letter.

    >>> several("server:HQ"), several(["server:HQ", "route:A-B"]), several(())
    (('server:HQ',), ('server:HQ', 'route:A-B'), ())
    """
    return (said,) if isinstance(said, str) else tuple(said)
