"""Files of IBM MQ that are not read: what to call them (see
``topograph.importers.known_formats``).
"""

from __future__ import annotations

import re

KNOWN_FORMATS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), name)
    for pattern, name in (
        (
            r"\bMAKEDEF[ \t]*+\(",
            "input of CSQUTIL with MAKEDEF; import what it writes, or output of `dmpmqcfg`",
        ),
        (
            r"^\W{0,9}CSQ[A-Z]\d{3}[IEADW][ \t]",
            "output of z/OS (CSQ messages); import output of `dmpmqcfg -x all`",
        ),
        (
            r'\A\s*+\{\s*+"channel"\s*+:\s*+\[',
            (
                "a client channel definition table in JSON (CCDT), which does not say where "
                "messages go"
            ),
        ),
        (r"^AMQ\d{4}[A-Z]?:.*\n\s*+EXPLANATION:", "an error log of a queue manager (AMQERR01.LOG)"),
    )
)
