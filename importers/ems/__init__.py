"""The TIBCO EMS importer: from the bytes of tibemsd.conf, its sub-files, tibemsd.json and ``show
routes`` text to facts.

May import the vocabulary and ``topograph.importers.lexical``. Start at ``read``; one module a kind
of file, what a file's reading gathers is in ``file_reading``. Nothing here raises on any bytes
(DESIGN section 4.3).
"""

from topograph.importers.ems.bundles import read
from topograph.importers.ems.known_formats import KNOWN_FORMATS
from topograph.importers.ems.recognition import recognise
from topograph.importers.ems.single_file import ParsedText, parse_text

NEW_SERVERS_OF = "TIBCO EMS"
"""What new servers are of that topograph.yaml declares."""

__all__ = [
    "KNOWN_FORMATS",
    "NEW_SERVERS_OF",
    "ParsedText",
    "parse_text",
    "read",
    "recognise",
]
