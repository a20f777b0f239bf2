"""The data pipeline: every line that touches Spark. May import importers, systems, store. Start
at ``run``.
"""
