"""Configurations and steps of made cases: each step as (inputs, results)."""

from __future__ import annotations

A = """
router {
    mode: interior
    id: A
}
listener {
    host: 127.0.0.1
    port: 20001
    role: inter-router
}
connector {
    name: k
    host: 127.0.0.1
    port: 20010
    role: route-container
}
connector {
    name: l
    host: 127.0.0.1
    port: 20011
    role: route-container
}
address {
    prefix: q
    waypoint: yes
}
autoLink {
    address: q
    direction: out
    connection: k
}
autoLink {
    address: q
    direction: in
    connection: k
}
autoLink {
    address: q
    direction: out
    connection: l
}
autoLink {
    address: q
    direction: in
    connection: l
}
linkRoute {
    prefix: lq
    direction: in
    connection: k
}
linkRoute {
    prefix: lq
    direction: out
    connection: k
}
linkRoute {
    prefix: lq
    direction: out
    connection: l
}
exchange {
    name: ex
    address: topic
}
binding {
    exchangeName: ex
    bindingKey: a
    nextHopAddress: next
}
sslProfile {
    name: tls
    certFile: /cert.pem
}
"""

B = """
router {
    mode: interior
    id: B
}
connector {
    host: 127.0.0.1
    port: 20001
    role: inter-router
}
address {
    prefix: q
    waypoint: yes
}
"""


def send(address, count, router="B", label="sent", **results):
    inputs = {"op": "send", "label": label, "router": router, "address": address, "count": count}
    return inputs, {
        "credit": True,
        "outcomes": {"accepted": count},
        "received": {},
        "zero": [],
        **results,
    }


def attach(*receivers):
    named = [
        dict(zip(("id", "router", "address"), text.split(), strict=True)) for text in receivers
    ]
    return {"op": "attach", "receivers": named}, {
        "receivers": {one["id"]: "attached" for one in named}
    }
