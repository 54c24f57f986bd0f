"""Generator of the TypeScript message types, so that the page is built with the definitions that the server checks."""

from __future__ import annotations

import inspect
from types import UnionType
from typing import Any, get_args

import msgspec.inspect as types
from msgspec import Struct

from motionfields.studio import costume_messages, messages
from motionfields.studio.compose import messages as compose
from motionfields.studio.plan import messages as plan

HEADER = "// Written by scripts/build_studio from src/motionfields/studio/messages.py: change that, not this.\n"
CONSTANTS = ("VERSION", "MOST_CHARACTERS", "HISTORY_SECONDS", "PLAN_PLACES", "ROTATION_UNIT")


def typescript() -> str:
    """Return the text of the module `messages.ts`."""
    lines = [HEADER]
    lines += [f"export const {name} = {getattr(messages, name):g};" for name in CONSTANTS]
    for module in (costume_messages, messages, compose, plan):
        own = [value for value in vars(module).values() if inspect.isclass(value) and _is_ours(value)]
        lines += [_interface(struct) for struct in own if struct.__module__ == module.__name__]
    unions = {"FromServer": messages.FromServer, "FromClient": messages.FromClient}
    unions |= {"FromComposer": compose.FromComposer, "ToComposer": compose.ToComposer}
    unions |= {"FromPlanner": plan.FromPlanner, "ToPlanner": plan.ToPlanner}
    lines += [_union(name, union) for name, union in unions.items()]
    return "\n".join(lines)


def _is_ours(value: type) -> bool:
    return issubclass(value, Struct) and value not in (Struct, messages.Message, messages.CharacterMessage)


def _interface(struct: type) -> str:
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    lines = [
        f"\n/** {inspect.cleandoc(struct.__doc__ or '').splitlines()[0]} */",
        f"export interface {struct.__name__} {{",
    ]
    if info.tag is not None:
        lines.append(f'  type: "{info.tag}";')
    lines += [f"  {field.name}{'' if field.required else '?'}: {_type(field.type)};" for field in info.fields]
    return "\n".join([*lines, "}"])


def _type(info: types.Type) -> str:
    if isinstance(info, types.IntType | types.FloatType):
        return "number"
    if isinstance(info, types.ListType):
        return f"{_type(info.item_type)}[]"
    if isinstance(info, types.TupleType):
        return f"[{', '.join(_type(item) for item in info.item_types)}]"
    if isinstance(info, types.StructType):
        return info.cls.__name__
    if isinstance(info, types.UnionType):
        return " | ".join("null" if isinstance(one, types.NoneType) else _type(one) for one in info.types)
    if isinstance(info, types.LiteralType):
        return " | ".join(f'"{value}"' for value in info.values)
    return {types.StrType: "string", types.BoolType: "boolean", types.BytesType: "Uint8Array"}[type(info)]


def _union(name: str, union: UnionType) -> str:
    members: tuple[Any, ...] = get_args(union)
    return f"\nexport type {name} = {' | '.join(member.__name__ for member in members)};\n"


if __name__ == "__main__":
    print(typescript(), end="")
