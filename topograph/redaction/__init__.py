"""Redaction: hosts, users and client ids become stable tokens before anything is derived from them
(docs/redaction.md).

``key`` is where tokens come from, ``tokens`` makes them, ``values`` finds the values of a network,
``redactor`` replaces them in facts, findings, reports and side inputs. May import the vocabulary,
importers and store. Start at ``redactor.Redactor``.
"""
