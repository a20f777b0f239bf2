"""The SIBus importer: from the bytes of a cell's configuration, wsadmin scripts and output, and Liberty's server.xml to facts.

May import the vocabulary, ``topograph.importers.lexical`` and ``topograph.importers.positions``.
"""
