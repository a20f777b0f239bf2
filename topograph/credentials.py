"""Credentials in text that is kept or shown: what must never stand in a finding, whatever file its
words come from.

Every ``Finding`` and ``Command`` passes its sentences through ``without_credentials`` and what it
quotes through ``without_arguments``; every fact does the same to texts that may be commands,
addresses or sentences (``topograph.importers.secrets``). Readers leave
out more, where they know what a value is (``topograph.importers.lexical``). Pure and linear.
"""

from __future__ import annotations

import re

SET = "(set)"
"""What stands in place of the value of a secret."""

_OF_SECRETS = (
    "passw", "passphrase", "passcode", "pass(?![a-z])", "pwd", "pw(?![a-z])", "psk", "kennwort",
    "secret", "token", "credential", "key", "sig(?![a-z])",
)  # fmt: skip
_FIRST, _SECOND = ("".join(sorted({word[at] for word in _OF_SECRETS})) for at in (0, 1))
SENSITIVE = f"(?=[{_FIRST}][{_SECOND}])(?<!routing[_-])(?:{'|'.join(_OF_SECRETS)})"
"""What the name of a secret holds: a regular expression, in any case. With the letters that all of
them begin with, a search passes over the rest of a text in a third of the time. A routing key is
none.
"""
SENSITIVE_NAME = re.compile(SENSITIVE, re.IGNORECASE)
OBFUSCATED = re.compile(r"\$man(?!agement)\$?[^\s,;:\"']*")
"""A password as a product's own tool obfuscates it; ``$management`` is an address of routers."""

_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}+(?<=PRIVATE KEY)-----.*?"
    r"(?:-----END [A-Z0-9 ]{0,40}+-----|\Z)",
    re.DOTALL,
)
_KEY_LINE = re.compile(
    r"(?<![\w+/=.:-])[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{12})?+={0,2}+(?![\w+/=.:-])"
)
"""A line of a key that is cut into lines of 64 or 76 characters, as its tools write it. Digests are
of small letters and digits alone."""

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
_VALUE = r"(?!\(set\))(?:\"[^\"]*+\"?|'[^']*+'?|[^\s\"']\S*[^\s\"'),;\]}]|[^\s\"'])"
"""A word of a command line, in quotes or not, without what closes around it."""
_OPTION = re.compile(r"(?<![\w.$-])(--?+[A-Za-z][\w.$-]*+)(?:[ \t]++|=)(?!-)")
"""An option of a command line, up to its value."""
_GIVEN = re.compile(_VALUE)
_LABELLED = re.compile(
    r"\b((?:pass(?:word|wd|phrase|code)|pwd|secret|api[_-]?key|token)[ \t]*+[:=][ \t]++)"
    rf"(?=[\"']?+[^\s\"']*[A-Za-z])({_VALUE})",
    re.IGNORECASE,
)
"""``pwd: tiger``, as people write it into a description."""
_PASSWORD = re.compile(r"(?<![\w.$-])-p(?=[A-Za-z]*+[\d!#$%^&*+?])(?=\d*+[A-Za-z])[^\s\"'),;]++")
"""``-pt1ger``; a port or another option is none."""
_PORT_OR_PATH = re.compile(
    r"(?:\"\d{1,5}\"|'\d{1,5}'|\d{1,5})(?=[\"'),;\]}]*+(?:\s|\Z))|[\"']?(?:[/.~]|[A-Za-z]:\\)"
)
_USERS = frozenset({"-u", "-U", "--user", "--proxy-user"})
"""Options of ``curl`` and others that take ``user:password``."""
_HEADER = re.compile(
    r"\b(Authorization[\"']?[ \t]*+:[ \t]*+[\"']?+"
    r"(?:Basic|Bearer|Digest|Negotiate|NTLM|Token|ApiKey)[ \t]++|Bearer[ \t]++)"
    rf"{_VALUE}",
    re.IGNORECASE,
)
_AT_PORT = re.compile(r"(?<![\w.+:/@-])[\w.+-]++:[^\s@:/'\"(),]++@(?=[\w.-]++[:(]\d)")
"""User and password before a host with its port; names of queues and files have none."""
_AT_HOST = re.compile(
    r"(?<![\w.+:/@-])((?:topic|queue|address|server|route|link|host):)?+"
    r"(?!(?:topic|queue|address|server|route|link|host):)[\w.+-]++:[^\s@:/'\"(),]++@(?=[\w-])"
)
"""The same before any host, behind the word that says what something is; ``queue:ORDERS@B`` has
none."""
_RUN = re.compile(r"[^./@*>#+]++")
"""What stands between the characters that divide names, or stand for any, in some system."""
_HIDDEN = re.compile(r"hidden-[0-9a-f]{4}")
_ALL_HIDDEN = re.compile(r"(?:hidden-[0-9a-f]{4}(?:[./@*>#+]++|\Z))+")
_DIVIDED = re.compile(r"hidden-[0-9a-f]{4}[./]++hidden-")
_TYPED = re.compile(r"(?:topic|queue|address):")


def without_credentials(text: str) -> str:
    """``text`` with ``(set)`` in place of user and password in URLs and before a host with its
    port, of obfuscated passwords, of values that are attached to the name of a secret, and of
    headers that authorize. Places in files and what stands apart stay: a sentence may speak of
    keys, and of options. Idempotent; linear.

    >>> without_credentials("no server at 'tcp://u:tiger@a:1' (pw=tiger, key.conf:3:1): the key x is unknown")
    "no server at 'tcp://(set)@a:1' (pw=(set) key.conf:3:1): the key x is unknown"
    """  # noqa: E501
    if len(text) >= _LONG:
        text = without_keys(text)
    if "$man" in text:
        text = OBFUSCATED.sub(SET, text)
    if "=" in text or ":" in text:
        text = without_user_info(text, urls_only=True)
        if "@" in text and ":" in text:
            text = _AT_HOST.sub(rf"\g<1>{SET}@", _AT_PORT.sub(f"{SET}@", text))
    if "uthoriz" in text or "earer" in text.lower():
        text = _HEADER.sub(rf"\1{SET}", text)
    if _ATTACHING.search(text) and SENSITIVE_NAME.search(text):
        return _without_attached(text)
    return text


_LONG = 27
"""Characters that the beginning of a private key has at least."""


def without_keys(text: str) -> str:
    """``text`` with ``(set)`` in place of private keys, whole or to where the text is cut off, and
    of a line of one. Idempotent; linear.

    >>> without_keys("key -----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA")
    'key (set)'
    """
    if "PRIVATE KEY-----" in text:
        text = _PRIVATE_KEY.sub(SET, text)
    return _KEY_LINE.sub(_without_line, text) if len(text) >= 64 else text


def _without_line(found: re.Match[str]) -> str:
    line = found.group()
    mixed = any(map(str.isupper, line)) and any(map(str.islower, line))
    counted = sum("0" <= character <= "9" for character in line)
    # A long path has digits here and there; in a key every sixth character is one.
    return SET if mixed and counted >= 4 and line.count("/") < 5 else line


def without_arguments(text: str) -> str:
    """The same of a text that may be a command line, and is no sentence: also without what options
    that name a secret are given, ``-p`` included unless that is a port or a path, and without
    what ``-u user:password`` is. Idempotent; linear.

    >>> without_arguments("curl -u u:tiger -H 'Authorization: Bearer tiger' --token tiger -p 1414")
    "curl -u (set) -H 'Authorization: Bearer (set)' --token (set) -p 1414"
    """
    if "-" in text:
        text = _without_values(text)
        text = _PASSWORD.sub(f"-p {SET}", text) if "-p" in text else text
    if ": " in text or "= " in text:
        text = _LABELLED.sub(rf"\1{SET}", text)
    return without_credentials(text)


def name_without_secret(name: str) -> str:
    """A name as it is kept and shown. Where it has the form of a credential, ``hidden-`` and four
    digits of a digest stand in place of that: the same wherever the name is written, another
    for another name. The digits tell sixteen bits of what was there, and no more. What divides
    names, or stands for any of them, stays in its place, so that a pattern fits what it fitted
    before. Idempotent; linear.

    >>> name_without_secret("amqps://user:tiger@host"), name_without_secret("a.password=tiger.>")
    ('amqps://hidden-f0d4@host', 'a.hidden-81e1.>')
    """
    if not may_hold_secret(name):
        return name
    shown = without_arguments(name)
    if shown == name:
        return name
    begin = _alike(name, shown)
    end = len(name) - _alike(name[begin:][::-1], shown[begin:][::-1])
    if not name.endswith("://", 0, begin):
        typed = _TYPED.match(name)
        first = typed.end() if typed else 0
        # a user may have dots in the name, which divide names
        before = max(begin, name.rfind(":", begin, end)) if name.startswith("@", end) else begin
        begin = max(first, *(name.rfind(mark, 0, before) + 1 for mark in "./@*>#+"))
    hidden = name[:begin] + _hidden(name[begin:end]) + name[end:]
    return hidden if without_arguments(hidden) == hidden else _hidden(name)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with that are the same in both."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _hidden(text: str) -> str:
    """``text`` with digests in place of what stands between the characters that divide names."""
    from hashlib import blake2b  # which takes longer to load than all of this module

    digest, shown, at = blake2b(digest_size=2), [], 0
    for run in _RUN.finditer(text):
        digest.update(text[at : run.end()].encode("utf-8", "surrogatepass"))
        shown += [text[at : run.start()], f"hidden-{digest.hexdigest()}"]
        at = run.end()
    return "".join([*shown, text[at:]])


def may_hold_secret(names: str) -> bool:
    """Whether ``name_without_secret`` has to look at a name, or at any of several in a text: no
    other has what every name with a credential has.
    """
    if " " in names or "=" in names or "$man" in names:
        return True
    return ":" in names and ("@" in names or SENSITIVE_NAME.search(names) is not None)


def is_hidden(name: str) -> bool:
    """Whether a part of a name was left out of it."""
    return _HIDDEN.search(name) is not None


def is_divided(name: str) -> bool:
    """Whether what was left out of a name has what divides names in it."""
    return _DIVIDED.search(name) is not None


def _without_values(text: str) -> str:
    """A command line without the values of options that are secrets. What another option is given
    may be a command line too, and is searched like the rest."""
    shown, begin, at = [], 0, 0
    while (found := _OPTION.search(text, at)) is not None:
        option, at = found[1], found.end()
        if option == "-p":
            hidden = _PORT_OR_PATH.match(text, at) is None
        else:
            hidden = option in _USERS or SENSITIVE_NAME.search(option) is not None
        if hidden and (value := _GIVEN.match(text, at)) is not None:
            if option not in _USERS or (":" in value.group() and "://" not in value.group()):
                shown += [text[begin:at], SET]
                begin = value.end()
            at = value.end()
    return "".join([*shown, text[begin:]])


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
        if _ALL_HIDDEN.fullmatch(word, start + 3, mark):
            return word  # a name that was
        return word[: start + 3] + instead + word[mark + 1 :]
    if mark < 0 or urls_only:
        return word
    assigned = _ASSIGNED.match(word)
    begin = assigned.end() if assigned else 0
    told = any(character in word[begin:mark] for character in ":/")
    return word[:begin] + instead + word[mark + 1 :] if told else word
