"""The version of topograph: in ids of snapshots, in reports and in saved changes. Imports nothing,
so that every part may ask for it.
"""

__version__ = "0.1.0"
