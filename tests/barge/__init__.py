"""Barge, a second system for tests: its servers (``barge NAME``) deliver what they get on any
object, or hand ``back TARGET`` to a crane.
"""

__version__ = "1"
