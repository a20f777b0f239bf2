"""Facts: what configuration files say, one frozen record per entry, each with its source.

Facts carry no meaning beyond the syntax: a route is what one server's routes.conf says, not a link.
The meaning is in ``topograph.systems``. Every fact names its ``bundle`` (the path of the main file
it belongs to, so that the two members of a fault-tolerant pair stay apart) and its ``server`` (the
name that configuration gives itself).

One module a system holds its kinds of facts, all of them listed in ``FACTS``. ``facts.rows`` turns
facts into flat rows and back.
"""

from __future__ import annotations

from topograph.facts.fact import Fact, Pairs

__all__ = ["Fact", "Pairs"]
