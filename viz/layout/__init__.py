"""Where servers stand: the same places for the same network in every run.

Start with ``placing``, then ``bubbles`` and ``blocks``. Imports no other room of ``viz``.
"""
