"""EMS destinations: names and wildcards, what links ask of a message, and who subscribes (ems.md
2.4, 2.6, 6.3).

Start with ``topics``; ``guards`` are the conditions of links, ``guard_index`` asks them about many
messages, ``subscribers`` says who wants a topic. May import ``network``.
"""
