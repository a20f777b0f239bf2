"""What files are to IBM MQ."""

from __future__ import annotations

from topograph.importers.reading import Role, Use

MQ_SCRIPT = Role("mq-mqsc", Use.MAIN, "ibm_mq", included=True)
"""MQSC commands, dumps, and transcripts or DISPLAY output that show definitions; of the queue
manager that a script runs it at, where one does."""

MQ_SHELL = Role("mq-script", Use.MAIN, "ibm_mq")
"""A script that runs MQSC, or writes it into files, or runs files of it."""

MQ_STATUS = Role("mq-status", Use.OBSERVED, "ibm_mq")
"""Output of DISPLAY that shows the state of a running queue manager and no definition."""

MQ_RESOURCES = Role("mq-resources", Use.MAIN, "ibm_mq")
"""YAML that holds MQSC or ini texts: ConfigMaps, QueueManager resources, values of charts and
playbooks.
"""

MQ_REST = Role("mq-rest", Use.MAIN, "ibm_mq")
"""JSON of the administrative REST interface."""

MQ_INI = Role("mq-ini", Use.OBSERVED, "ibm_mq", included=True)
"""A qm.ini or mqs.ini: it says how queue managers run, not what they have. One that is applied when
queue managers start may make them a cluster."""
