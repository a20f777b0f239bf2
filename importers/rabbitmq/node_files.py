"""Which files say how a node of RabbitMQ runs, by content: ``rabbitmq.conf``, ``advanced.config``
(or the ``rabbitmq.config`` of 3.6) and ``rabbitmq-env.conf``; and whose they are (RQ-31).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from topograph.findings import Source
from topograph.importers.rabbitmq.erlang_terms import NotTerms, Term, terms
from topograph.importers.rabbitmq.settings_known import LOADED, NAMES, is_known, is_telling
from topograph.importers.rabbitmq.settings_text import Setting, is_placeholder, settings
from topograph.importers.reading import Recognised, Reference, Role, Use

SYSTEM = "rabbitmq"

CONF = Role(
    "rabbitmq-conf", Use.OUTPUT, SYSTEM, part="conf", text="a rabbitmq.conf", guessed=True,
    beside="node",
)  # fmt: skip
ADVANCED = Role(
    "rabbitmq-advanced", Use.OUTPUT, SYSTEM, part="advanced",
    text="an advanced.config of RabbitMQ", beside="node",
)  # fmt: skip
ENV = Role(
    "rabbitmq-env", Use.OUTPUT, SYSTEM, part="env", text="a rabbitmq-env.conf", beside="node"
)

_TERMS = re.compile(r"(?:\s++|%[^\n]*+)*+\[")
_APPLICATION = re.compile(r"\{\s*+'?(?:rabbit|rabbitmq_\w++)'?\s*+,")
_NODE = re.compile(
    r"^[ \t]*+(?:export[ \t]++)?(?:RABBITMQ_)?NODENAME=[ \t]*+(?:\"([^\"\n]*+)\"|([^\s#]*+))",
    re.MULTILINE,
)
_ASSIGNED = re.compile(
    r"[ \t]*+(?:export[ \t]++)?(?:RABBITMQ_\w++|NODENAME|NODE_\w++|CONFIG_FILE|ADVANCED_\w++|"
    r"MNESIA_\w++|LOGS|LOG_BASE|PLUGINS_\w++|ENABLED_PLUGINS_FILE|USE_LONGNAME|SERVER_\w++|"
    r"CTL_\w++|HOME|PID_FILE|ERL_\w++)="
)
_BROKER = "rabbit"
_LOADED_BY = "load_definitions"


def recognise_node_file(path: str, text: str) -> Recognised | None:
    """What a text is of a node; None if nothing. Linear."""
    if _TERMS.match(text):
        return _advanced(path, text) if _APPLICATION.search(text) else None
    found = _NODE.search(text)
    if found is not None and _is_env(text):
        return _named(path, ENV, found[1] or found[2] or "", [])
    return _conf(path, text)


def _is_env(text: str) -> bool:
    rows = (row for row in text.splitlines() if row.strip() and not row.lstrip().startswith("#"))
    return all(_ASSIGNED.match(row) for row in rows)


def _conf(path: str, text: str) -> Recognised | None:
    """A file of settings, of which no more than half of the lines are anything else: at least one
    is one that only RabbitMQ has, or the name of the file says so of all."""
    if "=" not in text:
        return None
    known = other = 0
    telling = _BROKER in path.rpartition("/")[2].lower()
    names: dict[str, str] = {}
    loaded: list[Setting] = []
    for one in settings(text):
        known, other = known + is_known(one.key), other + (not is_known(one.key))
        telling = telling or is_telling(one.key)
        if one.key in NAMES:
            names[one.key] = one.value
        elif one.key in LOADED:
            loaded.append(one)
    if not (telling and known) or other > known:
        return None
    places = [(one.value, Source(path, one.line, one.column)) for one in loaded]
    return _named(path, CONF, names.get("nodename", ""), places, names.get("cluster_name", ""))


def _advanced(path: str, text: str) -> Recognised:
    return _named(path, ADVANCED, "", [(name, Source(path)) for name in _loads(text)])


def _loads(text: str) -> Iterator[str]:
    """The definitions that an ``advanced.config`` loads."""
    try:
        for term in terms(text):
            for _, key, value in entries_of(term):
                if key == _LOADED_BY and value.kind in ("text", "binary"):
                    yield str(value.value)
    except NotTerms:
        return


def entries_of(term: Term) -> Iterator[tuple[str, str, Term]]:
    """Application, key and value of all entries of a configuration. Linear."""
    for application in term.parts if term.kind == "list" else ():
        pair = application.parts if application.kind == "tuple" else ()
        if len(pair) != 2 or pair[0].kind != "atom" or pair[1].kind != "list":
            continue
        for entry in pair[1].parts:
            own = entry.parts if entry.kind == "tuple" else ()
            if len(own) != 2 or own[0].kind != "atom":
                continue
            yield str(pair[0].value), str(own[0].value), own[1]


def _named(
    path: str, role: Role, node: str, loads: list[tuple[str, Source]], cluster: str = ""
) -> Recognised:
    """A file with the name that it gives its cluster, and the definitions that it loads. A cluster
    may be called like its first node, ``rabbit@HOST``, or like the host of that."""
    cluster, node = ("" if "$" in one or is_placeholder(one) else one for one in (cluster, node))
    also = (node, node.rpartition("@")[2])
    return Recognised(
        path,
        role,
        server=cluster,
        also=tuple(dict.fromkeys(one for one in also if one)),
        references=tuple(
            Reference("definitions", name, source)
            for name, source in loads
            if name and not is_placeholder(name)
        ),
    )
