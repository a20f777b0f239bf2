"""Crane, a system for tests: every kind of step that a stepping system can take, one rule a line.

``crane NAME`` names the server; ``OBJECT KIND ARGUMENTS`` says what becomes of a message on an
object (``rules``).
"""

__version__ = "1"
