"""The text form of each answer, a module for each kind of question. Pure: an answer and a style in,
lines out.

May import the answers and ``layout``, nothing else of ours. Start at
``topograph.questions.text.text``.
"""
