"""Files of RabbitMQ that are not read: what to call them (see
``topograph.importers.known_formats``).
"""

from __future__ import annotations

import re

KNOWN_FORMATS = tuple(
    (re.compile(pattern, re.MULTILINE), name)
    for pattern, name in (
        (
            r"^[ \t]*+(?:load_definitions|definitions\.(?:local|https|import_backend|"
            r"skip_if_unchanged)|cluster_name|default_vhost|default_queue_type|"
            r"management\.load_definitions|cluster_formation)\b[\w.-]*+[ \t]*+=",
            "a rabbitmq.conf, which says which definitions a broker loads; import those "
            "(`rabbitmqctl export_definitions`)",
        ),
        (
            r"^\[?[ \t]*+\{[ \t]*+(?:rabbit|rabbitmq_\w++)[ \t]*+,",
            "an advanced.config of RabbitMQ; import the definitions of the broker "
            "(`rabbitmqctl export_definitions`)",
        ),
        (
            r"^(?![ \t]*+#)[^\n]*?\b(?:rabbitmqctl[^\n]*?[ \t](?:set|clear|add|delete|import)_\w"
            r"|rabbitmqadmin[^\n]*?[ \t](?:declare|delete|import)\b)",
            "a script of commands to RabbitMQ; judge it with `topograph audit --change`",
        ),
    )
)
"""What files are to RabbitMQ."""
