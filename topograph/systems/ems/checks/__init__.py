"""Findings about an EMS network: the lint rules TL-01 to TL-19 (outcomes.md 4.4), and configured
against observed.

Start with ``lint``; ``drift``, ``server_drift`` and ``interest`` compare files with what running
servers showed. May import every other room of EMS but ``changes`` and ``portable``.
"""
