"""Files of TIBCO EMS that are not read: what to call them (see
``topograph.importers.known_formats``).
"""

from __future__ import annotations

import re

KNOWN_FORMATS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), name)
    for pattern, name in (
        (r"^\S*>[ \t]*show config\b", "`show config` output"),
        (r"^\S*>[ \t]*(show|info)[ \t]+\w+", "output of the EMS administration tool"),
        (
            (
                r"^[ \t]*(create|addprop|setprop|removeprop|delete|grant|revoke)[ "
                r"\t]+(route|topic|queue|bridge|durable|user|group|factory)[ \t]"
            ),
            "a script of EMS administration commands; judge it with `topograph audit --change`",
        ),
    )
)
