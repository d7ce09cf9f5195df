"""Trains on one GPU: the static table in the encoder's space, and the encoder itself on pairs.

    python train.py prepare KEEP TEXTS.jsonl.xz WEIGHTS.safetensors VOCAB    tokenises, embeds every text with the encoder
    python train.py table KEEP OUT [--encoder NAME]                          the static table for an encoder
    python train.py encoder KEEP OUT NAME [options]                          a fine-tuned encoder

KEEP is a folder for what the steps hand to each other. Nothing here is imported by the package.
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import random
import re
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn

os.environ["TOKENIZERS_PARALLELISM"] = "false"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LAYERS, WIDTH, HEADS, NARROW = 6, 384, 12, 256
LONGEST = 256
STARTED = time.time()
# The same expression as in daypack.embed.static.
WORDS = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+|[A-Z]")
KIND_WEIGHTS = {
    "gloss": 0.1,
    "commit": 0.5,
    "intent": 0.4,
    "fact": 0.5,
    "man": 1.0,
    "head": 1.0,
    "book": 1.0,
    "term": 1.0,
    "doc": 1.0,
}


def log(*parts: object) -> None:
    print(f"[{time.time() - STARTED:6.1f}]", *parts, flush=True)


# ---------------------------------------------------------------- the encoder


class Encoder(nn.Module):
    """all-MiniLM-L6-v2, with the names of its published weights."""

    def __init__(self, weights: dict[str, torch.Tensor]) -> None:
        super().__init__()
        self.weights = nn.ParameterDict(
            {
                name.replace(".", "/"): nn.Parameter(value.float().clone())
                for name, value in weights.items()
                if value.is_floating_point() and "pooler" not in name
            }
        )

    def w(self, name: str) -> torch.Tensor:
        return self.weights[name.replace(".", "/")]

    def published(self) -> dict[str, torch.Tensor]:
        return {name.replace("/", "."): value.detach() for name, value in self.weights.items()}

    def norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(x, (WIDTH,), self.w(f"{name}.weight"), self.w(f"{name}.bias"), 1e-12)

    def linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.w(f"{name}.weight"), self.w(f"{name}.bias"))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Unit vectors of padded rows of token ids; 0 is padding."""
        there = ids != 0
        n, length = ids.shape
        x = F.embedding(ids, self.w("embeddings.word_embeddings.weight"))
        x = (
            x
            + self.w("embeddings.position_embeddings.weight")[:length]
            + self.w("embeddings.token_type_embeddings.weight")[0]
        )
        x = self.norm("embeddings.LayerNorm", x)
        mask = there[:, None, None, :]
        for number in range(LAYERS):
            name = f"encoder.layer.{number}"
            q, k, v = (
                self.linear(f"{name}.attention.self.{part}", x).view(n, length, HEADS, -1).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            context = (
                F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                .transpose(1, 2)
                .reshape(n, length, WIDTH)
            )
            x = self.norm(
                f"{name}.attention.output.LayerNorm",
                x + self.linear(f"{name}.attention.output.dense", context),
            )
            wide = F.gelu(self.linear(f"{name}.intermediate.dense", x))
            x = self.norm(f"{name}.output.LayerNorm", x + self.linear(f"{name}.output.dense", wide))
        total = (x.float() * there[:, :, None]).sum(1)
        return F.normalize(total / there.sum(1, keepdim=True).clamp(min=1), dim=-1)


def encoded(encoder: Encoder, tokens: torch.Tensor, budget: int = 200_000) -> torch.Tensor:
    """Vectors of rows of uint16 tokens, in half precision."""
    lengths = (tokens != 0).sum(1)
    order = torch.argsort(lengths)
    out = torch.zeros(len(tokens), WIDTH, dtype=torch.float16, device=DEVICE)
    sorted_lengths = lengths[order].cpu().numpy()
    start = 0
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16):
        while start < len(order):
            end = min(len(order), start + 4096)
            while end > start + 1 and (end - start) * int(sorted_lengths[end - 1]) > budget:
                end = start + max(1, (end - start) * 3 // 4)
            rows = order[start:end]
            out[rows] = encoder(tokens[rows, : max(1, int(sorted_lengths[end - 1]))].long()).half()
            start = end
    return out


# ---------------------------------------------------------------- texts

_TOKENIZER = None
_PIECES: dict[str, list[int]] = {}


def _tokenizer(vocabulary: str):  # type: ignore[no-untyped-def]
    from tokenizers import BertWordPieceTokenizer

    return BertWordPieceTokenizer(vocabulary, lowercase=True)


def _start(vocabulary: str) -> None:
    global _TOKENIZER
    _TOKENIZER = _tokenizer(vocabulary)


def tokens_of(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """(rows for the encoder, rows for the table), both uint16 and padded with 0."""
    ours = np.zeros((len(texts), LONGEST), np.uint16)
    table = np.zeros((len(texts), LONGEST), np.uint16)
    for row, text in enumerate(texts):
        ids = _TOKENIZER.encode(text[:4000]).ids
        ids = ids if len(ids) <= LONGEST else [*ids[: LONGEST - 1], 102]
        ours[row, : len(ids)] = ids
        pieces: list[int] = []
        for word in WORDS.findall(text[:4000]):
            found = _PIECES.get(word)
            if found is None:
                found = [
                    piece for piece in _TOKENIZER.encode(word, add_special_tokens=False).ids if piece != 100
                ]
                if len(_PIECES) < 400_000:
                    _PIECES[word] = found
            pieces += found
        pieces = pieces[:LONGEST]
        table[row, : len(pieces)] = pieces
    return ours, table


def tokenised(texts: list[str], vocabulary: str) -> tuple[torch.Tensor, torch.Tensor]:
    parts = [texts[start : start + 4000] for start in range(0, len(texts), 4000)]
    with multiprocessing.get_context("fork").Pool(
        min(16, os.cpu_count() or 1), _start, (vocabulary,)
    ) as pool:
        both = pool.map(tokens_of, parts, chunksize=1)
    return tuple(
        torch.from_numpy(np.concatenate([part[side] for part in both]).astype(np.int32)).to(torch.int32)
        for side in (0, 1)
    )  # type: ignore[return-value]


def window(text: str, dice: random.Random) -> str:
    """A part of a long text: 120 to 450 characters from a word's beginning."""
    size = dice.randint(120, 450)
    start = dice.randint(0, max(0, len(text) - size))
    start = text.find(" ", start) + 1 if start else 0
    return text[start : start + size]


def prepare(keep: Path, texts_path: Path, weights: Path, vocabulary: str, limit: int) -> None:
    dice = random.Random(3)
    texts: list[str] = []
    pairs: list[tuple[int, int]] = []
    kinds: list[str] = []
    with lzma.open(texts_path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    dice.shuffle(rows)
    for row in rows[:limit]:
        places = {}
        for side in "abt":
            if side in row:
                places[side] = len(texts)
                texts.append(row[side])
                if len(row[side]) > 500:
                    texts.append(window(row[side], dice))
        if "b" in row:
            pairs.append((places["a"], places["b"]))
            kinds.append(row["k"])
    log(len(rows), "rows", len(texts), "texts", len(pairs), "pairs")
    ours, table = tokenised(texts, vocabulary)
    log("tokenised", int((ours != 0).sum()) // 1_000_000, "M tokens")
    keep.mkdir(parents=True, exist_ok=True)
    torch.save(
        {
            "ours": ours.to(torch.int16),
            "table": table.to(torch.int16),
            "pairs": torch.tensor(pairs),
            "kinds": kinds,
        },
        keep / "texts.pt",
    )
    encoder = Encoder(load_file(weights)).to(DEVICE).eval()
    save_file(
        {name: value.contiguous().half() for name, value in encoder.published().items()},
        keep / "encoder-base.safetensors",
    )
    vectors = encoded(encoder, ours.to(DEVICE))
    torch.save(vectors.cpu(), keep / "vectors-base.pt")
    log("embedded")


def load(keep: Path) -> dict:  # type: ignore[type-arg]
    data = torch.load(keep / "texts.pt")
    for name in ("ours", "table"):
        data[name] = data[name].to(DEVICE).int()
    data["pairs"] = data["pairs"].to(DEVICE)
    data["weights"] = torch.tensor([KIND_WEIGHTS.get(kind, 1.0) for kind in data["kinds"]], device=DEVICE)
    return data


def load_encoder(keep: Path, name: str) -> Encoder:
    return Encoder(load_file(keep / f"encoder-{name}.safetensors")).to(DEVICE).eval()


# ---------------------------------------------------------------- the static table


def similarities(scores: torch.Tensor, target: torch.Tensor, temperature: float = 0.05) -> torch.Tensor:
    """How far the neighbours of each row are from the teacher's."""
    return F.kl_div(
        F.log_softmax(scores / temperature, -1), F.softmax(target / temperature, -1), reduction="batchmean"
    )


def train_table(
    keep: Path, out: Path, name: str, steps: int, batch: int, evals: Path | None, vocabulary: str
) -> None:
    data = load(keep)
    encoder = load_encoder(keep, name)
    path = keep / f"vectors-{name}.pt"
    vectors = torch.load(path).to(DEVICE) if path.exists() else encoded(encoder, data["ours"])
    log("table for", name, tuple(vectors.shape))
    sample = vectors[torch.randperm(len(vectors), device=DEVICE)[:200_000]].float()
    energy, axes = torch.linalg.eigh(sample.T @ sample / len(sample))
    projection = axes[:, -NARROW:].flip(1).contiguous()
    log("energy kept", float(energy[-NARROW:].sum() / energy.sum()))
    goal = lambda rows: F.normalize(vectors[rows].float() @ projection, dim=-1)  # noqa: E731

    size = len(encoder.w("embeddings.word_embeddings.weight"))
    alone = torch.zeros(size, 3, dtype=torch.int32, device=DEVICE)
    alone[:, 0], alone[:, 1], alone[:, 2] = 101, torch.arange(size, device=DEVICE), 102
    isolated = encoded(encoder, alone).float() @ projection
    inputs = torch.cat([isolated, encoder.w("embeddings.word_embeddings.weight").detach() * 8], 1)
    linear = nn.Linear(inputs.shape[1], NARROW, device=DEVICE)
    with torch.no_grad():
        linear.weight.zero_()
        linear.weight[:, :NARROW] = torch.eye(NARROW)
        linear.bias.zero_()
    counts = torch.bincount(data["table"].flatten(), minlength=size).float()
    counts[0] = 0
    share = counts / counts.sum()
    weight = nn.Parameter(torch.log(1e-3 / (1e-3 + share)).clamp(min=-6))
    held = torch.randperm(len(vectors), generator=torch.Generator().manual_seed(1))[:4000].to(DEVICE)
    chance = data["weights"]
    # `table` already holds stage one's result when stage two begins.
    stage_one = [*linear.parameters(), weight]
    table: torch.Tensor | None = None
    for stage, length, rate, dropout in ((1, steps // 5, 2e-3, 0.05), (2, steps, 2e-3, 0.08)):
        parameters = stage_one if stage == 1 else [table]
        optimiser = torch.optim.Adam(parameters, rate)
        for step in range(length):
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1, (step + 1) / 50) * (0.5 + 0.5 * np.cos(np.pi * step / length))
            current = linear(inputs) * weight.exp()[:, None] if stage == 1 else table
            assert current is not None
            chosen = torch.multinomial(chance, batch // 2)
            a, b = data["pairs"][chosen].T
            rows = torch.cat([torch.randint(len(vectors), (batch,), device=DEVICE), b])

            def pooled(
                rows: torch.Tensor, current: torch.Tensor = current, dropout: float = dropout
            ) -> torch.Tensor:
                ids = data["table"][rows]
                ids = ids[:, : max(1, int((ids != 0).sum(1).max()))]
                ids = ids * (torch.rand(ids.shape, device=DEVICE) > dropout)
                return F.normalize(F.embedding_bag(ids, current, mode="sum", padding_idx=0), dim=-1)

            static, target = pooled(rows), goal(rows)
            asking, answer = vectors[a].float() @ projection, static[batch:]
            loss = (1 - (static * target).sum(1)).mean()
            loss = loss + 0.1 * similarities(
                static[: batch // 2] @ static[: batch // 2].T, target[: batch // 2] @ target[: batch // 2].T
            )
            loss = loss + 0.1 * similarities(asking @ answer.T, asking @ target[batch:].T)
            loss = loss + 0.03 * F.cross_entropy(
                asking @ answer.T / 0.05, torch.arange(len(a), device=DEVICE)
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            if step % 500 == 0 or step == length - 1:
                with torch.no_grad():
                    log(
                        "stage",
                        stage,
                        "step",
                        step,
                        "loss",
                        round(float(loss), 4),
                        "held-out cosine",
                        round(float((pooled(held, current, 0.0) * goal(held)).sum(1).mean()), 4),
                    )
        if stage == 1:
            table = nn.Parameter((linear(inputs) * weight.exp()[:, None]).detach())
    assert table is not None
    values = table.detach().float()
    values[counts == 0] *= 0.5  # never trained: what stage one made of them, with less say
    values[0] = 0
    scales = values.abs().amax(1, keepdim=True).clamp(min=1e-9) / 127
    codes = (values / scales).round().to(torch.int8)
    out.mkdir(parents=True, exist_ok=True)
    parts = (codes, scales[:, 0].float(), projection.half())
    data = b"".join(part.cpu().numpy().tobytes() for part in parts)
    (out / f"table-{name}.bin").write_bytes(data)
    if evals is not None:
        whole = codes.float() * scales
        judge(evals, vocabulary, encoder, f"table of {name}", whole, projection)


def judge(
    evals: Path,
    vocabulary: str,
    encoder: Encoder,
    label: str,
    table: torch.Tensor | None,
    projection: torch.Tensor | None,
    keep: dict | None = None,
) -> dict:  # type: ignore[type-arg]
    """nDCG@10 of each set, alone and fused, printed."""
    import pickle

    import evlib

    results = {}
    parts = []
    for name, about in pickle.loads(evals.read_bytes()).items():
        key = f"tokens {name}"
        if key not in CACHE:
            _start(vocabulary)
            CACHE[key] = tuple(
                part.to(DEVICE).int()
                for part in tokenised([*about["docs"], *(q["text"] for q in about["qs"])], vocabulary)
            )
        ours, pieces = CACHE[key]
        n = len(about["docs"])
        questions = encoded(encoder, ours[n:]).float()
        if table is None:
            documents = encoded(encoder, ours[:n]).float()
        else:
            documents = F.normalize(F.embedding_bag(pieces[:n], table, mode="sum", padding_idx=0), dim=-1)
            questions = questions @ projection
        alone, fused, bm25 = evlib.evaluate(
            about, documents.cpu().numpy(), questions.cpu().numpy(), 0.5 if table is None else 0.4
        )
        results[name] = (alone, fused, bm25)
        parts.append(f"{name} {alone.mean():.4f}/{fused.mean():.4f}")
    log("EVAL", label, "|", " | ".join(parts))
    return results


CACHE: dict = {}  # type: ignore[type-arg]


# ---------------------------------------------------------------- the encoder, on pairs


def train_encoder(
    keep: Path,
    out: Path,
    name: str,
    steps: int,
    batch: int,
    rate: float,
    distil: float,
    hard: float,
    evals: Path | None,
    vocabulary: str,
) -> None:
    torch.manual_seed(5)
    data = load(keep)
    vectors = torch.load(keep / "vectors-base.pt").to(DEVICE)
    encoder = load_encoder(keep, "base").train()
    a_all, b_all = data["pairs"].T
    # A pair whose sides have nothing to do with each other teaches noise.
    fit = (vectors[a_all].float() * vectors[b_all].float()).sum(1)
    chance = data["weights"] * (fit > 0.25)
    log(name, "pairs used", int((chance > 0).sum()), "steps", steps)
    groups = [
        {
            "params": [v for k, v in encoder.weights.items() if v.ndim > 1 and "position" not in k],
            "weight_decay": 0.01,
        },
        {"params": [v for k, v in encoder.weights.items() if v.ndim == 1], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=rate, fused=DEVICE == "cuda")
    asked = vectors[a_all]
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 60) * (0.5 + 0.5 * np.cos(np.pi * step / steps))
        if random.random() < hard:
            # A batch of neighbourhoods: questions that the encoder takes for each other.
            seeds = torch.multinomial(chance, max(1, batch // 32))
            near = asked[seeds].float() @ asked.float().T if DEVICE == "cpu" else asked[seeds] @ asked.T
            near[:, chance == 0] = -9
            chosen = near.topk(min(32, near.shape[1])).indices.flatten().unique()
        else:
            chosen = torch.multinomial(chance, batch).unique()
        a, b = a_all[chosen], b_all[chosen]
        general = torch.randint(len(vectors), (batch // 2,), device=DEVICE)

        def run(rows: torch.Tensor) -> torch.Tensor:
            tokens = data["ours"][rows]
            lengths = (tokens != 0).sum(1)
            order = torch.argsort(lengths)
            found = []
            for part in order.chunk(4):
                found.append(encoder(tokens[part, : int(lengths[part].max())]))
            return torch.cat(found)[torch.argsort(order)]

        with torch.autocast(DEVICE, torch.bfloat16):
            asking, answer, plain = run(a), run(b), run(general)
        before_a, before_b = vectors[a].float(), vectors[b].float()
        with torch.no_grad():
            before = before_a @ before_b.T
            # What the teacher holds for a better answer than the pair's own is no wrong answer.
            doubtful = before > before.diagonal()[:, None] + 0.02
            doubtful.fill_diagonal_(False)
        scores = (asking @ answer.T / 0.05).masked_fill(doubtful, -1e4)
        loss = F.cross_entropy(scores, torch.arange(len(a), device=DEVICE))
        there = vectors[general].float()
        kept = (1 - (plain * there).sum(1)).mean() * 10 + similarities(plain @ plain.T, there @ there.T)
        total = loss + distil * kept
        optimiser.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimiser.step()
        if step % 100 == 0 or step == steps - 1:
            log(
                name,
                "step",
                step,
                "pairs",
                round(float(loss), 4),
                "kept",
                round(float(kept), 4),
                "right",
                round(float((scores.argmax(1) == torch.arange(len(a), device=DEVICE)).float().mean()), 3),
            )
    encoder.eval()
    base = load_encoder(keep, "base").published()
    tuned = encoder.published()
    for share in (0.3, 0.6, 1.0):
        mixed = {key: base[key] * (1 - share) + tuned[key] * share for key in tuned}
        save_file(
            {key: value.contiguous().half() for key, value in mixed.items()},
            keep / f"encoder-{name}-{share}.safetensors",
        )
        if evals is not None:
            results = judge(
                evals, vocabulary, load_encoder(keep, f"{name}-{share}"), f"{name} at {share}", None, None
            )
            import pickle

            (keep / f"results-{name}-{share}.pkl").write_bytes(pickle.dumps(results))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["prepare", "table", "encoder", "judge"])
    parser.add_argument("keep", type=Path)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--name", default="base")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--distil", type=float, default=1.0)
    parser.add_argument("--hard", type=float, default=0.5)
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--evals", type=Path)
    o = parser.parse_args()
    torch.manual_seed(5)
    random.seed(5)
    if o.what == "prepare":
        prepare(o.keep, o.texts, o.weights, o.vocabulary, o.limit)
    elif o.what == "table":
        train_table(o.keep, o.out, o.name, o.steps, o.batch, o.evals, o.vocabulary)
    elif o.what == "encoder":
        train_encoder(
            o.keep, o.out, o.name, o.steps, o.batch, o.rate, o.distil, o.hard, o.evals, o.vocabulary
        )
    else:
        import pickle

        results = judge(o.evals, o.vocabulary, load_encoder(o.keep, o.name), o.name, None, None)
        (o.keep / f"results-{o.name}.pkl").write_bytes(pickle.dumps(results))


if __name__ == "__main__":
    main()
