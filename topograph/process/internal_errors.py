"""Faults of topograph itself that cost a part of the work and not all of it: findings for the
reader, reports for the authors.

Whoever runs the rules of a system over somebody's files catches what they raise, makes an
``InternalError`` of it and goes on; whoever may write files keeps its report
(``topograph.store.reports``).
"""

from __future__ import annotations

import re
from pathlib import PurePath

from topograph.credentials import without_arguments
from topograph.findings import Finding, Source
from topograph.process.interrupts import chain
from topograph.records import record
from topograph.rules.unnumbered import INTERNAL_ERROR
from topograph.version import __version__

_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*+@")
_SECRETS = re.compile(
    r"\b(pass(?:word|wd|phrase)?|secret|token|key)(\s*+[=:]\s*+)(\"[^\"]*+\"|'[^']*+'|\S++)",
    re.IGNORECASE,
)


@record
class InternalError:
    """One such fault: ``what`` failed, ``lost`` says what is missing from the answers now,
    ``report`` is for its authors.
    """

    what: str
    lost: str
    type: str
    report: str

    @classmethod
    def of(cls, error: Exception, what: str, lost: str) -> InternalError:
        """The fault behind an error that was caught. Equal faults have equal reports, whatever
        machine they were met on.
        """
        return cls(
            what,
            lost,
            type(error).__name__,
            without_secrets(f"topograph {__version__}: {what}\n\n{_told(error)}\n"),
        )

    @property
    def file(self) -> str:
        """The name of the report's file."""
        import hashlib

        return f"internal-error-{hashlib.sha256(self.report.encode('utf-8', 'replace')).hexdigest()[:12]}.txt"  # noqa: E501

    @property
    def finding(self) -> Finding:
        """What a reader of the answers is told."""
        message = (
            f"Internal error (bug) in {self.what}: {self.type}. {self.lost} Details: "
            f"reports/{self.file}"
        )
        return INTERNAL_ERROR.at(Source(""), message)


def without_secrets(text: str) -> str:
    """``text`` without credentials in any form that people write, and without what passwords, keys
    and tokens are set to. Linear.

    >>> without_secrets("topograph cypher --neo4j bolt://neo4j:hidden@host:7687 password=hidden")
    'topograph cypher --neo4j bolt://(removed)@host:7687 password=(removed)'
    """
    return _SECRETS.sub(r"\1\2(removed)", _CREDENTIALS.sub("(removed)@", without_arguments(text)))


def _told(error: Exception) -> str:
    parts = ["\n".join([*_frames(one), f"{type(one).__name__}: {one}"]) for one in chain(error)]
    return "\n\nafter:\n\n".join(parts)


def _frames(error: BaseException) -> list[str]:
    """The calls that led to an error: our files by their place in the package, others by their
    name.
    """
    import traceback

    found = []
    for frame in traceback.extract_tb(error.__traceback__):
        parts = PurePath(frame.filename).parts
        ours = max(
            (place for place, part in enumerate(parts) if part == "topograph"),
            default=len(parts) - 1,
        )
        found.append(f"  {'/'.join(parts[ours:])}:{frame.lineno} in {frame.name}")
    return found
