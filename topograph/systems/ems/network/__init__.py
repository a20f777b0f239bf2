"""EMS servers and what joins them: links and zones out of facts, the forwards of topics, walks over
them, and whether the network is legal (ems.md 1.1-1.3, 2.1-2.3, 6).

Start with ``links``; then ``assemble`` (R13), ``walks`` (R16), ``legality`` (R20-R29), ``names``
(R21-R23) and ``doubt`` (what files that are not loaded could add). Imports no other room of EMS.
"""
