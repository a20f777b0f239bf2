"""Traces: what happens to one message, step by step, whatever the system; and the run-time choices
in them.

``trace`` holds the records, ``outcomes`` what a trace comes to. For systems that go step by step
``states`` is what they say, ``exploration`` follows a message and ``closure`` makes one graph for
every message. May import the vocabulary and forwarding. Start at ``trace``.
"""
