"""Text that people read: "a" or "an", "did you mean", and text of unknown origin made fit for a
terminal. Imports nothing of ours.
"""
