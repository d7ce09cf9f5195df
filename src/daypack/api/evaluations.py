"""Evaluation of an opened store: its base class brings the verbs that ask it suites and fit its ranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from daypack.errors import InputError, StoreReadOnly
from daypack.guard.arguments import checked
from daypack.text.checks import member
from daypack.types import Packing, Tokenizer, VectorMode
from daypack.types.modes import Packings, Tokenizers, VectorModes

if TYPE_CHECKING:
    from daypack.evaluate import RankerFit, Run, SelfCheck, Suite
    from daypack.evaluate.suite_runner import Searchable

    SuiteSource: TypeAlias = Suite | Path | str | Mapping[str, Any] | Sequence[Mapping[str, Any]]


@checked
class Evaluations:
    """The verbs of evaluation on a store that can be searched."""

    def evaluate(
        self: Searchable,
        suite: SuiteSource,
        *,
        limit: int = 10,
        budget: int = 4000,
        tokenizer: Tokenizers = Tokenizer.O200K,
        packing: Packings = Packing.AUTO,
        vectors: VectorModes = VectorMode.AUTO,
        refresh: bool | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Run:
        """Ask every case of a suite and judge the answers; nothing is saved. `suite` is a suite, its file, or
        its parsed JSON.

        The first `limit` results of a search count as retrieved; `budget` is for cases without one. Raises
        BadSuite.
        """
        from daypack.evaluate import Options, suite_runner

        cases = _suite(suite)
        if limit < 1:
            raise InputError(f"limit {limit} counts no result; ask for 1 or more")
        options = Options(
            limit, budget, member(Tokenizer, tokenizer), member(Packing, packing), member(VectorMode, vectors)
        )
        return suite_runner.run_suite(self, cases, options, refresh=refresh, progress=progress)

    def self_check(
        self: Searchable,
        *,
        items: int = 100,
        seed: int = 0,
        vectors: VectorModes = VectorMode.AUTO,
        refresh: bool | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> SelfCheck:
        """Ask for `items` chunks by questions made from their own words, and report the retrieval arm that
        finds them best.

        Equal stores and seeds give equal questions. They favour words: see `daypack.evaluate.known_items`.
        """
        from daypack.evaluate import self_check

        if items < 1:
            raise InputError(f"items {items} asks for nothing; ask for 1 or more")
        if seed < 0:
            raise InputError(f"seed {seed} is below 0; give a whole number from 0 on")
        mode = member(VectorMode, vectors)
        self.refresh_if_stale(refresh)
        with self.engine.translating_damage():
            return self_check.ask(self.engine, items=items, seed=seed, mode=mode, progress=progress)

    def fit_ranker(
        self: Searchable,
        suite: SuiteSource,
        *,
        vectors: VectorModes = VectorMode.AUTO,
        refresh: bool | None = None,
        keep: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> RankerFit:
        """Choose ranking weights by the cases of a suite, and rank by the helpful ones from now on; `suite`
        as in `evaluate`.

        Weights are kept only when they help on cases that they were not chosen on; otherwise `fitted` of the
        answer is None, and nothing is written. Without `keep` nothing is ever written. Raises BadSuite,
        TooFewCases and StoreReadOnly.
        """
        from daypack.evaluate import tuning
        from daypack.types.tuned_weights import to_json

        if keep and self.engine.store.read_only:  # raised before the work
            raise StoreReadOnly(self.engine.store.name)
        cases, mode = _suite(suite), member(VectorMode, vectors)
        with self.engine.translating_damage():
            fit = tuning.fit_ranker(self, cases, mode=mode, refresh=refresh, progress=progress)
            if keep and fit.fitted is not None:
                self.engine.store.keep_fitted_weights(to_json(fit.fitted))
        return fit

    def unfit_ranker(self: Searchable) -> bool:
        """Go back to the default weights; True when others were in use. Raises StoreReadOnly."""
        there = self.engine.store.fitted_weights() != ""
        if there:
            self.engine.store.keep_fitted_weights("")
        return there


def _suite(source: SuiteSource) -> Suite:
    """A suite, as given, from its file, or from its parsed JSON. Raises BadSuite."""
    from daypack.evaluate import Suite, read_suite
    from daypack.evaluate.run_folder import read_suite_file

    if isinstance(source, (str, Path)):
        return read_suite_file(Path(source))
    return source if isinstance(source, Suite) else read_suite(source, "suite")
