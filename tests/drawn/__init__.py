"""Networks and estates that are drawn from a number, the same ones in every run: for properties,
for the brute force, for pictures, and as inputs of ``./dev same``.

``all_systems`` draws estates of every system as configuration files, ``networks`` draws networks
for pictures.
"""
