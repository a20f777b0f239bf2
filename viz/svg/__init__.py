"""A scene as one SVG file that needs no script.

Start with ``document``. May import ``scene`` and ``layout``.
"""
