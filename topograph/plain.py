"""Frozen records as plain JSON types, and back without loss."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from functools import cache
from typing import Any, ClassVar, get_args, get_origin, get_type_hints


def to_plain(value: Any) -> Any:
    """A frozen record (and what it holds) as plain JSON types: dataclasses become objects, tuples lists."""
    cls: Any = type(value)
    names = fields_of(cls)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value


@cache
def fields_of(cls: Any) -> tuple[str, ...] | None:
    """The names of a dataclass's fields; None for any other type. Looked up once per class."""
    return tuple(field.name for field in dataclasses.fields(cls)) if dataclasses.is_dataclass(cls) else None


@cache
def shapes_of(cls: Any) -> dict[str, Any]:
    """The type of every field of a dataclass; annotations are resolved once per class."""
    return {name: hint for name, hint in get_type_hints(cls).items() if get_origin(hint) is not ClassVar}


def from_plain(shape: Any, value: Any) -> Any:
    """``value`` (plain JSON) in the shape of a field's type: lists back to tuples, objects back to dataclasses, texts to enums."""
    if value is None or shape in (str, int, bool, float):
        return value
    origin = get_origin(shape)
    if origin is tuple:
        args = get_args(shape)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(from_plain(args[0], item) for item in value)
        return tuple(from_plain(arg, item) for arg, item in zip(args, value, strict=True))
    if origin in (types.UnionType, typing.Union):
        some = [arg for arg in get_args(shape) if arg is not types.NoneType]
        return from_plain(some[0], value) if len(some) == 1 else value
    if isinstance(shape, type) and issubclass(shape, enum.Enum):
        return shape(value)
    if isinstance(shape, type) and dataclasses.is_dataclass(shape):
        inner = shapes_of(shape)
        return shape(**{name: from_plain(inner[name], item) for name, item in value.items()})
    return value
