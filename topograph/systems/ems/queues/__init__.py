"""What becomes of a message that is sent to an EMS queue (ems.md 1.5, R100-R107).

Start with ``model`` (the queues of a server), then ``steps`` (what servers do, one step at a time).
May import ``network`` and ``destinations``.
"""
