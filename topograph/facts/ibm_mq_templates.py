"""Template text in names of IBM MQ: what programs fill in before a queue manager reads it
(ibm_mq.md C4).

No pattern: templates are told by where their marks stand, and a name of MQ may hold ``_``, ``%``,
``.`` and ``/`` itself.
"""

from __future__ import annotations

from functools import lru_cache

_PAIRS = (("{{", "}}"), ("${", "}"), ("<", ">"), ("{%", "%}"), ("[[", "]]"), ("#{", "}"))
_AROUND = ("+", "%", "@", "__", "#", "~")
_MARKS = frozenset("${<[#+%@~")
"""What every template has, unless it is one of ``__X__``."""


@lru_cache(maxsize=1 << 14)  # a dump has the same few values many times
def is_template(text: str) -> bool:
    """Whether a name or value holds text of a template: ``{{ x }}``, ``$X``, ``${X}``, ``%X%``,
    ``+X+``, ``__X__``, ``@X@``, ``<X>``. Linear.

    >>> [is_template(text) for text in ("QM.{{ env }}", "$QM", "%QM%.X", "__qm__", "+QM+")]
    [True, True, True, True, True]
    >>> [is_template(text) for text in ("<IP>(1414)", "A%B", "A__B")]
    [True, False, False]
    """
    if _MARKS.isdisjoint(text) and "__" not in text:
        return False
    if "$" in text and _variable(text):
        return True
    for opening, closing in _PAIRS:
        at = text.find(opening)
        if at >= 0 and text.find(closing, at + len(opening) + 1) > 0:
            return True
    return any(mark in text and _around(text, mark) for mark in _AROUND)


def _variable(text: str) -> bool:
    if text == "$SYS" or text.startswith("$SYS/"):
        return False  # the topics of the queue manager itself
    at = text.find("$")
    while at >= 0:
        if text[at + 1 : at + 2].isalnum() or text[at + 1 : at + 2] in ("_", "{", "("):
            return True
        at = text.find("$", at + 1)
    return False


def _around(text: str, mark: str) -> bool:
    """Whether a word stands between two marks."""
    parts = text.split(mark)
    return any(
        part and all(c.isalnum() or c in "_." for c in part) and part[0].isalpha()
        for part in parts[1:-1]
    )
