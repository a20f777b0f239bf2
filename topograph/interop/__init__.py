"""Bridges to other libraries' objects, for people who bring notebooks; each needs its own optional
extra.

Nothing else depends on this package. May import store.
"""
