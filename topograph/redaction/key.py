"""The key of redaction: what makes tokens stable on one machine and meaningless elsewhere."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from topograph.errors import UsageError
from topograph.records import record
from topograph.store.homes import home
from topograph.store.whole_files import part_of, remove_parts_of

VARIABLE = "TOPOGRAPH_REDACT_KEY"
FILE = "redact.key"
LEAST_LENGTH = 16
"""Characters of a key: a shorter one could be found by trying."""


@record
class Key:
    """A secret key. Its ``fingerprint`` may be shown and tells keys apart; its value never
    shows, not even in ``repr``.
    """

    secret: bytes = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """12 hexadecimal digits that follow from the key and say nothing of it."""
        return self.digest("fingerprint", "")

    def digest(self, kind: str, value: str) -> str:
        """12 hexadecimal digits for a value of a kind: HMAC-SHA256, so that without the key no
        value can be tried.
        """
        text = f"{kind}\0{value}".encode("utf-8", "surrogatepass")
        return hmac.new(self.secret, text, hashlib.sha256).hexdigest()[:12]


def key_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the key of this user is kept: in the folder of what must not be lost."""
    return home(environment).data / FILE


def known_key(environment: Mapping[str, str] = os.environ) -> Key | None:
    """The key in effect: ``TOPOGRAPH_REDACT_KEY``, else the one in ``key_file``; None if there is
    none yet.

    Raises UsageError for a key that is too short, and for a file that cannot be read or that others
    can read.
    """
    if given := environment.get(VARIABLE):
        return _checked(given, VARIABLE)
    path = key_file(environment)
    try:
        mode = path.stat().st_mode
        text = path.read_text("ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The redaction key {path} cannot be read: {error}") from error
    if stat.S_IMODE(mode) & 0o077:
        raise UsageError(
            f"Others can read the redaction key {path}: run chmod 600 on it (and redact "
            "again if they did)."
        )
    return _checked(text, str(path))


def key_in_effect(environment: Mapping[str, str] = os.environ) -> Key:
    """``known_key``; where there is none, a new random one that is kept in ``key_file``,
    readable by its owner alone.
    """
    known = known_key(environment)
    if known is not None:
        return known
    path = key_file(environment)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_parts_of(path)
        # Of two imports that make the first key at once, one wins and both use that one.
        with (
            part_of(path, f"{secrets.token_hex(32)}\n".encode(), mode=0o600) as part,
            contextlib.suppress(FileExistsError),
        ):
            path.hardlink_to(part)
    except OSError as error:
        raise UsageError(
            f"No redaction key can be kept in {path.parent} ({error.strerror}); give one "
            f"in {VARIABLE}."
        ) from error
    made = known_key(environment)
    assert made is not None
    return made


def _checked(text: str, where: str) -> Key:
    if len(text) < LEAST_LENGTH:
        raise UsageError(
            f"The redaction key in {where} has {len(text)} characters; it needs at least "
            f"{LEAST_LENGTH}."
        )
    return Key(text.encode("utf-8", "surrogatepass"))
