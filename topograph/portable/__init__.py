"""What engines outside Python need to answer questions: tables of plain JSON, without a vendor's
name.

``engine_data`` is a whole network for ``viz/page/engine``: ``data`` puts the sections together,
``walks`` makes those of the forwarding graphs, ``messages`` what messages are followed by, and
``selector_trees`` gives selectors as trees. ``worked_out`` adds answers that the command gave
beforehand. May import the vocabulary, selectors, forwarding, systems, engines, access and
questions.
"""

from topograph.portable.data import engine_data

__all__ = ["engine_data"]
