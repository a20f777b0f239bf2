"""Questions about a redacted snapshot: users and client ids that a person names are looked for
by their tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from topograph.errors import UsageError
from topograph.importers.declarations import well_known_users
from topograph.redaction.key import VARIABLE, known_key
from topograph.redaction.tokens import Tokens
from topograph.side_inputs import Client
from topograph.words.articles import with_article

_TOKEN = re.compile(r"(?:user|client)-[0-9a-f]{12}\Z")


def as_redacted(client: Client, redaction: str, servers: Collection[str]) -> Client:
    """A client that a person names, with user and client id as the snapshot has them. Raises
    UsageError as ``user_as_redacted``.
    """
    if client.user:
        client = replace(client, user=user_as_redacted(client.user, redaction, servers))
    if client.client_id:
        client = replace(
            client,
            client_id=_token(client.client_id, redaction, servers, "client id", lambda t: t.client),
        )
    return client


def user_as_redacted(user: str, redaction: str, servers: Collection[str]) -> str:
    """The token of a user that a person names; a token, a server and a user that everyone has stay.

    ``redaction`` is the fingerprint of the snapshot's key. Raises UsageError where that key is not
    at hand.
    """
    return (
        user
        if user in well_known_users()
        else _token(user, redaction, servers, "user", lambda tokens: tokens.user)
    )


def _token(
    name: str,
    redaction: str,
    servers: Collection[str],
    what: str,
    made: Callable[[Tokens], Callable[[str], str]],
) -> str:
    if not name or name in servers or _TOKEN.match(name):
        return name
    key = known_key()
    if key is None or key.fingerprint != redaction:
        here = "there is none here" if key is None else f"here is the key {key.fingerprint}"
        raise UsageError(
            f"This snapshot is redacted with the key {redaction}, and {here}: {with_article(what)} "
            "cannot be looked up by name. Name it by its token "
            f"(topograph show access lists them), or give the key in {VARIABLE}."
        )
    return made(Tokens(key))(name)
