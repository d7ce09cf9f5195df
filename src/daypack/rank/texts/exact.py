"""The signal `exact`: texts that hold words of the question letter for letter, or are about a release, a day or a page that it names."""

from __future__ import annotations

from functools import reduce

import numpy as np

from daypack.rank.named import Named
from daypack.rank.texts.keys import holding
from daypack.rank.texts.messages import raised
from daypack.rank.texts.numbers import headed
from daypack.rank.texts.pool import Texts
from daypack.rank.texts.quotations import quoting, saying
from daypack.rank.texts.requirements import stating
from daypack.types import Days, Overview, Query
from daypack.types.arrays import Floats, Ints

RELEASE = 2.0  # of the release that the query asks for; 1 to 4 is flat
RELEASE_ALONE = 6.0  # … where it asks for nothing else. guess
RELEASE_IN_USE = 4.0  # … and for the version of the project, which a manifest may state. guess
# of the line of a manifest with the version that it asks for: of another program, which the question names, or of the project
IN_USE, IN_USE_ALONE = 4.0, 6.0
# of a day that the question names, less the more days it names, and of those that are all it names. guesses
OF_DAY, OF_DAY_ALONE = 1.5, 6.0
# of a text that introduces the whole project: a question for what it is has no word that ranks, one for a deed has some
INTRODUCING, INTRODUCING_DEED = 6.0, 3.0
ON_PAGE = 4.0  # of the page that the question names, in the document that it names. guess


def exact_matches(query: Query, named: Named, texts: Texts, positions: Ints, sections: Ints) -> Floats:
    """float32 (n,): the highest value that a quotation, message, key, number, release, day or page of the query gives each text."""
    # Other signals cover definitions and files.
    keys = [
        key
        for key in query.keys
        if key not in named.definitions and not (named.records and key in query.paths)
    ]
    # A single word in quotation marks inside a message is a value: Cannot index array with string "name"
    quoted = [
        text for text in named.quoted if " " in text or not any(text in message for message in query.messages)
    ]
    values = (
        quoting(quoted, texts),
        saying(query.messages, texts),
        raised((*query.messages, *query.maybe_messages), texts),
        headed(query.numbers, texts, sections),
        holding(keys, texts),
        _of_version(query, named, positions, texts),
        _of_days(query.days, named, positions),
        _introducing(query.overview, named, positions),
        ON_PAGE * np.isin(positions, named.pages).astype(np.float32),
    )
    return reduce(np.maximum, values)


def _of_version(query: Query, named: Named, positions: Ints, texts: Texts) -> Floats:
    """Up to `RELEASE` for chunks about a release that the query asks for, up to `IN_USE` for those with the line of a version."""
    if not (named.releases or named.manifests):
        return np.zeros(len(positions), dtype=np.float32)
    places = positions.tolist()
    of_project = query.overview is Overview.VERSION
    highest = (
        RELEASE_IN_USE if of_project else RELEASE_ALONE if query.overview is Overview.RELEASE else RELEASE
    )
    in_use = IN_USE_ALONE if of_project else IN_USE
    values = np.asarray(
        [highest * named.releases.get(position, 0.0) for position in places], dtype=np.float32
    )
    if query.requirement is not None:
        near = {
            row: in_use * named.manifests[position]
            for row, position in enumerate(places)
            if position in named.manifests
        }
        values = np.maximum(values, stating(query.requirement, near, texts))
    return values


def _introducing(overview: Overview | None, named: Named, positions: Ints) -> Floats:
    """Up to `INTRODUCING` for chunks that introduce the whole project from the side that the query asks for."""
    if overview is None:
        return np.zeros(len(positions), dtype=np.float32)
    is_deed = overview in (Overview.START, Overview.WORK)
    highest = INTRODUCING_DEED if is_deed else INTRODUCING
    return np.asarray(
        [highest * named.introducing.get(at, 0.0) for at in positions.tolist()], dtype=np.float32
    )


def _of_days(asked: Days | None, named: Named, positions: Ints) -> Floats:
    """Up to `OF_DAY` for chunks about a day that the query names, less about several, `OF_DAY_ALONE` where it names nothing else."""
    if asked is None or not named.days:
        return np.zeros(len(positions), dtype=np.float32)
    highest = OF_DAY_ALONE if asked.alone else OF_DAY / asked.length**0.5
    return np.asarray([highest * named.days.get(at, 0.0) for at in positions.tolist()], dtype=np.float32)
