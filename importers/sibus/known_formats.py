"""Files of buses that are not read: what to call them (see ``topograph.importers.known_formats``)."""

from __future__ import annotations

KNOWN_FORMATS: tuple[tuple[object, str], ...] = ()
"""None: scripts, output and documents are read, and archives are named where they are recognised."""
