#!/bin/sh
# Changes, judged before they go in
# London gives up its line to Paris, and spreads European prices to everybody who listens.
qdmanage -r LON delete --type connector --name to-par
qdmanage -r LON create --type address prefix=prices/eu distribution=multicast
