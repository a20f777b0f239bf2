"""Files of routers that are not read: what to call them (see
``topograph.importers.known_formats``).
"""

from __future__ import annotations

import re

KNOWN_FORMATS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), name)
    for pattern, name in (
        (
            (
                r"^\w{3} \w{3} +\d+ [\d:]{8} \d{4} [A-Z_]+ "
                r"\((trace|debug|info|notice|warning|error|critical)\)"
            ),
            (
                "the log of a router (`qdmanage get-log`); import its configuration, or "
                "output of `qdmanage query`"
            ),
        ),
        (
            (
                r"^\d{4}-\d\d-\d\d [\d:.]+ (\+\d{4} )?[A-Z_]+ "
                r"\((trace|debug|info|notice|warning|error|critical)\)"
            ),
            "the log of a router; import its configuration, or output of `qdmanage query`",
        ),
        (
            r"^(Type +Size|Types +size)\b.*\n|^(Memory Pools|Vhost Stats|Vhosts)[ \t]*\r?$",
            (
                "`qdstat` output without routes; import output of `qdmanage query` or of "
                "`qdstat -g -n -a -c -l`"
            ),
        ),
        (
            (
                r"^(NAME|NAMESPACE) +(NAME "
                r"+)?(READY|STATUS|DATA|TYPE|AGE|DESIRED|HOST/PORT|CLUSTER-IP|AVAILABLE)\b"
            ),
            (
                "a table of `oc get` or `kubectl get`; import the resources themselves (`-o "
                "yaml`), or the routers' `qdmanage query`"
            ),
        ),
        (
            r"^[\"']?apiVersion[\"']?:[ \t]*[\"']?skupper\.io/",
            (
                "a resource of Skupper, of which its controller makes routers; import the "
                "resources Site, Link, Listener and Connector, the ConfigMap "
                "`skupper-network-status` or `skupper-router` of a site, or output of `skmanage "
                "query` or `skstat`"
            ),
        ),
        (
            r'\A(?=\s*[\[{])(?s:.*?)\[\s*\[\s*"vhost"\s*,',
            (
                "policies of a router (vhosts), which do not say where messages go; import "
                "the router's own configuration"
            ),
        ),
    )
)
