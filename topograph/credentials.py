"""Credentials in text that is kept or shown: what must never stand in a finding, whatever file its
words come from.

Every ``Finding`` passes its message and its excerpt through ``without_credentials``. Readers leave
out more, where they know what a value is (``topograph.importers.lexical``). Pure and linear.
"""

from __future__ import annotations

import re

SET = "(set)"
"""What stands in place of the value of a secret."""

_OF_SECRETS = (
    "passw", "passphrase", "passcode", "pass(?![a-z])", "pwd", "pw(?![a-z])", "psk", "kennwort",
    "secret", "token", "credential", "key",
)  # fmt: skip
_FIRST, _SECOND = ("".join(sorted({word[at] for word in _OF_SECRETS})) for at in (0, 1))
SENSITIVE = f"(?=[{_FIRST}][{_SECOND}])(?:{'|'.join(_OF_SECRETS)})"
"""What the name of a secret holds: a regular expression, in any case. With the letters that all of
them begin with, a search passes over the rest of a text in a third of the time.
"""
SENSITIVE_NAME = re.compile(SENSITIVE, re.IGNORECASE)
OBFUSCATED = re.compile(r"\$man\$?[^\s,;:\"']*")
"""A password as a product's own tool obfuscates it."""

_URL_END = re.compile(r"\s|,(?=\s*+[A-Za-z][\w+.-]*+://)|\Z")
"""Where a URL in a text ends: a password may hold any character, but the next URL of a list is
not part of it.
"""
_ASSIGNED = re.compile(r"(?:[\w.-]++=)?[\"']?")
_ATTACHED = re.compile(r"(?<![\w.$-])([\w.$-]++)[=:](?=[^\s=:])")
"""A name and what attaches its value: ``pw=tiger``, ``pass:tiger``."""
_ATTACHING = re.compile(r"[=:][^\s=:]")
"""What every such place has; most texts have none, which this tells in a fraction of the time."""
_WORD = re.compile(r"\S*+")


def without_credentials(text: str) -> str:
    """``text`` with ``(set)`` in place of user and password in URLs, of obfuscated passwords, and
    of values that are attached to the name of a secret. Places in files and what stands apart stay:
    a sentence may speak of keys. Idempotent; linear.

    >>> without_credentials("no server at 'tcp://u:tiger@a:1' (pw=tiger, key.conf:3:1): the key x is unknown")
    "no server at 'tcp://(set)@a:1' (pw=(set) key.conf:3:1): the key x is unknown"
    """  # noqa: E501
    if "$man" in text:
        text = OBFUSCATED.sub(SET, text)
    if "=" in text or ":" in text:
        text = without_user_info(text, urls_only=True)
    return _without_attached(text) if _ATTACHING.search(text) else text


def _without_attached(text: str) -> str:
    shown, at = [], 0
    while (found := _ATTACHED.search(text, at)) is not None:
        begin = found.end()
        shown.append(text[at:begin])
        at = begin
        if SENSITIVE_NAME.search(found[1]) and (word := _WORD.match(text, begin)):
            value = word.group()
            if any(character.isalpha() for character in value):
                shown.append(SET)
                at = word.end()
    return "".join([*shown, text[at:]])


def without_user_info(text: str, instead: str = f"{SET}@", *, urls_only: bool = False) -> str:
    """``text`` with ``instead`` in place of user and password of each URL: all from ``://`` to the
    last ``@`` of the URL. Linear.

    Unless ``urls_only``, also of what a URL was meant to be and of connection strings: all before
    an ``@`` that follows a colon or slash.

    >>> without_user_info("tcp://u:p/w@a:1,tcp://b:2")
    'tcp://(set)@a:1,tcp://b:2'
    >>> (without_user_info("url=tcp:/u:pw@a u:pw@b:1 ann@c"),
    ...  without_user_info("jdbc:oracle:thin:scott/tiger@h"))
    ('url=(set)@a (set)@b:1 ann@c', '(set)@h')
    """
    if "@" not in text:
        return text
    shown, at = [], 0
    for end in _URL_END.finditer(text):
        shown += [_anonymous(text[at : end.start()], instead, urls_only), end.group()]
        at = end.end()
    return "".join(shown)


def shown_command(text: str) -> str:
    """A command as people see it: what is left out of it cannot be taken for what was typed.

    >>> shown_command("frobnicate (set)"), shown_command("(set)"), shown_command("delete route A")
    ('frobnicate ... (parameters not shown)', '(command not shown)', 'delete route A')
    """
    if text == SET:
        return "(command not shown)"
    if text.endswith(f" {SET}"):
        return f"{text.removesuffix(SET)}... (parameters not shown)"
    return text


def _anonymous(word: str, instead: str, urls_only: bool) -> str:
    mark = word.rfind("@")
    start = word.find("://", 0, max(mark, 0))
    if start >= 0:
        return word[: start + 3] + instead + word[mark + 1 :]
    if mark < 0 or urls_only:
        return word
    assigned = _ASSIGNED.match(word)
    begin = assigned.end() if assigned else 0
    told = any(character in word[begin:mark] for character in ":/")
    return word[:begin] + instead + word[mark + 1 :] if told else word
