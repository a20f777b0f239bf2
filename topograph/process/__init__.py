"""The process that topograph runs in: signals, garbage collection, internal errors and their
reports, and the Java that Spark and the managed database run on.
"""
