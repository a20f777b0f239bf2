"""The nearest names to one that is unknown: a typing error should cost one more try, not a search.

>>> did_you_mean("CANDA", ["CANADA", "MEXICO"])
' Did you mean CANADA?'
>>> did_you_mean("hq", ["HQ", "USA"]), did_you_mean("nothing like it", ["HQ"])
(' Did you mean HQ?', '')
"""

from __future__ import annotations

from collections.abc import Iterable

_NEAR = 0.5
"""Of the letters of two names, the share that has to agree (``difflib``'s ratio)."""


def nearest(name: str, known: Iterable[str], most: int = 3, share: float = _NEAR) -> list[str]:
    """Up to ``most`` of the ``known`` names, the nearest first: the same but for case, or alike in
    ``share`` of their letters.
    Linear in the known names.
    """
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    same = [other for other in names if other.casefold() == name.casefold()]
    if same:
        return same[:most]
    folded: dict[str, str] = {}
    for other in names:
        folded.setdefault(other.casefold(), other)
    return [folded[match] for match in get_close_matches(name.casefold(), folded, most, share)]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` Did you mean A or B?`` with a space before it, to end a message with; empty where
    nothing is near.
    """
    near = nearest(name, known)
    if not near:
        return ""
    last = f"{', '.join(near[:-1])} or {near[-1]}" if near[1:] else near[0]
    return f" Did you mean {last}?"
