"""Frozen records: dataclasses whose methods are made when they are first needed.

``dataclasses`` writes and compiles the methods of a class while its module is loaded, most of them
for classes of which a command makes no instance. A record has a place for each method, which makes
the method when it is first looked up, and gives way to it. Its fields are those of ``dataclasses``:
``fields``, ``replace``, ``asdict`` and ``is_dataclass`` know it, and a dataclass may extend it
(docs/decisions/041-records.md).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache, partial
from reprlib import recursive_repr
from types import FunctionType, MemberDescriptorType
from typing import Any, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")
_Method = Callable[..., Any]
_Make = Callable[[type[Any]], Any]
_SIGNS: Mapping[str, str] = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


@overload
def record(kind: type[_T], /) -> type[_T]: ...
@overload
def record(
    *,
    slots: bool = True,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,
    kw_only: bool = False,
) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    kind: type[Any] | None = None,
    /,
    *,
    slots: bool = True,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,  # noqa: A002 - the name that dataclass has for it
    kw_only: bool = False,
) -> Any:
    """Make of a class what ``dataclass(frozen=True, slots=True)`` makes of it, with its parameters.

    ``InitVar`` and ``KW_ONLY`` are not known. What is wrong with fields is said when they are first
    needed. Linear in the fields that the class itself has.
    """
    if kind is None:
        return partial(record, slots=slots, eq=eq, order=order, repr=repr, kw_only=kw_only)
    inside = dict(vars(kind))
    own = tuple(name for name, hint in kind.__annotations__.items() if not _of_class(hint))
    # As dataclass does, with what a base has for the name.
    defaults = {name: getattr(kind, name) for name in own if hasattr(kind, name)}
    made: dict[str, _Make] = {
        "__dataclass_fields__": partial(_fields, own, defaults, kw_only),
        "__match_args__": _match_args,
        "__init__": _init,
        "__setattr__": partial(_refusal, "__setattr__", "assign to"),
        "__delattr__": partial(_refusal, "__delattr__", "delete"),
    }
    if repr:
        made["__repr__"] = _repr
    if eq:
        made |= {"__eq__": partial(_comparison, "__eq__", "=="), "__hash__": _hash}
    if order:
        made |= {name: partial(_comparison, name, sign) for name, sign in _SIGNS.items()}
    if slots:
        made |= {"__getstate__": _getstate, "__setstate__": _setstate}
    # A class that has __eq__ of its own has None as its __hash__.
    places: dict[str, Any] = {
        name: _Place(name, make) for name, make in made.items() if inside.get(name) is None
    }
    places["__dataclass_params__"] = _parameters(eq, order, repr)
    if slots:
        return _with_slots(kind, own, inside | places)
    for name, place in places.items():
        setattr(kind, name, place)
        if isinstance(place, _Place):
            place.__set_name__(kind, name)
    for name in own:
        default = inside.get(name)
        if isinstance(default, Field):
            if default.default is MISSING:
                delattr(kind, name)
            else:
                setattr(kind, name, default.default)
    return kind


def _of_class(hint: object) -> bool:
    """Whether an annotation says that the name is one of the class and not a field."""
    return str(hint).startswith(("ClassVar", "typing.ClassVar"))


def _with_slots(kind: type[Any], own: Iterable[str], inside: dict[str, Any]) -> type[Any]:
    """The class once more, for slots cannot be given to one that is there."""
    taken = {name for base in kind.__mro__[1:] for name in vars(base).get("__slots__", ())}
    for name in (*own, "__dict__", "__weakref__"):
        inside.pop(name, None)
    inside["__slots__"] = tuple(name for name in own if name not in taken)
    metaclass: Callable[..., type[Any]] = type(kind)
    made = metaclass(kind.__name__, kind.__bases__, inside)
    made.__qualname__ = kind.__qualname__
    return made


class _Place:
    """Where a method (or what else is worked out of the fields) will be: makes it for its class
    when it is first looked up. Two threads that come at once make the same."""

    __slots__ = ("_kind", "_make", "_name")
    _kind: type[Any]

    def __init__(self, name: str, make: _Make) -> None:
        self._name, self._make = name, make

    def __set_name__(self, kind: type[Any], name: str) -> None:
        self._kind = kind

    def __get__(self, instance: object, kind: type[Any] | None = None) -> Any:
        made = self._make(self._kind)
        setattr(self._kind, self._name, made)
        return made.__get__(instance, kind) if isinstance(made, FunctionType) else made


@cache
def _parameters(eq: bool, order: bool, repr: bool) -> Any:  # noqa: A002
    """What dataclasses that extend a record are told of it."""
    empty: Any = type("_", (), {"__doc__": "_"})
    return dataclass(frozen=True, eq=eq, order=order, repr=repr)(empty).__dataclass_params__


def _fields(
    own: tuple[str, ...], defaults: Mapping[str, Any], kw_only: bool, kind: type[Any]
) -> dict[str, Field[Any]]:
    """The fields by name, those of bases first."""
    found: dict[str, Field[Any]] = {}
    for base in kind.__mro__[:0:-1]:
        found |= getattr(base, "__dataclass_fields__", {})
    like: Any = type(kind.__name__, (), {"__module__": kind.__module__, "__doc__": "_", **defaults})
    like.__annotations__ = kind.__annotations__
    dataclass(init=False, repr=False, eq=False, match_args=False, kw_only=kw_only)(like)
    if tuple(one.name for one in fields(like)) != own:
        raise TypeError(f"{kind.__qualname__}: a record has neither InitVar nor KW_ONLY")
    found |= like.__dataclass_fields__
    return found


def _match_args(kind: type[Any]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.init and not one.kw_only)


MANY_FIELDS = 6
"""Fields from which on it takes less to fill an instance as one of another class."""


def _init(kind: type[Any]) -> _Method:
    """Slots are filled by their own descriptors, which takes half the time of
    ``object.__setattr__``; many of them as those of a class with the same slots whose instances may
    be changed, which an instance belongs to until it is filled."""
    outer: dict[str, Any] = {"_given": object.__setattr__, "_MISSING": _MISSING}
    positional, named, body = ["self"], ["*"], []
    plain: list[str] = []
    for one in fields(kind):
        name, default = one.name, f"_default_{one.name}"
        value, parameter = name, name
        if one.default is not MISSING:
            outer[default] = one.default
            value, parameter = name if one.init else default, f"{name}={default}"
        elif one.default_factory is not MISSING:
            outer[default] = one.default_factory
            parameter = f"{name}=_MISSING"
            value = f"{default}() if {name} is _MISSING else {name}" if one.init else f"{default}()"
        if one.init:
            (named if one.kw_only else positional).append(parameter)
        slot = getattr(kind, name, None)
        if isinstance(slot, MemberDescriptorType):
            outer[f"_set_{name}"] = slot.__set__
            body.append(f"_set_{name}(self, {value})")
            plain.append(f"self.{name} = {value}")
        elif one.init or value != default:
            body.append(f"_given(self, {name!r}, {value})")
    if len(plain) >= MANY_FIELDS and _has_slots_alone(kind, len(body)):
        filled = type(kind.__name__, (), {"__slots__": kind.__dict__["__slots__"]})
        outer |= {"_kind": kind, "_filled": filled}
        outer["_turned"] = object.__dict__["__class__"].__set__
        # A class that extends this one has other slots.
        body = [
            "if self.__class__ is _kind:",
            " _turned(self, _filled)",
            *(f" {one}" for one in plain),
            " self.__class__ = _kind",
            "else:",
            *(f" {one}" for one in body),
        ]
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = [*positional, *(named if len(named) > 1 else ())]
    made = _compiled(kind, "__init__", parameters, body or ["pass"], outer)
    hints = {one.name: one.type for one in fields(kind) if one.init}
    made.__annotations__ = hints | {"return": None}
    return made


def _has_slots_alone(kind: type[Any], number: int) -> bool:
    """Whether a class has so many slots, and nothing of other classes."""
    slots = kind.__dict__.get("__slots__", ())
    return type(kind) is type and kind.__bases__ == (object,) and len(slots) == number


def _comparison(name: str, sign: str, kind: type[Any]) -> _Method:
    compared = [one.name for one in fields(kind) if one.compare]
    body = [
        "if other.__class__ is self.__class__:",
        f" return {_values('self', compared)} {sign} {_values('other', compared)}",
        "return NotImplemented",
    ]
    return _compiled(kind, name, ("self", "other"), body, {})


def _hash(kind: type[Any]) -> _Method:
    hashed = [one.name for one in fields(kind) if (one.compare if one.hash is None else one.hash)]
    body = [f"return _hash({_values('self', hashed)})"]
    return _compiled(kind, "__hash__", ("self",), body, {"_hash": hash})


def _values(of: str, names: Iterable[str]) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _compiled(
    kind: type[Any],
    name: str,
    parameters: Iterable[str],
    body: Iterable[str],
    outer: Mapping[str, Any],
) -> _Method:
    """A method of a class, written in its module. ``outer`` are names that it sees besides."""
    lines = (f"  {line}\n" for line in body)
    inner = f" def {name}({', '.join(parameters)}):\n{''.join(lines)} return {name}\n"
    space: dict[str, Any] = {}
    text = f"def make({', '.join(outer)}):\n{inner}"
    exec(text, vars(sys.modules[kind.__module__]), space)  # noqa: S102 - names of fields only
    method: _Method = space["make"](**outer)
    method.__qualname__ = f"{kind.__qualname__}.{name}"
    return method


def _repr(kind: type[Any]) -> _Method:
    shown = ", ".join(f"{one.name}={{self.{one.name}!r}}" for one in fields(kind) if one.repr)
    body = [f"return self.__class__.__qualname__ + f'({shown})'"]
    return recursive_repr("...")(_compiled(kind, "__repr__", ("self",), body, {}))


def _refusal(name: str, verb: str, kind: type[Any]) -> _Method:
    """What a class that extends a record and is none itself may still do to names of its own."""
    names = frozenset(one.name for one in fields(kind))

    def refuse(self: Any, given: str, *value: Any) -> None:
        if type(self) is kind or given in names:
            raise FrozenInstanceError(f"cannot {verb} field {given!r}")
        getattr(super(kind, self), name)(given, *value)

    return refuse


def _getstate(kind: type[Any]) -> _Method:
    names = [one.name for one in fields(kind)]

    def __getstate__(self: Any) -> list[Any]:  # noqa: N807
        return [getattr(self, name) for name in names]

    return __getstate__


def _setstate(kind: type[Any]) -> _Method:
    names = [one.name for one in fields(kind)]

    def __setstate__(self: Any, state: Iterable[Any]) -> None:  # noqa: N807
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return __setstate__


class _Factory:
    """Stands in signatures for a default that is made for each instance."""

    def __repr__(self) -> str:
        return "<factory>"


_MISSING = _Factory()
