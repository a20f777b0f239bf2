"""What a change of configuration would do, before it goes in: change scripts, judged command by
command and compared with what is.

``audit`` is the question; ``judging`` gives the commands to the systems, ``differences`` compares
reach and hops, ``witnesses`` finds messages that show what selectors and permissions do.
``compare`` does the same for two states of a network, whatever the change was; ``policy`` reads
what has to hold afterwards and ``judging_policies`` says whether it does; ``reports`` writes an
answer for other tools. May use questions, systems and importers; nothing is written anywhere.
"""

from topograph.audit.comparing import compare
from topograph.audit.judging import GivenScript, audit, named
from topograph.audit.policy import Policies, Policy, policies_of, read_policies

__all__ = [
    "GivenScript",
    "Policies",
    "Policy",
    "audit",
    "compare",
    "named",
    "policies_of",
    "read_policies",
]
