"""Files that topograph knows and does not read: what to call them, by content. For the note of
``show files``; nothing rests on it.

An importer states those of its system as ``KNOWN_FORMATS``: pairs of a pattern and a name, looked
at first and in order. Here are those of products that have no importer, and of everybody.

>>> name_of(b"<?xml version='1.0'?><server><featureManager/></server>")
'a server.xml of Liberty'
>>> name_of(b"DEFINE QLOCAL(A) +\\n  REPLACE\\n")
'an MQSC script'
>>> name_of(b"Dear diary")
''
"""

from __future__ import annotations

import re

from topograph import extensions
from topograph.importers import lexical

_HEAD = 65_536
"""Only the first 64 KB are looked at."""

_BINARY = (
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xfe\xed\xfe\xed", "a Java key store"),
    (b"AMQR", "a client channel definition table (AMQCLCHL.TAB)"),
    (b"\xca\xfe\xba\xbe", "a Java class"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
)

_TAG = re.compile(r"<(?:[\w.-]++:)?([\w.-]++)")
_LIBERTY = re.compile(r"<(featureManager|messagingEngine|include|jms\w*|wasJms\w*)\b")
_JSON_START = re.compile(r'\s*+(\{\s*+("|\})|\[\s*+["{\[\]\d])')
_XML_NAMES = {
    "server": "a server.xml of Liberty",
    "client": "a client.xml of Liberty",
    "SIBus": "a bus definition of WebSphere (sib-bus.xml)",
    "SIBDestination": "destinations of a WebSphere bus",
    "configuration": "an XML configuration (Artemis broker.xml or similar)",
    "broker": "an ActiveMQ broker configuration",
    "beans": "a Spring XML configuration",
}

_TEXTS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), name)
    for pattern, name in (
        (r"^-----BEGIN [A-Z0-9 ]*(CERTIFICATE|KEY|CRL)", "a certificate or key"),
        (r"^AMQ\d{4}[A-Z]?:[ \t]", "output of MQSC commands (runmqsc)"),
        (r"^QMNAME\(.*\)", "`dspmq` output"),
        (
            r"^[ \t]*(DEFINE|ALTER|DELETE|SET)[ "
            r"\t]+(Q(LOCAL|REMOTE|ALIAS|MODEL|MGR|L|R|A)|CHANNEL|CHL|TOPIC|SUB|LISTENER|"
            r"CHLAUTH|AUTHREC"
            r"|NAMELIST|PROCESS|AUTHINFO|SERVICE|COMMINFO)\b",
            "an MQSC script",
        ),
        (
            (
                r"^(?-i:QueueManager|Log|Service|TCP|CHANNELS|AllQueueManagers|"
                r"DefaultQueueManager):[ \t]*+\r?\n\s*+\w++[ \t]*+="
            ),
            "an mqs.ini or qm.ini",
        ),
        (
            r"^(pwcheck_method|auxprop_plugin|sasldb_path|mech_list|sql_\w+):",
            "a SASL configuration, which does not say where messages go",
        ),
        (r"\bAdmin(Task|Config|Control|App)\.\w+\(|^\$Admin(Task|Config)\b", "a wsadmin script"),
        (r"^#!.*\b(ba|k|z|da)?sh\b", "a shell script"),
        (r"^#!.*\b(python|perl|ruby)", "a script"),
        (r"^apiVersion:[ \t]*\S+", "a Kubernetes manifest"),
    )
)


def name_of(data: bytes) -> str:
    """What a file is in words, with its article; empty if it is nothing that is known. Linear in
    the first 64 KB; never raises.
    """
    head = data[:_HEAD]
    for magic, name in _BINARY:
        if head.startswith(magic):
            return name
    decoded = lexical.decode(head)
    if decoded is None:
        return ""
    text = decoded.text.removeprefix("\ufeff")
    if text.lstrip().startswith("<"):
        return _xml(text)
    for system in extensions.OWN:
        for pattern, known in extensions.module(system, "importer").KNOWN_FORMATS:
            if pattern.search(text):
                return str(known)
    if _JSON_START.match(text):
        return "a JSON file of an unknown kind"
    return next((name for pattern, name in _TEXTS if pattern.search(text)), "")


def _xml(text: str) -> str:
    match = _TAG.match(text, _past_prolog(text))
    if match is None:
        return ""
    if match[1] == "server" and not _LIBERTY.search(text):
        return "an XML file (<server>)"
    return _XML_NAMES.get(match[1], f"an XML file (<{match[1][:60]}>)")


def _past_prolog(text: str) -> int:
    """Where the first element begins: behind blanks, processing instructions, comments and
    document types; the end where one of them does not end. Linear: no part of the prolog is
    looked at again when a later one does not fit."""
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if text.startswith("<?", at):
            at = _behind("?>", text, at + 2)
        elif text.startswith("<!--", at):
            at = _behind("-->", text, at + 4)
        elif text.startswith("<!DOCTYPE", at):
            close = _behind(">", text, at)
            subset = text.find("[", at, close)
            at = close if subset < 0 else _behind(">", text, _behind("]", text, subset))
        else:
            return at


def _behind(mark: str, text: str, at: int) -> int:
    """The offset behind the next ``mark`` from ``at`` on; the end where there is none."""
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)
