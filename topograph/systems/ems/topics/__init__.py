"""What becomes of a message that is published to an EMS topic (ems.md 2.4, 2.5, 2.11).

Start with ``publication`` (who gets it, where it stops), then ``trace`` (the same, step by step)
and ``reach`` (any message). May import ``network``, ``destinations`` and ``queues``.
"""
