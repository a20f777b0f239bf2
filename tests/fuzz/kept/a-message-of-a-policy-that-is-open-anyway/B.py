AdminTask.createSIBus("[-bus B]")
AdminTask.addSIBusMember("[-bus B -node n -server s]")
AdminTask.createSIBForeignBus("[-bus B -name A -routingType Direct -type SIBus]")
AdminTask.createSIBLink(
    "[-bus B -name ToA -messagingEngine n.s-B -foreignBusName A -remoteMessagingEngineName C.000-A]"
)
AdminTask.createSIBForeignBus("[-bus B -name Far -routingType Direct -type SIBus]")
AdminTask.createSIBLink(
    "[-bus B -name ToFar -messagingEngine n.s-B -foreignBusName Far -remoteMessagingEngineName C.000-Far]"
)
AdminTask.createSIBForeignBus(
    "[-bus B -name Via -routingType Direct -type SIBus -sendAllowed false]"
)
AdminTask.createSIBForeignBus("[-bus B -name Host -routingType Direct -type MQ]")
AdminTask.createSIBMQLink(
    "[-bus B -name ToHost -messagingEngine n.s-B -foreignBusName Host -queueManagerName QM -senderChannelName OUT]"
)
AdminTask.modifySIBForeignBus("[-bus B -name Via -routingType Indirect -nextHopBus B]")
AdminTask.createSIBDestination(
    "[-bus B -name Q -type Queue -node n -server s -exceptionDiscardReliability RELIABLE_PERSISTENT -maxReliability RELIABLE_NONPERSISTENT]"
)
AdminTask.createSIBDestination(
    "[-bus B -name R -type Queue -cluster C -replyDestination AL -replyDestinationBus Far]"
)
AdminTask.createSIBDestination(
    "[-bus B -name E -type Queue -node n -server s -exceptionDestination GONE -exceptionDiscardReliability RELIABLE_PERSISTENT]"
)
AdminTask.createSIBDestination("[-bus B -name T -type TopicSpace -cluster C]")
AdminTask.createSIBDestination(
    "[-bus B -name W -type WebService -defaultForwardRoutingPath [[B W]] -exceptionDestination Q]"
)
AdminTask.createSIBDestination("[-bus B -name P -type Port -cluster C]")
AdminTask.createSIBDestination("[-bus B -name AL2 -type Alias -targetName Q -targetBus B]")
AdminTask.createSIBMediation("[-bus B -mediationName M]")
AdminTask.mediateSIBDestination("[-bus B -destinationName E -mediationName M]")
AdminTask.createSIBMediation("[-bus B -mediationName N]")
AdminTask.mediateSIBDestination("[-bus B -destinationName E -mediationName N]")
AdminTask.modifySIBDestination(
    "[-bus B -name T -replyDestination R -replyDestinationBus Far -exceptionDestination GONE -receiveExclusive true -blockedRetryTimeout 100]"
)
AdminTask.modifySIBDestination(
    "[-bus B -name W -defaultForwardRoutingPath [[B W] [Far E] [A R]] -exceptionDestination E]"
)
