"""Files of buses that are not read: what to call them (see
``topograph.importers.known_formats``).
"""

from __future__ import annotations

import re

KNOWN_FORMATS = (
    (
        re.compile(r"^ResourceType=SIB", re.MULTILINE),
        (
            "properties of a service integration bus (`AdminTask.extractConfigProperties`); "
            "import the configuration's own files (`config/cells`)"
        ),
    ),
)
