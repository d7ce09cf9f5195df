"""The question form: as a form to show again, as a call, and as a command."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request

from daypack.doors.registry import door_names
from daypack.ports import Progress
from daypack.settings.former import todays
from daypack.surfaces.host import Host
from daypack.text.checks import member
from daypack.types import Packing

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import Pack


MOST_TOKENS = 200_000  # of a budget, as for agents
USUAL = {"tokenizer": "o200k", "packing": "auto", "vectors": "auto"}
OPTIONS = {**USUAL, "source": "", "kind": ""}


class QuestionForm:
    """The question form: as a form to show again, and as a call."""

    def __init__(self, request: Request) -> None:
        given = request.query_params
        self.error, self.session = "", given.get("session", "")
        self.form: dict[str, Any] = {
            name: given.get(name, "").strip() for name in ("q", "q2", "source", "packing2", "kind")
        }
        self.form["budget2"] = self._budget(given.get("budget2", ""), "")
        self.form |= {name: todays(name, given.get(name, "")) or usual for name, usual in USUAL.items()}
        self.form["doors"] = [name for name in given.getlist("in") if name in door_names()]
        self.form["budget"] = self._budget(given.get("budget", ""), 4000)
        page = given.get("page", "1")
        self.page = int(page) if page.isascii() and page.isdigit() and len(page) < 3 else 1

    def _budget(self, given: str, usual: int | str) -> int | str:
        """The number in a field for a budget; the usual one for an empty field, and with an error for another text."""
        text = given.strip()
        if not text:
            return usual
        if (
            text.isascii()
            and text.isdigit()
            and len(text) <= len(str(MOST_TOKENS))
            and int(text) <= MOST_TOKENS
        ):
            return int(text)
        self.error = f"A budget is a whole number from 0 to {MOST_TOKENS:,}."
        return usual

    @property
    def is_special(self) -> bool:
        """True when an option under "More" differs from its default."""
        return bool(self.form["doors"] or self.form["packing2"]) or any(
            self.form[name] != usual for name, usual in OPTIONS.items()
        )

    def packed(
        self,
        host: Host,
        daypack: Daypack,
        step: Progress,
        *,
        query: str = "",
        packing: str = "",
        budget: int = 0,
    ) -> Pack:
        host.prepare(daypack, step)
        narrow: dict[str, Any] = {"door": self.form["doors"]} if self.form["doors"] else {}
        narrow |= {name: [self.form[name]] for name in ("source", "kind") if self.form[name]}
        return daypack.pack(
            query or self.form["q"],
            budget=budget or self.form["budget"],
            tokenizer=self.form["tokenizer"],
            packing=member(Packing, packing or self.form["packing"]),
            vectors=self.form["vectors"],
            page=max(1, self.page),
            **narrow,
        )

    def both(self, host: Host, daypack: Daypack, step: Progress) -> tuple[Pack, Pack]:
        """(the requested pack, the pack to compare: with another question, budget or packing, else with twice the budget)."""
        form = self.form
        if not (form["q2"] or form["packing2"] or form["budget2"]):
            form["budget2"] = 2 * form["budget"]
        other = self.packed(
            host, daypack, step, query=form["q2"], packing=form["packing2"], budget=form["budget2"] or 0
        )
        return self.packed(host, daypack, step), other

    def titles(self) -> tuple[str, str]:
        """The titles of the two packs in a comparison, which name their difference."""
        form = self.form
        if form["q2"]:
            return form["q"], form["q2"]
        mine, other = [f"{form['budget']:,} tokens"], [f"{form['budget2'] or form['budget']:,} tokens"]
        if form["packing2"]:
            mine, other = [*mine, form["packing"]], [*other, form["packing2"]]
        return ", ".join(mine), ", ".join(other)

    def command(self) -> str:
        """The same question on the command line."""
        words = ["daypack", "pack", self.form["q"], "--budget", str(self.form["budget"])]
        for name, usual in OPTIONS.items():
            if self.form[name] != usual:
                words += [f"--{name}", self.form[name]]
        for door in self.form["doors"]:
            words += ["--in", door]
        if self.page > 1:
            words += ["--page", str(self.page)]
        return shlex.join(words)

    def url(self, path: str, **changes: Any) -> str:
        """The same question with another path or other values."""
        kept = [(name, value) for name, value in self.form.items() if name != "doors" and value] + [
            ("in", door) for door in self.form["doors"]
        ]
        return f"{path}?{urlencode([*kept, *changes.items()])}"
