"""What people read first of a change: that not all of it lasts."""

NOT_LASTING = ("not-saved", "saving-not-known")
"""Warnings that not all that a script changes lasts: they are the first thing to be read."""
