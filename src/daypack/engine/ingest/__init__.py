"""Records on their way into a store.

cleaning.py    a record                →  the same without secrets, cut and counted
ingestion.py   records                 →  those that differ from the stored ones, written in one transaction
indexing.py    chunks just written     →  their postings and vectors
"""

from daypack.engine.ingest.cleaning import CHUNK_TOKENIZER, prepare
from daypack.engine.ingest.ingestion import Ingestion

__all__ = ["CHUNK_TOKENIZER", "Ingestion", "prepare"]
