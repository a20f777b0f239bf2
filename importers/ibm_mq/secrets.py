"""What is kept of values, and of lines for findings: no passwords, and nothing that may be one."""

from __future__ import annotations

from functools import lru_cache

from topograph.credentials import SET, without_user_info
from topograph.facts.ibm_mq import Attribute
from topograph.importers import lexical
from topograph.importers.ibm_mq.holds import ADDRESSES, SECRETS
from topograph.importers.ibm_mq.schema import ALL_ATTRIBUTES, ROUTING

_BREAKS = str.maketrans(dict.fromkeys("()'\"=:,;", " "))


@lru_cache(maxsize=1 << 14)  # a dump has the same few values many times
def kept(name: str, value: str, known: bool = True) -> str:
    """The value of an attribute as it may be kept. Of an attribute that nobody knows only what is
    harmless.

    >>> (kept("LDAPPWD", "tiger"), kept("CONNAME", "h(1414)"),
    ...  kept("PASSWRD", "tiger", known=False), kept("DESCR", "password=x"))
    ('(set)', 'h(1414)', '(set)', 'password=(set)')
    """
    if name in ROUTING:
        return without_user_info(value) if name in ADDRESSES else value
    if name in SECRETS:
        return SET if value.strip() else value
    if not known:
        return lexical.kept_unknown(name, value)
    return lexical.kept("", value) if any(mark in value for mark in "=:@$-") else value


def attribute(name: str, value: str, line: int, known: bool = True) -> Attribute:
    """An attribute with what may be kept of its value."""
    return Attribute(name, kept(name, value, known), line)


def excerpt(text: str) -> str:
    """A line for a finding: up to the first word that is, or may be, the name of a secret or of
    nothing known.

    >>> excerpt("DEFINE AUTHINFO(A) LDAPPWD('tiger') LDAPUSER(x)"), excerpt("MAXDEPTH(5)")
    ('DEFINE AUTHINFO(A) LDAPPWD(set)', 'MAXDEPTH(5)')
    """
    shown = text.strip()[:400]
    for word in shown.translate(_BREAKS).split():
        if word.upper() in SECRETS or (
            lexical.is_secret(word) and word.upper() not in ALL_ATTRIBUTES
        ):
            at = shown.find(word) + len(word)
            shown = shown[:at] + (SET if at < len(shown) else "")
            break
    return lexical.excerpt(shown)
