"""Whole estates as targets: an estate is read, asked, changed and drawn, and whatever it holds,
each of these gives an answer or one of the errors that tell a person what to do.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from asked_answers import questions
from drawn.estates import Question
from fuzz.cut import cut
from fuzz.estates import Estate, changed_text, estate, policy, script, written
from fuzz.targets import OURS

import topograph
from topograph.audit import GivenScript
from topograph.audit.reports import junit, markdown, sarif
from topograph.errors import BackendError, TopographError
from topograph.histories.following import history
from topograph.questions.text import text
from topograph.viz.formats import FORMATS

PACKAGE = Path(topograph.__file__).parent
BUDGET = 1.0
"""Seconds of a question."""
PATIENCE = 12.0
"""Seconds of processor time of any one thing: reading, a question, a drawing."""
ASKED = 12
"""Questions about one estate."""
OURS_TOO = frozenset((*OURS, "internal-error"))


class TooLong(BaseException):
    """One thing took longer than ``PATIENCE``."""


@dataclass
class Counts:
    """What was done, and what went wrong, by cause."""

    inputs: int = 0
    questions: int = 0
    refused: int = 0
    done: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")


def cause_of(error: BaseException) -> str:
    """An error by its type and the innermost place in topograph that it came from."""
    ours = [
        f"{Path(one.filename).relative_to(PACKAGE)}:{one.lineno}"
        for one in traceback.extract_tb(error.__traceback__)
        if Path(one.filename).is_relative_to(PACKAGE)
    ]
    said = f" {str(error)[:160]}" if isinstance(error, AssertionError) else ""
    return f"{type(error).__name__}{said}" + (f" at {ours[-1]}" if ours else "")


@contextlib.contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    """Raises TooLong in the block once it has taken so much processor time."""

    def end(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Tried:
    """One estate from a number, and all that is done with it."""

    def __init__(
        self, number: int, counts: Counts, failed: Callable[[str, Estate, BaseException], None]
    ) -> None:
        self._at = random.Random(f"fuzz {number}")
        self._counts = counts
        self._failed = failed
        self._estate = estate(self._at)

    def run(self) -> None:
        """Read it, ask it, and sometimes draw it, or make a history of it."""
        self._counts.inputs += 1
        with TemporaryDirectory(prefix="fuzz-") as folder:
            place = Path(folder, "estate")
            try:
                written(self._estate.files, place)
            except (OSError, ValueError):  # a name that no file can have
                return
            read = self._try("read", lambda: topograph.read(place))
            if read is not None:
                self._ask(read.within(BUDGET))
            if self._at.random() < 0.06:
                self._try("survey", lambda: json.dumps(topograph.survey(place).to_dict()))
            if self._at.random() < 0.04:
                self._try("history", lambda: self._history(Path(folder, "repository")))

    def _try(self, what: str, work: Callable[[], Any]) -> Any:
        began = time.process_time()
        self._counts.done[what.partition(" ")[0]] += 1
        try:
            with patience():
                return work()
        except TopographError as error:
            if isinstance(error, BackendError) or error.exit_code == 5:
                self._wrong(what, error)
            self._counts.refused += 1
        except (Exception, TooLong) as error:
            self._wrong(what, error)
        finally:
            taken = time.process_time() - began
            self._counts.slowest = max(self._counts.slowest, (taken, what))
        return None

    def _wrong(self, what: str, error: BaseException) -> None:
        self._counts.causes[f"{what.partition(' ')[0]}: {cause_of(error)}"] += 1
        self._failed(what, self._estate, error)

    def _ask(self, network: topograph.Network) -> None:
        given: list[Question] = [*self._estate.questions]
        asked = self._try("list", lambda: list(questions(network))) or []
        some = self._at.sample(given, min(ASKED // 2, len(given)))
        some += self._at.sample(asked, min(ASKED - len(some), len(asked)))
        some.append(("check", (), {}))
        answers = []
        for method, words, options in some:
            if method == "message_guards":
                continue
            answer = self._try(
                f"{method} {words} {options}",
                lambda method=method, words=words, options=options: said(
                    network, method, words, options
                ),
            )
            self._counts.questions += 1
            if answer is not None:
                answers.append(answer)
        for method, words, options in self._at.sample(some, min(2, len(some))):
            self._cut(network, method, words, options)
        for _ in range(self._at.choice((0, 1, 2))):
            self._change(network)
        if self._at.random() < 0.08 and answers:
            self._try("draw", lambda: _drawn(network, self._at.choice(answers)))
        if self._at.random() < 0.02:
            self._try("report", lambda: network.report().generate_html())

    def _cut(
        self, network: topograph.Network, method: str, words: Sequence[Any], options: Any
    ) -> None:
        """The question with budgets that end before it is answered. One whose own budget ends has
        been cut already, and has no end that others could be compared with."""
        if method == "message_guards":
            return

        def ask() -> Any:
            return getattr(network, method)(*words, **options)

        def all_cut() -> int:
            causes = {one["cause"] for one in ask().to_dict().get("inexact_because", ())}
            self._counts.done["cut-by-time"] += "budget" in causes
            return 0 if "budget" in causes else cut(ask, self._at)

        many = self._try(f"cut {method} {words} {options}", all_cut)
        self._counts.done["cut-short"] += many or 0

    def _change(self, network: topograph.Network) -> None:
        """A change script, with a policy; and the change saved, changed, and judged again."""
        data, at = script(self._estate, self._at)
        given = [GivenScript(data, "change", at)]
        policies = [policy(self._at)] if self._at.random() < 0.4 else []
        answer = self._try("audit", lambda: said(network, "audit", (given,), {"policy": policies}))
        self._counts.questions += 1
        if answer is None:
            return
        for write in (markdown, junit, lambda answer: sarif(answer, "0")):
            self._try("audit-written", lambda write=write: write(answer))
        if self._at.random() < 0.3:
            self._try("replay", lambda: self._replayed(network, given, answer))

    def _replayed(
        self, network: topograph.Network, given: Sequence[GivenScript], answer: Any
    ) -> None:
        saved = network.saved_change(given, judged=answer).written().encode()
        if self._at.random() < 0.8:
            saved = changed_text(saved, self._at)
        with TemporaryDirectory(prefix="fuzz-") as folder:
            file = Path(folder, "change.json")
            file.write_bytes(saved)
            text(network.replay(file))

    def _history(self, place: Path) -> None:
        """Three states of the estate, the later ones changed."""
        files, at = dict(self._estate.files), self._at
        place.mkdir()
        _git(place, "init", "-q", "-b", "main")
        for state in range(3):
            written(files, place / "conf")
            _git(place, "add", "-A", "-f", ".")
            _git(
                place,
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                f"{state}",
            )
            path = at.choice(list(files))
            files[path] = changed_text(files[path], at)
        told = history(place / "conf", seconds=BUDGET)
        json.dumps(told.to_dict())


def said(network: topograph.Network, method: str, words: Sequence[Any], options: Any) -> Any:
    """An answer, written as JSON and as text; a finding that tells of a mistake in topograph is
    one."""
    answer = getattr(network, method)(*words, **options)
    json.dumps(answer.to_dict(), ensure_ascii=False)
    text(answer)
    if method == "check":
        kinds = {one.get("kind", "") for one in answer.findings}
        assert not kinds & OURS_TOO, f"findings of {sorted(kinds & OURS_TOO)}"
    return answer


def _drawn(network: topograph.Network, answer: Any) -> None:
    try:
        scene = network.scene(answer)
    except topograph.errors.UsageError:
        scene = network.scene()
    for write in FORMATS.values():
        write(scene)
    network.page(scene)


def _git(place: Path, *words: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=place, check=True, env=environment, capture_output=True)
