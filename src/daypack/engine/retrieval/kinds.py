"""The events of the kinds that a question names, by their tags.

A question without a subject is answered by them alone (happened.py). Beside a subject, other events are held back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from daypack.engine.retrieval.scope import ANYWHERE, BODY, CONTEXT, having
from daypack.rank.membership import distinct, is_in
from daypack.rank.views import PostingsOf
from daypack.types import EventKind
from daypack.types.arrays import Bools, Floats, Ints

# The factor of an event of another kind than the question asks for. Of 50 questions about sessions .8 answers one fewer first; below,
# an answer without a mark would be lost.
OTHER_KIND_PRIOR = 0.7


def tagged(find: PostingsOf, positions: Ints, kinds: Sequence[EventKind]) -> Ints:
    """The positions with a tag of one of the kinds. Where there are any: of several kinds only those that have each, by a tag
    or by a word of the question in their text, and only those that are meant among all of a tag, by another tag or by their text.
    """
    tags = [_having(find, kind.tags, CONTEXT) for kind in kinds]
    found = positions[is_in(positions, np.concatenate([positions[:0], *tags]))]
    for kind, of_kind in zip(kinds, tags, strict=True):
        found = if_any(found, np.concatenate([of_kind, _having(find, kind.words, BODY)]))
    for kind in kinds:
        meant = _having(find, kind.meant, CONTEXT)
        found = if_any(found, meant if len(meant) else _having(find, kind.meant, BODY))
    return found


def kind_priors(find: PostingsOf, positions: Ints, events: Bools, kinds: Sequence[EventKind]) -> Floats:
    """The factors of candidates, of which some are events: less than 1 for events of other kinds, beside one of a kind."""
    factors = np.ones(len(positions), dtype=np.float32)
    asked = is_in(positions, tagged(find, positions[events], kinds))
    if asked.any():
        factors[events & ~asked] = OTHER_KIND_PRIOR
    return factors


def worded(find: PostingsOf, positions: Ints, words: Iterable[str]) -> Ints:
    """The positions with one of the words anywhere."""
    return positions[is_in(positions, _having(find, words, ANYWHERE))]


def if_any(positions: Ints, wanted: Ints) -> Ints:
    """The positions that are among the wanted ones; all positions when none is."""
    inside = is_in(positions, wanted)
    return positions[inside] if inside.any() else positions


def _having(find: PostingsOf, terms: Iterable[str], fields: slice) -> Ints:
    """The rising positions of chunks that have one of the terms in one of the fields."""
    found = [np.empty(0, dtype=np.int64)]
    found += [having(find(term), fields) for term in terms]
    return distinct(np.concatenate(found))
