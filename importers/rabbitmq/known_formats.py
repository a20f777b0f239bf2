"""Files of RabbitMQ that are not read: what to call them (see
``topograph.importers.known_formats``).
"""

from __future__ import annotations

import re

KNOWN_FORMATS = tuple(
    (re.compile(pattern, re.MULTILINE), name)
    for pattern, name in (
        (
            r"^[ \t]*+\[[ \t]*+rabbitmq_\w++(?:[ \t]*+,[ \t\r\n]*+\w++)*+[ \t]*+\][ \t]*+\.",
            "the enabled_plugins of a RabbitMQ node, which does not say where messages go",
        ),
    )
)
"""What files are to RabbitMQ."""
