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
        (
            r"^(?![ \t]*+#)[^\n]*?\b(?:rabbitmqctl[^\n]*?[ \t](?:set|clear|add|delete|import)_\w"
            r"|rabbitmqadmin[^\n]*?[ \t](?:declare|delete|import)\b)",
            "a script of commands to RabbitMQ; judge it with `topograph audit --change`",
        ),
    )
)
"""What files are to RabbitMQ."""
