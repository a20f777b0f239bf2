"""First lines read back into the claims that they make, and held against the JSON of the answer.

A stranger who reads a first line alone takes it for all there is: who is named, how certain each
is, how many there are, and whether more may hold than is told. ``wrong`` reads a line so, by the
forms below and without looking at the code that writes them, and yields each claim that JSON does
not make. A line of no known form is one as well: it cannot be read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

Json = Mapping[str, Any]


class Claim(NamedTuple):
    """That something becomes of a message at a place, and how certain that is."""

    what: str
    place: str
    told: str


FAR = r"(?P<far>, as far as (?:the loaded files show|was searched))?"
SHOWN = "As far as the loaded files show, "
NOUN = r"(?:[\w-]+ )*[\w-]+"
LEAST_FIRST = ("not_looked_at", "unknown", "one_of", "later", "if", "yes")


def number(text: str | None) -> int:
    """A number as first lines write it; none is 0."""
    return int(text.replace(",", "")) if text else 0


def names(text: str, joined: str = "and") -> tuple[list[str], int]:
    """The names of a list, and how many more it counts."""
    counted = re.fullmatch(rf"(.*) {joined} ([\d,]+) others", text)
    if counted:
        return counted[1].split(", "), number(counted[2])
    before, between, last = text.rpartition(f" {joined} ")
    return ([*before.split(", "), last] if between else [text]), 0


def wrong(answer: Json, line: str) -> list[str]:
    """What a first line says that the JSON of the answer does not."""
    if re.match(r"This folder holds [\d,]+ estates: .+; ask one of them: ", line):
        causes = {one["cause"] for one in answer["inexact_because"]}
        claims = not answer["exact"] and "several-estates" in causes
        return [] if claims else [f"JSON does not say so: {line}"]
    return [*_READ[answer["question"]](answer, line)]


def _counts(line: str, told: Mapping[str, int], is_: Mapping[str, int]) -> Iterator[str]:
    """The numbers of a line that are not those of JSON."""
    for what, given in told.items():
        if given != is_[what]:
            yield f"{what}: {given}, and JSON has {is_[what]}: {line}"


def _open(answer: Json, line: str, *, hedged: bool) -> Iterator[str]:
    """That a line seems to be all there is, where JSON says that more may hold."""
    if not hedged and not answer["exact"]:
        yield f"not exact, and the line does not say so: {line}"


def _unread(line: str) -> Iterator[str]:
    yield f"of no known form: {line}"


def reach(answer: Json, line: str) -> Iterator[str]:
    """``reach`` of all servers, or of one."""
    if answer["to"] is not None:
        yield from _to_one(answer, line)
        return
    if re.fullmatch(rf".+ is the only {NOUN} that the loaded files show\.", line):
        if answer["servers"] or answer["undetermined"] or answer["unreachable"]:
            yield f"JSON lists others: {line}"
        return
    found = re.fullmatch(
        r"(?:Replies reach .+ from|.+ reaches) (?P<reached>[\d,]+) of (?P<all>[\d,]+) other "
        rf"{NOUN}(?:, (?P<chosen>[\d,]+) of them only by a choice at run time)?"
        r"(?:, (?P<later>[\d,]+) of them later)?"
        rf"(?P<assumed>, and also .+? if assumptions? .+? holds?)?{FAR}"
        r"(?:; (?P<open>[\d,]+) cannot be decided)?"
        r"(?:; (?P<left>[\d,]+) (?:is|are) left open, and not reached if "
        r"assumptions? .+? holds?)?\.",
        line,
    )
    if not found:
        yield from _unread(line)
        return
    undetermined = answer["undetermined"]
    not_reached = {
        (one["system"], one["server"])
        for one in undetermined
        if one["decided_if"] and not one["decided_if"]["reached"]
    }
    undecided = {(one["system"], one["server"]) for one in undetermined if not one["decided_if"]}
    yield from _counts(
        line,
        {key: number(found[key]) for key in ("reached", "all", "chosen", "later", "open", "left")},
        {
            "reached": len(answer["servers"]),
            "all": sum(len(answer[one]) for one in ("servers", "undetermined", "unreachable")),
            "chosen": sum(not one["certain"] and not one["later"] for one in answer["servers"]),
            "later": sum(one["later"] for one in answer["servers"]),
            "open": len(undecided),
            "left": len(not_reached - undecided),
        },
    )
    yield from _open(answer, line, hedged=bool(found["far"]))
    if undetermined and not found["far"]:
        yield f"servers are left open, and the line does not say how far it holds: {line}"


def _to_one(answer: Json, line: str) -> Iterator[str]:
    """Whether one server is reached."""
    entry = next((one for one in answer["servers"] if one["server"] == answer["to"]), None)
    open_ = [one for one in answer["undetermined"] if one["server"] == answer["to"]]
    told = _reached(line, open_)
    if told == "":
        yield from _unread(line)
    elif told == "itself":
        if answer["to"] != answer["from"]:
            yield f"it is another server: {line}"
    elif entry is not None:
        is_ = "yes" if entry["certain"] else "later" if entry["later"] else "one_of"
        if told != is_:
            yield f"{told}, and JSON has {is_}: {line}"
    elif open_:
        if told not in ("unknown", "shown"):
            yield f"{told}, and JSON leaves it open: {line}"
    elif told not in (("no", "shown") if answer["exact"] else ("not found", "shown")):
        yield f"{told}, and JSON has it among the unreachable: {line}"


def _reached(line: str, open_: Iterable[Json]) -> str:
    """What a line says of one server that is asked about."""
    if re.match(r"Whether .+ (?:reaches .+|there is .+) cannot be decided", line):
        return "unknown"
    if line.startswith(SHOWN):
        decided = [one["decided_if"] for one in open_ if one["decided_if"]]
        says = " does not reach " not in line
        return "shown" if all(one["reached"] == says for one in decided) else "denied"
    for form, told in (
        (r".+ is the \S.* asked from: .+", "itself"),
        (r".+ may reach .+: it is decided at run time.*\.", "one_of"),
        (r".+ reaches .+ later: messages wait on the way.*\.", "later"),
        (r".+ was not found to reach .+\.", "not found"),
        (r".+ does not reach .+\.", "no"),
        (r".+ reaches .+ in [\d,]+ hops?\b.*\.", "yes"),
        (r".+ reaches .+; the shortest path was not found\.", "yes"),
        (r"From .+ to .+: [\d,]+ hops?\b.*\.", "yes"),
    ):
        if re.fullmatch(form, line):
            return told
    return ""


def hops(answer: Json, line: str) -> Iterator[str]:
    """``hops`` between two servers, or of all."""
    if "reachable" not in answer:
        yield from hops_matrix(answer, line)
        return
    told = _reached(line, answer["undetermined"])
    is_ = answer["reachable"]
    if told == "":
        yield from _unread(line)
    elif is_ is True:
        if told not in (("later",) if answer["later"] else ("yes", "itself")):
            yield f"{told}, and JSON has it reached{' later' * answer['later']}: {line}"
        far = re.match(r"(?:From .+:|.+ reaches .+ in) ([\d,]+) hop", line)
        if far and number(far[1]) != answer["route_hops"]:
            yield f"other hops than JSON has: {line}"
    elif is_ is False:
        if told != ("no" if answer["exact"] else "not found"):
            yield f"{told}, and JSON has it not reached: {line}"
    elif told not in ("unknown", "shown"):
        yield f"{told}, and JSON leaves it open: {line}"


def hops_matrix(answer: Json, line: str) -> Iterator[str]:
    """How many servers a matrix has, and whether it decides all."""
    found = re.fullmatch(rf"Hops between ([\d,]+) {NOUN}{FAR}(?:; (?P<open>.+))?\.", line)
    if not found:
        yield from _unread(line)
        return
    yield from _counts(line, {"servers": number(found[1])}, {"servers": len(answer["servers"])})
    yield from _open(answer, line, hedged=bool(found["far"]))
    if answer["undetermined"] and not found["open"]:
        yield f"servers are left open, and the line does not say so: {line}"


def paths(answer: Json, line: str) -> Iterator[str]:
    """How many paths there are, and how many of them are certain."""
    listed = answer["paths"]
    later = sum(one["later"] for one in listed)
    unsure = sum(not one["certain"] for one in listed) - later
    if _reached(line, ()) == "itself":
        return
    if line.startswith(("There is no permitted path", "No permitted path was found")):
        if listed or answer["undetermined"]:
            yield f"JSON has paths, or leaves them open: {line}"
        if line.startswith("There") and not answer["exact"]:
            yield f"not exact, and the line does not say so: {line}"
        return
    if line.startswith("Whether there is a path") or line.startswith(f"{SHOWN}there is no "):
        found = re.search(r"cannot be decided: ([\d,]+) paths? may be there", line)
        if not answer["undetermined"] or unsure != len(listed):
            yield f"JSON does not leave it open: {line}"
        yield from _counts(line, {"paths": number(found and found[1])}, {"paths": len(listed)})
        return
    found = re.fullmatch(
        r"(?P<first>The first )?(?P<paths>[\d,]*) ?paths? from .+?"
        r"(?P<chosen>, not for certain)?(?:, (?P<unsure>[\d,]+) of them not for "
        r"certain)?(?P<waiting>, later: messages wait on the way)?"
        r"(?:, (?P<later>[\d,]+) of them later)?(?:, .+?)?"
        r"(?:; [\d,]+ more of the same cost not taken)?"
        r"(?P<more>; there are or may be more \(use --max\))?\.",
        line,
    )
    if not found:
        yield from _unread(line)
        return
    many = number(found["paths"]) or 1
    chosen = many if found["chosen"] else number(found["unsure"])
    waiting = many if found["waiting"] else number(found["later"])
    yield from _counts(
        line,
        {"paths": many, "unsure": chosen, "later": waiting},
        {"paths": len(listed), "unsure": unsure, "later": later},
    )
    far = re.search(r", as far as (?:the loaded files show|was searched)[;.]", line)
    yield from _open(answer, line, hedged=bool(found["more"] or far))
    if answer["truncated"] and not found["more"]:
        yield f"there are more, and the line does not say so: {line}"


def cycles(answer: Json, line: str) -> Iterator[str]:
    """Whether a network is legal."""
    told = {
        "Legal: ": True,
        "Illegal: ": False,
        "No system of ": True,
        "No message goes round for ever by itself": True,
        "No server was found": "unknown",
        "Whether ": "unknown",
    }
    said = [one for start, one in told.items() if line.startswith(start)]
    if not said:
        if not re.match(r"[\d,]+ |.+ would hold ", line):
            yield from _unread(line)
        return
    if said[0] == "unknown" and not answer["exact"]:
        return
    if said[0] != answer["legal"] and answer["judged"]:
        yield f"{said[0]}, and JSON has {answer['legal']}: {line}"


def interests(answer: Json, line: str) -> Iterator[str]:
    """How many names are held."""
    if line == "Which names are held cannot be decided.":
        if answer["servers"] or not answer["undetermined"]:
            yield f"JSON decides it: {line}"
        return
    found = re.match(
        r"(?:(?P<servers>[\d,]+) servers? hold|.+ holds) (?P<names>[\d,]+) names?"
        rf"(?P<more>; [^.]+? may hold more)?{FAR}\.",
        line,
    )
    if not found:
        yield from _unread(line)
        return
    held = sum(map(len, answer["servers"].values()))
    many = number(found["servers"]) if found["servers"] else len(answer["servers"])
    yield from _counts(
        line,
        {"servers": many, "names": number(found["names"])},
        {"servers": len(answer["servers"]), "names": held},
    )
    yield from _open(answer, line, hedged=bool(found["far"] or found["more"]))
    if answer["undetermined"] and not found["more"]:
        yield f"names are left open, and the line does not say so: {line}"


def check(answer: Json, line: str) -> Iterator[str]:
    """How many findings there are, by severity."""
    is_ = {key: answer["counts"].get(key, 0) for key in ("error", "warning", "info")}
    if re.match(r"No findings\b", line):
        yield from _counts(line, dict.fromkeys(is_, 0), is_)
        return
    found = re.fullmatch(
        r"([\d,]+) findings?.*: (?P<error>[\d,]+) errors?, (?P<warning>[\d,]+) warnings?, "
        r"(?P<info>[\d,]+) for information\.",
        line,
    )
    if not found:
        yield from _unread(line)
        return
    yield from _counts(line, {key: number(found[key]) for key in is_}, is_)


_CERTAINTIES = (
    (" (decided at run time)", "one_of"),
    (" (code that no file shows decides)", "unknown"),
)
_WORDS: Mapping[str, str] = {
    "delivered": "DELIVERED",
    "published": "PUBLISHED",
    "put on a transmission queue": "XMIT",
    "held": "HELD",
    "moved to an exception destination": "EXCEPTIONED",
    "put on a dead-letter queue": "DLQ",
    "discarded": "DISCARDED",
    "kept to be tried again": "BLOCKED",
    "rejected": "REJECTED",
    "left to code that no file shows": "OPAQUE",
    "forwarded": "FORWARDED",
    "stopped": "NOT_FORWARDED",
    "stuck": "STUCK",
    "missed": "GAP",
    "delivered more than once": "DUPLICATE",
    "given back to the sender": "RELEASED",
    "refused": "REFUSED",
    "stored in a container": "DEPOSITED",
    "circulate for ever": "LOOP",
    "circulates for ever": "LOOP",
    "leave the loaded files": "EXTERNAL",
    "leaves the loaded files": "EXTERNAL",
    "get no credit": "NO_CREDIT",
    "gets no credit": "NO_CREDIT",
    "end in a way that is not known": "UNDETERMINED",
    "ends in a way that is not known": "UNDETERMINED",
}
"""What lines say of outcomes, behind a form of "be" where they need one."""

_VERBS: Mapping[str, str] = {
    "is to be": "later",
    "would be": "if",
    "may be": "one_of",
    "is to": "later",
    "would": "if",
    "may": "one_of",
    "is": "yes",
}
_WHAT = (
    rf"(?P<verb>{'|'.join(_VERBS)}|be)? ?(?P<what>"
    + "|".join(sorted(_WORDS, key=len, reverse=True))
    + r")(?: (?P<brackets><\d+>))?"
)
_VERB = re.compile(rf"{_WHAT} at (?P<places>.+)")
_NEXT = re.compile(rf" (?:and|or) (?={re.sub(r'[(][?]P<[a-z]+>', '(?:', _WHAT)} at )")


def fates(said: str) -> Iterator[Claim | str]:
    """The claims of what a line says becomes of a message; a text that is no claim as it stands."""
    for clause in said.split("; "):
        if clause in ("nobody is known to subscribe", "no receiver is known"):
            continue
        rest, certainty = clause, ""
        for ending, told in _CERTAINTIES:
            if ending in rest:
                rest, certainty = rest.replace(ending, ""), told
        later = " later" in rest
        rest = rest.replace(" later", "")
        rest = re.sub(
            r", where (?:nobody is known to subscribe|no receiver is known)$| if .*$", "", rest
        )
        last = ""
        for part in _NEXT.split(rest):
            found = _VERB.fullmatch(part)
            if not found:
                yield part
                continue
            verb = found["verb"] or ""
            last = last if verb == "be" else verb
            if verb == "" and found["what"].split()[0].endswith("s"):
                last = "is"
            told = certainty or ("later" if later else _VERBS[last or "is"])
            joined = "or" if " or " in found["places"] else "and"
            places, more = names(found["places"], joined)
            for place in places:
                yield Claim(_WORDS[found["what"]], place, told)
            if more:
                yield f"and {more} others"


_ANY_WORDS = "|".join(sorted(_WORDS, key=len, reverse=True))


def _masked(line: str) -> tuple[str, list[str]]:
    """The line with a number in the place of each text in brackets that an outcome has."""
    kept: list[str] = []

    def one(found: re.Match[str]) -> str:
        if f" {found[2]}" in dict(_CERTAINTIES):
            return found[0]
        kept.append(found[0])
        return f"{found[1]} <{len(kept) - 1}>"

    return re.sub(rf"\b({_ANY_WORDS}) (\((?:[^()]|\([^()]*\))*\))", one, line), kept


_SENT = re.compile(r"A (?:message|series of [\d,]+ messages) to \S+ (?:published|sent) at ")
_DOUBT = re.compile(r"; (?:whether (?:it|others)|what becomes of it) .+ cannot be decided")


def _becomes(answer: Json, line: str) -> tuple[str, bool]:
    """What a line says becomes of a message, and whether it says that this may not be all."""
    begun = _SENT.match(line)
    if not begun or not line.startswith(answer["from"], begun.end()):
        return "", False
    said, _ = _masked(line[begun.end() + len(answer["from"]) + 1 :].removesuffix("."))
    said = re.sub(r"; (?:a selector asks|[\d,]+ selectors ask) for .+$", "", said)
    doubt = _DOUBT.search(said)
    said = _DOUBT.sub("", said)
    far = re.search(r", as far as (?:the loaded files show|was searched)$", said)
    said = said[: far.start()] if far else said
    said = re.sub(r"; on its way .+$", "", said)
    return re.sub(r"(?<!:): (?!delivered at).*?(?=; |$)", "", said), bool(doubt or far)


def _open_message(answer: Json) -> bool:
    """Whether JSON leaves open what else becomes of a message."""
    return not answer["exact"] or bool(answer["undetermined"])


def _fates_told(claims: set[Claim], is_: set[Claim], line: str, said: str) -> Iterator[str]:
    """Claims that JSON does not make, and those of JSON that a line leaves out."""
    for one in claims - is_:
        yield f"{one}, and JSON has {sorted(is_)}: {line}"
    if not re.search(r"\d+ others", said):
        for one in is_ - claims:
            yield f"{one} is left out: {line}"


def propagate(answer: Json, line: str) -> Iterator[str]:
    """Who gets a message, and what else becomes of it."""
    if re.match(r"Whether a (?:message|series) .+ (?:cannot be decided|is not known)", line):
        if answer["deliveries"] or not (_open_message(answer) or _left_open(answer)):
            yield f"JSON decides it: {line}"
        return
    if line.startswith(SHOWN):
        if answer["deliveries"] or not answer["undetermined"]:
            yield f"JSON does not leave it open: {line}"
        return
    said, hedged = _becomes(answer, line)
    if not said:
        yield from _unread(line)
        return
    if not hedged and _open_message(answer):
        yield f"JSON leaves more open, and the line does not say so: {line}"
    if answer["sender"] is not None:
        yield from _with_credit(answer, said, line)
        return
    is_ = {
        Claim(one["outcome"], one["server"], one["judgement"]) for one in answer["deliveries"]
    } | {
        Claim(one["outcome"], one["server"], one["judgement"])
        for one in answer["ends"]
        if not one["goes_on"] and one["outcome"] != "UNDETERMINED"
    }
    nowhere, between, rest = said.partition("is delivered nowhere")
    if between and not nowhere:
        if answer["deliveries"]:
            yield f"JSON has deliveries: {line}"
        said = rest.removeprefix(" and ")
    told = [*fates(said)] if said else []
    claims = {one for one in told if isinstance(one, Claim)}
    unread = [one for one in told if isinstance(one, str) and not one.startswith("and ")]
    if unread:
        yield f"of no known form: {unread}: {line}"
    yield from _fates_told(claims, is_, line, said)


def _left_open(answer: Json) -> bool:
    """Whether a link, a subscriber or an end is left open."""
    return any(
        one["value"] == "UNKNOWN" and one["reason"] != "selector" for one in answer["stopped"]
    ) or any(one["outcome"] == "UNDETERMINED" for one in answer["ends"])


def _with_credit(answer: Json, said: str, line: str) -> Iterator[str]:
    """The forms of networks that hand out credit."""
    known = [one for one in answer["deliveries"] if "if" not in one["conditions"]]
    if said.startswith(("is not sent", "is delivered nowhere")):
        if answer["deliveries"]:
            yield f"JSON has deliveries: {line}"
        return
    found = re.match(r"would reach a receiver at (.+); none is known", said)
    if found:
        places, more = names(found[1])
        servers = {one["server"] for one in answer["deliveries"]}
        if known or not servers.issuperset(places) or len(servers) != len(places) + more:
            yield f"JSON has {sorted(servers)}: {line}"
        return
    found = re.match(
        r"(?P<goes>goes|may go) (?P<to>to .+?)(?P<chosen> \(decided at run time\))?$", said
    )
    if not found:
        yield from _unread(line)
        return
    if not known:
        yield f"JSON knows nobody: {line}"
    one_of = {one["receiver"] for one in known if "one_of" in one["conditions"]}
    if bool(one_of) and not found["chosen"]:
        yield f"which one is chosen at run time, and the line does not say so: {line}"


def trace(answer: Json, line: str) -> Iterator[str]:
    """How a message ends."""
    said, hedged = _becomes(answer, line)
    if not said:
        yield from _unread(line)
        return
    if not hedged and _open_message(answer) and "not known" not in said:
        yield f"JSON leaves more open, and the line does not say so: {line}"
    courses = re.search(r"; it takes one of ([\d,]+) courses(?:, decided at run time)?", said)
    if courses:
        yield from _counts(
            line, {"courses": number(courses[1])}, {"courses": len(answer["alternatives"])}
        )
        said = said.replace(courses[0], "")
    said = said.removesuffix("; each receiver is followed alone")
    is_ = {
        (one["outcome"], one["server"] or answer["steps"][one["last"]]["at"], one["judgement"])
        for one in _ended(answer)
    }
    told = [*fates(said.replace("; on its way", ";"))] if " at " in said else []
    for one in told:
        if isinstance(one, str):
            if not one.startswith("and "):
                yield f"of no known form: {one}: {line}"
        elif one.what != "UNDETERMINED" and ((one.what, one.place, one.told) not in is_):
            yield f"{one}, and JSON has {sorted(is_)}: {line}"
    if not told and not re.match(rf"{_WHAT}", said):
        yield from _unread(line)


def _ended(answer: Json) -> Iterator[Json]:
    """The branches that end, apart from other readings of the documents."""
    aside: set[int] = set()
    for one in answer["branches"]:
        if one["kind"] == "reading" or one["of"] in aside:
            aside.add(one["id"])
        elif one["ending"] and one["last"] >= 0:
            yield {**one, "judgement": one["judgement"] or "yes"}


def impact(answer: Json, line: str) -> Iterator[str]:
    """What failures take away."""
    if line == "Nothing runs here that could fail." or line.endswith("does cannot be decided."):
        if answer["failed"] or answer["failures"]:
            yield f"JSON has failures: {line}"
        return
    far = re.search(rf"{FAR}\.$", line)
    hedged = (
        bool(far and far["far"]) or " was found that " in line or " single failures of " in line
    )
    yield from _open(answer, line, hedged=hedged)
    if answer["failures"]:
        yield from _swept(answer, line)
        return
    numbers = {"lost": len(answer["lost"]), "changed": len(answer["changed"])}
    unserved = re.search(r"clients of ([\d,]+) listeners? of .+ are served nowhere", line)
    services = sum(each["service"] for each in answer["changed"])
    yield from _counts(line, {"services": number(unserved and unserved[1])}, {"services": services})
    if re.search(r"\bno pair of .+ is lost\b", line) and (answer["lost"] or answer["left_out"]):
        yield f"JSON has pairs that are lost, or not all were looked at: {line}"
    yield from _pairs_named(line, {(one["from"], one["to"]) for one in answer["lost"]})
    one = re.search(r" fails?, (.+) no longer reaches (.+?)(?:, |\.$)", line)
    if one:
        pairs = [(each["from"], each["to"]) for each in answer["lost"]]
        if pairs != [(one[1], one[2])]:
            yield f"JSON has {pairs}: {line}"
        return
    for what, form in (
        ("lost", rf"([\d,]+) ordered pairs of {NOUN} no longer reach each other"),
        ("changed", r"messages to ([\d,]+) destinations? end differently"),
    ):
        found = re.search(form, line)
        if found:
            yield from _counts(line, {what: number(found[1])}, numbers)
            return
    if unserved and not re.search(r"messages are (?:missed|stored) at | out of reach of ", line):
        return
    if re.search(r"messages are (?:missed|stored) at | out of reach of ", line):
        if not (answer["gaps"] or answer["retained"] or answer["containers"]):
            yield f"JSON has none: {line}"
        return
    if not re.search(
        r"still (?:does|reaches each other)|no two other|nothing is lost|was found that", line
    ):
        yield from _unread(line)
    elif any(answer[one] for one in ("lost", "changed", "gaps", "retained", "containers")):
        yield f"JSON has something that is lost: {line}"


def _pairs_named(line: str, lost: set[tuple[str, str]]) -> Iterator[str]:
    """The pairs that a line names in brackets, where it counts none of their servers."""
    found = re.search(r" no longer reach(?:es)? each other \((.+?)\)(?:, |;|\.| and )", line)
    if not found:
        return
    named: set[tuple[str, str]] = set()
    for group in found[1].split("; "):
        both = group.endswith(", both ways")
        starts, _, ends = group.removesuffix(", both ways").partition(" to ")
        (first, more), (second, others) = names(starts), names(ends)
        if more or others:
            return
        named.update((a, b) for a in first for b in second if a != b)
        if both:
            named.update((b, a) for a in first for b in second if a != b)
    if named != lost:
        yield f"{sorted(named)} are lost, and JSON has {sorted(lost)}: {line}"


def _swept(answer: Json, line: str) -> Iterator[str]:
    """The worst of all single failures."""
    worst = answer["failures"][0]
    found = re.match(r"([\d,]+) single failures?(?: of [\d,]+)?; ", line)
    if not found:
        yield from _unread(line)
        return
    told, is_ = {"failures": number(found[1])}, {"failures": len(answer["failures"])}
    if "; none separates " in line:
        if any(one["lost"] or one["containers"] for one in answer["failures"]):
            yield f"JSON has some that do: {line}"
    else:
        pairs = re.search(rf"{re.escape(worst['failed'])}: ([\d,]+) ordered pairs? of", line)
        itself = re.search(
            rf"([\d,]+) ordered pairs? of {NOUN}, all with|([\d,]+) with .+ itself", line
        )
        own = number(itself and (itself[1] or itself[2]))
        told |= {"lost": 0 if itself and itself[1] else number(pairs and pairs[1]), "own": own}
        is_ |= {"lost": worst["lost"], "own": worst["own"]}
    most = worst
    if "; none separates " in line:
        most = max(answer["failures"], key=lambda one: (one["services"], one["changed"]))
    for what, form, real in (
        (
            "changed",
            r"messages to ([\d,]+) destinations? end differently",
            most["changed"] - most["services"],
        ),
        ("services", r"clients of ([\d,]+) listeners? are served nowhere", most["services"]),
    ):
        found = re.search(form, line)
        told[what], is_[what] = number(found and found[1]), real
    yield from _counts(line, told, is_)


def audit(answer: Json, line: str) -> Iterator[str]:
    """The verdict on a change, and what it counts."""
    verdict = re.match(r"(Accept|Reject|Undetermined): ", line)
    if not verdict:
        yield from _unread(line)
        return
    if verdict[1].lower() != answer["verdict"]:
        yield f"JSON has {answer['verdict']}: {line}"
    refused = sum(not one["undetermined"] for one in answer["rejections"])
    failing = [one for one in answer["policy"] if one["result"] == "fail" and one["blocks"]]
    is_ = {
        "commands": len(answer["steps"]),
        "refused": refused,
        "failing": len(failing),
        "policies": len(answer["policy"]),
        "error": sum(one["severity"] == "error" for one in answer["findings"]),
        "warning": sum(one["severity"] == "warning" for one in answer["findings"]),
        "lost": answer["reach"]["lost_count"],
    }
    for form, keys in (
        (r"([\d,]+) of ([\d,]+) commands? would be refused", ("refused", "commands")),
        (r"would take ([\d,]+) commands?", ("commands",)),
        (r"([\d,]+) of ([\d,]+) polic(?:y|ies) fails?", ("failing", "policies")),
        (r"([\d,]+) (?:ordered pairs of servers|pair) no longer reach", ("lost",)),
    ):
        found = re.search(form, line)
        if found:
            told = {key: number(found[place]) for place, key in enumerate(keys, 1)}
            yield from _counts(line, told, is_)
    yield from _pairs_named(line, {tuple(pair) for pair in answer["reach"]["lost"]})
    if verdict[1] == "Accept":
        for severity in ("error", "warning"):
            found = re.search(rf"([\d,]+) {severity}", line)
            yield from _counts(line, {severity: number(found and found[1])}, is_)
        apart = answer["reach"]["lost_count"]
        if answer["left_open"] or (apart and " no longer reach" not in line):
            yield f"JSON has more to be told: {line}"


def services(answer: Json, line: str) -> Iterator[str]:
    """How many listeners of services are served, and how certain that is."""
    listeners = [one for each in answer["services"] for one in each["listeners"]]
    if line.startswith("No services"):
        if answer["services"]:
            yield f"JSON has services: {line}"
        return
    found = re.fullmatch(
        r"(?:(?P<services>[\d,]+) services?|\S+:.+?)(?: at .+?)?: "
        r"(?P<served>[\d,]+) of (?P<all>[\d,]+) listeners? (?:is|are) served"
        rf"(?:, (?P<unsure>[\d,]+) of them not for certain)?{FAR}"
        r"(?:; (?P<open>[\d,]+) cannot be decided)?"
        r"(?:; (?P<alone>[\d,]+) connectors? without a listener)?\.",
        line,
    )
    if not found:
        yield from _unread(line)
        return
    told = [one["judgement"] for one in listeners]
    open_ = told.count("unknown") + told.count("not_looked_at")
    is_ = {
        "served": len(told) - told.count("no") - open_,
        "all": len(told),
        "unsure": len(told) - told.count("no") - open_ - told.count("yes"),
        "open": open_,
        "alone": sum(len(one["connectors"]) for one in answer["services"] if not one["listeners"]),
    }
    if found["services"]:
        is_["services"] = len(answer["services"])
    yield from _counts(line, {key: number(found[key]) for key in is_}, is_)
    yield from _open(answer, line, hedged=bool(found["far"]))


_READ: Mapping[str, Callable[[Json, str], Iterator[str]]] = {
    "reach": reach,
    "hops": hops,
    "paths": paths,
    "cycles": cycles,
    "interests": interests,
    "check": check,
    "propagate": propagate,
    "trace": trace,
    "services": services,
    "impact": impact,
    "audit": audit,
}

QUESTIONS = frozenset(_READ)
"""The questions whose first lines are read back."""
