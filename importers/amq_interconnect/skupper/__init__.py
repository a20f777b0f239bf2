"""Skupper's own resources, from which its controller makes routers (amq_interconnect.md 3.6).

``resources`` finds them in files, ``fields`` says which fields they have, ``owners`` which site
each is of, ``sites`` makes the configuration of each site's router as the controller does,
``version_one`` the same of what Skupper 1 has, ``network_status`` reads what a running network says
of itself. The resources of a network lie in many files, and only together they say what a router
is: start at ``network``.
"""
