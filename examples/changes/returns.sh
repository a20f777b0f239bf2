#!/bin/sh
# Goods that come back to north: a queue of their own, whose messages wait ten minutes at most.
API=http://mq.north.example:15672/api

rabbitmqadmin -H mq.north.example declare queue name=returns arguments='{"x-max-length": 50000}'
rabbitmqadmin -H mq.north.example declare binding source=orders destination=returns \
    routing_key='return.#'
curl -fsS -u "admin:$PASSWORD" -X PUT -d '{"type": "topic", "durable": true}' "$API/exchanges/%2F/prices"
rabbitmqctl -n rabbit@mq.north.example set_policy --apply-to queues retry '^returns$' \
    '{"message-ttl": 600000, "dead-letter-exchange": "dead"}'
