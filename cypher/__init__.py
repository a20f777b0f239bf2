"""Every Cypher statement, one a file, each with a header: what it answers, its parameters, the least server version.

``load(name)`` gives the text of ``<name>.cypher``. Imports nothing of ours.
"""

if __name__ != "topograph.cypher":
    raise ImportError("import this package as topograph.cypher; under the name 'cypher' its modules would exist twice")
