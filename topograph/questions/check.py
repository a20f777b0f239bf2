"""``check``: the lint findings of a network (outcomes.md section 4), each listed once, and
counted by rule and server.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from topograph import rules
from topograph.errors import UsageError
from topograph.findings import Finding, Severity, count_by_severity, distinct
from topograph.questions.answers.listings import CheckAnswer, CheckGroup
from topograph.questions.model import Model
from topograph.systems import system
from topograph.words.did_you_mean import did_you_mean


def check(model: Model, *, server: str = "", rule: str = "", severity: str = "") -> CheckAnswer:
    """The findings of the import and of the lint rules, worst first, then by file and line: all, or
    those at one ``server``, of one ``rule`` (its number, its name, or the kind of finding) and of
    one ``severity`` or worse. Linear in the findings.

    Raises UsageError for an unknown rule or severity, UnknownServer."""
    systems = sorted({place.system for place in model.places()})
    everything = distinct(model.records.findings)
    label = _label(rule, systems, everything) if rule else ""
    least = _rank(severity) if severity else 0
    named = model.locate(server).name if server else ""
    chosen = [
        one
        for one in everything
        if one.severity.rank >= least
        and (not label or label in (one.rule, one.kind))
        and (not named or one.server == named)
    ]
    findings = sorted(chosen, key=_order)
    text = _text(label, systems) if label else rules.NO_TEXT
    return CheckAnswer(
        **model.common(),
        warnings=model.warnings,
        findings=tuple(finding.to_dict() for finding in findings),
        counts=count_by_severity(findings),
        groups=tuple(_groups(findings, systems)),
        server=server,
        rule=label,
        severity=severity,
        name=text.name,
        sentence=text.sentence,
    )


def label_of(finding: Finding) -> str:
    """What a finding is counted under: its rule, or its kind where it rests on none."""
    return finding.rule or finding.kind


def by_harm(findings: Iterable[Finding], systems: Collection[str]) -> list[tuple[Severity, str]]:
    """(severity, rule or kind) of each finding once, the most harmful first: by severity, then the
    rules with more findings.

    Errors that leave unknown what servers hold come before other errors, since no answer about
    those servers is whole; warnings about it come last, since answers are whole where the guess
    was right."""
    counts = Counter((finding.severity, label_of(finding)) for finding in findings)
    incomplete = {system(name).incomplete_rule for name in systems} - {""}

    def harm(group: tuple[Severity, str]) -> tuple[object, ...]:
        severity, label = group
        return (
            -severity.rank,
            (label in incomplete) != (severity is Severity.ERROR),
            -counts[group],
            label,
        )

    return sorted(counts, key=harm)


def _groups(findings: Sequence[Finding], systems: Sequence[str]) -> Iterable[CheckGroup]:
    """A group for each rule at each server: the rules by harm, the servers with most findings
    first.
    """
    found: dict[tuple[Severity, str], dict[str, list[Finding]]] = {}
    for one in findings:
        found.setdefault((one.severity, label_of(one)), {}).setdefault(one.server, []).append(one)
    for group in by_harm(findings, systems):
        severity, label = group
        text = rules.rule_text(label, systems)
        for name, own in sorted(found[group].items(), key=lambda item: (-len(item[1]), item[0])):
            first = own[0]
            yield CheckGroup(
                str(severity),
                label,
                text.name,
                text.sentence,
                name,
                len(own),
                first.message,
                first.source,
            )


def _label(wanted: str, systems: Sequence[str], findings: Iterable[Finding]) -> str:
    """The number of a rule, or a kind of finding, as it stands in findings. Raises UsageError
    for one that nothing has.
    """
    folded = wanted.casefold()
    labels = {label for one in findings for label in (one.rule, one.kind) if label}
    known: dict[str, str] = {}
    for own in _of_this_network(systems).values():
        for number, text in own.items():
            known.setdefault(number.casefold(), number)
            known.setdefault(text.name.casefold(), number)
    known |= {label.casefold(): label for label in labels}
    if folded not in known:
        every = {number for own in rules.all_rules().values() for number in own}
        if wanted.upper() in every:
            return wanted.upper()
        kind = _LETTERS.match(wanted.upper())
        alike = [one for one in every if kind and kind[0] and one.startswith(kind[0])]
        hint = did_you_mean(wanted, alike or [*every, *labels])
        raise UsageError(f"There is no rule {wanted!r}.{hint} docs/rules.md lists the rules.")
    return known[folded]


_LETTERS = re.compile("[A-Z]*-?(?=[0-9])")
"""The series that a rule number belongs to: the one that is meant is of the same."""


def _text(label: str, systems: Sequence[str]) -> rules.RuleText:
    """The name and sentence of a rule; of one that only systems have which are not in the network,
    what each of them means by it.
    """
    own = rules.rule_text(label, systems)
    elsewhere = rules.systems_of(label)
    if own != rules.NO_TEXT or not elsewhere:
        return own
    if len(elsewhere) == 1:
        (name, sentence), (of,) = rules.rule_text(label, elsewhere), elsewhere
        return rules.RuleText(f"{name} ({system(of).title})", sentence)
    told = ((system(of).title, rules.rule_text(label, [of])) for of in elsewhere)
    return rules.RuleText(
        "A rule of other systems than those of this network",
        "; ".join(f"{of}: {text.name}. {text.sentence}".rstrip(".") for of, text in told) + ".",
    )


def _of_this_network(systems: Sequence[str]) -> Mapping[str, Mapping[str, rules.RuleText]]:
    """The rules of the systems of a network, and the checks, which have one number everywhere."""
    own = dict(rules.all_rules(systems)) if systems else {}
    for name, texts in rules.all_rules().items():
        if name not in own:
            own[name] = {number: text for number, text in texts.items() if rules.is_check(number)}
    return own


def _rank(severity: str) -> int:
    try:
        return Severity(severity).rank
    except ValueError:
        known = ", ".join(one.value for one in reversed(Severity))
        raise UsageError(f"There is no severity {severity!r}. Known: {known}.") from None


def _order(finding: Finding) -> tuple[object, ...]:
    return (-finding.severity.rank, finding.source, finding.rule, finding.kind, finding.message)
