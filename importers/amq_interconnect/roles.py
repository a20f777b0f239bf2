"""What files are to AMQ Interconnect."""

from __future__ import annotations

from topograph.importers.reading import Role, Use

AMQ_CONF = Role("amq-conf", Use.MAIN, "amq_interconnect")
AMQ_JSON = Role("amq-json", Use.MAIN, "amq_interconnect")

AMQ_DUMP = Role("amq-dump", Use.OBSERVED, "amq_interconnect")
"""Output of ``qdmanage query``: what one router, or several, said of themselves."""

AMQ_QDSTAT = Role("amq-qdstat", Use.OBSERVED, "amq_interconnect")
"""Output of ``qdstat``, as text or with ``--csv``."""

AMQ_MANIFEST = Role("amq-manifest", Use.MAIN, "amq_interconnect")
"""Kubernetes resources that hold router configurations."""

AMQ_SITE_ROUTER = Role("amq-manifest", Use.MAIN, "amq_interconnect", joins="skupper")
"""The same, of a site of Skupper: what else is known of the site is read with it."""

AMQ_SKUPPER = Role("amq-skupper", Use.MAIN, "amq_interconnect", joins="skupper", joining=True)
"""Resources of Skupper, and what its network says of itself."""
