"""What a system offers to everything that uses it: records and protocols, no behaviour.

Start with ``system`` (``System``, ``Estate``); ``cycles``, ``failures``, ``names``, ``portable``
and ``changes`` are what single questions ask for. May import the vocabulary, forwarding and
tracing.
"""
