"""Modes as arguments: an enum's member, or its value; and the values alone, for options of commands."""

from __future__ import annotations

from typing import Literal, TypeAlias

from daypack.types import Content, Packing, Ranking, Sort, Task, Tokenizer, VectorMode

TokenizerName: TypeAlias = Literal["o200k", "cl100k", "approx", "chars", "bytes"]
PackingName: TypeAlias = Literal["auto", "skip", "prefix"]
VectorModeName: TypeAlias = Literal["auto", "all", "none"]
Tokenizers: TypeAlias = Tokenizer | TokenizerName
Packings: TypeAlias = Packing | PackingName
VectorModes: TypeAlias = VectorMode | VectorModeName
Tasks: TypeAlias = Task | Literal["trace", "impact", "tests", "uses"]
Sorts: TypeAlias = Sort | Literal["relevance", "timeline"]
Contents: TypeAlias = Content | Literal["code", "prose"]
Rankings: TypeAlias = Ranking | Literal["default", "ctx"]
