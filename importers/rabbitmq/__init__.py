"""The importer of RabbitMQ: from exported definitions (JSON) to facts (rabbitmq.md 1).

Start at ``read``; ``recognition`` says which files are read, ``walking`` goes through the entries
of a file, ``entries`` makes facts of them, ``addresses`` reads URIs. Nothing here raises on any
bytes.
"""

from topograph.importers.rabbitmq.file_reading import read
from topograph.importers.rabbitmq.known_formats import KNOWN_FORMATS
from topograph.importers.rabbitmq.recognition import recognise

__all__ = ["KNOWN_FORMATS", "read", "recognise"]
