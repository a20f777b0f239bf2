"""Relay, a made-up messaging system, and all that topograph needs to answer for it.

What its servers do (there is no such product; the rules are numbered as a real system's would be):

* RL-1  A relay passes every message it gets, from a client or from a peer, to each peer that its
  file lists.
* RL-2  ``forward PEER when NAME = VALUE`` passes only messages whose property NAME is VALUE; a
  message without it is not passed.
* RL-3  A ``forward`` line is one-way: it says nothing of what the peer sends back.
* RL-4  A relay remembers what it passed on: a copy that comes again is dropped, so no message
  passes a relay twice.
* RL-5  A relay keeps every message for the clients that are attached to it.

``facts`` is what its files say, ``importer`` reads them, ``rules`` says what happens to a message,
one step at a time.
"""

__version__ = "1.0"
"""Part of the id of every snapshot with relays in it: other rules, other snapshot."""
