"""What becomes of a message on service integration buses (sibus.md A2 to A4).

Start with ``rules``, which puts the steps together: ``arrival``, ``mediation``, ``handling``,
``exceptions``, ``links``. May import ``buses``.
"""
