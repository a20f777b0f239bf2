"""What mypy says of ``int`` and ``float`` of a text, a plug-in of it (``pyproject.toml``): text
becomes a number in ``topograph.digits`` alone, which takes any text.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import FunctionContext, Plugin
from mypy.types import Instance, Type, UnionType, get_proper_type

ALLOWED = "topograph/digits.py"
NUMBERS = frozenset({"builtins.int", "builtins.float"})
TEXTS = frozenset({"builtins.str", "builtins.bytes"})


def _may_be_text(of: Type) -> bool:
    proper = get_proper_type(of)
    if isinstance(proper, UnionType):
        return any(map(_may_be_text, proper.items))
    return isinstance(proper, Instance) and proper.type.fullname in TEXTS


def _checked(context: FunctionContext) -> Type:
    given = context.arg_types[0] if context.arg_types else []
    if any(map(_may_be_text, given)) and not context.api.path.replace("\\", "/").endswith(ALLOWED):
        context.api.fail(
            "int() or float() of a text fails on what it does not expect: use topograph.digits",
            context.context,
        )
    return context.default_return_type


class TextToNumbers(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return _checked if fullname in NUMBERS else None


def plugin(_version: str) -> type[Plugin]:
    return TextToNumbers
