"""What is expected of every state of a network: policies, of a file or each in a line.

``A reaches B``, ``A does not reach B``, ``A delivers topic:orders to B``, ``A does not deliver
queue:Q to B``, ``legal``, or a rule of a policy as in its file: ``max_hops: {from: A, to: B, hops:
3}``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from topograph.audit.policy import OF_THE_CHANGE, Policy, policies_of, read_policies
from topograph.errors import InputError, UsageError

_FORMS = (
    (" does not reach ", "never_reaches"),
    (" reaches ", "reaches"),
    (" does not deliver ", "never_delivers"),
    (" delivers ", "delivers"),
)
"""What stands between the first server and the rest of an expectation, and the rule."""


def expectations(given: Sequence[str], files: Sequence[str] = ()) -> tuple[Policy, ...]:
    """The policies of texts and of files, in this order. Raises UsageError for a text that is
    none, for a rule about a change (which means nothing of one state), and where there is none at
    all; InputError for a file that cannot be read or has mistakes."""
    found = [_policy(text) for text in given]
    found += policies_of(list(files))
    if not found:
        raise UsageError(
            "Say what is expected: --expect 'A reaches B', or --policy FILE (docs/policies.md)."
        )
    for policy in found:
        if policy.rule in OF_THE_CHANGE or policy.not_worse:
            raise UsageError(
                f"{policy.id}: {'not_worse' if policy.not_worse else policy.rule} is about a "
                "change, and means nothing of one state. Expect something of every state, such as "
                "'A reaches B' or 'legal'."
            )
    return tuple(found)


def _policy(text: str) -> Policy:
    entry = "legal: true" if text.strip() == "legal" else _short(text.strip()) or text.strip()
    lines = "\n".join(f"    {line}" for line in entry.splitlines())
    written = f"policies:\n  - id: expected\n{lines}\n"
    try:
        (policy,) = read_policies(written.encode(errors="surrogatepass"), "--expect")
    except (InputError, ValueError) as error:
        said = error.lines if isinstance(error, InputError) else (str(error),)
        told = "; ".join(line.partition(": ")[2] or line for line in said)
        told = told.removesuffix(" Nothing of this file is used.")
        raise UsageError(
            f"--expect {text!r} is not understood: {told} Write 'A reaches B', 'A does not reach "
            "B', 'A delivers topic:T to B', 'legal', or a rule of docs/policies.md, such as "
            "'max_hops: {from: A, to: B, hops: 3}'."
        ) from error
    return replace(policy, id=text.strip())


def _short(text: str) -> str:
    """The entry of a policy file for an expectation in short; empty for another one."""
    for words, rule in _FORMS:
        start, between, rest = text.partition(words)
        if not between:
            continue
        body = {"from": start, "to": rest}
        if rule.endswith("delivers"):
            destination, _, end = rest.partition(" to ")
            body = {"from": start, "destination": destination, "to": end}
        return f"{rule}: {json.dumps(body)}"
    return ""
