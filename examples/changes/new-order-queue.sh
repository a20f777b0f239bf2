#!/bin/sh
# Orders of the first store go to a queue of their own, so that they can be counted.
runmqsc STORE1 <<MQSC
ALTER QREMOTE('ORDERS') RNAME('ORDERS.STORE1') FORCE
MQSC
runmqsc HUB <<MQSC
DEFINE QALIAS('ORDERS-STORE1') TARGET('ORDERS')
MQSC
