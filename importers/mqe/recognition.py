"""Which files describe queue managers of MQe: by content, never by name."""

from __future__ import annotations

import re

from topograph.importers import lexical
from topograph.importers.reading import Recognised, Role, Use

MQE_MAIN = Role("mqe-main", Use.MAIN, "mqe")
"""A YAML or JSON file with documents of ``kind: mqe``."""

_KIND = re.compile(
    r"""(?:^[ \t]*|[{,]\s*)["']?kind["']?[ \t]*:[ \t]*["']?mqe["']?[ \t]*(?:[,}#\r]|$)""",
    re.MULTILINE,
)
_NAME = re.compile(
    r"""(?:^[ \t]*|[{,]\s*)["']?queueManager["']?[ \t]*:[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s"',{}\[\]#][^\r\n,{}\[\]#]*))""",  # noqa: E501
    re.MULTILINE,
)

KNOWN_FORMATS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), name)
    for pattern, name in (
        (
            r"\bMQe\w{0,40}AdminMsg\b",
            (
                "a program or script of MQe administration messages; write its objects as "
                "`kind: mqe` (docs/inputs.md)"
            ),
        ),
        (
            r"\b(?:destinationQMgrName|forwardToQMgrName|getFromQMgrName)\b",
            (
                "a script of JMX operations on MQe; write its objects as `kind: mqe`, with "
                "the same parameter names (docs/inputs.md)"
            ),
        ),
        (r"^\(?\{?mqe|^[ \t]*\[?com\.ibm\.mqe\b", "a configuration of WebSphere MQ Everyplace"),
    )
)
"""Files of MQe that are not read: what to call them (see ``topograph.importers.known_formats``)."""


def recognise(path: str, data: bytes) -> Recognised | None:
    """A file with a document of ``kind: mqe``. Its queue manager is named where it has one only.
    Never raises; linear.
    """
    decoded = lexical.decode(data)
    if decoded is None or "mqe" not in decoded.text or _KIND.search(decoded.text) is None:
        return None
    names = {(one[0] or one[1] or one[2]).strip() for one in _NAME.findall(decoded.text)}
    return Recognised(path, MQE_MAIN, server=names.pop() if len(names) == 1 else "")
