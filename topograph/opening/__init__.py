"""From files or a snapshot to what questions work on.

``inputs`` is what both ways of an import say about their inputs, ``folders`` goes from files to a
snapshot in memory, ``models`` from a snapshot to the ``Model`` of a network. Start with
``folders``.
"""
