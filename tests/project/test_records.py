"""A record behaves as the frozen dataclass of the same body, and makes a method when it is first
needed.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import sys
import threading
import types
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
PREAMBLE = """\
from __future__ import annotations
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Generic, Protocol, TypeVar
from topograph.records import record
T = TypeVar("T")
"""
NUMBERS = count()


def classes(text: str) -> types.ModuleType:
    """A module of classes, that pickles find."""
    name = f"drawn_records_{next(NUMBERS)}"
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(PREAMBLE + text, vars(module))
    return module


def both(text: str) -> tuple[types.ModuleType, types.ModuleType]:
    """Classes as records and as dataclasses."""

    def as_dataclass(found: re.Match[str]) -> str:
        given = [one for one in (found.group(1) or "").split(", ") if one]
        slots = [] if "slots=False" in given else ["slots=True"]
        others = [one for one in given if one != "slots=False"]
        return f"@dataclass({', '.join(['frozen=True', *slots, *others])})"

    written = re.sub(r"@record(?:\((.*)\))?", as_dataclass, text)
    return classes(text), classes(written)


def shown(one: object) -> str:
    """How an object is shown, whatever its module is called and wherever it lies."""
    return re.sub(r"drawn_records_\d+|0x[0-9a-f]+", "_", repr(one))


def outcome(work: Callable[[], Any]) -> object:
    """What some work gives, or the error that it ends with."""
    try:
        return work()
    except Exception as error:
        return type(error), str(error)


def shape(kind: type[Any]) -> list[object]:
    """What can be asked of a class without an instance."""
    return [
        [
            (one.name, one.type, one.init, one.repr, one.compare, one.hash, one.kw_only)
            for one in dataclasses.fields(kind)
        ],
        getattr(kind, "__match_args__", None),
        vars(kind).get("__slots__"),
        kind.__name__,
        kind.__qualname__,
        kind.__doc__,
        str(inspect.signature(kind)),
        dataclasses.is_dataclass(kind),
        inspect.isabstract(kind),
        kind.__hash__ is None,
    ]


def behaviour(kind: type[Any], values: list[dict[str, Any]]) -> list[object]:
    """What instances do, each made by keywords and by place."""
    made = [outcome(lambda one=one: kind(**one)) for one in values]
    made += [outcome(lambda one=one: kind(*one.values())) for one in values]
    found: list[object] = []
    for one in made:
        if isinstance(one, tuple):
            found.append(one)
            continue
        found.append(shown(one))
        found.append(outcome(lambda one=one: shown(dataclasses.asdict(one))))
        if kind.__eq__ is not object.__eq__:
            found.append(outcome(lambda one=one: hash(one)))
        for again in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
            other = outcome(lambda one=one, again=again: again(one))
            found += [type(other) is kind, outcome(lambda other=other: shown(other)), other == one]
        found.append(outcome(lambda one=one: shown(dataclasses.replace(one))))
        # Of other names the frozen dataclasses of some Pythons say what they do not mean.
        for name in [field.name for field in dataclasses.fields(kind)]:
            found.append(outcome(lambda one=one, name=name: setattr(one, name, 1)))
            found.append(outcome(lambda one=one, name=name: delattr(one, name)))
            found.append(outcome(lambda one=one, n=name: shown(dataclasses.replace(one, **{n: 5}))))
        found.append([one == other for other in made])
        found.append([outcome(lambda a=one, b=other: a < b) for other in made])
        found.append([outcome(lambda a=one, b=other: a >= b) for other in made])
        found.append(one == 1)
    return found


DEFAULTS = (
    "",
    " = 1",
    " = ()",
    " = field(default=2, compare=False)",
    " = field(default=None, repr=False, hash=False)",
    " = field(default_factory=list)",
    " = field(default_factory=tuple, kw_only=True)",
    " = field(default=4, init=False)",
    " = field(default_factory=tuple, init=False, compare=False)",
    " = field(kw_only=True)",
)
VALUES = st.one_of(st.none(), st.integers(0, 2), st.text(max_size=2), st.just((1, "a")))


@st.composite
def bodies(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A class of drawn fields, and one that extends it, with the names of both."""
    defaults = sorted(draw(st.lists(st.sampled_from(DEFAULTS), max_size=6)), key=bool)
    fields = [f"f{number}: object{default}" for number, default in enumerate(defaults)]
    slots = [] if draw(st.booleans()) else ["slots=False"]
    at = draw(st.integers(0, len(fields)))
    lines = []
    for part, own in (("Base", fields[:at]), ("Kind(Base)", fields[at:])):
        order = draw(st.booleans())
        flags = [f"eq={order or draw(st.booleans())}", f"order={order}"]
        flags += [f"repr={draw(st.booleans())}", f"kw_only={draw(st.booleans())}"]
        lines += [f"@record({', '.join([*slots, *flags])})", f"class {part}:"]
        lines += ['    """Drawn."""', "    shared: ClassVar[int] = 7"]
        lines += [f"    {one}" for one in own]
        if draw(st.booleans()):
            lines.append("    def __hash__(self) -> int:\n        return 3")
    return "\n".join(lines) + "\n", [f"f{number}" for number in range(len(fields))]


@given(bodies(), st.data())
def test_a_record_is_the_dataclass_of_the_same_body(
    body: tuple[str, list[str]], data: st.DataObject
) -> None:
    text, names = body
    ours, theirs = both(text)
    of_names = st.lists(st.sampled_from(names), unique=True) if names else st.just([])
    values = [
        {name: data.draw(VALUES) for name in chosen}
        for chosen in data.draw(st.lists(of_names, max_size=3))
    ]
    for kind in ("Base", "Kind"):
        a, b = getattr(ours, kind), getattr(theirs, kind)
        assert behaviour(a, values) == behaviour(b, values)
        assert shape(a) == shape(b)


WRITTEN = {
    "of a type": """
@record
class Kind(Generic[T]):
    '''Doc.'''
    f0: T
    f1: list[T] = field(default_factory=list)
""",
    "of an abstract class": """
class Base(ABC):
    @abstractmethod
    def told(self) -> str: ...
@record
class Kind(Base):
    '''Doc.'''
    f0: object
    f1: object = 1
    def told(self) -> str:
        return str(self.f0)
""",
    "still abstract": """
@record
class Kind(ABC):
    '''Doc.'''
    f0: object
    @abstractmethod
    def told(self) -> str: ...
""",
    "of a protocol": """
class Base(Protocol):
    f0: object
    def told(self) -> object:
        return self.f0
@record
class Kind(Base):
    '''Doc.'''
    f0: object
    f1: object = 1
""",
    "with a value that is kept": """
@record(slots=False)
class Kind:
    '''Doc.'''
    f0: object
    f1: object = 1
    @cached_property
    def kept(self) -> object:
        return [self.f0]
""",
    "that looks at its fields once they are set": """
@record
class Kind:
    '''Doc.'''
    f0: object
    f1: object = 1
    def __post_init__(self) -> None:
        object.__setattr__(self, "f1", [self.f1])
""",
    "of its own writing": """
@record(repr=False)
class Kind:
    '''Doc.'''
    f0: object
    f1: object = 1
    def __init__(self, f0: object, f1: object = 2) -> None:
        object.__setattr__(self, "f0", f0)
        object.__setattr__(self, "f1", f1)
    def __repr__(self) -> str:
        return "mine"
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kind)
""",
    "of two": """
@record
class One:
    '''Doc.'''
    f0: object
@record
class Two:
    '''Doc.'''
@record
class Kind(One, Two):
    '''Doc.'''
    f1: object = 1
""",
    "of one that changes a default": """
@record
class Base:
    '''Doc.'''
    f0: object = 4
    f1: object = 1
@record
class Kind(Base):
    '''Doc.'''
    f1: object = 7
""",
    "that is no record itself": """
@record
class Base:
    '''Doc.'''
    f0: object
    f1: object = 1
class Kind(Base):
    __slots__ = ()
""",
}


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_a_record_is_the_dataclass_of_a_body_of_a_kind_in_use(body: str) -> None:
    ours, theirs = both(body)
    values: list[dict[str, Any]] = [
        {"f0": 1},
        {"f0": 2, "f1": 3},
        {"f0": 1, "f1": 1},
        {},
        {"no": 1},
    ]
    found = [behaviour(one.Kind, values) for one in (ours, theirs)]
    assert found[0] == found[1]
    assert shape(ours.Kind) == shape(theirs.Kind)


PAIR = """
@record
class Pair:
    '''Doc.'''
    a: object
    b: object = 2
"""


def test_a_match_takes_a_record_apart() -> None:
    Pair = classes(PAIR).Pair  # noqa: N806
    match Pair(1):
        case Pair(a, b):
            assert (a, b) == (1, 2)


def test_a_frozen_dataclass_extends_a_record() -> None:
    module = classes(
        f"{PAIR}@dataclass(frozen=True, slots=True)\nclass Three(Pair):\n    c: object = 3\n"
    )
    assert repr(module.Three(1)) == "Three(a=1, b=2, c=3)"
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):
        dataclasses.dataclass(type("Loose", (module.Pair,), {}))


def test_a_record_of_many_fields_is_one_once_it_is_filled() -> None:
    fields = "".join(f"    f{number}: int = {number}\n" for number in range(6))
    text = (
        f"@record\nclass Many:\n    first: str\n{fields}"
        "    last: list[int] = field(default_factory=list)\n"
        "    def __post_init__(self):\n        assert isinstance(self, Many) and self.f5 == 5\n"
        "@dataclass(frozen=True, slots=True)\nclass More(Many):\n    beside: int = 9\n"
    )
    ours, theirs = both(text)
    for name in ("Many", "More"):
        mine, other = (getattr(module, name)("a", f1=7) for module in (ours, theirs))
        assert type(mine) is getattr(ours, name)
        assert shown(mine) == shown(other)
        assert dataclasses.astuple(mine) == dataclasses.astuple(other)
        assert mine == pickle.loads(pickle.dumps(mine)) == copy.deepcopy(mine)
        with pytest.raises(dataclasses.FrozenInstanceError):
            mine.f2 = 0
    assert ours.Many("a").last is not ours.Many("a").last


def test_a_record_that_holds_itself_is_shown() -> None:
    Pair = classes(PAIR).Pair  # noqa: N806
    own: list[object] = []
    one = Pair(own)
    own.append(one)
    assert repr(one) == "Pair(a=[...], b=2)"


def test_no_method_is_made_before_it_is_needed() -> None:
    Pair = classes(PAIR).Pair  # noqa: N806
    methods = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__getstate__")

    def made() -> list[str]:
        return [name for name in methods if isinstance(vars(Pair)[name], types.FunctionType)]

    assert made() == []
    one = Pair(1)
    assert made() == ["__init__"]
    hash(one)
    assert made() == ["__init__", "__hash__"]


def test_the_method_of_a_base_is_its_own() -> None:
    module = classes(f"{PAIR}@record\nclass Three(Pair):\n    c: object = 3\n")
    three = object.__new__(module.Three)
    super(module.Three, three).__init__(1)
    assert (three.a, three.b) == (1, 2)
    assert repr(module.Three(4)) == "Three(a=4, b=2, c=3)"


def test_threads_that_come_at_once_make_the_same() -> None:
    for _ in range(20):
        Pair = classes(PAIR).Pair  # noqa: N806
        begin = threading.Barrier(4)
        made: list[object] = []

        def work(kind: Any = Pair, begin: threading.Barrier = begin) -> None:
            begin.wait()
            made.append(kind(1))  # noqa: B023 - it ends in this round

        threads = [threading.Thread(target=work) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert made == [Pair(1)] * 4


@pytest.mark.parametrize("field", ["later: InitVar[int]", "_: KW_ONLY"])
def test_what_no_record_has_is_refused(field: str) -> None:
    imported = "from dataclasses import KW_ONLY, InitVar\n"
    text = f"{imported}@record\nclass Wrong:\n    a: object\n    {field}\n"
    wrong = outcome(lambda: classes(text).Wrong(1))
    assert wrong == (TypeError, "Wrong: a record has neither InitVar nor KW_ONLY")


def test_frozen_classes_are_written_as_records() -> None:
    parts = ("topograph", "importers", "viz")
    others = [
        path.relative_to(ROOT).as_posix()
        for part in parts
        for path in sorted((ROOT / part).rglob("*.py"))
        if re.search(r"^ *@(?:dataclasses\.)?dataclass\(.*frozen", path.read_text("utf-8"), re.M)
    ]
    assert others == []
