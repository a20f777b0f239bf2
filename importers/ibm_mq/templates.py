"""Directives of templates that stand on a line of their own in MQSC (ibm_mq.md C4)."""

from __future__ import annotations


def is_directive(line: str) -> int:
    """Whether a line is a directive of a template that stands alone: 1 opens a part that may be
    left out, -1 ends one, 2 another; 0 if it is none.

    >>> (is_directive("{% if x %}"), is_directive("{{- end }}"), is_directive("{# note #}"),
    ...  is_directive("DEFINE QLOCAL({{ q }})"))
    (1, -1, 2, 0)
    """
    text = line.strip()
    if not text.startswith(("{%", "{{", "{#")) or not text.endswith(("%}", "}}", "#}")):
        return 0
    if text.startswith("{#"):
        return 2
    words = text.strip("{}%-").split()
    first = words[0] if words else ""
    if first in ("if", "for", "range", "with", "#if", "#each", "macro", "block"):
        return 1
    if first in ("end", "endif", "endfor", "/if", "/each", "endmacro", "endblock"):
        return -1
    return 2
