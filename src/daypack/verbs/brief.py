"""Brief data for agents, who pay for each token: a list of a hundred memories was 17,000 tokens, and four fifths of them said
that a field is empty, or repeated another one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Brief:
    """The fields that the objects of an answer leave out.

    `usual` are values that most objects have, `repeats` fields that mostly repeat another one, `unread` fields that another
    verb gives to those who look for them, `verbatim` fields whose values are the user's own data.
    """

    usual: Mapping[str, Any] = field(default_factory=dict)
    repeats: Mapping[str, str] = field(default_factory=dict)
    unread: Collection[str] = ()
    verbatim: Collection[str] = ()

    def __call__(self, data: Mapping[str, Any], required: Collection[str] = ()) -> dict[str, Any]:
        """The data without empty, usual and repeated fields, in all objects that it holds. The `required` ones of the
        outermost object stay.
        """
        return {
            name: value if name in self.verbatim else self._within(value)
            for name, value in data.items()
            if name in required or self._tells(name, value, data)
        }

    def _within(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self(value)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [self._within(one) for one in value]
        return value

    def _tells(self, name: str, value: Any, data: Mapping[str, Any]) -> bool:
        if name in self.unread or value is None or value in ("", [], (), {}):
            return False
        if name in self.usual and value == self.usual[name]:
            return False
        return name not in self.repeats or value != data.get(self.repeats[name])
