"""Jython scripts of wsadmin, read and never run: literals, simple assignments, loops over literals.

Everything else is a hole: a value that is not known. Calls under a condition, in functions and in
loops that are not over literals are given as uncertain. Start at ``read_jython``: ``statements``
follows what ``tokens`` makes of the text, with the values that ``expressions`` reads.
"""

from topograph.importers.sibus.jython.statements import read_jython

__all__ = ["read_jython"]
