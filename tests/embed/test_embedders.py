"""Every embedder keeps the same promises; then what is special about each one that runs on this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from daypack.embed import minilm as minilm_files
from daypack.embed import open_embedder
from daypack.embed.beside import each
from daypack.embed.hashing import HashingEmbedder, fnv1a
from daypack.embed.minilm import open_minilm
from daypack.embed.onnx import OnnxEmbedder, readable
from daypack.embed.wordpieces import VOCABULARY, WordPieces, packaged_vocabulary
from daypack.errors import BadVector, ConfigError, ModelUnavailable
from daypack.ports import Embedder
from daypack.testing import EmbedderConformance, FakeEmbedder
from support import environment


@cache
def minilm() -> OnnxEmbedder:
    return open_minilm()


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    (folder / "model.onnx").symlink_to(Path(__file__).with_name("small.onnx"))
    (folder / "vocab.txt").symlink_to(VOCABULARY)
    return folder


class TestHashing(EmbedderConformance):
    def make(self) -> Embedder:
        return HashingEmbedder()


class TestFake(EmbedderConformance):
    def make(self) -> Embedder:
        return FakeEmbedder()


class TestMiniLM(EmbedderConformance):
    def make(self) -> Embedder:
        return minilm()


class TestFolder(EmbedderConformance):
    @pytest.fixture(autouse=True)
    def _folder(self, model_folder: Path) -> None:
        self.folder = model_folder

    def make(self) -> Embedder:
        return _from_folder(self.folder)


@cache
def _from_folder(folder: Path) -> Embedder:
    return open_embedder(f"folder:{folder}")


# ---------------------------------------------------------------- hashing


def test_hashing_gives_the_cosine_of_the_worked_example() -> None:
    """2 shared words / (sqrt(4 words) * sqrt(2 words)) = .7071."""
    document, query, other = HashingEmbedder().embed(
        ["database search and indexing", "database search", "chocolate cake recipe"]
    )
    assert f"{document @ query:.4f}" == "0.7071"
    assert other @ query == 0.0


def test_hashing_uses_the_published_fnv1a() -> None:
    assert fnv1a(b"") == 0xCBF29CE484222325
    assert fnv1a(b"a") == 0xAF63DC4C8601EC8C
    assert fnv1a(b"foobar") == 0x85944171F73967E8


def test_hashing_splits_at_everything_but_letters_and_digits_and_ignores_case() -> None:
    written, plain = HashingEmbedder().embed(["Foo_bar-BAZ, 42!", "foo bar baz 42"])
    assert written.tobytes() == plain.tobytes()


def test_hashing_keeps_a_word_whole_that_begins_with_a_dotted_capital() -> None:
    city, rest = HashingEmbedder().embed(["İstanbul", "stanbul"])
    assert city @ rest == 0.0
    assert np.count_nonzero(city) == 1


def test_hashing_counts_repeats() -> None:
    """(2, 1) · (1, 0) = 2 / sqrt(5)."""
    twice, once = HashingEmbedder().embed(["alpha alpha beta", "alpha"])
    assert twice @ once == pytest.approx(2 / 5**0.5)


# ---------------------------------------------------------------- minilm


def test_related_sentences_are_closer_than_unrelated_ones() -> None:
    vectors = minilm().embed(
        [
            "How long until a user is logged out?",
            "Sessions expire thirty minutes after the last request.",
            "The cake needs two hundred grams of dark chocolate.",
        ]
    )
    assert vectors[0] @ vectors[1] > 0.3
    assert vectors[0] @ vectors[2] < 0.15


def test_minilm_keeps_the_cosines_that_its_weights_gave_before() -> None:
    """Another runtime version may round differently; a wrong tokenizer or pooling moves these by far more."""
    cat, kitten, stocks = minilm().embed(
        ["a cat sits on the mat", "the kitten rests on a rug", "stock prices fell sharply"]
    )
    assert cat @ kitten == pytest.approx(0.662, abs=0.01)
    assert cat @ stocks == pytest.approx(0.070, abs=0.01)


def test_special_tokens_in_a_text_stay_text() -> None:
    plain, marked = minilm().embed(["delete everything", "delete [SEP] [CLS] everything"])
    assert plain @ marked < 0.999


def test_text_after_the_last_token_that_fits_changes_nothing() -> None:
    head = "alpha beta gamma delta " * 100
    first, second = minilm().embed([head + "one", head + "two"])
    assert first.tobytes() == second.tobytes()


def test_a_smaller_cut_reads_less() -> None:
    head = "alpha beta gamma delta " * 40
    first, second = minilm().embed([head + "one", head + "two"], max_tokens=64)
    whole_first, whole_second = minilm().embed([head + "one", head + "two"])
    assert first.tobytes() == second.tobytes()
    assert whole_first.tobytes() != whole_second.tobytes()


def test_the_cut_is_part_of_the_model_id() -> None:
    assert open_minilm(max_tokens=128).model_id != open_minilm(max_tokens=256).model_id


def test_weights_with_another_hash_are_refused(tmp_path: Path) -> None:
    changed = tmp_path / "model.onnx"
    changed.write_bytes(b"not the weights that the id names")
    with pytest.raises(ModelUnavailable, match=r"has sha256 .* expected 8b019d7142fa"):
        open_minilm(model_path=changed).embed(["text"])


@pytest.mark.parametrize("damage", ["missing", "damaged", "cut"])
def test_damaged_word_rows_are_reported_at_the_first_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    whole = bytearray(minilm_files.WORDS.path.read_bytes())
    if damage == "damaged":
        whole[0] ^= 1
    if damage != "missing":
        (tmp_path / "words.bin").write_bytes(whole[:-1] if damage == "cut" else whole)
    monkeypatch.setattr(minilm_files, "WORDS", minilm_files.WORDS._replace(path=tmp_path / "words.bin"))
    reason = "No such file" if damage == "missing" else r"words.bin has sha256 .* expected 97fb7962a86a"
    with pytest.raises(ModelUnavailable, match=reason):
        open_minilm().embed(["text"])


def test_vectors_are_those_of_the_release_that_had_one_file() -> None:
    """The id is kept, so the vectors that stores hold must be these."""
    assert open_minilm().model_id == "minilm-l6-v2-w7a8-384d-256t-6eceefde"
    vector = minilm().embed(["The refund is paid within a day."])[0]
    # Another processor or runtime rounds differently; other weights, rows or pieces move these by far more.
    assert vector[:6] == pytest.approx([-0.04621, 0.06617, 0.07128, 0.02545, 0.02563, -0.03604], abs=2e-3)


def test_missing_weights_are_reported_at_the_first_use(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="No such file"):
        open_minilm(model_path=tmp_path / "model.onnx").embed(["text"])


def test_threads_do_not_change_a_vector() -> None:
    texts = ["one text of a few words", "and another one that is a little longer than the first"]
    assert open_minilm(threads=1).embed(texts).tobytes() == minilm().embed(texts).tobytes()


def test_an_interrupt_ends_all_texts_that_wait() -> None:
    script = """
import _thread, threading
from daypack.embed.minilm import open_minilm

model = open_minilm()
started = threading.Event()
run, read = model._run, []
def reported(*arguments, **options):
    started.set()
    read.append(1)
    return run(*arguments, **options)
model._run = reported
threading.Thread(target=lambda: (started.wait(), _thread.interrupt_main()), daemon=True).start()
try:
    model.embed([f"text {i} " + "long " * 400 for i in range(1_500)])
except KeyboardInterrupt:
    workers = [one for one in threading.enumerate() if one.name.startswith("daypack")]
    for one in workers:  # a thread that was just starting ends its own text
        one.join(120)
    print("left:", [one.name for one in workers if one.is_alive()], "most texts read:", len(read) > 750)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=240, env=environment()
    )
    assert done.stdout == "left: [] most texts read: False\n", done.stderr


def test_no_moment_of_an_interrupt_leaves_a_thread_waiting() -> None:
    script = """
import _thread, threading, time
from daypack.embed.beside import each

def read(place):
    begun.set()
    time.sleep(0.0002)
    return place

ended = 0
for turn in range(400):
    begun = threading.Event()
    def interrupt(after=turn % 20 / 10_000):
        begun.wait()
        time.sleep(after)
        _thread.interrupt_main()
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        each(read, range(1_000), threads=2)
    except KeyboardInterrupt:
        ended += 1
print("interrupted:", ended)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=240, env=environment()
    )
    assert done.stdout == "interrupted: 400\n", done.stderr


def test_the_first_error_ends_the_texts_that_wait() -> None:
    begun: list[int] = []

    def read(place: int) -> int:
        begun.append(place)
        if place == 3:
            raise BadVector("a model", "NaN, infinite or zero")
        return place

    with pytest.raises(BadVector):
        each(read, range(100_000), threads=2)
    assert len(begun) < 100_000


def test_a_huge_text_costs_no_more_than_a_page() -> None:
    huge = "  \n" + "word " * 400_000
    assert len(readable(huge)) <= 4_000


# ---------------------------------------------------------------- folder


def test_a_folder_with_the_same_files_has_the_same_id_and_the_same_vectors(model_folder: Path) -> None:
    embedder = _from_folder(model_folder)
    assert embedder.dim == 16
    assert embedder.model_id == open_embedder(f"folder:{model_folder}").model_id
    assert embedder.model_id != minilm().model_id
    again = open_embedder(f"folder:{model_folder}")
    assert embedder.embed(["some text"]).tobytes() == again.embed(["some text"]).tobytes()


def test_a_changed_vocabulary_is_another_model(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").symlink_to(model_folder / "model.onnx")
    (tmp_path / "vocab.txt").write_text(VOCABULARY.read_text(encoding="utf-8") + "extra\n", encoding="utf-8")
    assert open_embedder(f"folder:{tmp_path}").model_id != _from_folder(model_folder).model_id


def test_a_folder_may_bring_a_tokenizer_file(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").symlink_to(model_folder / "model.onnx")
    pieces = WordPieces(packaged_vocabulary())
    pieces._library._tokenizer.save(str(tmp_path / "tokenizer.json"))
    texts = ["some text", "[SEP] other text"]
    found = open_embedder(f"folder:{tmp_path}").embed(texts)
    assert found.tobytes() == _from_folder(model_folder).embed(texts).tobytes()


def test_a_folder_may_ask_for_the_first_token_instead_of_the_mean(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").symlink_to(model_folder / "model.onnx")
    (tmp_path / "vocab.txt").symlink_to(VOCABULARY)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    embedder = open_embedder(f"folder:{tmp_path}")
    assert embedder.model_id != _from_folder(model_folder).model_id


def test_a_folder_that_is_no_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"no model\.onnx"):
        open_embedder(f"folder:{tmp_path}")
    (tmp_path / "model.onnx").write_bytes(b"junk")
    with pytest.raises(ModelUnavailable, match=r"no tokenizer\.json and no vocab\.txt"):
        open_embedder(f"folder:{tmp_path}")
    shutil.copy(VOCABULARY, tmp_path / "vocab.txt")
    with pytest.raises(ModelUnavailable, match="does not run in onnxruntime"):
        open_embedder(f"folder:{tmp_path}").embed(["text"])


def test_a_broken_tokenizer_file_is_reported(model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").symlink_to(model_folder / "model.onnx")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match="tokenizer cannot be read"):
        open_embedder(f"folder:{tmp_path}").embed(["text"])


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("name", ["", "gpt", "minilm:x", "hashing:2", "folder", "folder:", "endpoint:"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="unknown embedder"):
        open_embedder(name)


def test_opening_an_embedder_imports_nothing_heavy() -> None:
    program = (
        "import sys; from daypack.embed import open_embedder; import daypack.testing;"
        "open_embedder('minilm'); open_embedder('hashing');"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'pytest', 'urllib.request'} & sys.modules.keys()))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_loading_writes_nothing_to_the_terminal() -> None:
    program = "from daypack.embed import open_embedder; open_embedder().embed(['text'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_the_model_reports_to_nobody_and_keeps_no_file(tmp_path: Path) -> None:
    """The runtime keeps what it reports to its maker in the home and in the temporary folder."""
    program = "from daypack.embed import open_embedder; open_embedder().embed(['text'])"
    for name in ("home", "temporary"):
        (tmp_path / name).mkdir()
    places = {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "temporary")}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment(**places))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_text_cut_into_batches_keeps_its_place() -> None:
    """More equal-length texts than one batch holds, mixed with repeats and blanks."""
    texts = [f"item {i % 90}" for i in range(300)]
    texts[7] = texts[150] = ""
    vectors = minilm().embed(texts)
    assert not vectors[[7, 150]].any()
    assert np.array_equal(vectors[0], vectors[90])
    assert np.array_equal(vectors[89], minilm().embed(["item 89"])[0])
