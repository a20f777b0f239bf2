"""A second reading of qdmanage scripts: routers as lists of sections, files written from them, and
commands done to the lists by the rules.

It shares no code with topograph: what a router refuses is read from C-2, C-3, C-6 and the
operations of the schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

Section = tuple[str, dict[str, str]]


@dataclass(frozen=True)
class Command:
    """``attributes`` of a create; ``name`` of what a delete is about."""

    verb: str
    type: str
    attributes: dict[str, str] = field(default_factory=dict)
    name: str = ""

    def line(self, router: str, form: int) -> str:
        """The command as text, in one of several spellings."""
        to = f"-r {router}" if form % 2 else f"--router={router}"
        if self.verb == "delete":
            return f"qdmanage {to} delete --type {self.type} --name '{self.name}'\n"
        if form % 3 == 0:
            pairs = " \\\n  ".join(f'{key}="{value}"' for key, value in self.attributes.items())
            return f"qdmanage {to} create --type={self.type} {pairs}\n"
        if form % 3 == 1:
            return (
                f"qdmanage {to} create --stdin "
                f"<<'END'\n{json.dumps([{'type': self.type, **self.attributes}], indent=1)}\nEND\n"
            )
        return (
            f"echo '{json.dumps(self.attributes)}' | qdmanage create {to} --type {self.type} "
            "--stdin\n"
        )


@dataclass(frozen=True)
class Router:
    """One file. ``form`` is conf or json."""

    id: str
    mode: str
    form: str
    sections: tuple[Section, ...]

    def written(self) -> str:
        every = [("router", {"id": self.id, "mode": self.mode}), *self.sections]
        if self.form == "json":
            return json.dumps([list(one) for one in every], indent=1)
        return "\n".join(
            f"{type_} {{\n"
            + "".join(f"    {key}: {value}\n" for key, value in attributes.items())
            + "}\n"
            for type_, attributes in every
        )

    def has_otherwise(self, command: Command) -> bool:
        """Whether an entity of another type has the name of a new one of which the router
        compares names of its own type only.
        """
        name = command.attributes.get("name", "")
        kept_by_core = command.type in ("address", "linkRoute", "autoLink")
        return kept_by_core and any(
            attributes.get("name") == name
            for type_, attributes in self.sections
            if type_ != command.type
        )

    def after(self, command: Command) -> Router | None:
        """The file as edited by hand; None where the router refuses the command."""
        if command.verb == "delete":
            kept = [
                one
                for one in self.sections
                if (one[0], one[1].get("name")) != (command.type, command.name)
            ]
            return replace(self, sections=tuple(kept)) if len(kept) < len(self.sections) else None
        names = [attributes.get("name") for _, attributes in self.sections]
        if command.attributes.get("name") in [name for name in names if name]:
            return None
        if command.type == "address":
            own = tokens(command.attributes)
            if not own or own in [
                tokens(attributes) for type_, attributes in self.sections if type_ == "address"
            ]:
                return None
        role = command.attributes.get("role", "normal")
        if self.mode == "standalone" and role in ("inter-router", "edge"):
            return None
        if self.mode == "edge" and (
            role == "inter-router" or (role == "edge" and command.type == "listener")
        ):
            return None
        if "name" not in command.attributes and command.type in ("listener", "connector"):
            taken = [
                where(one)
                for one in self.sections
                if one[0] == command.type and "name" not in one[1]
            ]
            if where((command.type, command.attributes)) in taken:
                return None
        return replace(self, sections=(*self.sections, (command.type, command.attributes)))


def where(section: Section) -> tuple[str, str]:
    host = "" if section[0] == "listener" else "127.0.0.1"
    return section[1].get("host", host), section[1].get("port", "amqp")


def tokens(attributes: dict[str, str]) -> Sequence[str]:
    """A-1 to A-5: separators are equal, outer ones do not count, ``#`` goes behind ``*`` and is
    one; a prefix is followed by ``#``.
    """
    prefix = "prefix" in attributes
    text = (attributes["prefix"] if prefix else attributes["pattern"]).replace(".", "/").strip("/")
    if not text:
        return ()
    found = "/" + text + ("/#" if prefix else "") + "/"
    while True:
        moved = re.sub(r"/#/\*(?=/)", "/*/#", re.sub(r"/#/#(?=/)", "/#", found))
        if moved == found:
            return tuple(found.strip("/").split("/"))
        found = moved
