"""The trust of a text that is written: never higher than that of anything it may be made from.

    bound(claimed, writer, shown) = claimed                          for a person, who vouches for what they keep
                                    min(claimed, writer, shown)      for an agent

`shown` is the lowest trust of the texts that the writer was shown: a model that read a web page may repeat it in
other words, and no look at those words tells. So a summary of a page is as untrusted as the page. Only a person
raises a text, by a review or in their own name; a writer that was not shown the text may also state the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from daypack.types import Trust

_ORDER = (Trust.UNTRUSTED, Trust.AGENT, Trust.USER)


def lowest(*trusts: Trust) -> Trust:
    """The lowest of these; USER for none."""
    return min(trusts, key=_ORDER.index, default=Trust.USER)


def bound(claimed: Trust, writer: Trust, shown: Trust) -> Trust:
    """The trust with which a text is kept."""
    return claimed if writer is Trust.USER else lowest(claimed, writer, shown)


@dataclass(slots=True)
class Writer:
    """A person or their program (USER), or an agent. `shown` is the lowest trust of the texts it was shown; `lowered` is
    True once that made one of its texts untrusted.

    Before the first text is written, `learn` may add what it was shown elsewhere. `attended` is False
    where no person gives the commands, so that none can review.
    """

    trust: Trust = Trust.USER
    shown: Trust = Trust.USER
    lowered: bool = False
    attended: bool = True
    learn: Callable[[Writer], None] | None = None

    def show(self, trusts: Iterable[Trust]) -> None:
        """Note the trust of texts that leave the store."""
        self.shown = lowest(self.shown, *trusts)

    def bound(self, claimed: Trust) -> Trust:
        """The trust with which a text of this writer is kept."""
        learn, self.learn = self.learn, None
        if learn is not None:
            learn(self)
        kept, unread = bound(claimed, self.trust, self.shown), bound(claimed, self.trust, Trust.USER)
        self.lowered |= kept is Trust.UNTRUSTED and unread is not Trust.UNTRUSTED
        return kept
