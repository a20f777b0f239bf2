"""Routers and the connections between them: configured (T- and E-rules) and observed (D-rules).
Start at ``routers``, then ``links``.
"""
