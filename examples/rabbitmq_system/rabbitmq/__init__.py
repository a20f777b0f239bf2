"""RabbitMQ, read from the definitions that ``rabbitmqctl export_definitions`` writes.

Each rule with the page of https://www.rabbitmq.com/docs that it is from (M: *AMQP 0-9-1 Model
Explained*, https://www.rabbitmq.com/tutorials/amqp-concepts):

* RB-1  An exchange puts a copy of a message into every queue bound to it by a binding that matches;
  consumers take it from there. (M)
* RB-2  The default exchange has no name: every queue is bound to it by the queue's own name. Here
  ``queue:NAME`` is a message published to it. (M; exchanges)
* RB-3  A direct exchange matches a routing key that equals the key of the binding. (M)
* RB-4  A fanout exchange matches every message. (M)
* RB-5  A topic exchange compares keys word by word, with dots between: ``*`` is exactly one word,
  ``#`` zero or more. (exchanges)
* RB-6  A headers exchange compares headers, not keys: all those of the binding, or any one if its
  ``x-match`` begins with ``any``. Those that begin with ``x-`` count only with ``all-with-x`` or
  ``any-with-x``. (M)
* RB-7  An exchange may be bound to another one. However the bindings lead there, a queue gets one
  copy, and cycles end. (e2e)
* RB-8  What an exchange cannot route goes to its alternate exchange. (ae)
* RB-9  What no exchange routes is dropped, or returned if the publisher said ``mandatory``. (M;
  publishers)
* RB-10 A queue republishes to its dead letter exchange what is rejected, expires, or exceeds a
  limit, with the key that is set for that, else its own; it is dropped if there is no such
  exchange. (dlx)
* RB-11 A message that is dead-lettered back into a queue is dropped, unless it was rejected on the
  way. (dlx)
* RB-12 Of the policies that match a name only the one of highest priority holds; among equals,
  which one is not determined. Arguments go before policies. (policies, ae, dlx)
* RB-13 A shovel takes messages out of a queue and publishes them elsewhere, perhaps at another
  broker. Its page names nothing that ends a circle of shovels. (shovel-dynamic)
* RB-14 A federated exchange gets a copy of what is published to its upstream exchange and matches
  its own bindings. (federated-exchanges)
* RB-15 A message goes over as many federation links as ``max-hops`` says, one if nothing is said,
  and never to a broker where it has been. (federation-reference)
* RB-16 A federated queue takes messages from its upstream queue when it has consumers to spare:
  each goes to one of the two. (federated-queues)
* RB-17 Plugins bring more types of exchanges. How those route is not known here. (exchanges)

A name in another virtual host than ``/`` is written ``VHOST/NAME``.
"""

__version__ = "1.0"
"""Part of the id of every snapshot with brokers in it: other rules, other snapshot."""
