"""What a report holds, as frozen records without markup: one network, what is wrong with it, and
what that was read from.

Start with ``report`` (the records), then ``collecting.collect``, which asks a model and puts them
together. ``topograph.viz.report`` writes them as a page. May use questions, systems and audits;
nothing is written anywhere, and nothing depends on the clock.
"""

from topograph.reporting.collecting import collect
from topograph.reporting.report import Report

__all__ = ["Report", "collect"]
