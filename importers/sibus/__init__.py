"""The SIBus importer: from the bytes of a cell's configuration, wsadmin scripts and output, and
Liberty's server.xml to facts.

May import the vocabulary, ``topograph.importers.lexical`` and ``topograph.importers.positions``.
Start at ``read``; one module a form (``cell``, ``liberty``, ``jython`` and ``jacl`` with
``admin_tasks``, ``output``), what a file's reading gathers is in ``file_reading``. Nothing here
raises on any bytes.
"""

from topograph.importers.sibus.bundles import read
from topograph.importers.sibus.known_formats import KNOWN_FORMATS
from topograph.importers.sibus.recognition import recognise

__all__ = ["KNOWN_FORMATS", "read", "recognise"]
