"""Questions and ``survey`` as tools of the Model Context Protocol, read-only, of one snapshot or
folder.

``definitions`` makes tools and their command lines from the records of both, ``roots`` says which
files a call may name, ``calls`` runs a command line in a process of its own, and ``server`` speaks
the protocol: the only module that imports the SDK (the extra ``mcp``). Start with ``definitions``.
"""
