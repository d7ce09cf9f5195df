"""`dataclass(frozen=True, slots=True)` in a fifth of the time, for the nouns that every command makes before
it can begin.

Up to Python 3.12 the one of the standard library compiles six functions a class: two thirds of a millisecond
each, and a search makes some fifty classes. Here only `__init__` is compiled; the others are the same few
functions for all classes. What comes out is a dataclass to `dataclasses.fields`, `replace` and `asdict`, to
`match`, to pickle and to type checkers, and a test holds it against the original. Not for classes with a
`__post_init__`, keyword-only fields, or a base that is a dataclass.
"""

from __future__ import annotations

import dataclasses
import sys
from operator import attrgetter, ge, gt, le, lt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass
    from typing import Any

    __all__ = ["dataclass"]
else:

    def dataclass(*, frozen: bool, slots: bool, order: bool = False) -> Callable[[type], type]:
        """The decorator; both arguments must be true, and stand there for readers and type checkers."""
        assert frozen and slots
        return _ordered if order else _frozen


def _frozen(cls: type) -> type:
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    key = _key([item.name for item in fields if item.compare])
    shown = [item.name for item in fields if item.repr]

    def equal(self: Any, other: object) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def represent(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    made.__init__ = _init(made, fields)
    made.__eq__ = equal
    made.__hash__ = lambda self: hash(key(self))
    made.__repr__ = represent
    made.__setattr__, made.__delattr__ = _set, _delete
    made.__getstate__, made.__setstate__ = _state, _restore
    return made  # type: ignore[no-any-return]


def _ordered(cls: type) -> type:
    made: Any = _frozen(cls)
    key = _key([item.name for item in dataclasses.fields(made) if item.compare])
    for compare in (lt, le, gt, ge):

        def method(self: Any, other: object, compare: Callable[[Any, Any], bool] = compare) -> Any:
            return compare(key(self), key(other)) if other.__class__ is self.__class__ else NotImplemented

        setattr(made, f"__{compare.__name__}__", method)
    return made  # type: ignore[no-any-return]


def _key(names: list[str]) -> Callable[[Any], Any]:
    """What is compared and hashed: the values of these fields."""
    return attrgetter(*names) if names else lambda _: ()


def _init(cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """The one function that is compiled, because its arguments are the class's own; slots are set past
    `__setattr__`.
    """
    names: dict[str, Any] = {}
    arguments, body = [], []
    for item in fields:
        name = item.name
        names[f"_set_{name}"] = cls.__dict__[name].__set__
        value = name
        if item.default_factory is not dataclasses.MISSING:
            names[f"_new_{name}"], names["_missing"] = item.default_factory, dataclasses.MISSING
            arguments.append(f"{name}=_missing")
            value = f"_new_{name}() if {name} is _missing else {name}"
        elif item.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = item.default
            arguments.append(f"{name}=_default_{name}")
        else:
            arguments.append(name)
        body.append(f"  _set_{name}(self, {value})")
    made: dict[str, Any] = {}
    text = f"def _make({', '.join(names)}):\n def __init__(self, {', '.join(arguments)}):\n{chr(10).join(body) or '  pass'}\n return __init__"
    exec(text, sys.modules[cls.__module__].__dict__, made)  # noqa: S102 (names of fields, as the standard library does it)
    init = made["_make"](**names)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {item.name: item.type for item in fields} | {"return": None}
    return init


def _set(self: Any, name: str, value: object) -> None:  # noqa: ARG001 (Python's signature)
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for item, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)
