"""What failures of servers, routes, members of fault-tolerant pairs and clients do to topic
messages (ems.md 2.10, F1-F9, R120-R122).

Read ``outcomes`` (who stores and who does not), ``wanted`` (who subscribes to what), ``storage``
(how much is stored), ``cuts`` (which publishers and subscribers a failure separates, by walks),
``counting`` (the same for every single failure at once), then ``network``
(``contract.system.Failures``)."""
