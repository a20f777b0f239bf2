"""What each quick test makes on its way, as a digest beside the test: facts, findings, tables,
traces and answers.

A test says by which rule one part of an answer is what it is. This sees to it that the rest stays
as it is too: every value of the classes below (``RESULTS``) that is made while a test runs is taken
down, with the number of steps that its budgets spend, and the digest of all of them is compared
with the one in ``tests/kept_results``, one table a file of tests and one line a test. It says that
nothing changed, not that it is right. ``TOPOGRAPH_COMPARE_RESULTS=0`` leaves it out.

Where a digest differs and the change is meant, ``python -m kept_results [TESTS ...]`` in ``tests``
writes the digests of now. To see what changed, run the test before and after the change with
``TOPOGRAPH_SHOW_RESULTS=FOLDER``: each test writes there what it made, a value a line.

What a test makes may hang on more than the program: on the folder it runs in, the order of sets, or
what another test left. What functions keep (``functools.cache``) is forgotten before each test. The
digests are written after three runs, each test in a process of its own, all in one, and all in one
backwards, with another order of sets and another folder for files each time, and classes whose
values are not the same in all three are left out of the test (``without``). Not compared are tests
of random examples, those with a table of whole answers of their own, those of budgets and memory,
those that make more than ``MOST`` values, and new tests, until their digest is written.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import importlib
import importlib.util
import json
import os
import pkgutil
import re
import subprocess
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from topograph.forwarding.budget import Budget
from topograph.questions.answers.base import Answer

TABLES = Path(__file__).parent / "kept_results"
ROOT = Path(__file__).parents[1]

RESULTS = re.compile(
    r"topograph\.(assumptions|files|findings|inexact|message|side_inputs|facts\.\w+"
    r"|questions\.(\w+_)?answers?"
    r"|(importers|systems|forwarding|tracing|selectors)\..+)"
)
"""The modules whose public classes are what one module gives the next."""

MOST = 20_000
"""Values of one test."""

_NOT_COMPARED = re.compile(
    r".*/test_(\w+_answers|drawn_\w+|searched|fuzz\w*|budgets|large_files)\.py::.*|.*(budget|memory).*"
)
"""Tests that compare whole answers, draw their inputs, or measure."""

_PLACE = re.compile(rf"{re.escape(str(ROOT))}|[^ ]*/pytest-of-[^/]+/pytest-\d+(/popen-\w+)?")
"""Where the project stands, and where tests write."""

_APART = ("snapshot", "network", "engine")
"""Fields of an answer that say what was asked and not what is so."""

_INIT, _PARAMETERS, _SPEND = "__init__", "__dataclass_params__", "spend"
"""By name: types say nothing of the second, and nothing of a change of the others."""

_Cached = type(cache(lambda: None))
"""What ``functools.cache`` and ``lru_cache`` make."""

_PLAIN = frozenset({type(None), bool, int, float, bytes})
"""Values that are written as Python writes them."""

_QUICK = "not (slow or spark or neo4j or browser)"

Known = dict[int, tuple[object, str]]
"""Values that were taken down, by id, each with its digest."""


def is_wanted() -> bool:
    """Whether anything is to be taken down."""
    asked = ("TOPOGRAPH_SHOW_RESULTS", "KEPT_RESULTS")
    return compares() or any(os.environ.get(name) for name in asked)


def compares() -> bool:
    """Whether what tests make is compared with what is kept."""
    return os.environ.get("TOPOGRAPH_COMPARE_RESULTS", "1") not in ("", "0")


class KeptResults:
    """The plugin: takes down what each test makes and compares it."""

    def __init__(self) -> None:
        self._made: dict[str, set[str]] | None = None
        self._count = 0
        self._steps = 0
        self._known: Known = {}
        self._caches: dict[int, _Cached] = {}
        self._shown = os.environ.get("TOPOGRAPH_SHOW_RESULTS", "")
        self._compares = compares() and not self._shown
        order, _, self._into = os.environ.get("KEPT_RESULTS", "").partition(" ")
        self._alone, self._backwards = order == "alone", order == "backwards"

    def pytest_sessionstart(self) -> None:
        """All modules are loaded first: what they make while they load is no test's."""
        modules = [importlib.import_module(name) for name in _modules()]
        for module in modules:
            for value in list(vars(module).values()):
                if isinstance(value, type) and _is_result(value, module.__name__):
                    self._take_down(value)
        self._count_steps()

    def pytest_collection_finish(self) -> None:
        """By now all modules of tests are loaded too: networks that several share are read anew
        for each, or what one asks would not be asked again in the next. What is kept here is not
        forgotten.
        """
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            is_ours = name.startswith("topograph") or Path(file).is_relative_to(TABLES.parent)
            if is_ours and name != __name__:
                values = list(vars(module).values())
                self._caches |= {id(one): one for one in values if isinstance(one, _Cached)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._into:
            items[:] = filter(_is_compared, items)
        if self._backwards:
            items.reverse()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Each test in a process of its own, where that is wanted."""
        if not self._alone:
            return None
        child = os.fork()
        if child == 0:
            status = 1
            try:
                self._alone = False
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                status = 0
            finally:
                os._exit(status)
        os.waitpid(child, 0)
        return True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        self._made, self._count, self._steps, self._known = None, 0, 0, {}
        if _is_compared(item):
            self._made = defaultdict(set)
            for kept in self._caches.values():
                kept.cache_clear()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """What several tests share is nobody's."""
        if fixturedef.scope == "function":
            return (yield)
        made, self._made = self._made, None
        try:
            return (yield)
        finally:
            self._made = made

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        returned = yield
        made, self._made, self._known = self._made, None, {}
        if made is None or self._count > MOST:
            return returned
        if self._steps:
            made[Budget.__name__].add(f"{self._steps} steps")
        if self._shown:
            _show(Path(self._shown), item.nodeid, made)
        if self._into:
            self._keep(item.nodeid, made)
        elif self._compares and (expected := _kept(item.nodeid)) is not None:
            compare(expected, made)
        return returned

    def _take_down(self, result: type) -> None:
        made_before: Callable[..., None] = getattr(result, _INIT)

        @wraps(made_before)
        def made(one: Any, *values: Any, **named: Any) -> None:
            made_before(one, *values, **named)
            if self._made is not None and type(one) is result:
                self._count += 1
                if self._count <= MOST:
                    kept = written(one, None if self._shown else self._known)
                    self._made[result.__name__].add(kept)

        setattr(result, _INIT, made)

    def _count_steps(self) -> None:
        spent_before = Budget.spend

        @wraps(spent_before)
        def spent(budget: Budget) -> None:
            self._steps += 1
            spent_before(budget)

        setattr(Budget, _SPEND, spent)

    def _keep(self, test: str, made: Mapping[str, set[str]]) -> None:
        with Path(self._into, f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps([test, digests(made)])}\n")


_ADDED = ("crane", "barge")
"""The systems that tests add, as packages beside topograph's own."""


def _modules() -> list[str]:
    """The modules of topograph, and of what tests add to it where that is there."""
    names = []
    for place in ("topograph", *filter(importlib.util.find_spec, _ADDED)):
        package = importlib.import_module(place)
        names += [module.name for module in pkgutil.walk_packages(package.__path__, f"{place}.")]
    return [name for name in names if not name.endswith("__main__")]


def _is_result(value: type, module: str) -> bool:
    return (
        value.__module__ == module
        and RESULTS.fullmatch(module) is not None
        and _is_frozen(value)
        and not value.__name__.startswith("_")
    )


def _is_elsewhere(kind: type) -> bool:
    return kind.__module__.startswith("topograph.") and not RESULTS.fullmatch(kind.__module__)


def _is_frozen(value: type) -> bool:
    return getattr(getattr(value, _PARAMETERS, None), "frozen", False)


def _is_compared(item: pytest.Item) -> bool:
    return not (
        getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        or _NOT_COMPARED.fullmatch(item.nodeid)
        or not item.path.is_relative_to(TABLES.parent)
        or {"slow", "spark", "neo4j", "browser"} & {mark.name for mark in item.iter_markers()}
    )


def written(value: Any, known: Known | None = None) -> str:
    """A value with all that is in it, the same in each run: sets in order, and of what is no plain
    value, or belongs to the places where facts are kept, its class only. With what is ``known``, a
    digest stands for each frozen dataclass, which is known from then on.
    """
    kind = type(value)
    if kind is str:
        return repr(_PLACE.sub("PLACE", value) if "/" in value else value)
    if kind in _PLAIN:
        return repr(value)
    if known is not None and (found := known.get(id(value))):
        return found[1]
    if isinstance(value, enum.Enum):
        return f"{kind.__name__}.{value.name}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(written(one, known) for one in value))}}}"
    if isinstance(value, Mapping):
        pairs = (f"{written(one, known)}: {written(value[one], known)}" for one in value)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple | array):
        return f"({', '.join([written(one, known) for one in value])})"
    if dataclasses.is_dataclass(kind) and not _is_elsewhere(kind):
        fields = [f"{one}={written(getattr(value, one, None), known)}" for one in _fields(kind)]
        text = f"{kind.__name__}({', '.join(fields)})"
        if known is None or not _is_frozen(kind):
            return text
        digest = hashlib.sha256(_bytes(text)).hexdigest()
        known[id(value)] = value, digest
        return digest
    return written(str(value)) if isinstance(value, str) else kind.__name__


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    apart = _APART if issubclass(kind, Answer) else ()
    return tuple(
        field.name for field in dataclasses.fields(kind) if field.repr and field.name not in apart
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def digests(made: Mapping[str, set[str]]) -> dict[str, str]:
    """Of the values of each class."""
    return {name: _digest("\n".join(sorted(values))) for name, values in made.items()}


def together(digests: Mapping[str, str]) -> str:
    """A digest of all classes."""
    return _digest(" ".join(f"{name}={digests[name]}" for name in sorted(digests)))


def _digest(text: str) -> str:
    return hashlib.sha256(_bytes(text)).hexdigest()[:6]


def compare(expected: str, made: Mapping[str, set[str]]) -> None:
    """Fails the test that made these values where others are expected."""
    digest, _, without = expected.partition(" without ")
    compared = {name: values for name, values in made.items() if name not in without.split()}
    if together(digests(compared)) != digest:
        pytest.fail(
            "this test makes other values than are kept of it (tests/kept_results.py); it makes "
            f"{', '.join(sorted(compared)) or 'none'} now",
            pytrace=False,
        )


def _kept(test: str) -> str | None:
    file, _, name = test.partition("::")
    return _table(file).get(name)


def _path(file: str) -> Path:
    return TABLES / Path(file).relative_to("tests").with_suffix(".txt")


@cache
def _table(file: str) -> dict[str, str]:
    if not _path(file).exists():
        return {}
    lines = _path(file).read_text(encoding="utf-8").splitlines()
    parted = (line.rpartition(": ") for line in lines)
    return {name: expected for name, _, expected in parted}


def _show(folder: Path, test: str, made: Mapping[str, set[str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", test)[-150:]
    lines = sorted(value for values in made.values() for value in values)
    (folder / f"{name}.txt").write_bytes(_bytes("".join(f"{line}\n" for line in lines)))


_ORDERS = ("alone", "forwards", "backwards")


def _run(tests: list[str], order: str, folder: Path) -> dict[str, dict[str, str]]:
    """The digests of each class, by test."""
    into, temporary = folder / order, folder / f"temporary-{order}"
    into.mkdir()
    temporary.mkdir()
    wanted = {
        "CI": "true",
        "KEPT_RESULTS": f"{order} {into}",
        "PYTHONHASHSEED": str(1 + _ORDERS.index(order)),
        "TMPDIR": str(temporary),
    }
    words = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-n0", "-p", "no:cacheprovider"]
    subprocess.run(
        [*words, "-m", _QUICK, *tests], cwd=ROOT, env={**os.environ, **wanted}, check=False
    )
    rows = (json.loads(line) for part in into.iterdir() for line in part.open(encoding="utf-8"))
    return dict(rows)


def main(tests: list[str]) -> None:
    """Writes the tables of some tests, or of all."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(partial(_run, tests or ["tests"], folder=Path(folder)), _ORDERS))
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    for test in set(runs[0]).intersection(*runs[1:]):
        found = [run[test] for run in runs]
        names = {name for run in found for name in run}
        without = {name for name in names if len({run.get(name) for run in found}) > 1}
        same = {name: found[0][name] for name in names - without}
        file, _, name = test.partition("::")
        left_out = f" without {' '.join(sorted(without))}" if without else ""
        tables[file][name] = f"{together(same)}{left_out}"
    for file, lines in tables.items():
        kept = {**(_table(file) if any("::" in test for test in tests) else {}), **lines}
        _path(file).parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{name}: {kept[name]}\n" for name in sorted(kept))
        _path(file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
