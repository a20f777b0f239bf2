"""Traces: what happens to one message, step by step, whatever the system; and the run-time choices in them."""
