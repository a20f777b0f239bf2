"""Frozen records as plain JSON types, and back without loss."""

from __future__ import annotations

import dataclasses
import enum
import sys
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, get_args, get_origin, get_type_hints


def to_plain(value: Any) -> Any:
    """A frozen record (and what it holds) as plain JSON types: dataclasses become objects,
    tuples lists.
    """
    cls: Any = type(value)
    if cls in _PLAIN:
        return value
    names = fields_of(cls)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [item if type(item) in _PLAIN else to_plain(item) for item in value]
    return value


_PLAIN = frozenset({str, int, bool, float, types.NoneType})
"""Types of most values, which are plain already."""


@cache
def fields_of(cls: Any) -> tuple[str, ...] | None:
    """The names of a dataclass's fields; None for any other type. Looked up once per class."""
    return (
        tuple(field.name for field in dataclasses.fields(cls))
        if dataclasses.is_dataclass(cls)
        else None
    )


def from_plain(shape: Any, value: Any) -> Any:
    """``value`` (plain JSON) in the shape of a field's type: lists back to tuples, objects back
    to dataclasses, texts to enums.
    """
    reader = _reader(shape)
    return value if reader is None or value is None else reader(value)


def fields_from_plain(cls: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a dataclass in the shapes of their types, out of a plain JSON object. Raises
    KeyError for one that the class does not have.
    """
    readers = _readers(cls)
    return {
        name: item if (reader := readers[name]) is None or item is None else reader(item)
        for name, item in value.items()
    }


@cache
def _readers(cls: Any) -> dict[str, Callable[[Any], Any] | None]:
    """How each field of a dataclass is read; annotations are resolved once per class."""
    return {
        name: _reader(hint)
        for name, hint in get_type_hints(cls).items()
        if get_origin(hint) is not ClassVar
    }


def _of_length(count: int, value: Any) -> tuple[Any, ...]:
    """A list of so many values as a tuple. Raises ValueError for any other number."""
    if len(value) != count:
        raise ValueError(f"{count} values are expected, not {len(value)}")
    return tuple(value)


@cache
def _reader(shape: Any) -> Callable[[Any], Any] | None:
    """How plain JSON (other than null) becomes a value of a type, worked out once per type; None
    where it is one already. Equal texts become one: a network has the same few names and addresses
    many times.
    """
    if shape is str:
        return sys.intern
    origin = get_origin(shape)
    if origin is tuple:
        args = get_args(shape)
        if args and set(args) <= {str, Ellipsis}:
            if Ellipsis in args:
                return lambda value: tuple(map(sys.intern, value))
            return lambda value: _of_length(len(args), [*map(sys.intern, value)])
        if len(args) == 2 and args[1] is Ellipsis:
            each = _reader(args[0])
            if each is None:
                return tuple
            return lambda value: tuple([None if item is None else each(item) for item in value])
        if not any(map(_reader, args)):
            return lambda value: _of_length(len(args), value)
        return lambda value: tuple(
            from_plain(arg, item) for arg, item in zip(args, value, strict=True)
        )
    if origin in (types.UnionType, typing.Union):
        some = [arg for arg in get_args(shape) if arg is not types.NoneType]
        return _reader(some[0]) if len(some) == 1 else None
    if isinstance(shape, type) and issubclass(shape, enum.Enum):
        return shape
    if isinstance(shape, type) and dataclasses.is_dataclass(shape):
        return lambda value: shape(**fields_from_plain(shape, value))
    return None
