"""Replies: prompts that go on with a conversation and ask for nothing that a store could hold.

"yes, go ahead"    "fix it and run the tests again"    "looks good, commit this"    "2"    "/compact"
"""

from __future__ import annotations

from functools import cache

from daypack.text import analysis

_WORDS = """abort agree agreed ahead alright approve approved awesome bad better cancel check clean commit continue cool correct deal done error errors exactly
excellent explain failed failing fails fantastic faster fine finish first fix fixed format go goes good got great happens hello help hey hi keep last
later let lets lint lgtm look looks love make maybe more neat next nice nope now off ok okay one option order others perfect please proceed pull push
ready redo restart resume retry revert right run save second shorter show simpler skip sounds start step steps still stop sure tell test tests thank
thanks thing third think thx today try two undo wait want well works wow wrong yeah yep yes yup"""
_LONGEST = 200  # characters; a longer prompt says something


@cache
def _empty_words() -> frozenset[str]:
    return frozenset(_WORDS.split()) | analysis.STOP_WORDS


def is_reply(prompt: str) -> bool:
    """True of a short prompt without a word that tells what it is about."""
    if len(prompt) > _LONGEST:
        return False
    if prompt.startswith("/") and len(prompt.split()) == 1 and "/" not in prompt[1:]:
        return True  # a command of the agent
    words = analysis.words(prompt.lower().replace("'", " ").replace("’", " "))
    return all(word in _empty_words() or len(word) < 2 or word.isdigit() for word in words)
