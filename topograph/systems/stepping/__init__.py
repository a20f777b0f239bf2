"""The one estate of all systems whose messages go step by step: everything that ``System`` offers,
made of a ``tracing.states.Stepping``.

Start with ``estate``. May import ``contract``, forwarding and tracing; names no vendor.
"""
