"""Importers: pure functions from the bytes of configuration files to facts and findings. No file
access, no Spark, no database.

One folder a system, ``positions`` for what several of them read, and ``side_inputs`` for
topograph.yaml; may import the vocabulary only. Start at ``topograph.importers.reading`` (the
shapes) and ``topograph.importers.plan`` (recognition, bundles).
"""

if __name__ != "topograph.importers":
    raise ImportError(
        "import this package as topograph.importers; under the name 'importers' its "
        "modules would exist twice"
    )
