"""``check``: the lint findings of a network (outcomes.md section 4), each listed once, and
counted by rule and server.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from topograph import extensions
from topograph.errors import UsageError
from topograph.findings import Finding, Severity, count_by_severity, distinct
from topograph.questions.answers.listings import CheckAnswer, CheckGroup, WaivedFinding
from topograph.questions.baseline import Baseline, Compared
from topograph.questions.model import Model, answered
from topograph.questions.waivers import weigh
from topograph.rules import Rule
from topograph.systems import rule_texts, system
from topograph.systems.rule_texts import NO_TEXT, RuleText, rule_text, systems_of, text_of
from topograph.words.did_you_mean import did_you_mean


@answered
def check(
    model: Model,
    *,
    server: str = "",
    rule: str = "",
    severity: str = "",
    baseline: Baseline | None = None,
    today: date | None = None,
) -> CheckAnswer:
    """The findings of the import and of the lint rules, worst first, then by file and line: all, or
    those at one ``server``, of one ``rule`` (its number, its name, or the kind of finding;
    ``SYSTEM:NUMBER`` of one system alone) and of one ``severity`` or worse. Linear in the findings.

    Findings that a waiver fits on the day ``today`` (None: the present one), and those that
    ``baseline`` has, are listed apart. Raises UsageError for an unknown rule or severity,
    UnknownServer."""
    systems = sorted({place.system for place in model.places()})
    all_found = distinct(model.records.findings)
    everything, waived = weigh(
        sorted(all_found, key=_order), model.side_inputs, systems, today or date.today()
    )
    compared = Compared(everything, (), ())
    if baseline is not None:
        compared = baseline.compare(sorted(everything, key=_order))
    of, label = _label(rule, systems, [*all_found, *everything]) if rule else ("", "")
    theirs = {place.name for place in model.places() if place.system == of} | {""}
    least = _rank(severity) if severity else 0
    named = model.locate(server).name if server else ""

    def asked(one: Finding) -> bool:
        return (
            one.severity.rank >= least
            and (not label or label in (one.rule, one.kind))
            and (not of or one.server in theirs)
            and (not named or one.server == named)
        )

    findings = sorted(filter(asked, compared.new), key=_order)
    whole = not (server or rule or severity)
    text = _text(label, systems, of) if label else NO_TEXT
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
        baseline=baseline.name if baseline else "",
        known=tuple(one.to_dict() for one in compared.known if asked(one)),
        gone=compared.gone if whole else (),
        waived=tuple(
            WaivedFinding(
                one.finding.to_dict(),
                one.waiver.reason,
                one.waiver.until,
                one.waiver.inline,
                one.waiver.source,
            )
            for one in waived
            if asked(one.finding)
        ),
    )


def with_waivers(model: Model, today: date | None = None) -> list[Finding]:
    """The findings of a network in the order of ``check``; those that are waived are information
    that says so, with the reason. n log n.
    """
    systems = sorted({place.system for place in model.places()})
    found = in_order(model.records.findings)
    weighed = weigh(found, model.side_inputs, systems, today or date.today())
    waived = (
        replace(
            one.finding,
            severity=Severity.INFO,
            message=f"Waived ({one.waiver.reason}): {one.finding.message}",
        )
        for one in weighed.waived
    )
    return in_order([*weighed.counting, *waived])


def counting(model: Model) -> tuple[Finding, ...]:
    """The findings that count today: all but those that are waived. n log n."""
    systems = sorted({place.system for place in model.places()})
    found = in_order(model.records.findings)
    return weigh(found, model.side_inputs, systems, date.today()).counting


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding once, worst first, then by file and line. n log n."""
    return sorted(distinct(findings), key=_order)


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
    incomplete = {system(name).citing.incomplete_rule for name in systems} - {""}

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
        text = rule_text(label, systems)
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


def explained(rule: str) -> CheckAnswer:
    """What a rule says, without a network: no findings, and the name and the sentence of the rule
    (its number or its name; ``SYSTEM:NUMBER`` of one system alone). Raises UsageError for an
    unknown one. Linear in the rules."""
    system_of, label = _label(rule, (), ())
    text = _text(label, (), system_of)
    return CheckAnswer(
        snapshot="",
        network="",
        engine="memory",
        findings=(),
        counts=count_by_severity([]),
        rule=label,
        name=text.name,
        sentence=text.sentence,
    )


def _label(wanted: str, systems: Sequence[str], findings: Iterable[Finding]) -> tuple[str, str]:
    """The system that is named before a number, or no name, and the number of a rule, or a kind of
    finding, as it stands in findings. Raises UsageError for one that nothing has.
    """
    if not systems:
        extensions.packages()  # without a network, installed systems count from the start
    before, colon, after = wanted.partition(":")
    if colon and (before in extensions.OWN or before in extensions.packages()):
        for number, rule in rule_texts.rules_of(before).items():
            if after.casefold() in (number.casefold(), text_of(rule).name.casefold()):
                return before, number
        raise _unknown(wanted, after, rule_texts.rules_of(before))
    folded = wanted.casefold()
    labels = {label for one in findings for label in (one.rule, one.kind) if label}
    found = {label.casefold(): label for label in labels}
    if folded in found:
        return "", found[folded]
    for rule in _of_this_network(systems):
        if folded in (rule.number.casefold(), text_of(rule).name.casefold()):
            return "", rule.number
    extensions.packages()  # a rule that nothing here has may be one of an installed system
    every = {number for own in rule_texts.all_rules().values() for number in own}
    if wanted.upper() in every:
        return "", wanted.upper()
    raise _unknown(wanted, wanted, every, labels)


def _unknown(
    wanted: str, number: str, every: Collection[str], labels: Collection[str] = ()
) -> UsageError:
    kind = _LETTERS.match(number.upper())
    alike = [one for one in every if kind and kind[0] and one.startswith(kind[0])]
    hint = did_you_mean(number, alike or [*every, *labels])
    return UsageError(f"There is no rule {wanted!r}.{hint} docs/rules.md lists the rules.")


_LETTERS = re.compile("[A-Z]*-?(?=[0-9])")
"""The series that a rule number belongs to: the one that is meant is of the same."""


def _text(label: str, systems: Sequence[str], of: str) -> RuleText:
    """The name and sentence of a rule: that of the system ``of`` if one is named, else that of the
    systems of the network; where none of them has it, or several do, what each means by it."""
    if of:
        text = text_of(rule_texts.rules_of(of)[label])
        return (
            text if of in systems else RuleText(f"{text.name} ({system(of).title})", text.sentence)
        )
    here = [name for name in sorted(systems) if label in rule_texts.rules_of(name)]
    holders = here or systems_of(label)
    own = rule_text(label, systems) if len(holders) == 1 else NO_TEXT
    if own != NO_TEXT or not holders:
        return own
    if len(holders) == 1:
        name, sentence = rule_text(label, holders)
        return RuleText(f"{name} ({system(holders[0]).title})", sentence)
    told = ((system(one).title, rule_text(label, [one])) for one in holders)
    elsewhere_only = systems and holders[0] not in systems
    return RuleText(
        "A rule of other systems than those of this network"
        if elsewhere_only
        else "A rule of several systems",
        "; ".join(f"{one}: {text.name}. {text.sentence}".rstrip(".") for one, text in told) + ".",
    )


def _of_this_network(systems: Sequence[str]) -> Iterator[Rule]:
    """The rules of the systems of a network, then the checks of the others, which have one number
    everywhere; without a network, all rules. Those of the others are loaded only if they are asked
    for.
    """
    for name in systems:
        yield from rule_texts.rules_of(name).values()
    for name, rules in rule_texts.all_rules().items():
        if name not in systems:
            yield from (rule for rule in rules.values() if rule.check or not systems)


def _rank(severity: str) -> int:
    try:
        return Severity(severity).rank
    except ValueError:
        known = ", ".join(one.value for one in reversed(Severity))
        raise UsageError(f"There is no severity {severity!r}. Known: {known}.") from None


def _order(finding: Finding) -> tuple[object, ...]:
    return (-finding.severity.rank, finding.source, finding.rule, finding.kind, finding.message)
