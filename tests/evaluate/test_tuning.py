"""Weights of the ranking, fitted on a user's own questions: what is chosen, what it is worth, and how a
store keeps it.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.errors import FittedWeightsDamaged, TooFewCases
from daypack.evaluate.measures import mean, ndcg
from daypack.evaluate.weights import DEFAULT, FEWEST, chosen, settings_of
from daypack.rank.blend import BlendWeights, scaled
from daypack.types import VectorMode
from daypack.types.tuned_weights import (
    MOST,
    WEIGHTS,
    ChunkKind,
    Evidence,
    Factors,
    Fitted,
    from_json,
    to_json,
)
from harbour import FILES, NAMES, cases
from support import WORDS, project


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("harbour")
    project(found, FILES)
    with Daypack.open(found / ".daypack", settings=WORDS) as dp:
        dp.files.add(found)
    return found


@pytest.fixture
def harbour(folder: Path, tmp_path: Path) -> Iterator[Daypack]:
    shutil.copytree(folder / ".daypack", tmp_path / "store")
    with Daypack.open(tmp_path / "store", root=folder, settings=WORDS) as dp:
        yield dp


def answers(dp: Daypack) -> list[tuple[str, list[tuple[str, float]]]]:
    """Packs and rankings of some questions, to the last bit."""
    return [
        (
            dp.pack(case["query"], budget=600, vectors="none").text,
            [
                (one.chunk.reference, one.score)
                for one in dp.search(case["query"], vectors="none", limit=50).candidates
            ],
        )
        for case in cases()[:6]
    ]


# ---------------------------------------------------------------- choosing


def test_what_is_best_in_other_weights_is_found_kept_and_ranks_from_then_on(harbour: Daypack) -> None:
    before = harbour.evaluate(cases(), vectors="none").totals
    fit = harbour.fit_ranker(cases(), vectors="none")
    prose = next(one for one in fit.kinds if one.kind is ChunkKind.PROSE)
    assert prose.evidence is not None
    assert prose.factors["coherence"] < 1
    assert prose.evidence.gain[1] > 0
    assert harbour.search("the barmak lamp", vectors="none").stats.fitted.startswith("prose ")
    assert harbour.evaluate(cases(), vectors="none").totals.reciprocal_rank > before.reciprocal_rank


def test_what_is_measured_is_what_the_fitted_store_answers(harbour: Daypack) -> None:
    """Of one expected thing a case, nDCG@10 is 1 / log2(1 + rank)."""
    fit = harbour.fit_ranker(cases(), vectors="none")
    prose = next(one for one in fit.kinds if one.kind is ChunkKind.PROSE)
    assert prose.evidence is not None
    ranks = [case.ranks for case in harbour.evaluate(cases(), vectors="none").cases]
    # Here every fold chooses the same weights, so that what is held out is what they give.
    assert mean([ndcg(one, 10) for one in ranks]) == pytest.approx(prose.evidence.held_out[0], abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_labels_without_rhyme_or_reason_leave_the_defaults_and_every_byte(
    harbour: Daypack, seed: int
) -> None:
    before = answers(harbour)
    dice = random.Random(seed)
    wanted = [
        {**case, "expected_paths": [f"{dice.choice(['log', 'talk'])}/{case['name']}.md"]} for case in cases()
    ]
    assert harbour.fit_ranker(wanted, vectors="none").fitted is None
    assert harbour.status()["fitted"] is None
    assert answers(harbour) == before


def test_labels_that_the_defaults_serve_already_leave_them(harbour: Daypack) -> None:
    fit = harbour.fit_ranker(cases("talk/{}.md"), vectors="none")
    assert (fit.fitted, [one.factors for one in fit.kinds if one.evidence]) == (None, [{}])


def test_what_was_fitted_goes_away_as_it_came(harbour: Daypack) -> None:
    before = answers(harbour)
    harbour.fit_ranker(cases(), vectors="none")
    assert answers(harbour) != before
    assert harbour.unfit_ranker()
    assert answers(harbour) == before
    assert not harbour.unfit_ranker()


def test_a_fit_beside_kept_weights_is_held_against_the_defaults(harbour: Daypack) -> None:
    first = harbour.fit_ranker(cases(), vectors="none")
    assert harbour.fit_ranker(cases(), vectors="none").kinds == first.kinds


def test_weights_of_words_alone_do_not_rank_what_a_model_helped_to_rank(harbour: Daypack) -> None:
    harbour.fit_ranker(cases(), vectors="none")
    assert harbour.search("the barmak lamp", vectors="none").stats.fitted
    assert harbour.search("the barmak lamp", vectors="all").stats.fitted == ""


def test_another_process_ranks_by_them_at_its_next_question(harbour: Daypack) -> None:
    with Daypack.open(harbour.engine.store.folder, root=harbour.root, settings=WORDS) as other:
        assert other.search("the barmak lamp", vectors="none").stats.fitted == ""
        harbour.fit_ranker(cases(), vectors="none")
        assert other.search("the barmak lamp", vectors="none").stats.fitted


def test_few_cases_are_refused_with_the_number_that_is_needed(harbour: Daypack) -> None:
    with pytest.raises(TooFewCases, match=rf"19 cases say .* fewer than {FEWEST} cases"):
        harbour.fit_ranker(cases()[:19], vectors="none")
    in_packs = [
        {"name": name, "query": f"the lamp of {name}", "expected_terms": ["paraffin"]} for name in NAMES
    ]
    with pytest.raises(TooFewCases, match="0 cases say what a search must find"):
        harbour.fit_ranker(in_packs, vectors="none")
    # of which none expects a thing that is a candidate
    with pytest.raises(TooFewCases, match=f"{len(NAMES)} cases say"):
        harbour.fit_ranker(cases("elsewhere/{}.md"), vectors="none")
    assert harbour.fit_ranker(
        [{**case, "expected_terms_scope": "retrieved_records"} for case in in_packs], vectors="none"
    ).cases == len(NAMES)


def test_an_interrupt_writes_nothing(harbour: Daypack) -> None:
    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        harbour.fit_ranker(cases(), vectors="none", progress=stop)
    assert harbour.status()["fitted"] is None


def test_settings_begin_with_the_default_and_hold_each_once() -> None:
    for kind in ChunkKind:
        found = settings_of(kind)
        assert found[0] == DEFAULT
        assert len(set(found)) == len(found)
        assert {name for setting in found for name, _ in setting} == set(WEIGHTS[kind])


def test_of_equally_good_weights_the_nearest_to_the_defaults_are_chosen() -> None:
    near, far = (("dense", 1.25),), (("dense", 2.0),)
    better = {f"q{n}": 1.0 for n in range(20)}
    values = {DEFAULT: dict.fromkeys(better, 0.5), near: better, far: better}
    found = chosen(ChunkKind.PROSE, 20, values)
    assert (found.factors, found.helps) == ({"dense": 1.25}, True)


# ---------------------------------------------------------------- weights


factors = st.dictionaries(
    st.sampled_from(list(ChunkKind)),
    st.dictionaries(
        st.sampled_from(["dense", "context", "coherence", "author", "name", "file"]), st.floats(0, MOST)
    ),
).map(
    lambda found: {
        kind: {name: factor for name, factor in named.items() if name in WEIGHTS[kind]}
        for kind, named in found.items()
    }
)


@given(factors)
def test_factors_of_one_change_nothing_and_shares_stay_shares(found: Factors) -> None:
    assert (
        scaled(BlendWeights(), {kind: dict.fromkeys(named, 1.0) for kind, named in found.items()})
        == BlendWeights()
    )
    weights = scaled(BlendWeights(), found)
    shares = (
        weights.dense,
        weights.dense_alone,
        weights.dense_event,
        weights.dense_code,
        weights.context,
        weights.context_event,
    )
    assert all(0 <= share <= 1 for share in shares)
    assert all(getattr(weights, name) >= 0 for name in weights._fields)


def test_equal_weights_give_equal_packs(harbour: Daypack) -> None:
    before = answers(harbour)
    harbour.engine.store.keep_fitted_weights(
        to_json(fitted({kind: dict.fromkeys(WEIGHTS[kind], 1.0) for kind in ChunkKind}))
    )
    assert harbour.status()["fitted"] is not None
    assert answers(harbour) == before


# ---------------------------------------------------------------- what a store keeps


def fitted(weights: Factors) -> Fitted:
    evidence = {kind: Evidence(24, (0.5, 0.4, 0.6), (0.6, 0.5, 0.7), (0.1, 0.05, 0.15)) for kind in weights}
    return Fitted(
        weights, "", "harbour", "0123456789abcdef", VectorMode.NONE, 5, 1_750_000_000.0, "1.2.3", evidence
    )


@given(factors)
def test_what_is_kept_comes_back(found: Factors) -> None:
    assert from_json(to_json(fitted(found)), "store") == fitted(found)


TEXT = to_json(fitted({ChunkKind.PROSE: {"dense": 1.5}}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT.replace("1.5", "1.4"), "do not match their hash"),
        (TEXT.replace('"cases": 24', '"cases": 240'), "do not match their hash"),
        (TEXT.replace('_weights": 1', '_weights": 2'), "are of version 2, this program reads 1"),
        (TEXT[:-20], "cannot be read"),
        ("[]", "cannot be read"),
        ("", "cannot be read"),
        (to_json(fitted({ChunkKind.PROSE: {"dense": 40.0}})), "cannot be read"),
        (to_json(fitted({ChunkKind.CODE: {"coherence": 0.5}})), "cannot be read"),
    ],
)
def test_damage_is_said_with_the_way_out(text: str, said: str) -> None:
    with pytest.raises(FittedWeightsDamaged, match=f"{said}.*`daypack eval fit-ranker --undo`"):
        from_json(text, "store")


def test_damaged_weights_rank_nothing_until_they_are_removed(harbour: Daypack) -> None:
    harbour.engine.store.keep_fitted_weights(json.dumps(json.loads(TEXT) | {"embedder": "other"}))
    with pytest.raises(FittedWeightsDamaged):
        harbour.search("the barmak lamp", vectors="none")
    (ill,) = [check for check in harbour.doctor() if check.verdict.value == "damage"]
    assert ill.name == "weights"
    assert harbour.unfit_ranker()
    assert harbour.search("the barmak lamp", vectors="none").candidates
