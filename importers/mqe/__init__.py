"""The importer of WebSphere MQ Everyplace: from the neutral YAML form of mqe.md B4 (``kind: mqe``)
to facts.

MQe itself keeps its objects in a registry and has no text form. Start at ``read``; ``recognition``
says what is read, and names what is not. Nothing here raises on any bytes.
"""

from topograph.importers.mqe.file_reading import read
from topograph.importers.mqe.recognition import KNOWN_FORMATS, recognise

__all__ = ["KNOWN_FORMATS", "read", "recognise"]
