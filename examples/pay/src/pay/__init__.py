"""Charges, refunds and the ledger."""
