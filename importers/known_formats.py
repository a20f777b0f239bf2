"""Files that topograph knows and does not read: what to call them, by content. For the note of ``show files``; nothing rests on it.

An importer states those of its system as ``KNOWN_FORMATS``: pairs of a pattern and a name, looked at first and in order. Here are those of
products that have no importer, and of everybody.

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
    (b"\xca\xfe\xba\xbe", "a Java class"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
)

_XML_START = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\])?[^>]*>\s*)*<(?:([\w.-]+):)?([\w.-]+)", re.DOTALL
)
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
            r"^[ \t]*(DEFINE|ALTER|DELETE|SET)[ \t]+(Q(LOCAL|REMOTE|ALIAS|MODEL|MGR|L|R|A)|CHANNEL|CHL|TOPIC|SUB|LISTENER|CHLAUTH|AUTHREC"
            r"|NAMELIST|PROCESS|AUTHINFO|SERVICE|COMMINFO)\b",
            "an MQSC script",
        ),
        (
            r"^(QueueManager|Log|Service|TCP|CHANNELS|AllQueueManagers|DefaultQueueManager):[ \t]*$",
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
        (r"^\(?\{?mqe|^[ \t]*\[?com\.ibm\.mqe\b", "a configuration of WebSphere MQ Everyplace"),
    )
)


def name_of(data: bytes) -> str:
    """What a file is in words, with its article; empty if it is nothing that is known. Linear in the first 64 KB; never raises."""
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
    if text.lstrip()[:1] in ("{", "["):
        return "a JSON file of an unknown kind" if re.match(r'\s*(\{\s*("|\})|\[\s*["{\[\]\d])', text) else ""
    return next((name for pattern, name in _TEXTS if pattern.search(text)), "")


def _xml(text: str) -> str:
    match = _XML_START.match(text)
    if match is None:
        return ""
    if match[2] == "server" and not re.search(r"<(featureManager|messagingEngine|include|jms\w*|wasJms\w*)\b", text):
        return "an XML file (<server>)"
    return _XML_NAMES.get(match[2], f"an XML file (<{match[2][:60]}>)")
