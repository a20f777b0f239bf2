"""The name of a queue manager where nothing in a file says it: from the name of the file, else
of its folder.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from topograph.digits import is_digits

_ENDINGS = frozenset(
    {
        "mqsc", "mqs", "mq", "in", "txt", "j2", "jinja", "jinja2", "erb", "tpl", "tmpl", "template",
        "sh", "ksh", "bash", "bat", "cmd", "ps1", "log", "out",
        "cfg", "conf", "config", "def", "defs", "dmp", "dump", "bak", "orig", "old", "new", "yaml",
        "yml", "json", "ini", "tst", "mqsc_template",
        "yaml_template", "mqsc-template", "props", "gotmpl", "dist", "sample", "example", "script",
    }
)  # fmt: skip

_WORDS = """
a admin all alter and ansible app apps auth auto backup base batch bin change channel channels chart charts chl chls clus cluster
clusters cmd cmds common conf config configmap configs configuration create creates custom data def default defaults define
defines definition definitions defs delete demo deploy dev dis display dlq dmp dmpmqcfg docker drop dump dumps env etc example
examples export extra files final for full group_vars helm home host_vars ibm ibm-mq ibmmq image infra init initial install
integration ivt k8s kubernetes lab listener local main manifests messaging mq mqfiles mqm mqs mqsc mqscs mqsi my new object
objects ocp of old openshift out output overlays post prod producer qm qmgr qmgrs queue queuemanager queues receiver reference
remote resource resources result results roles rollback root rootfs run runmqsc sample samples save saved script scripts security
sender server set settings setup sql src ssl start startup static status stop sub subs tasks tc template templates terraform test
tests tls tmp topic topics transcript uat update use user users values var vars websphere wmq work yaml
"""  # noqa: E501
_GENERIC = frozenset(_WORDS.split())
"""Words in names of files and folders that say what is in them, and not whose it is."""

_SEPARATORS = "_- "
_MOST_PARTS = 15
"""Words and separators of a file's name that are tried as the name of a queue manager."""
_VALID = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/%")


def guessed(path: str) -> tuple[str, str]:
    """A name for the queue manager of a file, and what gave it: ``file`` or ``folder``.

    >>> guessed("estate/QM1_objects.mqsc"), guessed("estate/HUB.A/config.mqsc.j2"), guessed("mqsc/create-queues.mqsc")
    (('QM1', 'file'), ('HUB.A', 'folder'), ('create_queues', 'file'))
    """  # noqa: E501
    place = PurePosixPath(path.replace("!/", "/"))
    stem = _stem(place.name)
    if name := telling(stem):
        return name, "file"
    for folder in list(place.parents)[:3]:
        if name := telling(folder.name):
            return name, "folder"
    return _valid(stem) or "queue_manager", "file"


_CHANGE = re.compile(
    r"(?:chg|chng|change|cr|crq|rfc|inc|ritm|sctask|ticket|patch|delta|hotfix|release|rollback|"
    r"backout|fallback|migration|undo)(?=[^a-z]|\Z)",
    re.IGNORECASE,
)
"""How names of files begin that hold the commands of one change."""


def names_change(path: str) -> bool:
    """Whether the name of a file is that of a change to queue managers and of none itself.

    >>> [names_change(name) for name in ("x/CHG0042.mqsc", "change-q.mqsc", "CHGHUB.mqsc")]
    [True, True, False]
    """
    return _CHANGE.match(path.rpartition("/")[2]) is not None


def alternatives(path: str) -> tuple[str, ...]:
    """What else the name of a file may say its queue manager is called: every run of its words, the
    longest first, those that say nothing of a queue manager left out.

    >>> alternatives("QM_ORANGE-objects.mqsc")
    ('QM_ORANGE_objects', 'ORANGE_objects', 'QM_ORANGE', 'ORANGE')
    """
    stem = _stem(PurePosixPath(path.replace("!/", "/")).name)
    words = [stem]
    for separator in _SEPARATORS:
        words = [part for word in words for part in _split(word, separator)]
    words = words[:_MOST_PARTS]
    found = {
        "".join(words[start:end]): end - start
        for start in range(0, len(words), 2)
        for end in range(start + 1, len(words) + 1, 2)
        if not all(_is_generic(word) for word in words[start:end:2])
    }
    return tuple(dict.fromkeys(_valid(text) for text in sorted(found, key=found.__getitem__)[::-1]))


def _stem(name: str) -> str:
    parts = name.split(".")
    while len(parts) > 1 and parts[-1].lower() in _ENDINGS:
        parts.pop()
    return ".".join(parts)


def telling(text: str) -> str:
    """A name without generic words and endings of files at its ends; empty if nothing is left.

    >>> telling("qm1-mqsc"), telling("config.mqsc"), telling("MQ_HUB.mqsc"), telling("QM_HUB.mqsc")
    ('qm1', '', 'HUB', 'QM_HUB')
    """
    words = [_stem(text)]
    for separator in _SEPARATORS:
        words = [part for word in words for part in _split(word, separator)]
    while words and _is_generic(words[0]) and not _begins_name(words):
        words = words[2:]
    while words and _is_generic(words[-1]):
        words = words[:-2]
    return _valid("".join(words))


def _begins_name(words: list[str]) -> bool:
    """Whether the word QM is written as part of a name: ``QM_ORANGE``."""
    return words[:2] == ["QM", "_"] and len(words) > 2 and not _is_generic(words[2])


def _split(text: str, separator: str) -> list[str]:
    """Words and the separators between them."""
    parts = text.split(separator)
    return [piece for part in parts for piece in (separator, part)][1:] if len(parts) > 1 else parts


def _is_generic(word: str) -> bool:
    plain = word.lower()
    return not plain or plain in _GENERIC or is_digits(plain)


def _valid(text: str) -> str:
    return "".join(character if character in _VALID else "_" for character in text)[:48].strip("_")
