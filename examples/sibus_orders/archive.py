# Run by wsadmin in the cell of the archive: makes the bus Archive.
AdminTask.createSIBus('[-bus Archive]')
AdminTask.addSIBusMember('[-bus Archive -node node2 -server server2]')
AdminTask.createSIBDestination('[-bus Archive -name REFUSED.ORDERS -type Queue -node node2 -server server2]')
AdminTask.createSIBForeignBus('[-bus Archive -name Orders -routingType Direct -type SIBus]')
AdminTask.createSIBLink('[-bus Archive -messagingEngine node2.server2-Archive -name ToOrders -foreignBusName Orders -remoteMessagingEngineName node1.server1-Orders]')
