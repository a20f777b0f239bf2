"""The error of a tool call."""

from __future__ import annotations


class ToolError(Exception):
    """A call that has no answer; the message is for whoever called."""
