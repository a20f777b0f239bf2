"""From a network and an answer to a ``Scene``: what is drawn, and what it says, before anyone
decides pixels.

Start with ``records`` (what a scene is), then ``picture`` (how an answer becomes one). May import
``layout`` and the questions' answers.
"""
