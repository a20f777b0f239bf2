"""JSON Schemas (Draft 2020-12) of the answers, made from the records of the questions and the
types of their answers: the contract of ``--format json`` for programs.

A schema is open: fields may be added in a later version, so that unknown ones are allowed.
``closed`` gives one that allows only the fields of this version.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

from topograph.findings import Source
from topograph.questions import answers
from topograph.questions.answers.base import SeveralAnswers, written_fields
from topograph.questions.question import ParameterKind, Question

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Json = dict[str, Any]

_PLACE: Json = {
    "type": "object",
    "description": "A place: the file relative to the folder that was read; line and column from "
    "1, 0 where it is the whole file or line.",
    "properties": {
        "file": {"type": "string"},
        "line": {"type": "integer", "minimum": 0},
        "column": {"type": "integer", "minimum": 0},
    },
    "required": ["file", "line", "column"],
}
"""What ``Source.to_dict`` gives."""

_ATOMS: Mapping[Any, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    object: {},
    Any: {},
}


def answer_schema(question: Question, *, closed: bool = False, described: bool = True) -> Json:
    """The schema of a question's answers: an object that fits one of its answer types.
    ``closed``: fields of no other version are allowed. ``described``: with what each field means.
    Linear in the types.
    """
    kinds = [_answer(name) for name in question.answers]
    defs = dict(_definitions(kinds, closed=closed))
    shapes = [_reference(kind) for kind in kinds]
    if _about_servers(question):
        several = _several(question, shapes)
        defs[SeveralAnswers.__name__] = _shut(several, closed)
        shapes.append(_reference(SeveralAnswers))
    defs = dict(sorted(defs.items()))
    if not described:
        defs = _bare(defs)
    return {
        "$schema": DIALECT,
        "title": f"topograph {question.name}",
        "description": question.title,
        "type": "object",
        **_one_of(shapes),
        "$defs": defs,
    }


def _about_servers(question: Question) -> bool:
    """Whether the command takes a pattern in place of the name of a server, and has several
    answers in one then.
    """
    return any(
        one.kind is ParameterKind.SERVER and one.only != "python" for one in question.parameters
    )


def _several(question: Question, shapes: Sequence[Json]) -> Json:
    """The schema of ``SeveralAnswers`` of a question whose single answers have these."""
    found = _record(SeveralAnswers, _hints(SeveralAnswers))
    name = {"const": question.name}
    properties = {"question": name, **found["properties"]}
    properties["asked"] = properties["asked"] | name
    properties["answers"] = properties["answers"] | {"items": _one_of(shapes)}
    return found | {"properties": properties, "required": list(properties)}


def _reference(kind: type) -> Json:
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _answer(name: str) -> type:
    """The answer type that a record names."""
    module, _, attribute = name.rpartition(":")
    found: type = getattr(import_module(module) if module else answers, attribute)
    return found


def _bare(schema: Any) -> Any:
    """A schema without its descriptions; a field of that name, which is no text, stays."""
    if isinstance(schema, list):
        return [_bare(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _bare(one)
        for name, one in schema.items()
        if not (name == "description" and isinstance(one, str))
    }


def _one_of(schemas: Sequence[Json]) -> Json:
    return dict(schemas[0]) if len(schemas) == 1 else {"anyOf": list(schemas)}


def _definitions(kinds: Iterable[type], *, closed: bool) -> Iterator[tuple[str, Json]]:
    """The records of answers and all that they hold, by name."""
    pending, done = list(kinds), set[type]()
    while pending:
        kind = pending.pop()
        if kind in done:
            continue
        done.add(kind)
        if kind is Source:
            yield kind.__name__, _shut(_PLACE, closed)
            continue
        hints = _hints(kind)
        yield kind.__name__, _shut(_record(kind, hints), closed)
        pending += [one for hint in hints.values() for one in _records_in(hint)]


def _shut(schema: Json, closed: bool) -> Json:
    return {**schema, "additionalProperties": False} if closed else dict(schema)


def _record(kind: type, hints: Mapping[str, Any]) -> Json:
    """The schema of a frozen record: every field is always there."""
    properties: Json = {}
    if isinstance(question := getattr(kind, "question", ""), str) and question:
        properties["question"] = {"const": question}
    about = _documented(kind)
    for name, hint in hints.items():
        said = {"description": about[name]} if about.get(name) else {}
        properties[name.rstrip("_")] = {**_schema(hint), **said}
    return {
        "type": "object",
        "description": " ".join((inspect.getdoc(kind) or "").replace("``", "`").split()),
        "properties": properties,
        "required": list(properties),
    }


def _schema(hint: Any) -> Json:
    """The schema of what ``plain`` makes of a value of a type. Raises TypeError for a type that
    answers do not have.

    >>> _schema(tuple[int | None, ...])
    {'type': 'array', 'items': {'type': ['integer', 'null']}}
    """
    if hint in _ATOMS:
        return dict(_ATOMS[hint])
    origin, given = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return _either([_schema(one) for one in given])
    if origin is typing.Literal:
        return {"enum": list(given)}
    if origin is tuple and given[-1] is not Ellipsis:
        return {
            "type": "array",
            "prefixItems": [_schema(one) for one in given],
            "minItems": len(given),
            "maxItems": len(given),
        }
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": _schema(given[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _schema(given[1])}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"type": "string", "enum": [one.value for one in hint]}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _reference(hint)
    raise TypeError(f"no schema for {hint!r}")


def _either(schemas: Sequence[Json]) -> Json:
    if all(set(one) == {"type"} for one in schemas):
        return {"type": [one["type"] for one in schemas]}
    return {"anyOf": list(schemas)}


def _records_in(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        yield hint
    for one in typing.get_args(hint):
        yield from _records_in(one)


def _hints(kind: type) -> dict[str, Any]:
    """The types of a record's fields, in their order."""
    found = typing.get_type_hints(kind, include_extras=False)
    return {
        name: found[name]
        for name in written_fields(kind)
        if typing.get_origin(found[name]) is not ClassVar
    }


@cache
def _documented(kind: type) -> Mapping[str, str]:
    """The text below each field of a record, its bases' fields included."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if dataclasses.is_dataclass(base):
            found.update(_texts(base))
    return found


def _texts(kind: type) -> Iterator[tuple[str, str]]:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(node, ast.ClassDef)
    for field, below in zip(node.body, node.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            yield field.target.id, " ".join(below.value.value.replace("``", "`").split())
