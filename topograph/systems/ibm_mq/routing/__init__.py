"""What becomes of a message in IBM MQ: name resolution, cluster choice, transmission queues,
channels, publications (ibm_mq.md C1 to C3).

Start with ``resolution`` (the rows NR1 to NR14), then ``transport`` and
``arrival``; ``entries`` says where
messages begin, ``ways`` how steps are written. May import ``objects``.
"""
