# Run by wsadmin: makes the bus Orders.
AdminTask.createSIBus('[-bus Orders]')
AdminTask.addSIBusMember('[-bus Orders -node node1 -server server1]')

# Orders come in here; each is checked and priced before it is worked on.
AdminTask.createSIBDestination('[-bus Orders -name ORDERS.IN -type Queue -node node1 -server server1 -defaultForwardRoutingPath [[Orders ORDERS.CHECK] [Orders ORDERS.PRICE] [Orders ORDERS.WORK]] -replyDestination REPLY.LOG -replyDestinationBus Orders -exceptionDestination ORDERS.BAD]')
AdminTask.createSIBDestination('[-bus Orders -name ORDERS.CHECK -type Queue -node node1 -server server1]')
AdminTask.createSIBDestination('[-bus Orders -name ORDERS.PRICE -type Queue -node node1 -server server1 -exceptionDestination PRICE.BAD]')
AdminTask.createSIBDestination('[-bus Orders -name ORDERS.WORK -type Queue -node node1 -server server1 -maxFailedDeliveries 3 -exceptionDestination ORDERS.BAD]')
AdminTask.createSIBDestination('[-bus Orders -name ORDERS.BAD -type Queue -node node1 -server server1]')
AdminTask.createSIBDestination('[-bus Orders -name REPLY.LOG -type Queue -node node1 -server server1]')
AdminTask.createSIBDestination('[-bus Orders -name REPLIES -type Queue -node node1 -server server1]')

# The checks are code.
AdminTask.createSIBMediation('[-bus Orders -mediationName Checks -handlerListName CheckHandlers]')
AdminTask.mediateSIBDestination('[-bus Orders -destinationName ORDERS.CHECK -mediationName Checks -node node1 -server server1]')

# Old partners send to another name; refused orders are archived on another bus.
AdminTask.createSIBDestination('[-bus Orders -name PARTNER.ORDERS -type Alias -aliasBus Orders -targetBus Orders -targetName ORDERS.IN]')
AdminTask.createSIBForeignBus('[-bus Orders -name Archive -routingType Direct -type SIBus]')
AdminTask.createSIBLink('[-bus Orders -messagingEngine node1.server1-Orders -name ToArchive -foreignBusName Archive -remoteMessagingEngineName node2.server2-Archive]')
AdminTask.createSIBDestination('[-bus Orders -name REFUSED -type Queue -node node1 -server server1 -defaultForwardRoutingPath [[Archive REFUSED.ORDERS]]]')
