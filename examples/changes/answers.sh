#!/bin/sh
# Answers for the first store are to be kept at the hub, which so far sends them on.
runmqsc HUB <<MQSC
DEFINE QREMOTE('ANSWERS') RNAME('ANSWERS') RQMNAME('STORE1') XMITQ('TO.STORE1')
MQSC
runmqsc STORE1 <<MQSC
DELETE QLOCAL('ANSWERS')
DEFINE QREMOTE('ANSWERS') RNAME('ANSWERS') RQMNAME('HUB')
MQSC
