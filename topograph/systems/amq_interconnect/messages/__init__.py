"""What becomes of messages (A-, M-, L-, W-, F-, X-rules).

``model`` is all that decides it, made from facts by ``configuration``; ``outcomes`` runs
``simulation`` over every run-time choice.
"""
