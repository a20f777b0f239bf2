"""The objects of queue managers: queues, channels, clusters, with the defaults of the product
(ibm_mq.md C1, M-20 to M-24).

Start with ``queue_managers``. Imports no other room of IBM MQ.
"""
