"""The buses of a network: their configuration, the paths that messages carry, and what an address
leads to (sibus.md A1, A2.2).

Start with ``configuration``, then ``estate`` (what all rules share). Imports no other room of
SIBus.
"""
