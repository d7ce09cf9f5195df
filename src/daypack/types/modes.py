"""Modes as arguments: an enum's member, or its value."""

from __future__ import annotations

from typing import Literal, TypeAlias

from daypack.types import Content, Packing, Ranking, Sort, Task, Tokenizer, VectorMode

Tokenizers: TypeAlias = Tokenizer | Literal["o200k", "cl100k", "approx", "chars", "bytes"]
Packings: TypeAlias = Packing | Literal["auto", "skip", "prefix"]
VectorModes: TypeAlias = VectorMode | Literal["auto", "all", "none"]
Tasks: TypeAlias = Task | Literal["trace", "impact", "tests", "uses"]
Sorts: TypeAlias = Sort | Literal["relevance", "timeline"]
Contents: TypeAlias = Content | Literal["code", "prose"]
Rankings: TypeAlias = Ranking | Literal["default", "ctx"]
