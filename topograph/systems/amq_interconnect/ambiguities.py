"""What amq_interconnect.md leaves open (section 5): recorded behaviour or other entries of
topograph.yaml decide all of it.
"""

from __future__ import annotations

from topograph.systems.contract.ambiguities import fixed

_RECORDED = "running routers were recorded; answers also say what the manual has"

AMBIGUITIES = (
    fixed("5.1", "`versions` says how many copies there are"),
    fixed("5.2", _RECORDED),
    fixed("5.3", "receivers of equal cost take turns; answers list all"),
    fixed("5.4", _RECORDED),
    fixed("5.5", _RECORDED),
    fixed("5.6", "each router treats an address by its own table"),
    fixed("5.7", _RECORDED),
    fixed("5.8", _RECORDED),
    fixed("5.9", "`impact` says what holds meanwhile"),
    fixed("5.10", "`clients` says who receives"),
    fixed("5.11", "`hosts` and `machines` say where connectors lead"),
    fixed("5.12", "policies that may forbid an attach are reported, and not followed"),
    fixed("5.13", "the form of a file says what a missing distribution means"),
    fixed("5.14", "routers choose by the order of their ids"),
    fixed("5.15", "cost counts between interior routers only"),
    fixed("5.16", "it is about how files are read"),
    fixed("5.17", "patterns match as they are written (A-3, A-4)"),
    fixed("5.18", "the attribute has no effect"),
    fixed("5.19", "which of parallel links carries messages changes while routers run"),
    fixed("5.20", "it is about how files are read"),
    fixed("5.21", "it is about what is reported"),
)
