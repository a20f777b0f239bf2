"""Least-cost routes over the links (T-4 to T-9): ``trees`` computes them, ``tables`` makes
points of them, ``reach`` answers on a walk of those.
"""
